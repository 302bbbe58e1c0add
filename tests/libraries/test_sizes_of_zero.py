"""Sizes of 0 and arrays without elements in modules of libraries give an array or an exception, and end no process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from libraries.real import Loader

BEGIN = """
import itertools, numpy
def call(function, *values):
    for each in itertools.product(*values):
        try:
            function(*each)
        except (ValueError, BufferError, RuntimeError, MemoryError):
            pass
def empties(dtype, ranks=(1, 2, 3)):
    sizes = [each for rank in ranks for each in itertools.product((0, 2, 4), repeat=rank) if 0 in each]
    return [numpy.empty(each, dtype) for each in sizes]
"""
SCRIPTS = {
    "fftw": """
x = empties(complex, (1, 2)) + [numpy.empty(2, complex)]
real = [numpy.empty(0), numpy.empty((0, 2)), numpy.empty((2, 0))]
n = [numpy.empty(0, numpy.int32), numpy.zeros(1, numpy.int32), numpy.array([0, 2], numpy.int32)]
call(alignment_of, real)
call(InPlace.from_dlpack, x)
call(Transform, x, x)
call(Transform.rows, x, x)
call(Plan, n, x, x)
call(Plan.dft_1d, x, x)
call(Plan.dft_2d, x, x)
call(RealPlan, n, real, x)
call(InversePlan, n, x, real)
""",
    "cairo": """
shapes = [(0, 0), (0, 2), (2, 0), (0, 0, 4), (0, 2, 4), (2, 0, 4), (2, 2, 0), (0,)]
call(lambda shape: Surface.empty(shape, dtype="uint8"), shapes)
call(Surface.from_dlpack, empties("u1"))
for made in [Surface.empty(each, dtype="uint8") for each in [(0, 0, 4), (0, 0)]]:
    assert numpy.from_dlpack(made).size == 0
""",
    "gdkpixbuf": """
call(Pixbuf.empty, [(0, 0, 3), (0, 2, 3), (2, 0, 4), (2, 2, 0)])
call(Pixbuf.from_dlpack, empties("u1"))
""",
    "nrrd": """
call(Nrrd.from_dlpack, empties("f4") + empties("u1"))
""",
    "avframe": """
call(Plane.from_dlpack, empties("u1"))
""",
    "cfi": """
call(Array.from_dlpack, empties("f4") + empties(complex))
for each in empties("f4"):
    assert numpy.from_dlpack(Array.from_dlpack(each)).shape == each.shape
""",
}


@pytest.mark.parametrize("library", SCRIPTS)
def test_sizes_of_zero_end_no_process(real: Loader, library: str) -> None:
    """The calls share one process, which must reach its last line."""
    folder = Path(real(library).module.__file__ or "").parent
    beginning = f"import sys\nsys.path.insert(0, {str(folder)!r})\nfrom {library} import *\n"
    script = f"{beginning}{BEGIN}{SCRIPTS[library]}print('end')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr
