import grove

oaks = grove.Grove(3)
oak = oaks.tree(2)
print("girth", oak.girth())
