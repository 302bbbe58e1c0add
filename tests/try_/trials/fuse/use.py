import fuse
import numpy

print("roots", numpy.from_dlpack(fuse.roots([4.0, 9.0])).round(3), fuse.mean([1.0, 2.0]))
for call in (lambda: fuse.roots([4.0, -1.0, 9.0]), lambda: fuse.mean([])):
    try:
        call()
    except ValueError:
        print("refused")
