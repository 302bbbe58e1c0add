"""New arrays that a call makes where Python passes none."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.leaks import assert_no_growth, refused, warm_up
from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: new_arrays
include: new_arrays.h
arrays: Array
functions:
  twice: {c: "void twice(const double *x, double *y, size_t n)", args: {n: {count_of: x}, y: {default: like x}}}
  weighted:
    c: void weighted(const double *x, const double *w, double *y, size_t n)
    args: {n: {count_of: x}, w: {require: [{count: n}], optional: true}, y: {default: like x}}
  zeros: {c: "void zeros(int n, float *y)", args: {y: {require: [{count: n}], default: new}}}
  outer:
    c: int outer(const float *a, int m, const float *b, int n, float *c)
    args: {m: {count_of: a}, n: {count_of: b}, c: {require: [{shape: [m, n]}], default: new}}
    ok: == 0
  columns:
    c: void columns(int m, int n, double *c, int ldc)
    args: {ldc: {stride_of: c, axis: 1}, c: {require: [{shape: [m, n]}], default: new}}
    require: [ldc != 3]
  spectrum:
    c: void spectrum(const void *x, long nbytes, unsigned bins[256])
    args: {x: bytes, nbytes: {size_of: x}, bins: {default: new}}
    release_gil: true
  identity: {c: "void identity(double y[3][3])", args: {y: {default: new}}}
  plain: {c: "void plain(const double *x, double *y)", args: {x: {of: array}, y: {default: like x}}}
  typeless:
    c: void typeless(const void *x, void *y, long nbytes)
    args: {x: array, y: {of: array, default: like x}, nbytes: {size_of: y}}
  halves:
    c: void halves(void *y, int n)
    args: {y: {of: array, require: [{dtype: float16}, {count: n}], default: new}}
  tensor: {c: "int64_t tensor(const DLTensor *x, DLTensor *y)", args: {y: {default: like x}}}
  grid:
    c: void grid(DLTensor *y, int64_t n)
    args: {y: {require: [{dtype: int32}, {shape: [n, 2 * n]}], default: new}}
  load: {c: dlb_array *load(int n), returns: Array}
  total: {c: double total(const dlb_array *x), args: {x: {require: [{dtype: float64}]}}}
  first: {c: double first(const dlb_array *x)}
  stepped: {c: double stepped(const dlb_array *x), args: {x: {require: [nonnegative_strides]}}}
  lists: {c: "int lists(const dlb_array *const *list, int n)", args: {n: {count_of: list}}}
  shaped: {c: "void shaped(const double *x, double y[3][3])", args: {x: {of: array}, y: {default: like x}}}
  halve: {c: "void halve(const block *x, block *y)", args: {y: {default: like x}}}
tensors:
  Block:
    type: block
    data: self->data
    dtype: float64
    shape: [self->count]
    release: block_free(self)
    new: {c: "block *block_new(int64_t count)"}
    allocate: {construct: "block_new(shape[0] < 13 ? shape[0] : -1)", ok: "!= NULL"}
"""
HEADER = Path(__file__).with_name("new_arrays.h").read_text()


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("new_arrays", SPEC, tmp_path_factory.mktemp("new_arrays"), HEADER)


class TestShapes:
    @pytest.mark.parametrize("shape", [(), (5,), (2, 3), (0, 4), (1, 1, 2, 1)], ids=str)
    def test_a_new_array_has_the_shape_of_another_array(self, lib: ModuleType, shape: tuple[int, ...]) -> None:
        x = np.random.default_rng(1).random(shape)
        y = lib.twice(x)
        assert (type(y), y.shape, y.dtype) == (lib.Array, shape, "float64")
        assert np.array_equal(np.asarray(y), 2 * x)

    def test_a_new_array_stands_beside_an_array_that_is_left_out(self, lib: ModuleType) -> None:
        """Both have no argument, and only one of them is made."""
        x = np.array([1.0, 2.0])
        for left_out in (lib.weighted(x, None), lib.weighted(x, w=None), lib.weighted([1.0, 2.0], None)):
            assert memoryview(left_out).tolist() == [1.0, 2.0]
        assert memoryview(lib.weighted(x, np.array([3.0, 4.0]))).tolist() == [3.0, 8.0]

    def test_a_new_array_has_the_length_of_a_sequence(self, lib: ModuleType) -> None:
        assert memoryview(lib.twice([1, 2, 3])).tolist() == [2.0, 4.0, 6.0]

    @pytest.mark.parametrize("count", [0, 1, 1000])
    def test_a_number_of_elements_is_one_axis_of_zeros(self, lib: ModuleType, count: int) -> None:
        assert memoryview(lib.zeros(count)).tolist() == [0.0] * count

    def test_a_new_array_has_the_declared_extents(self, lib: ModuleType) -> None:
        a, b = np.array([1, 2, 3], np.float32), np.array([5, 7], np.float32)
        assert np.array_equal(np.asarray(lib.outer(a, m := b)), np.outer(a, m))

    def test_a_new_array_can_be_column_major_with_a_derived_leading_dimension(self, lib: ModuleType) -> None:
        c = lib.columns(4, 2)
        assert c.strides == (1, 4)
        assert np.asarray(c).tolist() == [[0, 1], [10, 11], [20, 21], [30, 31]]
        with pytest.raises(ValueError, match=r"columns\(\): ldc != 3"):
            lib.columns(3, 2)

    def test_a_new_array_has_the_length_of_the_prototype(self, lib: ModuleType) -> None:
        bins = np.asarray(lib.spectrum(b"abba"))
        assert (bins.shape, bins.dtype.kind, bins[97], bins[98], bins.sum()) == ((256,), "u", 2, 2, 4)
        assert np.array_equal(np.asarray(lib.identity()), np.eye(3))

    def test_a_new_array_has_the_dtype_of_the_other_array_or_the_required_one(self, lib: ModuleType) -> None:
        y = lib.typeless(np.array([[1, 2]], np.int16))
        assert (y.dtype, memoryview(y).tolist()) == ("int16", [[1, 2]])
        assert np.asarray(lib.halves(n=3)).dtype == np.float16

    def test_a_new_array_can_be_passed_as_a_tensor(self, lib: ModuleType) -> None:
        result, y = lib.tensor(np.zeros((3, 2), np.uint8))
        assert (result, y.shape, y.dtype) == (303, (3, 2), "uint8")
        assert np.asarray(lib.grid(n=2)).tolist() == [[0, 0, 7, 0], [0, 0, 0, 0]]


