import drawer
import numpy

for first in (0, 2):
    cells = numpy.from_dlpack(drawer.Drawer(first, 6))
    print("first cell", cells[0])
