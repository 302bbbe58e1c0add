import numpy
import quilt

patches = numpy.from_dlpack(quilt.Quilt(4, 5))
print("corner", patches[0, 0], patches.shape)
