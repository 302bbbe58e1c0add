import gate

g = gate.Gate(5)
print("bars", len(g))
try:
    g.sell(0)
except ValueError:
    print("too cheap")
