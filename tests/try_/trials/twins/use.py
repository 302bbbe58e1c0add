import numpy
import twins

castor = twins.Twin(5)
pollux = castor.share()
numpy.from_dlpack(castor)[2] = 7
print("sharers", pollux.sharers())
del castor
print("value", numpy.from_dlpack(pollux)[2], "sharers", pollux.sharers())
