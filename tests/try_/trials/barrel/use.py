import barrel
import numpy

wine = barrel.Barrel(12)
wine.size = 16
print("staves", numpy.from_dlpack(wine).sum())
