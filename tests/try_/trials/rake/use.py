import numpy
import rake

bed = numpy.ones((1, 6), "float32")
print("sum", rake.sum(bed), "peak", rake.peak(bed))
