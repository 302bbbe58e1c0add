import plaque

p = plaque.Plaque(1848)
print("units", p.units()[:2])
