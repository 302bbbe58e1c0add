import numpy
import tide

levels = numpy.arange(8.0)
tide.limit(levels, 100)
tide.turn(levels)
tide.total(levels)
print("levels", levels)
