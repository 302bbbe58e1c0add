import numpy
import parcel

kind = numpy.dtype({"names": ["weight", "zone"], "formats": ["f8", "i4"], "offsets": [0, 8], "itemsize": 16})
parcels = numpy.zeros(3, kind)
parcels["weight"] = 2.5
parcel.move(parcels, 4)
print("zone", parcels["zone"][2], "is a number", parcel.weight(parcels) == parcel.weight(parcels))
