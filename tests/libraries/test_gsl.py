"""Matrices and vectors of the GNU Scientific Library."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any

import numpy as np
import pytest

from libraries.real import Array, count, frozen
from structs.libraries import Library, address, assert_same
from support.build import SANITIZED

# What the names of the classes, and what those of GSL end in.
KINDS = {"": "", "F32": "_float", "I32": "_int", "U16": "_ushort", "U8": "_uchar", "Long": "_long", "C128": "_complex"}
DTYPES = {"": "float64", "F32": "float32", "I32": "int32", "U16": "uint16", "U8": "uint8", "C128": "complex128"}
DTYPES["Long"] = np.dtype("long").name
GET = {"": ctypes.c_double, "F32": ctypes.c_float, "I32": ctypes.c_int, "U16": ctypes.c_ushort, "U8": ctypes.c_ubyte}
GET["Long"] = ctypes.c_long
HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_int)


def sizes(*values: int) -> list[ctypes.c_size_t]:
    return [ctypes.c_size_t(value) for value in values]


def name(cls: str, kind: str) -> str:
    """Returns the name of the tensor in C."""
    return f"{cls}_{kind.lower()}" if kind else cls


def addresses(gsl: Library, kind: str, matrix: ctypes.c_void_p, rows: int, columns: int) -> list[list[int | None]]:
    at = f"gsl_matrix{KINDS[kind]}_ptr"
    return [[gsl.pointer(at, matrix, *sizes(i, j)).value for j in range(columns)] for i in range(rows)]


def addresses_of(array: Array) -> list[list[int]]:
    return [[address(array[i, j : j + 1]) for j in range(array.shape[1])] for i in range(array.shape[0])]


@pytest.mark.parametrize("kind", KINDS)
def test_a_matrix_is_an_array(gsl: Library, kind: str) -> None:
    matrix = gsl.pointer(f"gsl_matrix{KINDS[kind]}_calloc", *sizes(2, 3))
    array = np.from_dlpack(gsl.wrap(name("matrix", kind), matrix))
    assert (array.shape, array.dtype, array.flags.c_contiguous) == ((2, 3), DTYPES[kind], True)
    assert addresses_of(array) == addresses(gsl, kind, matrix, 2, 3)
    array[...] = count(2, 3)
    assert gsl.number(f"gsl_matrix{KINDS[kind]}_swap_rows", matrix, *sizes(0, 1)) == 0
    assert array.tolist() == [[3, 4, 5], [0, 1, 2]]


@pytest.mark.parametrize("kind", GET)
def test_gsl_reads_what_numpy_wrote(gsl: Library, kind: str) -> None:
    matrix = getattr(gsl.module, f"Matrix{kind}").empty((2, 3))
    np.from_dlpack(matrix)[...] = count(2, 3) + 0.5
    pointer = gsl.unwrap(name("matrix", kind), matrix)
    got = [gsl.number(f"gsl_matrix{KINDS[kind]}_get", pointer, *sizes(1, j), kind=GET[kind]) for j in range(3)]
    assert got == (count(2, 3) + 0.5).astype(DTYPES[kind])[1].tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_a_part_of_an_array_is_a_matrix(gsl: Library, kind: str) -> None:
    array = count(4, 6, dtype=DTYPES[kind])
    matrix = getattr(gsl.module, f"Matrix{kind}").from_dlpack(array[1:3, 1:5])
    assert_same(np.from_dlpack(matrix), array[1:3, 1:5])
    pointer = gsl.unwrap(name("matrix", kind), matrix)
    assert addresses(gsl, kind, pointer, 2, 4) == addresses_of(array[1:3, 1:5])
    assert gsl.number(f"gsl_matrix{KINDS[kind]}_swap_rows", pointer, *sizes(0, 1)) == 0
    assert array.tolist() == [[*range(6)], [6, 13, 14, 15, 16, 11], [12, 7, 8, 9, 10, 17], [*range(18, 24)]]


def test_gsl_multiplies_arrays(gsl: Library) -> None:
    a, b, c = count(3, 6)[:, :4], count(4, 5)[:, 1:3], np.ones((3, 2))
    product = 2 * a @ b + 3 * c
    matrices = [gsl.module.Matrix.from_dlpack(array) for array in (a, b, c)]
    left, right, result = (gsl.unwrap("matrix", matrix) for matrix in matrices)
    no_trans, two, three = 111, ctypes.c_double(2), ctypes.c_double(3)
    assert gsl.number("gsl_blas_dgemm", no_trans, no_trans, two, left, right, three, result) == 0
    np.testing.assert_array_equal(c, product)


def test_a_matrix_within_a_matrix_shares_its_elements(gsl: Library) -> None:
    whole = gsl.pointer("gsl_matrix_calloc", *sizes(4, 5))
    shown = gsl.wrap("matrix", whole)
    part = gsl.wrap("matrix", gsl.pointer("gsl_matrix_alloc_from_matrix", whole, *sizes(1, 2, 2, 3)))
    assert (part.shape, part.strides) == ((2, 3), (5, 1))
    assert_same(np.from_dlpack(part), np.from_dlpack(shown)[1:3, 2:5])
    column = gsl.wrap("vector", gsl.pointer("gsl_vector_alloc_col_from_matrix", whole, *sizes(3)))
    assert (column.shape, column.strides) == ((4,), (5,))
    assert_same(np.from_dlpack(column), np.from_dlpack(shown)[:, 3])


@pytest.mark.parametrize("kind", KINDS)
def test_a_vector_shares_a_strided_array(gsl: Library, kind: str) -> None:
    cls = getattr(gsl.module, f"Vector{kind}")
    array = count(10, dtype=DTYPES[kind])
    vector = cls.from_dlpack(array[1::3])
    assert_same(np.from_dlpack(vector), array[1::3])
    pointer = gsl.unwrap(name("vector", kind), vector)
    assert gsl.number(f"gsl_vector{KINDS[kind]}_reverse", pointer) == 0
    assert array.tolist() == [0, 7, 2, 3, 4, 5, 6, 1, 8, 9]
    made = cls.empty((3,))
    assert (made.dtype, np.from_dlpack(made).tolist()) == (DTYPES[kind], [0, 0, 0])


def test_matrices_keep_arrays(gsl: Library) -> None:
    array = count(2, 3)
    alive = weakref.ref(array)
    matrix = gsl.module.Matrix.from_dlpack(array)
    again = np.from_dlpack(matrix)
    del array, matrix
    assert alive() is not None
    del again
    assert alive() is None


def test_arrays_keep_matrices(gsl: Library) -> None:
    matrix = gsl.module.MatrixI32.empty((2, 3))
    pointer = gsl.unwrap("matrix_i32", matrix)
    rows = np.from_dlpack(matrix)[1]
    del matrix
    rows[2] = 7
    assert gsl.number("gsl_matrix_int_max", pointer) == 7


REFUSED: dict[str, tuple[str, Any, str]] = {
    "by columns": ("Matrix", count(3, 3).T, "compact but for the outermost axis"),
    "upwards": ("Matrix", count(3, 3)[::-1], "negative"),
    "a float": ("Matrix", count(3, 3, dtype="float32"), "dtype is float32, not float64"),
    "a double": ("MatrixF32", count(3, 3), "dtype is float64, not float32"),
    "rank 1": ("Matrix", count(3), "1 ax.*not 2"),
    "rank 3": ("Matrix", count(2, 2, 2), "3 axes, not 2"),
    "read-only": ("Matrix", frozen(count(3, 3)), "read-only"),
    "overlapping rows": ("Matrix", np.lib.stride_tricks.as_strided(count(9), (3, 3), (8, 8)), "outermost|overlap"),
    "one row for all": ("Matrix", np.lib.stride_tricks.as_strided(count(9), (3, 3), (0, 8)), "outermost|overlap"),
    "backwards": ("Vector", count(3)[::-1], "negative"),
    "one element for all": ("Vector", np.lib.stride_tricks.as_strided(count(1), (3,), (0,)), "overlap"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_arrays_that_gsl_cannot_use_are_refused(gsl: Library, case: str) -> None:
    cls, array, message = REFUSED[case]
    with pytest.raises(BufferError, match=rf"gsl\.{cls}: .*({message})"):
        getattr(gsl.module, cls).from_dlpack(array)


def test_strides_of_single_elements_do_not_matter(gsl: Library) -> None:
    assert gsl.module.Matrix.from_dlpack(count(5)[:, None]).strides == (1, 1)
    assert gsl.module.Matrix.from_dlpack(count(9)[None, 1:5]).strides == (4, 1)
    assert gsl.module.Matrix.from_dlpack(count(4, 5)[::-1][1:2]).strides == (5, 1)
    assert gsl.module.Vector.from_dlpack(count(6)[::-4][:1]).strides == (1,)


def test_matrices_without_elements_keep_their_shape(gsl: Library) -> None:
    matrix = gsl.module.Matrix.from_dlpack(np.empty((0, 3)))
    assert (matrix.shape, matrix.strides) == ((0, 3), (3, 1))
    assert gsl.module.Matrix.from_dlpack(np.empty((3, 0))).shape == (3, 0)
    assert np.from_dlpack(gsl.module.Matrix.empty((0, 3))).shape == (0, 3)
    assert np.from_dlpack(gsl.module.Vector.empty((0,))).shape == (0,)


if not SANITIZED:  # which end the process where memory is short

    @pytest.mark.parametrize("cls, shape", [("Matrix", (2**31, 2**20)), ("VectorU8", (2**50,))])
    def test_an_error_of_gsl_does_not_end_the_process(gsl: Library, cls: str, shape: tuple[int, ...]) -> None:
        calls: list[int] = []
        handler = HANDLER(lambda reason, file, line, number: calls.append(number))
        gsl.pointer("gsl_set_error_handler", handler)
        with pytest.raises(RuntimeError, match="_calloc"):
            getattr(gsl.module, cls).empty(shape)
        # It was off for the time of the call, and is the program's own again.
        assert gsl.pointer("gsl_set_error_handler_off").value == ctypes.cast(handler, ctypes.c_void_p).value
        assert calls == []
