import lantern
import numpy

light = lantern.Lantern()
print("light", numpy.from_dlpack(light)[1], "panes", len(light))
