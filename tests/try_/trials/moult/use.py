import moult
import numpy

worm = moult.Worm(2)
try:
    moult.Moth(worm)
except ValueError:
    print("too young", worm.age())
moth = moult.Moth(moult.Worm(5))
print("wings", numpy.from_dlpack(moth).sum())
