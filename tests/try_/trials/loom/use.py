import loom
import numpy

threads = numpy.array([[1.0, 2.0, 4.0], [8.0, 8.5, 9.0]])
print("widest", loom.widest(threads))
loom.mirror(threads)
print("first", threads[0, 0])
