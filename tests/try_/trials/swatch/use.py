import numpy
import swatch

page = swatch.Swatch(1)
colours = numpy.from_dlpack(page)
print("green of yellow", colours[0, 1])
