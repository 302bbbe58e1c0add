import inkwell
import numpy

well = inkwell.Inkwell()
drops = numpy.array([0.5, 0.25])
well.fill(drops)
print("level", well.level())
