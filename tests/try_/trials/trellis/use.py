import numpy
import trellis

windows = trellis.Trellis(6, 3)
print("means", numpy.from_dlpack(windows).mean(axis=1))
print("wall", numpy.from_dlpack(windows.wall()).sum())
