"""Arrays of records that a call makes: new outputs, copies of C memory, memory of the library, and filled buffers."""

from __future__ import annotations

import gc
import pickle
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("outputs.h").read_text()
SPEC = """
dlpack-bindgen: 1
module: outputs
include: outputs.h
arrays: Array
records: {point: [x, y, tag]}
functions:
  fill: {c: "void fill(point *p, size_t n)", args: {p: {require: [{count: n}], default: new}, n: int}, returns: [p]}
  twice:
    c: void twice(const point *p, point *q, size_t n)
    args: {n: {count_of: p}, q: {default: like p}}
    returns: [q]
  columns:
    c: void columns(point *p, int rows, int n)
    args: {p: {require: [{shape: [rows, n]}, column_major], default: new}, rows: int, n: int}
    returns: [p]
  sum: {c: "double sum(const point *p, size_t n)", args: {n: {count_of: p}}}
  numbers:
    c: void numbers(float *x, size_t n)
    args: {x: {require: [{count: n}], default: new}, n: int}
    returns: [x]
  any: {c: "size_t any(const void *x, size_t n)", args: {x: array, n: {count_of: x}}}
  lanes: {c: int lanes(const DLTensor *x)}
  make: {c: "point *make(size_t n)", returns: {of: array, shape: [n], optional: true}, finally: free(result)}
  table: {c: "const point *table(size_t *n)", args: {n: {out: true}}, returns: {of: array, shape: [n], borrow: static}}
  constant:
    c: "const point *constant(const point *p, size_t n)"
    args: {n: {count_of: p}}
    returns: {of: array, shape: [2], borrow: static}
  some: {c: "size_t some(size_t n, point found[n])", args: {found: {out: true, of: array, shape: [result]}}}
"""
POINT = np.dtype([("x", "f4"), ("y", "f4"), ("tag", "i4")])


@pytest.fixture(scope="module", params=["own class", "as given"])
def outputs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("outputs")
    return build_module("outputs", f"{SPEC}outputs: {request.param}\n", folder, HEADER)


def test_new_outputs_are_arrays_of_records(outputs: ModuleType) -> None:
    made = outputs.fill(n=3)
    assert (repr(made), made.dtype, made.itemsize) == ("<outputs.Array point[3] on cpu>", "point", 12)
    array = np.asarray(made)
    assert (array.dtype, array["x"].tolist(), array.flags.writeable) == (POINT, [0, 1, 2], True)
    assert (outputs.sum(made), outputs.sum(array)) == (18, 18)
    del made
    gc.collect()
    assert array["tag"].tolist() == [3, 3, 3]


def test_an_output_is_like_an_argument(outputs: ModuleType) -> None:
    given = np.ones(2, POINT)
    once = outputs.twice(given)
    assert np.asarray(once)["x"].tolist() == [2, 2]
    assert np.asarray(outputs.twice(once))["x"].tolist() == [4, 4]
    place = np.zeros(2, POINT)
    assert outputs.twice(given, place) is place
    assert place["x"].tolist() == [2, 2]
    with pytest.raises(
        TypeError, match=r"twice\(\) argument 'q': the elements of the array are float32, and must be records"
    ):
        outputs.twice(given, np.zeros(2, np.float32))


def test_new_outputs_have_the_declared_order_of_axes(outputs: ModuleType) -> None:
    assert np.asarray(outputs.columns(rows=2, n=3))["x"].tolist() == [[0, 2, 4], [1, 3, 5]]


def test_results_are_copied_shown_or_filled(outputs: ModuleType) -> None:
    assert np.asarray(outputs.make(2))["x"].tolist() == [0, 1]
    assert outputs.make(1000) is None
    table = np.asarray(outputs.table())
    assert (table.dtype, table.tolist(), table.flags.writeable) == (POINT, [(1, 2, 3), (4, 5, 6)], False)
    assert np.asarray(outputs.some(3))["x"].tolist() == [0, 1]


def test_arrays_of_numbers_are_not_affected_by_records(outputs: ModuleType) -> None:
    made = outputs.numbers(n=2)
    assert np.from_dlpack(made).tolist() == [1, 1]
    assert np.asarray(pickle.loads(pickle.dumps(made))).tolist() == [1, 1]
    assert np.shares_memory(np.asarray(outputs.Array.from_dlpack(made)), np.asarray(made))
    with pytest.raises(TypeError, match="the elements of the array are float32, and must be records"):
        outputs.sum(made)


def test_dlpack_has_no_records(outputs: ModuleType) -> None:
    for made in (outputs.fill(n=1), outputs.table()):
        with pytest.raises(BufferError, match=r"outputs\.Array: DLPack has no records"):
            np.from_dlpack(made)
        with pytest.raises(TypeError, match=r"cannot pickle 'outputs\.Array' object: its elements are records"):
            pickle.dumps(made)
    with pytest.raises(BufferError, match=r"outputs\.Array: DLPack has no records"):
        outputs.Array.from_dlpack(outputs.fill(n=1))


def test_constant_records_stay_an_array_of_the_module(outputs: ModuleType) -> None:
    """The library of the argument has no read-only arrays. A copy for it would be made by DLPack, which has no
    records."""

    class Records:
        array = np.ones(2, POINT)
        __array_interface__ = property(lambda self: self.array.__array_interface__)

        def __array_namespace__(self) -> Any:
            return SimpleNamespace(from_dlpack=lambda made: np.asarray(made))

    made = outputs.constant(Records())
    assert (type(made), made.readonly, np.asarray(made).tolist()) == (outputs.Array, True, [(1, 2, 3), (4, 5, 6)])


@pytest.mark.parametrize("function", ["any", "lanes"])
def test_other_functions_take_no_records(outputs: ModuleType, function: str) -> None:
    """A function for any dtype would get an array of opaque handles. It refuses arrays of other libraries, too."""
    with pytest.raises(BufferError, match=rf"^{function}\(\) argument 'x': DLPack has no records"):
        getattr(outputs, function)(outputs.make(3))
    with pytest.raises(BufferError, match=rf"^{function}\(\) argument 'x': "):
        getattr(outputs, function)(np.zeros(3, POINT))
