import knot
import numpy

x = numpy.array([1.0, numpy.nan])
print("equal", knot.equal(x, x), knot.equal(x, x.copy()))
rope = knot.Rope(3)
knot.tie(rope, rope)
print("strands", numpy.from_dlpack(rope))
