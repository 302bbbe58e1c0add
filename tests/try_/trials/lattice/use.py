import lattice
import numpy

cube = lattice.Lattice([1.0, 2.0, 4.0])
zeros = lattice.Lattice.zeros(5)
print("sum", cube.sum(), zeros.sum(), numpy.from_dlpack(zeros).shape)
