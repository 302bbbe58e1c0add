import bead
import numpy

necklace = bead.String()
red = bead.Bead(5)
necklace.add(red)
blue = bead.larger(red, bead.Bead(3))
last = necklace.last()
print("same", numpy.from_dlpack(blue)[0] == numpy.from_dlpack(last)[0])
