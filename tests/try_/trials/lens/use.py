import lens
import numpy

curve = numpy.linspace(0, 2, 9, dtype="float32")
glass = lens.Lens(curve)
print("at", glass.at(0.25), glass.at(1))
