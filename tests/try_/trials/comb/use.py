import comb
import numpy

teeth = numpy.from_dlpack(comb.cut(rows=4, columns=6, height=7))
print("first row", comb.sum(teeth[:1].copy()))
