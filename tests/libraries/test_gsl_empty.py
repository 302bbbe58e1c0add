"""Functions of the GNU Scientific Library with arrays without elements, for which the library would end the process."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

from structs.libraries import Library
from support import hangs

VALUES = {
    "Matrix": ("Matrix.empty((0, 0))", "Matrix.empty((0, 2))", "Matrix.empty((2, 0))"),
    "Complex": ("MatrixC128.empty((0, 0))", "MatrixC128.empty((0, 2))"),
    "Vector": ("Vector.empty((0,))", "Vector.empty((2,))"),
    "ComplexVector": ("VectorC128.empty((0,))",),
    "Permutation": ("numpy.empty(0, dtype=numpy.uintp)",),
    "Array": ("numpy.empty(0)",),
    "Transpose": ("Transpose.NO", "Transpose.YES"),
}
CALLS = {
    "Rng().shuffle": ["Array"],
    "Rng().choose": ["Array", "Array"],
    "Rng().sample": ["Array", "Array"],
    "dgemm": ["Transpose", "Transpose", "1.0", "Matrix", "Matrix", "0.0", "Matrix"],
    "dgemv": ["Transpose", "1.0", "Matrix", "Vector", "0.0", "Vector"],
    "dtrsv": ["Triangle.UPPER", "Transpose", "Diagonal.GIVEN", "Matrix", "Vector"],
    "ddot": ["Vector", "Vector"],
    "daxpy": ["1.0", "Vector", "Vector"],
    "dnrm2": ["Vector"],
    "LU_decomp": ["Matrix", "Permutation"],
    "LU_solve": ["Matrix", "Permutation", "Vector"],
    "LU_invert": ["Matrix", "Permutation"],
    "LU_invx": ["Matrix", "Permutation"],
    "LU_det": ["Matrix", "1"],
    "complex_LU_decomp": ["Complex", "Permutation"],
    "complex_LU_solve": ["Complex", "Permutation", "ComplexVector"],
    "cholesky_decomp": ["Matrix"],
    "cholesky_solve": ["Matrix", "Vector"],
    "QR_decomp": ["Matrix", "Vector"],
    "QR_solve": ["Matrix", "Vector", "Vector"],
    "SV_decomp": ["Matrix", "Matrix", "Vector", "Vector"],
    "eigen_symm": ["Matrix", "Vector", "EigenSymmWorkspace(1)"],
    "eigen_symmv_sort": ["Vector", "Matrix"],
    "mean": ["Array"],
    "median": ["Array"],
    "minmax": ["Array"],
    "minmax_index": ["Array"],
    "correlation": ["Array", "Array"],
    "covariance": ["Array", "Array"],
    "spearman": ["Array", "Array", "Array"],
    "wmean": ["Array", "Array"],
    "fit_linear": ["Array", "Array"],
    "sort": ["Array"],
    "sort2": ["Array", "Array"],
    "sort_index": ["Permutation", "Array"],
    "sort_smallest": ["Array", "Array"],
    "poly_eval": ["Array", "1.0"],
    "fft_radix2_forward": ["numpy.empty(0, dtype=complex)"],
    "fft_radix2_inverse": ["numpy.empty(0, dtype=complex)"],
}


@pytest.mark.parametrize("function", CALLS)
def test_arrays_without_elements_end_no_process(gsl: Library, function: str) -> None:
    """The calls of a function share one process, which must reach its last line."""
    arguments = itertools.product(*(VALUES.get(each, (each,)) for each in CALLS[function]))
    calls = [f"{function}({', '.join(each)})" for each in arguments]
    script = f"""
import numpy, sys
sys.path.insert(0, {str(Path(gsl.module.__file__ or "").parent)!r})
from gsl import *
for call in {calls!r}:
    try:
        eval(call)
    except (ValueError, BufferError):
        pass
print("end")
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=hangs.SECONDS, check=False
    )
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr
