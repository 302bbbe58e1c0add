import mill
import numpy

m = mill.Mill()
wheat = numpy.array([0.5, 1.5, 2.0], "float32")
m.feed(wheat)
print("flour", m.grind())
