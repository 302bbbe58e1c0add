"""Arrays of which C returns only the address: copied, or shown in place."""

from __future__ import annotations

import ctypes
import gc
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from python.leaks import assert_no_growth, refused, warm_up
from support.build import build_module

HEADER = Path(__file__).with_name("returned_arrays.h").read_text()
SOURCE = Path(__file__).with_name("returned_arrays.c").read_text()
SPEC = """
module: returned_arrays
include: returned_arrays.h
arrays: Array
handles:
  Sound:
    type: sound
    release: sound_free(self)
    new: {c: sound *sound_new(int n)}
    methods:
      samples:
        c: const float *sound_samples(const sound *s, size_t *n)
        args: {n: {out: true}}
        returns: {of: array, shape: [n], borrow: s}
      raw: {c: float *sound_raw(sound *s), returns: {of: array, shape: [s->n / 2, 2], borrow: s, optional: true}}
      halves:
        c: double *sound_halves(const sound *s, int *count)
        args: {count: {out: true}}
        returns: {of: array, shape: [count]}
        finally: free(result)
      matrix:
        c: int sound_matrix(const sound *s, double **values, int *rows, int *cols)
        args: {values: {of: array, out: true, shape: [rows, cols]}, rows: {out: true}, cols: {out: true}}
        ok: == 0
        finally: free(values)
      both:
        c: int sound_matrix(const sound *s, double **values, int *rows, int *cols)
        args: {values: {of: array, out: true, shape: [rows, cols]}, rows: {out: true}, cols: {out: true}}
        returns: [rows, values]
        finally: free(values)
functions:
  table: {c: const int *table(void), returns: {of: array, shape: [2, 2], borrow: static}}
  odd: {c: "unsigned short *odd(long rows, unsigned long cols)", returns: {of: array, shape: [rows, cols]}}
  perhaps:
    c: unsigned short *odd(long rows, unsigned long cols)
    returns: {of: array, shape: [rows, cols], optional: true}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("returned_arrays", SPEC, tmp_path_factory.mktemp("returned_arrays"), HEADER, SOURCE)


@pytest.fixture
def lib(built: ModuleType) -> ModuleType:
    assert live(built) == 0
    return built


def live(lib: ModuleType) -> int:
    gc.collect()
    return ctypes.c_int.in_dll(ctypes.PyDLL(lib.__file__), "sounds_live").value


def test_a_borrowed_array_shows_the_memory_of_the_library(lib: ModuleType) -> None:
    sound = lib.Sound(4)
    samples, raw = sound.samples(), np.asarray(sound.raw())
    assert (type(samples), samples.shape, samples.dtype, samples.readonly) == (lib.Array, (4,), "float32", True)
    raw[1, 1] = 50
    assert np.asarray(samples).tolist() == [0, 1, 2, 50]


def test_a_borrowed_array_keeps_the_object_that_owns_it(lib: ModuleType) -> None:
    shown = np.asarray(lib.Sound(4).samples())
    assert live(lib) == 1
    assert shown.tolist() == [0, 1, 2, 3]
    del shown
    assert live(lib) == 0


def test_a_copied_array_does_not_need_its_object(lib: ModuleType) -> None:
    sound = lib.Sound(4)
    halves, matrix = sound.halves(), sound.matrix()
    del sound
    assert live(lib) == 0
    assert memoryview(halves).tolist() == [0, 0.5, 1, 1.5]
    assert memoryview(matrix).tolist() == [[0, 0.5], [1, 1.5]]
    assert np.from_dlpack(matrix).flags.writeable


def test_an_array_can_be_returned_beside_other_values(lib: ModuleType) -> None:
    rows, values = lib.Sound(6).both()
    assert (rows, values.shape) == (2, (2, 3))


def test_a_static_array_is_shown_read_only(lib: ModuleType) -> None:
    assert memoryview(lib.table()).tolist() == [[1, 2], [3, 4]]
    assert lib.table().readonly


def test_an_array_may_have_no_elements(lib: ModuleType) -> None:
    sound = lib.Sound(0)
    assert [sound.samples().shape, sound.halves().shape, sound.raw()] == [(0,), (0,), None]
    assert lib.odd(0, 5).shape == (0, 5)


def test_null_is_none_or_an_error(lib: ModuleType) -> None:
    assert lib.perhaps(1, 1) is None
    for call in (lambda: lib.odd(1, 1), lib.Sound(13).halves):
        with pytest.raises(RuntimeError, match="Array: the function returned NULL"):
            call()


@pytest.mark.parametrize(
    ("rows", "cols", "message"),
    [
        (-1, 1, r"an extent of the array \(rows\) is -1$"),
        (0, 2**64 - 1, r"an extent of the array \(cols\)"),
        (2**40, 2**40, r"an extent of the array \(cols\)"),
    ],
)
def test_a_shape_that_no_array_has_is_an_error(lib: ModuleType, rows: int, cols: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        lib.odd(rows, cols)


def test_a_failed_call_returns_no_array(lib: ModuleType) -> None:
    with pytest.raises(RuntimeError, match="sound_matrix"):
        lib.Sound(1).matrix()


def test_returned_arrays_leak_nothing(lib: ModuleType) -> None:
    sound, broken = lib.Sound(4), lib.Sound(13)

    def everything() -> None:
        sound.samples()
        sound.halves()
        sound.matrix()
        sound.both()
        refused(RuntimeError, broken.halves)()
        refused(ValueError, lambda: lib.odd(-1, 1))()

    warm_up(everything)
    assert_no_growth(everything)
