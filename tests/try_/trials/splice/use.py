import numpy
import splice

tape = numpy.linspace(0, 1, 11, dtype="float32")
splice.erase(tape, 8)
print("mean", round(splice.mean(tape, 2, 4), 3))
