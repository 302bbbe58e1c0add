"""The package, as its users import it."""

import numpy
from recordings import Clip


def test_memory_is_shared() -> None:
    clip = Clip.empty((3,))
    numpy.from_dlpack(clip)[:] = [1, 2, 3]
    assert numpy.from_dlpack(clip).tolist() == [1, 2, 3]
