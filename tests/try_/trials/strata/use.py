import numpy
import strata

core = strata.Core(6)
depths = numpy.from_dlpack(core.depths())
print("first layer", depths[0, 0], depths[0, 1])
