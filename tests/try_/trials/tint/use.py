import numpy
import tint

samples = numpy.array([10, 100, 200], "uint8")
tint.apply(samples, tint.Mode.LIGHT)
print("samples", samples, tint.strength(tint.Mode.INVERSE))
