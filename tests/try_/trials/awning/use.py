import awning
import numpy

stripes = numpy.from_dlpack(awning.Awning(4, 3))
print("first row", stripes[0], "last row", stripes[3])
print("sums", awning.sum(stripes), awning.sum(stripes[::-1]), awning.sum(stripes[::2, :2]))
