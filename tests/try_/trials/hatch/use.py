import hatch
import numpy

total = 0
for count in range(1, 6):
    with hatch.Hatch(count) as h:
        slats = numpy.from_dlpack(h)
        total += int(slats.sum())
        del slats
print("slats", total)
