import choir
import numpy

singers = choir.Choir(3)
alto = numpy.from_dlpack(singers.voices[1])
alto += 1
del singers
print("alto", alto)
