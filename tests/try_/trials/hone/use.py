import hone
import numpy

x = numpy.array([1.0, 2.0, 3.0])
y = numpy.array([4.0, 4.0, 7.0])
print("spread", hone.spread(x, y), "mean", hone.mean(x))