class TestGiven:
    """An array from Python is checked, filled and returned."""

    def test_an_array_that_is_given_is_returned_itself(self, lib: ModuleType) -> None:
        x, y = np.array([1.0, 2.0]), np.zeros(2)
        assert lib.twice(x, y) is y
        assert y.tolist() == [2.0, 4.0]
        c = np.zeros((4, 2), order="F")
        assert lib.columns(4, 2, c) is c
        assert c[3, 1] == 31

    def test_a_new_array_can_be_an_argument(self, lib: ModuleType) -> None:
        y = lib.twice([1.0, 2.0])
        assert lib.twice(y, y) is y
        assert memoryview(y).tolist() == [4.0, 8.0]

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda lib: lib.twice(np.zeros(3), np.zeros(2)), r"^twice\(\) argument 'y' must have 3 elements, not 2$"),
            (lambda lib: lib.plain(np.zeros(3), np.zeros(2)), r"^plain\(\) argument 'y' must have 3 elements, not 2$"),
            (lambda lib: lib.zeros(3, np.zeros(2, "f")), r"^zeros\(\) argument 'y' must have 3 elements, not 2$"),
            (lambda lib: lib.spectrum(b"", np.zeros(2, "u4")), r"'bins' must have 256 elements, not 2$"),
            (lambda lib: lib.columns(2, 2, np.zeros((4, 2), order="F")), r"must have shape \(2, 2\), not \(4, 2\)$"),
            (lambda lib: lib.columns(2, 2, np.zeros((2, 2))), r"^columns\(\) argument 'c': the array must be compact"),
        ],
    )
    def test_an_array_that_is_given_must_have_the_shape(
        self, lib: ModuleType, call: Callable[[ModuleType], Any], message: str
    ) -> None:
        with pytest.raises((ValueError, BufferError), match=message):
            call(lib)

    def test_none_makes_a_new_array(self, lib: ModuleType) -> None:
        assert memoryview(lib.twice([1.0], None)).tolist() == [2.0]
        assert memoryview(lib.zeros(2, None)).tolist() == [0.0, 0.0]


class TestRefusals:
    def test_a_shape_that_no_array_has_is_refused(self, lib: ModuleType) -> None:
        with pytest.raises(ValueError, match=r"^zeros\(\): 'y' cannot have shape \(-1,\) \(n = -1\)$"):
            lib.zeros(-1)
        with pytest.raises(ValueError, match=r"no array has the shape that .* must have \(.*4611686018427387904\)"):
            lib.grid(n=2**62)
        with pytest.raises(MemoryError):
            lib.grid(n=2**30)

    def test_an_array_of_another_rank_than_the_new_one_is_refused(self, lib: ModuleType) -> None:
        x = np.arange(9.0)
        assert memoryview(lib.shaped(x.reshape(3, 3))).tolist() == x.reshape(3, 3).tolist()
        with pytest.raises(BufferError, match=r"^shaped\(\) argument 'y': the array has 1 axis, not 2$"):
            lib.shaped(x)

    def test_an_object_that_the_library_fails_to_make_is_an_error(self, lib: ModuleType) -> None:
        x = lib.Block(12)
        np.asarray(x)[:] = 3
        assert memoryview(lib.halve(x)).tolist() == [1.5] * 12
        with pytest.raises(RuntimeError, match=r"^halve\(\) argument 'y': .*block_new\(.*\) failed$"):
            lib.halve(lib.Block(13))

    def test_a_new_array_needs_the_array_that_it_is_like(self, lib: ModuleType) -> None:
        with pytest.raises(TypeError, match=r"^twice\(\) argument 'x' must be an array or a sequence of numbers, not"):
            lib.twice(None)

    def test_a_call_that_fails_returns_nothing(self, lib: ModuleType) -> None:
        with pytest.raises(RuntimeError, match="outer"):
            lib.outer([-1.0], [1.0])


