import numpy
import pleat

cloth = numpy.array([1, 3, 2, 6], "float32")
pleat.fold(cloth)
print("cloth", cloth, pleat.widest(cloth))
