"""`cast`: the elements of an array of another dtype are converted, as NumPy does."""

from __future__ import annotations

import ctypes
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.arrays_producers import Described
from python.leaks import assert_no_growth, warm_up
from support.build import build_module

DTYPES = [
    "bool",
    *(f"{sign}int{bits}" for sign in ("u", "") for bits in (8, 16, 32, 64)),
    *("float16", "float32", "float64", "complex64", "complex128"),
]
SIZES = {name: np.dtype(name).itemsize for name in DTYPES}
BITS = """\
tensors:
  Bits: {type: bits, data: self->data, dtype: bfloat16, shape: [self->n], release: bits_free(self)}
"""
SPEC = (
    "dlpack-bindgen: 1\nmodule: casts\ninclude: casts.h\n"
    + BITS
    + "functions:\n"
    + "".join(
        f"""\
  {casting}_{name}:
    c: int casts_take(const void *x, size_t n, void *out)
    args:
      x: {{of: array, cast: {casting}, require: [{{dtype: {name}}}]}}
      n: {{size_of: x}}
      out: {{of: bytes, require: [{{count: n}}]}}
"""
        for casting in ("safe", "same_kind")
        for name in (*DTYPES, "bfloat16")
    )
)
SPEC += """\
  brain: {c: "bits *bits_of(const uint16_t *x, size_t n)", args: {n: {count_of: x}}}
  mean: {c: "double casts_mean(const double *x, size_t n)", args: {x: {cast: same_kind}, n: {count_of: x}}}
  column:
    c: double casts_first(const float *x, size_t rows, size_t columns)
    args:
      x: {cast: same_kind, require: [column_major]}
      rows: {extent_of: x}
      columns: {extent_of: x, axis: 1}
  kind:
    c: int casts_kind(const DLTensor *x)
    args: {x: {cast: safe, require: [{dtype: [int16, float32, float64]}]}}
  rows:
    c: float casts_rows(const float *const *x, int n, int m)
    args: {x: {of: rows, cast: same_kind}, n: {extent_of: x}, m: {extent_of: x, axis: 1}}
  chosen_d: {c: "double casts_mean(const double *x, size_t n)", args: {x: {cast: safe}, n: {count_of: x}}, name: chosen}
  chosen_f: {c: "int casts_float(const float *x, size_t n)", args: {n: {count_of: x}}, name: chosen}
  chosen_c:
    c: int casts_complex(const double _Complex *x, size_t n)
    args: {x: {cast: safe}, n: {count_of: x}}
    name: chosen
  plain_h: {c: "bits *bits_of(const uint16_t *x, size_t n)", args: {n: {count_of: x}}, name: plain}
  plain_f: {c: "int casts_float(const float *x, size_t n)", args: {n: {count_of: x}}, name: plain}
"""
HEADER = """\
#include <complex.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "dlpack/dlpack.h"
typedef struct bits { uint16_t *data; int64_t n; } bits;
static inline bits *bits_of(const uint16_t *x, size_t n)
{
    bits *b = malloc(sizeof *b);
    b->data = malloc(2 * n);
    b->n = (int64_t)n;
    memcpy(b->data, x, 2 * n);
    return b;
}
static inline void bits_free(bits *b)
{
    free(b->data);
    free(b);
}
static inline int casts_take(const void *x, size_t n, void *out) { memcpy(out, x, n); return 0; }
static inline double casts_mean(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return n > 0 ? sum / (double)n : 0;
}
static inline double casts_first(const float *x, size_t rows, size_t columns)
{
    return rows * columns > 1 ? (double)x[1] : 0;
}
static inline int casts_kind(const DLTensor *x) { return x->dtype.code * 100 + x->dtype.bits; }
static inline float casts_rows(const float *const *x, int n, int m) { return n > 0 && m > 0 ? x[n - 1][m - 1] : 0; }
static inline int casts_float(const float *x, size_t n) { (void)x; return 1000 + (int)n; }
static inline int casts_complex(const double _Complex *x, size_t n) { (void)x; return 2000 + (int)n; }
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("casts", SPEC, tmp_path_factory.mktemp("casts"), HEADER)


def values(name: str) -> np.ndarray:
    """Returns numbers that every dtype of the kind and of a later kind can hold, with fractions that are rounded."""
    dtype = np.dtype(name)
    numbers: list[Any] = [0, 1, 2, 3, 100, 127]
    if dtype.kind == "i":
        numbers += [-1, -2, -128]
    if dtype.kind in "fc":
        numbers += [
            -1,
            0.1,
            1 / 3,
            -2.75,
            1e-7,
            -6.1e-5,
            5.96e-8,
            1e-40,
            2049.0,
            2051.0,
            65519.0,
            np.inf,
            -np.inf,
            np.nan,
            -0.0,
        ]
    if dtype.kind == "c":
        numbers += [1j, 0.1 - 0.3j]
    with np.errstate(all="ignore"):
        return np.array(numbers).astype(dtype)


def converted(lib: ModuleType, casting: str, name: str, x: np.ndarray) -> np.ndarray:
    out = np.zeros(x.size, name)
    getattr(lib, f"{casting}_{name}")(x, out)
    return out.reshape(x.shape)


@pytest.mark.parametrize("casting", ["safe", "same_kind"])
@pytest.mark.parametrize("target", DTYPES)
def test_each_pair_of_dtypes_is_converted_or_refused_as_numpy_does(lib: ModuleType, casting: str, target: str) -> None:
    for source in DTYPES:
        x = values(source)
        if not np.can_cast(source, target, casting=casting):
            with pytest.raises(BufferError, match=rf"argument 'x': the dtype is {source}, not {target}$"):
                converted(lib, casting, target, x)
            continue
        expected = x.astype(target)
        assert np.array_equal(converted(lib, casting, target, x), expected, equal_nan=np.dtype(target).kind in "fc")


def test_all_numbers_of_16_bits_are_converted_exactly(lib: ModuleType) -> None:
    bits = np.arange(2**16, dtype=np.uint16)
    singles = (bits.astype(np.uint32) << 16).view(np.float32)
    out = np.zeros(2**16, np.float32)
    lib.safe_float32(lib.brain(bits), out)
    assert np.array_equal(out, singles, equal_nan=True)
    lib.safe_float32(bits.view(np.float16), out)
    assert np.array_equal(out, bits.view(np.float16).astype(np.float32), equal_nan=True)
    brain = np.zeros(2**16, np.uint16)
    lib.same_kind_bfloat16(singles, brain)
    assert np.array_equal(brain[~np.isnan(singles)], bits[~np.isnan(singles)])
    assert np.isnan((brain[np.isnan(singles)].astype(np.uint32) << 16).view(np.float32)).all()


def test_bfloat16_is_rounded_to_even(lib: ModuleType) -> None:
    rng = np.random.default_rng(11)
    singles = rng.integers(0, 2**31, 5000).astype(np.uint32)
    singles[:200] = (singles[:200] & 0xFFFF0000) | 0x8000
    singles = singles[(singles >> 16) < 0x7F7F]
    brain = np.zeros(singles.size, np.uint16)
    lib.same_kind_bfloat16(singles.view(np.float32), brain)
    assert np.array_equal(brain, (singles + 0x7FFF + ((singles >> 16) & 1)) >> 16)
    with pytest.raises(BufferError, match="the dtype is bfloat16, not float16"):
        lib.safe_float16(lib.brain(brain), brain)
    lib.safe_bfloat16(np.array([255, 3], np.uint8), brain[:2])
    assert brain[:2].tolist() == [0x437F, 0x4040]


@pytest.mark.parametrize("source", ["int64", "uint64"])
def test_large_integers_are_rounded_once_to_bfloat16(lib: ModuleType, source: str) -> None:
    """A double would lose the last digit, which decides: the others are in the middle of two numbers."""
    half = 2**56 + 2**48
    numbers = [half - 1, half, half + 1, half + 2**49, half + 2**49 - 1, 3]
    if source == "int64":
        numbers = [-number for number in numbers]
    brain = np.zeros(len(numbers), np.uint16)
    lib.same_kind_bfloat16(np.array(numbers, source), brain)
    found = (brain.astype(np.uint32) << 16).view(np.float32).astype(float)
    expected = [2**56, 2**56, 2**56 + 2**49, 2**56 + 2**50, 2**56 + 2**49, 3]
    assert [abs(int(each)) for each in found] == expected
    assert (np.sign(found) == (-1 if source == "int64" else 1)).all()


@pytest.mark.parametrize("source", ["int64", "uint64", "float64"])
@pytest.mark.parametrize("target", ["float16", "float32", "float64"])
def test_numbers_are_rounded_once(lib: ModuleType, source: str, target: str) -> None:
    rng = np.random.default_rng(7)
    if source == "float64":
        x = rng.standard_normal(5000) * 10.0 ** rng.integers(-9, 4, 5000)
    elif target == "float16":
        x = rng.integers(0, 65504, 5000).astype(source)
    else:
        x = rng.integers(0, 2**62, 5000).astype(source) >> rng.integers(0, 62, 5000).astype(source)
    assert np.array_equal(converted(lib, "same_kind", target, x), x.astype(target))


@pytest.mark.parametrize(
    ("value", "source", "target"),
    [
        (300, "int64", "int8"),
        (-129, "int16", "int8"),
        (2**31, "int64", "int32"),
        (256, "uint16", "uint8"),
        (2**63, "uint64", "int64"),
        (200, "uint8", "int8"),
        (70000, "int32", "float16"),
        (1e300, "float64", "float32"),
        (65520.0, "float32", "float16"),
        (1e300 + 1j, "complex128", "complex64"),
        (1 + 1e300j, "complex128", "complex64"),
    ],
)
def test_a_value_that_does_not_fit_is_an_error(lib: ModuleType, value: Any, source: str, target: str) -> None:
    """NumPy would change the value without an error."""
    x = np.array([1, value], source)
    with pytest.raises(ValueError, match=rf"^same_kind_{target}\(\) argument 'x': the value .* does not fit {target}$"):
        converted(lib, "same_kind", target, x)


def test_arrays_of_any_layout_are_converted(lib: ModuleType) -> None:
    x = np.arange(24, dtype=np.int16).reshape(4, 6)
    assert (lib.mean(x), lib.mean(x[::-1, ::-2])) == (11.5, 12)
    assert np.array_equal(converted(lib, "same_kind", "float32", x[::-1, ::2]), x[::-1, ::2].astype(np.float32))
    assert np.array_equal(converted(lib, "safe", "int64", x.T), x.T)
    assert converted(lib, "safe", "int64", np.broadcast_to(x[0], (3, 6))).tolist() == [[0, 1, 2, 3, 4, 5]] * 3
    assert (lib.mean(x[:0]), lib.mean(np.int8(3))) == (0, 3)
    assert lib.column(x) == 6
    assert lib.rows(x) == 23
    unaligned = np.frombuffer(b"\0" + np.arange(3, dtype=np.int32).tobytes(), np.int32, offset=1)
    assert lib.mean(unaligned) == 1
    read_only = np.ones(3, np.uint8)
    read_only.flags.writeable = False
    assert (lib.mean(read_only), lib.mean(b"\1\3"), lib.mean([1, 2])) == (1, 2, 1.5)


# ---- Arrays of the other byte order ----


PRODUCERS: dict[str, Any] = {
    "array": lambda x: x,
    "subclass": lambda x: x.view(np.recarray),
    "buffer": memoryview,
    "interface": Described,
}


def swapped(x: np.ndarray) -> np.ndarray:
    """Returns equal values in the other byte order."""
    return x.astype(x.dtype.newbyteorder("S"))


@pytest.mark.parametrize("casting", ["safe", "same_kind"])
@pytest.mark.parametrize("target", DTYPES)
def test_another_byte_order_is_converted_like_another_dtype(lib: ModuleType, casting: str, target: str) -> None:
    for source in DTYPES:
        x = values(source)
        if not np.can_cast(swapped(x).dtype, target, casting=casting):
            with pytest.raises(BufferError, match=rf"argument 'x': the dtype is {source}, not {target}$"):
                converted(lib, casting, target, swapped(x))
            continue
        got = converted(lib, casting, target, swapped(x))
        assert np.array_equal(got, x.astype(target), equal_nan=np.dtype(target).kind in "fc")


@pytest.mark.parametrize("producer", PRODUCERS)
def test_each_layout_of_another_byte_order_is_converted(lib: ModuleType, producer: str) -> None:
    given = PRODUCERS[producer]
    x = swapped(np.arange(24.0).reshape(4, 6))
    packed = np.zeros(3, [("tag", "u1"), ("x", ">f4"), ("y", "<f4")])
    packed["x"] = packed["y"] = [1, 2, 6]
    unaligned = np.frombuffer(b"\0" + swapped(np.arange(3.0)).tobytes(), swapped(np.arange(3.0)).dtype, offset=1)
    assert (lib.mean(given(x)), lib.mean(given(x[::-1, ::-2])), lib.mean(given(x.T))) == (11.5, 12, 11.5)
    assert (lib.mean(given(swapped(np.array(2.5)))), lib.mean(given(x[:0])), lib.mean(given(unaligned))) == (2.5, 0, 1)
    assert (lib.mean(given(packed["x"])), lib.mean(given(packed["y"])), lib.mean(given(packed["x"][::-1]))) == (3, 3, 3)
    assert (lib.column(given(x)), lib.rows(given(x))) == (6, 23)


@pytest.mark.parametrize("name", ["float16", "float32", "float64"])
def test_a_change_of_the_byte_order_keeps_all_bits(lib: ModuleType, name: str) -> None:
    """A NaN can carry bits, which a detour through another number would lose."""
    size = SIZES[name]
    nan = np.frombuffer(bytes([*([0x7F] * 2), 0x83 & 0xBF, *range(1, 8)][:size]), np.dtype(name).newbyteorder(">"))
    bits = converted(lib, "safe", name, nan).view(f"u{size}")
    assert bits.tolist() == nan.view(np.dtype(f"u{size}").newbyteorder(">")).tolist()


def test_ctypes_arrays_of_another_byte_order_are_converted(lib: ModuleType) -> None:
    for kind in (ctypes.c_double, ctypes.c_short, ctypes.c_float):
        for order in (kind.__ctype_be__, kind.__ctype_le__):
            assert lib.mean((order * 3)(1, 2, 6)) == 3
            assert lib.mean(memoryview((order * 3 * 1)((1, 2, 6)))) == 3


def test_a_value_in_another_byte_order_that_does_not_fit(lib: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"^same_kind_int8\(\) argument 'x': the value 300 does not fit int8$"):
        converted(lib, "same_kind", "int8", swapped(np.array([1, 300])))


def test_an_accepted_dtype_in_another_byte_order_is_not_changed(lib: ModuleType) -> None:
    """A required dtype is kept in any byte order, and another one becomes the first that allows it."""
    names = ("float64", "float32", "int16", "int8", "uint16", "float16", "int32")
    assert [lib.kind(swapped(np.zeros(1, name))) for name in names] == [264, 232, 16, 16, 232, 232, 264]


def test_an_alternative_that_converts_takes_another_byte_order(lib: ModuleType) -> None:
    assert lib.chosen(swapped(np.full(3, 2.0))) == 2
    assert lib.chosen(swapped(np.full(3, 2, np.float32))) == 2
    assert lib.chosen(swapped(np.full(3, 2, np.complex64))) == 2003


def test_another_byte_order_is_refused_without_a_conversion(lib: ModuleType) -> None:
    x = swapped(np.array([1, 2], np.uint16))
    for given in PRODUCERS.values():
        with pytest.raises(
            BufferError,
            match=r"^brain\(\) argument 'x': the dtype is uint16 in the other byte order, not in that of this",
        ):
            lib.brain(given(x))
    with pytest.raises(
        BufferError, match=r"^plain\(\) argument 'x': the dtype is uint16 in the other byte order; accepted: "
    ):
        lib.plain(x)


def test_an_array_is_converted_to_the_first_accepted_dtype_that_allows_it(lib: ModuleType) -> None:
    """An accepted dtype stays, and another one becomes the first dtype that allows the conversion."""
    assert [lib.kind(np.zeros(1, name)) for name in ("float64", "int8", "uint8", "uint16", "float16", "int32")] == [
        *(264, 16, 16, 232, 232, 264)
    ]


def test_an_alternative_with_the_exact_dtype_wins(lib: ModuleType) -> None:
    x = np.full(3, 2)
    assert lib.chosen(x.astype(np.float32)) == 1003
    assert (lib.chosen(x.astype(np.float64)), lib.chosen(x.astype(np.int16))) == (2, 2)
    assert (lib.chosen(x.astype(np.complex128)), lib.chosen(x.astype(np.complex64))) == (2003, 2003)


def test_the_docstring_names_the_rule_of_conversion(lib: ModuleType) -> None:
    assert "arrays of other dtypes are converted, as numpy.can_cast(..., 'same_kind') allows it" in lib.mean.__doc__


def test_conversions_leak_nothing(lib: ModuleType) -> None:
    x, large = np.ones((3, 4), np.int32), np.full(3, 70000)

    def calls() -> None:
        lib.mean(x)
        lib.chosen(x)
        lib.rows(x)
        with pytest.raises(ValueError, match="does not fit"):
            converted(lib, "same_kind", "float16", large)

    warm_up(calls)
    assert_no_growth(calls)
