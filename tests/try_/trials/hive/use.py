import hive

h = hive.Hive()
h.settle(hive.Queen())
print("queens", len(h))
