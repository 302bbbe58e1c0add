import granary
import numpy

barn = granary.Granary()
sacks = [numpy.from_dlpack(barn.fill(count)) for count in (0, 3, 20)]
print("room", barn.room() < 4096, "grains", [len(sack) for sack in sacks])
del barn
print("sum", sacks[2].sum())
