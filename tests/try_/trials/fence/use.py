import fence
import numpy

posts = numpy.array([0.0, 2.5, 4.0, 7.0])
gaps = numpy.from_dlpack(fence.gaps(posts))
print("first gap", gaps[0], "length", fence.length(posts))
