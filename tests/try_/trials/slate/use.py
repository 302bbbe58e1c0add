import numpy
import slate

rows = numpy.from_dlpack(slate.Slate(3, 2, 5))
print("rows", rows[2], "peak", slate.peak(rows), slate.peak(numpy.zeros((4, 8), "int16")[:, 5:]))
