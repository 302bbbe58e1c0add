import carousel
import numpy

ring = carousel.Carousel(6)
for seat in range(4):
    ring.push(seat)
before = numpy.from_dlpack(ring)
print("popped", ring.pop())
ring.push(9)
after = numpy.from_dlpack(ring)
print("before", before, "after", after)
