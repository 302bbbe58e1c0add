import almanac
import numpy

for year in range(2001, 2011):
    days = numpy.from_dlpack(almanac.Almanac(year))
print("days", days.sum(), "cached", almanac.cached())
