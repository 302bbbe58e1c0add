import album
import numpy

record = album.Album(8)
print("pixels", numpy.from_dlpack(record.cover()).size)
