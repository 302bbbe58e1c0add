import gauze
import numpy

cloth = numpy.arange(40, dtype="float32").reshape(5, 8)
print("above", gauze.above(cloth, 20), "mean", gauze.mean(cloth))
try:
    print("left side", gauze.above(cloth[:, :3], 100))
except BufferError:
    print("the left side has gaps")
