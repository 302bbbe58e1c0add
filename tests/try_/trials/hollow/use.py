import hollow
import numpy

nothing = numpy.empty(0)
print("empty", numpy.from_dlpack(hollow.Reed(nothing)).shape, hollow.sum(nothing))
print("positive", numpy.from_dlpack(hollow.positive([-1.0])), numpy.from_dlpack(hollow.positive([1.0, -2.0, 3.0])))
