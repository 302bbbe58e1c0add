import numpy
import vista

for size in (1, 4096, 10000):
    view = vista.Vista(size)
    pixels = numpy.from_dlpack(view)
    pixels[0] = 255
    print("bright", view.bright())
