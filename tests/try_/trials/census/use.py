import census
import numpy

ages = numpy.array([3, 1, 3, 7], "uint8")
counts = numpy.from_dlpack(census.count(ages))
print("of age 3", counts[3])
