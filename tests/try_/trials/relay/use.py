import numpy
import relay

r = relay.Relay()
r.connect(numpy.array([1, 2, 3], "int32"))
x = numpy.array([4, 5], "int32")
r.connect(x)
x[0] = 40
print("total", r.total())
del x, r
print("last", relay.last())
