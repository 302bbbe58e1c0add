import numpy
import reel

film = reel.Reel(2)
film.reserve(8)
for frame in range(5):
    film.add(frame / 4)
print("frames", numpy.from_dlpack(film).sum())
