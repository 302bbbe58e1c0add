import numpy
import ticker

first = ticker.changes(numpy.array([1.0, 3.0, 3.0, 2.0]))
second = ticker.changes([5.0, 5.0])
print("changes", numpy.from_dlpack(first), numpy.from_dlpack(second), ticker.name(7), ticker.name(8))
