import numpy
import tenant

for count in (3, 5, 2):
    rooms = numpy.zeros(count, "float32")
    t = tenant.Tenant.from_dlpack(rooms)
    numpy.from_dlpack(t)[0] = 2
    del t
    print("rooms", rooms, tenant.waiting())
