import kernel
import numpy

box = kernel.Kernel(3, 3)
weights = numpy.from_dlpack(box)
weights[1, 1] += 1
print("norm", round(box.norm(), 6), numpy.from_dlpack(kernel.Kernel(0, 4)).shape)
