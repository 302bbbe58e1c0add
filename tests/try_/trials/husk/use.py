import husk
import numpy

total = 0
for count in range(4, 9):
    total += int(numpy.from_dlpack(husk.Husk(count)).sum())
print("grains", total)
