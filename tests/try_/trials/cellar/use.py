import cellar
import numpy

first = cellar.Bottle()
levels = numpy.from_dlpack(first)
second = cellar.Bottle()
print("free", cellar.free(), "level", levels[1])
del first, levels
third = cellar.Bottle()  # the memory of the first one
print("free", cellar.free(), "level", numpy.from_dlpack(third)[0])
