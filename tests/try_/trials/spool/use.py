import numpy
import spool

copper = spool.Spool([1.0, 2.0, 3.0])
wire = numpy.from_dlpack(copper)
print("wire", wire.sum(), spool.at(copper, 2))
try:
    spool.clear(copper)
except BufferError:
    print("the wire is in use")
