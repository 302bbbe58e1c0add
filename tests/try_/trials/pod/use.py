import numpy
import pod

green = pod.Pod(3)
print("last", numpy.from_dlpack(green.last())[0])
popped = green.pop()
print("popped", numpy.from_dlpack(popped)[0], len(green))
green.push(popped)
print("last", numpy.from_dlpack(green.last())[0], len(green))
