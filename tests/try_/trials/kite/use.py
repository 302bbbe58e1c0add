import kite

k = kite.Kite()
cord = kite.Cord(20)
k.tie(cord)
print("pull", k.pull())
