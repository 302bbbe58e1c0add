import copybook
import numpy

lines = numpy.array([1, 2, 3], "uint16")
book = copybook.Copybook.from_dlpack(lines)
lines[0] = 100
print("sum", book.sum(), numpy.from_dlpack(book.lines()))
del book
print("lines", lines)
