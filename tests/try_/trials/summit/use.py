import numpy
import summit

heights = numpy.array([1.5, 4.0, 2.0])
print("summit", summit.find(heights), summit.height(heights))
