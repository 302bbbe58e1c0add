import numpy
import shelf

oak = shelf.Shelf(3, 40)
print("packed", oak.pack())
pages = numpy.from_dlpack(oak.book(1))
print("pages", len(pages))
