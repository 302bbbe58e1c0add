import numpy
import oar

x = numpy.arange(6.0)
print("sum", oar.sum(x[::2]), "dot", oar.dot(x, x))
try:
    print("backwards", oar.sum(x[::-1]) > -1)
except BufferError:
    print("backwards is refused")