class TestTheClass:
    def test_the_memory_of_a_new_array_is_aligned_writable_and_lives_on(self, lib: ModuleType) -> None:
        arrays = [np.from_dlpack(lib.zeros(count)) for count in range(1, 20)]
        gc.collect()
        assert all(each.ctypes.data % 64 == 0 and each.flags.writeable for each in arrays)
        assert all(not each.any() for each in arrays)

    def test_functions_of_the_library_return_and_take_new_arrays(self, lib: ModuleType) -> None:
        made = lib.load(3)
        assert memoryview(made).tolist() == [0.0, 0.0, 3.0]
        assert (lib.total(made), lib.total(np.ones(4)), lib.total(lib.load(0))) == (3.0, 4.0, 0.0)
        with pytest.raises(RuntimeError, match=r"load\(\) failed"):
            lib.load(-1)

    def test_empty_makes_new_arrays(self, lib: ModuleType) -> None:
        made = lib.Array.empty((2, 3), dtype="complex64")
        assert np.asarray(made).tolist() == [[0, 0, 0], [0, 0, 0]]
        with pytest.raises(ValueError, match="more than memory can hold"):
            lib.Array.empty(2**60, dtype="int8")

    def test_the_shape_of_empty_can_have_any_index_or_sequence_type(self, lib: ModuleType) -> None:
        class Shape:
            length: type[BaseException] = TypeError

            def __index__(self) -> int:
                return 3

            def __len__(self) -> int:
                raise self.length

            def __getitem__(self, index: int) -> int:
                raise LookupError("gone")

        shape = Shape()
        assert lib.Array.empty(shape, dtype="int8").shape == (3,)
        assert lib.Array.empty(np.True_, dtype="int8").shape == (1,)
        shape.length = KeyboardInterrupt
        with pytest.raises(KeyboardInterrupt):
            lib.Array.empty(shape, dtype="int8")
        with pytest.raises(LookupError, match=r"^empty\(\) argument 'shape': gone$"):
            lib.Array.empty(type("Sequence", (Shape,), {"__index__": None, "__len__": lambda self: 1})(), dtype="int8")

    def test_empty_refuses_dtypes_that_are_missing_or_have_no_name(self, lib: ModuleType) -> None:
        with pytest.raises(TypeError, match=r"^empty\(\) missing required keyword-only argument: 'dtype'$"):
            lib.Array.empty(3)
        with pytest.raises(UnicodeEncodeError, match=r"empty\(\) argument 'dtype': surrogates not allowed$"):
            lib.Array.empty(3, dtype="\ud800")
        with pytest.raises(ValueError, match=r"^there is no dtype 'int8\\x00'$"):
            lib.Array.empty(3, dtype="int8\0")

    def test_from_dlpack_shows_foreign_arrays(self, lib: ModuleType) -> None:
        x = np.arange(6, dtype=np.int16).reshape(2, 3)
        shown = lib.Array.from_dlpack(x)
        x[1, 2] = 50
        assert (memoryview(shown).tolist(), shown.readonly) == ([[0, 1, 2], [3, 4, 50]], False)
        for other in (x.T, x[:, ::2], x[::-1], np.broadcast_to(x[0], (4, 3))):
            assert np.array_equal(np.from_dlpack(lib.Array.from_dlpack(other)), other)

    def test_functions_get_compact_arrays_unless_they_take_strides(self, lib: ModuleType) -> None:
        steps = np.arange(6.0)[::2]
        own = lib.Array.from_dlpack(steps)
        for given in (steps, own):
            assert lib.stepped(given) == 6
            for refused_by in (lib.total, lib.first):
                with pytest.raises(BufferError, match="must be compact"):
                    refused_by(given)
            with pytest.raises(BufferError, match="must be compact"):
                lib.lists([np.ones(2), given])
        assert (lib.first(np.ones(3)), lib.lists([np.ones(2)])) == (1, 1)
        with pytest.raises(BufferError, match="negative"):
            lib.stepped(steps[::-1])

    def test_new_arrays_can_be_pickled(self, lib: ModuleType) -> None:
        c = lib.columns(4, 2)
        again = pickle.loads(pickle.dumps(c))
        assert type(again) is lib.Array
        assert np.array_equal(np.asarray(again), np.asarray(c))


def test_new_arrays_leak_nothing(lib: ModuleType) -> None:
    x = np.zeros(3)

    def everything() -> None:
        lib.twice(x)
        lib.outer([1.0], [2.0])
        lib.columns(2, 2)
        lib.spectrum(b"a")
        lib.load(3)
        lib.Array.from_dlpack(x)
        refused(RuntimeError, lambda: lib.outer([-1.0], [1.0]))()
        refused(ValueError, lambda: lib.columns(3, 2))()
        refused(ValueError, lambda: lib.zeros(-1))()

    warm_up(everything)
    assert_no_growth(everything)
