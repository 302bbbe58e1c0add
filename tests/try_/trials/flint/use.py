import flint
import numpy

for count in (1, 7, 100):
    edge = numpy.from_dlpack(flint.Flint(count))
    print("edge", edge[0], edge.ctypes.data % 64)
