"""Numbers and sequences of numbers choose between alternatives by their values."""

from __future__ import annotations

import array
import collections
import contextlib
import ctypes
import enum
import numbers
import warnings
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import array_api_strict
import numpy as np
import pytest

from python.leaks import assert_no_growth, warm_up
from python.tensors import Versioned, inside
from support.build import build_module

FOLDER = Path(__file__).parent
BIG = 2**53 + 1
"""The smallest positive integer that float64 rounds."""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    spec, header = (FOLDER / "numbered.yaml").read_text(), (FOLDER / "numbered.h").read_text()
    return build_module("numbered", spec, tmp_path_factory.mktemp("numbered"), header)


@pytest.fixture(autouse=True)
def without_warnings() -> Iterator[None]:
    """Turns warnings into errors: NumPy warns when a conversion drops an imaginary part."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


class Producer:
    """An array of rank 0 whose library has `__dlpack__()`, and that counts the calls."""

    def __init__(self, value: Any, dtype: str) -> None:
        self.array, self.calls = np.array(value, dtype), 0

    def __dlpack__(self, **keywords: Any) -> Any:
        self.calls += 1
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __float__(self) -> float:
        return float(self.array)

    def __index__(self) -> int:
        return int(self.array)


class Attributed(Producer):
    """An array of rank 0 that has the attributes of arrays, too."""

    ndim, shape = 0, ()

    @property
    def dtype(self) -> Any:
        return self.array.dtype


class NamedDType:
    """A dtype with nothing but a name, as those of PyTorch and MLX."""

    def __init__(self, name: str) -> None:
        self.name_of_it = name

    def __str__(self) -> str:
        return f"library.{self.name_of_it}"


class Cut:
    """A tensor of rank 0 whose `__index__()` cuts the fraction off."""

    shape, ndim = (), 0

    def __init__(self, value: float, dtype: Any) -> None:
        self.value, self.dtype = value, dtype

    def __float__(self) -> float:
        return float(self.value)

    def __index__(self) -> int:
        return int(self.value)


class Undescribed:
    """A number that has no dtype: its methods and its value tell the kind."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __float__(self) -> float:
        return float(self.value)

    def __index__(self) -> int:
        return int(self.value)


class OnlyIndex:
    def __index__(self) -> int:
        return 3


class OnlyFloat:
    def __float__(self) -> float:
        return 2.5


class OnlyComplex:
    def __complex__(self) -> complex:
        return 3 + 4j


class Both:
    """A number with both methods, as NumPy's complex64 and decimal.Decimal have them."""

    def __init__(self, value: complex) -> None:
        self.value = value

    def __float__(self) -> float:
        return self.value.real

    def __complex__(self) -> complex:
        return self.value


class Column:
    """A column of a table: not a list, but with a length and items."""

    def __init__(self, *items: Any) -> None:
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, index: int) -> Any:
        return self.items[index]


class Level(enum.IntEnum):
    HIGH = 3


Pair = collections.namedtuple("Pair", "low high")


# ---- One number ----


@pytest.mark.parametrize(
    "value",
    [3, Level.HIGH, np.int8(3), np.int64(3), np.uint64(3), np.array(3), np.array(3, "i2"), np.arange(3).sum(),
     OnlyIndex(), Undescribed(3), Producer(3, "i4"), Producer(3, "i8"), Attributed(3, "i4"), Attributed(3, "i8"),
     Cut(3, NamedDType("int32")), array_api_strict.asarray(3)],
    ids=lambda value: f"{type(value).__name__}",
)  # fmt: skip
def test_an_integer_chooses_the_integer(lib: ModuleType, value: Any) -> None:
    assert lib.one(value) == 1003
    assert lib.one(x=value) == 1003


@pytest.mark.parametrize(
    "value",
    [2.5, np.float16(2.5), np.float32(2.5), np.float64(2.5), np.longdouble(2.5), np.array(2.5),
     np.array(2.5, "f4"), np.array(2.5, ">f8"), Decimal("2.5"), Fraction(5, 2), OnlyFloat(), Undescribed(2.5),
     Both(2.5), Producer(2.5, "f4"), Producer(2.5, "f8"), Attributed(2.5, "f4"), Attributed(2.5, "f8"),
     Cut(2.5, np.dtype("f4")), Cut(2.5, NamedDType("bfloat16")), array_api_strict.asarray(2.5)],
    ids=lambda value: f"{type(value).__name__}",
)  # fmt: skip
def test_a_real_number_chooses_the_float(lib: ModuleType, value: Any) -> None:
    assert lib.one(value) == 2002.5


@pytest.mark.parametrize("value", [True, np.True_, np.array(True)])
def test_a_bool_chooses_the_bool_or_else_the_integer(lib: ModuleType, value: Any) -> None:
    assert (lib.truth(value), lib.one(value)) == (4001, 1001)


def test_a_number_that_is_not_a_bool_chooses_the_float(lib: ModuleType) -> None:
    assert [lib.truth(x) for x in (3, np.int32(3), 2.5, np.float32(2.5))] == [2003, 2003, 2002.5, 2002.5]


@pytest.mark.parametrize("value", [300, 2.5, 1.0, np.float32(2.5), 1j, np.array(2.5)])
def test_a_number_whose_truth_loses_its_value_is_not_a_bool(lib: ModuleType, value: Any) -> None:
    with pytest.raises((TypeError, OverflowError)):
        lib.mark(value)


@pytest.mark.parametrize("value", [[1], (2.5,), [], b"no", np.array([True]), np.array([2.5]), np.arange(2)])
def test_several_values_are_not_one_bool(lib: ModuleType, value: Any) -> None:
    with pytest.raises(TypeError):
        lib.judge(value)


def test_an_object_that_is_not_a_number_chooses_the_bool(lib: ModuleType) -> None:
    assert [lib.judge(x) for x in (True, np.True_, None, object())] == [4001, 4001, 4000, 4001]


@pytest.mark.parametrize(
    "value",
    [3 + 4j, np.complex64(3 + 4j), np.complex128(3 + 4j), np.clongdouble(3 + 4j), np.array(3 + 4j, "c8"), OnlyComplex(),
     Both(3 + 4j), array_api_strict.asarray(3 + 4j)],
    ids=lambda value: f"{type(value).__name__}",
)  # fmt: skip
def test_a_complex_number_chooses_the_complex(lib: ModuleType, value: Any) -> None:
    assert lib.either(value) == 3007
    with pytest.raises((TypeError, BufferError), match=r"one\(\) argument 'x'"):
        lib.one(value)


def test_a_real_number_does_not_choose_the_complex(lib: ModuleType) -> None:
    assert [lib.either(x) for x in (3, 2.5, np.float32(2.5), Decimal(2))] == [2003, 2002.5, 2002.5, 2002]


def test_an_array_of_rank_0_without_an_alternative_for_its_number_is_an_array(lib: ModuleType) -> None:
    assert lib.wave(np.array(3 + 4j)) == 7007
    assert lib.wave(np.complex128(3 + 4j)) == 7007
    assert lib.wave(np.array(2.5)) == 2002.5


def test_arrays_with_axes_are_not_numbers(lib: ModuleType) -> None:
    assert (lib.one(np.array([2.5])), lib.one(np.array([3]))) == (5002.5, 6003)
    with pytest.raises(BufferError, match="the dtype is float32"):
        lib.one(np.array([2.5], "f4"))


def test_a_producer_of_a_number_is_exported_at_most_once(lib: ModuleType) -> None:
    for value in (Producer(3, "i8"), Attributed(2.5, "f8"), Producer(3, "i4")):
        lib.one(value)
        assert value.calls <= 1


def test_a_number_that_refuses_to_be_exported_is_a_number(lib: ModuleType) -> None:
    """PyTorch refuses `__dlpack__()` of tensors that require grad."""

    class WithGradient(Attributed):
        def __dlpack__(self, **keywords: Any) -> Any:
            raise BufferError("requires grad")

    assert lib.one(WithGradient(2.5, "f8")) == 2002.5
    assert lib.wave(WithGradient(2.5, "f8")) == 2002.5


def test_an_integer_that_is_too_large_for_the_integer_is_a_float(lib: ModuleType) -> None:
    assert [lib.small(x) for x in (127, 128, -129, np.int16(300), 2**60)] == [127, 64, -64.5, 150, 2.0**59]
    assert [lib.one(x) for x in (2**70, np.uint64(2**63))] == [2000.0 + 2**70, 2000.0 + 2**63]


@pytest.mark.parametrize("value", [2**70 + 1, -(2**70) - 1, 2**63 + 1, 10**400, np.uint64(2**63 + 1)])
def test_an_integer_that_no_alternative_holds_is_an_overflow_error(lib: ModuleType, value: Any) -> None:
    with pytest.raises(OverflowError, match=r"^one\(\) argument 'x': signed 64-bit integer is "):
        lib.one(value)


def test_an_integer_whose_conversion_to_float_fails_is_an_integer(lib: ModuleType) -> None:
    """An ordinary exception means that there is no float to compare; one that must stop the program is raised."""

    class Failing(OnlyIndex):
        error: BaseException = ValueError("no float")

        def __float__(self) -> float:
            raise self.error

    assert lib.one(Failing()) == 1003
    Failing.error = KeyboardInterrupt("stop")
    with pytest.raises(KeyboardInterrupt, match="stop"):
        lib.one(Failing())


def test_an_object_with_int_alone_is_not_a_number(lib: ModuleType) -> None:
    """`__int__()` cuts fractions off."""

    class OnlyInt:
        def __int__(self) -> int:
            return 3

    assert (lib.judge(OnlyInt()), lib.truth(OnlyInt())) == (4001, 4001)
    with pytest.raises(TypeError, match=r"^small\(\) argument 'x': the type is OnlyInt; accepted: int, float$"):
        lib.small(OnlyInt())


def test_a_capsule_is_not_a_number(lib: ModuleType) -> None:
    assert lib.one(np.array([2.5, 1]).__dlpack__()) == 5002.5
    with pytest.raises(TypeError, match=r"^small\(\) argument 'x': the type is PyCapsule; accepted: int, float$"):
        lib.small(np.zeros(2).__dlpack__())


def test_an_object_whose_number_of_axes_is_not_an_integer_is_not_a_number(lib: ModuleType) -> None:
    class Axes(OnlyFloat):
        ndim: Any = "0"

    with pytest.raises(TypeError, match=r"^small\(\) argument 'x': the type is Axes; accepted: int, float$"):
        lib.small(Axes())
    Axes.ndim = 0
    assert lib.small(Axes()) == 1.25


def test_an_integer_chooses_the_integer_before_the_bool(lib: ModuleType) -> None:
    assert [(type(lib.mark(x)), lib.mark(x)) for x in (0, 1)] == [(int, 0), (int, 1)]


def test_the_range_of_an_unsigned_integer_chooses(lib: ModuleType) -> None:
    assert [lib.tiny(x) for x in (0, 3, 2**24 + 1)] == [8000, 8003, 8000 + 2**24 + 1]
    assert [lib.tiny(x) for x in (-1, 2.5, 2**40)] == [8999, 9002.5, 9000 + 2**40]
    with pytest.raises(TypeError) as caught:
        lib.tiny({})
    assert str(caught.value) == (
        "tiny() argument 'x': the type is dict; accepted: an array of float64, int, float, a sequence of real numbers"
    )


def test_an_integer_of_16_bits_is_refused_by_its_range(lib: ModuleType) -> None:
    assert (lib.symbol(3), lib.symbol(65535), lib.symbol("a")) == (8003, 8000 + 65535, 6097)
    for value, message in (
        (-3, "can't convert negative int to unsigned"),
        (65536, "unsigned 16-bit integer is greater than maximum"),
    ):
        with pytest.raises(OverflowError) as caught:
            lib.symbol(value)
        assert str(caught.value) == f"symbol() argument 'x': {message}"


class WithoutIndex:
    """An array of rank 0 that converts itself only to a float."""

    def __init__(self, value: Any, dtype: str) -> None:
        self.array = np.array(value, dtype)

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __float__(self) -> float:
        return float(self.array)


def test_an_integer_array_of_rank_0_without_index_is_a_real_number(lib: ModuleType) -> None:
    assert lib.one(WithoutIndex(3, "i4")) == 2003


def test_an_array_with_axes_that_refuses_to_be_exported_is_not_a_number(lib: ModuleType) -> None:
    class Row(Attributed):
        ndim, shape = 1, (2,)  # type: ignore[assignment]

        def __dlpack__(self, **keywords: Any) -> Any:
            raise BufferError("requires grad")

    for function in ("one", "wave"):
        with pytest.raises(BufferError) as caught:
            getattr(lib, function)(Row([1, 2], "f8"))
        assert str(caught.value) == f"{function}() argument 'x': requires grad"


def test_a_number_that_cannot_convert_itself_is_refused_by_the_function(lib: ModuleType) -> None:
    class Failing(Cut):
        def __index__(self) -> int:
            raise ValueError("too cold")

    with pytest.raises(ValueError, match=r"^one\(\) argument 'x': too cold$"):
        lib.one(Failing(3, np.dtype("i4")))


def test_the_interruption_of_an_index_ends_the_choice(lib: ModuleType) -> None:
    """The array of rank 0 fits as an array. Its number is read to choose an alternative for numbers."""

    class Interrupted(Producer):
        def __index__(self) -> int:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lib.one(Interrupted(3, "i8"))


# ---- Arrays beside numbers ----


def test_an_object_of_rank_0_is_an_array(lib: ModuleType) -> None:
    assert lib.one(lib.Array.empty((), dtype="float64")) == 5000


def test_an_array_of_a_wrong_dtype_is_not_a_bool(lib: ModuleType) -> None:
    assert (lib.mood(np.array([2.5])), lib.mood(True)) == (5002.5, 4001)
    for value, dtype in ((array.array("f", [1]), "float32"), (np.zeros(2, "i2"), "int16")):
        with pytest.raises(BufferError) as caught:
            lib.mood(value)
        assert str(caught.value) == f"mood() argument 'x': the dtype is {dtype}; accepted: float64, bool"


def test_memory_and_a_number_choose(lib: ModuleType) -> None:
    """C gets the bytes of any buffer. An object of the module has a buffer, too."""
    block = lib.Array.empty((3,), dtype="uint16")
    np.asarray(block)[0] = 7
    assert (lib.weigh(b"a"), lib.weigh(np.array([2, 1], "u1")), lib.weigh(block), lib.weigh(3)) == (
        5097,
        5002,
        5007,
        1003,
    )
    with pytest.raises(TypeError, match=r"^weigh\(\) argument 'x': the type is list; accepted: "):
        lib.weigh([3])


def test_numbers_do_not_choose_a_dtype_that_they_are_not_converted_to(lib: ModuleType) -> None:
    assert (lib.halved(np.array([1], "f2")), lib.halved([1, 2])) == (7000 + 0x3C00, 5001)
    with pytest.raises(TypeError) as caught:
        lib.halved([1j])
    assert str(caught.value) == (
        "halved() argument 'x': the type is list, with complex numbers; accepted: an array of float16, "
        "an array of float64, a sequence of real numbers"
    )


def test_an_array_of_any_dtype_and_a_number_choose(lib: ModuleType) -> None:
    assert (lib.shown(np.zeros((2, 3), "i2")), lib.shown(np.zeros(2)), lib.shown(3)) == (7002, 7001, 1003)
    assert lib.shown(np.array(3)) == 1003
    for value, name in (({}, "dict"), (2.5, "float")):
        with pytest.raises(TypeError) as caught:
            lib.shown(value)
        assert str(caught.value) == f"shown() argument 'x': the type is {name}; accepted: an array, int"


def test_none_fits_an_optional_argument(lib: ModuleType) -> None:
    """The first argument chooses."""
    x, y = np.ones(1), np.array([3])
    assert (lib.maybe(x, None), lib.maybe(x), lib.maybe(x, x)) == (1, 1, 1001)
    assert (lib.maybe(y, None), lib.maybe(y), lib.maybe(y, x)) == (3003, 3003, 4003)
    with pytest.raises(TypeError, match=r"^maybe\(\) argument 'x': the type is None; accepted: "):
        lib.maybe(None, x)


# ---- Sequences of numbers ----


@pytest.mark.parametrize(
    "value",
    [[BIG, 0], (BIG, 0), range(BIG, BIG + 1), Pair(BIG, 0), collections.deque([BIG]), collections.UserList([BIG]),
     Column(BIG, 0), [np.int64(BIG)], [np.uint64(BIG)], [np.array(BIG)], [Undescribed(BIG)], [True, BIG],
     array.array("q", [BIG]), memoryview(np.array([BIG])), [np.array(BIG, ">i8")], [array_api_strict.asarray(BIG)],
     [Attributed(BIG, "i8")], (ctypes.c_int64 * 1)(BIG), [Cut(BIG, NamedDType("int64"))], np.array([BIG])],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_integers_choose_int64(lib: ModuleType, value: Any) -> None:
    got = lib.total(value)
    assert (type(got), got) in ((int, BIG), (int, BIG + 1))


@pytest.mark.parametrize(
    "value",
    [[1.5, 2.25], Pair(1.5, 2.25), Column(1.5, 2.25), collections.deque([1.5, 2.25]), [np.array(1.5), np.array(2.25)],
     [np.array(1.5, "f4"), np.array(2.25, "f4")], [np.float16(1.5), 2.25], [Decimal("1.5"), Fraction(9, 4)],
     [Cut(1.5, np.dtype("f4")), Cut(2.25, np.dtype("f4"))], [Undescribed(1.5), Undescribed(2.25)], [3, 0.75],
     [Cut(1.5, NamedDType("float32")), 2.25], [Producer(1.5, "f4"), Producer(2.25, "f8")], [True, 2.75],
     [array_api_strict.asarray(3.75)], [np.longdouble(3.75)], [OnlyFloat(), 1.25], [Both(3.75)]],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_real_numbers_choose_float64(lib: ModuleType, value: Any) -> None:
    got = lib.total(value)
    assert (type(got), got) == (float, 3.75)


@pytest.mark.parametrize(
    "value",
    [[3 + 4j], [np.complex64(3 + 4j)], [np.complex128(3 + 4j)], [np.clongdouble(3 + 4j)], [np.array(3 + 4j, "c8")],
     [OnlyComplex()], [Both(3 + 4j)], Column(1 + 4j, 2), Pair(3, np.complex64(4j)), [array_api_strict.asarray(3 + 4j)]],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_complex_numbers_choose_complex128(lib: ModuleType, value: Any) -> None:
    got = lib.total(value)
    assert (type(got), got) == (complex, 3 + 4j)
    with pytest.raises(TypeError, match=r"full\(\) argument 'x'"):
        lib.full(value)


@pytest.mark.parametrize("value", [[], (), range(0), collections.deque(), Column()])
def test_an_empty_sequence_chooses_float64_or_the_first_alternative(lib: ModuleType, value: Any) -> None:
    assert type(lib.total(value)) is float
    assert (lib.bytes(value), lib.short(value)) == (1000, 0)


def test_bools_choose_bool_and_else_int64(lib: ModuleType) -> None:
    for value in ([True, False], (np.True_,), Column(np.array(True))):
        assert lib.full(value) is True
        assert (type(lib.total(value)), lib.total(value)) == (int, 1)
    assert (type(lib.full([True, 2])), lib.full([True, 2])) == (int, 3)
    assert (type(lib.full([1, 0])), lib.full([1, 0])) == (int, 1)
    assert (type(lib.full([3, 2])), lib.full([3, 2])) == (int, 5)


def test_an_integer_beyond_int64_chooses_uint64(lib: ModuleType) -> None:
    assert lib.full([2**63 + 1]) == 2**63 + 1
    assert lib.full([np.uint64(2**64 - 1)]) == 2**64 - 1
    assert lib.full(range(2**63 + 1, 2**63 + 2)) == 2**63 + 1
    assert (type(lib.full([1, -1])), lib.full([2**53 + 1, -1])) == (int, 2**53)


def test_integers_that_only_float64_holds_choose_float64(lib: ModuleType) -> None:
    for value in ([2**64], [-(2**63), 2**63], [2**70, 1], Column(2**80)):
        assert (type(lib.full(value)), lib.full(value)) == (float, float(sum(value)))


@pytest.mark.parametrize("value", [[2**64 + 1], [-(2**63) - 1], Column(2**70 + 1), [2**63 + 1, -1], [10**400]])
def test_integers_that_no_alternative_holds_are_an_overflow_error(lib: ModuleType, value: Any) -> None:
    with pytest.raises(OverflowError, match=r"^full\(\) argument 'x\[\d\]': .*integer"):
        lib.full(value)


def test_the_integer_dtype_that_holds_the_values_is_chosen(lib: ModuleType) -> None:
    assert [lib.bytes(x) for x in ([1, 2], [100, 200], [-1], range(128, 130), (np.int16(255),))] == [
        1003, 300, 999, 257, 255
    ]  # fmt: skip
    with pytest.raises(OverflowError, match=r"^bytes\(\) argument 'x\[0\]': signed 8-bit integer is greater"):
        lib.bytes([300])
    with pytest.raises(TypeError, match=r"^bytes\(\) argument 'x'"):
        lib.bytes([1.5])


def test_float32_is_not_chosen_for_numbers_beyond_its_range_or_precision(lib: ModuleType) -> None:
    assert lib.short([0.5]) == 0.5
    assert lib.short([1e300]) == 1e300
    assert lib.short([float("inf")]) == float("inf")
    assert type(lib.short([float("inf")])) is float
    assert lib.short([2**24 + 1]) == 2**24 + 1
    assert lib.short([2**130]) == float(2**130)
    assert lib.waves([1e300j]) == 1e300j
    assert lib.rounding([0.1]) == 0.1


def test_integers_that_all_alternatives_round_choose_the_least_rounding(lib: ModuleType) -> None:
    """A function without alternatives rounds, too."""
    assert lib.rounding([2**24 + 1]) == 2**24 + 1
    assert lib.rounding([BIG]) == float(BIG)
    assert lib.total([BIG, 0.5]) == float(BIG)


def test_items_that_are_not_numbers_are_refused(lib: ModuleType) -> None:
    for value in ([None], ["1"], [[1.0]], [np.array([1.0])], [b"1"], [1, {}], Column("1"), [lib.Floats], [object()]):
        with pytest.raises(TypeError, match=r"total\(\) argument 'x'"):
            lib.total(value)


def test_the_exception_of_a_sequence_is_raised(lib: ModuleType) -> None:
    class Broken(Column):
        def __getitem__(self, index: int) -> Any:
            raise RuntimeError("the disk is gone")

    with pytest.raises(RuntimeError, match=r"^total\(\) argument 'x': the disk is gone$"):
        lib.total(Broken(1, 2))


def test_a_sequence_is_read_once(lib: ModuleType) -> None:
    """The items that chose are the ones that the function gets, also if the sequence gives others later."""

    class Changing(Column):
        reads = 0

        def __iter__(self) -> Iterator[Any]:
            self.reads += 1
            return iter(self.items if self.reads == 1 else (0.5,) * len(self.items))

    value = Changing(BIG, 0)
    assert (lib.total(value), value.reads) == (BIG, 1)


def test_an_item_may_change_the_list(lib: ModuleType) -> None:
    class Changing:
        def __index__(self) -> int:
            value[:] = [0.5]
            return 3

    value: list[Any] = [Changing(), 4]
    assert lib.total(value) == 7


def test_a_number_of_an_abstract_class_chooses_by_its_value(lib: ModuleType) -> None:
    class Ohm(numbers.Real):
        """A number that is not a float: the abstract class defines `__complex__()`."""

        def __float__(self) -> float:
            return 2.5

    for name in numbers.Real.__abstractmethods__ - {"__float__"}:
        setattr(Ohm, name, lambda *_: NotImplemented)
    Ohm.__abstractmethods__ = frozenset()
    assert lib.one(Ohm()) == 2002.5
    assert lib.total([Ohm(), 1]) == 3.5


# ---- Lists of arrays ----


@pytest.mark.parametrize(("dtype", "right"), [("f4", 4005), ("f8", 8005)])
@pytest.mark.parametrize("sequence", [list, tuple, collections.deque, lambda items: Column(*items)])
def test_the_dtype_of_the_arrays_in_a_list_chooses(lib: ModuleType, sequence: Any, dtype: str, right: int) -> None:
    assert lib.count(sequence([np.zeros(2, dtype), np.zeros(3, dtype)])) == right
    letter = {"f4": "f", "f8": "d"}[dtype]
    assert lib.count(sequence([memoryview(np.zeros(2, dtype)), array.array(letter, [1] * 3)])) == right


def test_objects_and_arrays_in_a_list_choose_together(lib: ModuleType) -> None:
    floats, doubles = lib.Floats.from_dlpack(np.zeros(2, "f4")), lib.Doubles.from_dlpack(np.zeros(3))
    assert (lib.count([floats, floats]), lib.count([doubles]), lib.count([])) == (4004, 8003, 4000)
    assert (lib.count([floats, np.zeros(1, "f4")]), lib.count([np.zeros(1), doubles])) == (4003, 8004)
    assert (lib.count([np.zeros(1, "f4"), floats]), lib.count((doubles, np.zeros(1)))) == (4003, 8004)


def test_all_arrays_of_a_list_choose(lib: ModuleType) -> None:
    """float32 is converted to float64, and not the other way round."""
    assert lib.count([np.zeros(2, "f4"), np.zeros(3, "f8")]) == 8005
    with pytest.raises((BufferError, TypeError), match=r"^count\(\) argument 'all"):
        lib.count([np.zeros(2, "f4"), np.zeros(3, "i1").view("V1")])


def test_an_object_of_another_class_in_a_list_is_an_array(lib: ModuleType) -> None:
    block = lib.Array.empty((3,), dtype="float32")
    assert (lib.count([block]), lib.count([block, np.zeros(1, "f4")])) == (4003, 4004)
    assert lib.count([lib.Array.empty((3,), dtype="float64")]) == 8003


def test_objects_that_cannot_be_described_are_refused(lib: ModuleType) -> None:
    """The function that the other arguments choose says why. A list for objects of the class needs no description."""
    broken, closed = (lib.Floats.from_dlpack(np.zeros(2, "f4")) for _ in range(2))
    broken.set_n(-1)
    closed.close()
    assert lib.count([broken]) == 3999
    for call, value, error, message in (
        ("one", broken, BufferError, "one() argument 'x': shape[0] (self->n) is -1: an extent is 0 to 2^63 - 1"),
        ("mixed", [broken], BufferError,
         "mixed() argument 'all': numbered.Floats: shape[0] (self->n) is -1: an extent is 0 to 2^63 - 1"),
        ("one", closed, ValueError, "one() argument 'x' is closed"),
        ("count", [closed], ValueError, "count() argument 'all' is closed"),
        ("count", [np.zeros(1), closed], ValueError,
         "count() argument 'all': numbered.Floats: the object is closed"),
    ):  # fmt: skip
        with pytest.raises(error) as caught:
            getattr(lib, call)(value)
        assert str(caught.value).splitlines()[0] == message


def test_a_capsule_of_another_major_version_is_refused(lib: ModuleType) -> None:
    """No member of its tensor may be read."""
    capsule = np.zeros(2).__dlpack__(max_version=(1, 0))
    managed = inside(capsule)
    assert isinstance(managed, Versioned)
    managed.major = 2
    with pytest.raises(BufferError) as caught:
        lib.one(capsule)
    assert str(caught.value).splitlines()[0] == "one() argument 'x': the array is in DLPack version 2.0, not 1.x"


@pytest.mark.parametrize("call", ["count", "mixed"])
def test_the_exception_of_a_sequence_of_arrays_is_raised(lib: ModuleType, call: str) -> None:
    class Broken(Column):
        def __getitem__(self, index: int) -> Any:
            raise RuntimeError("the disk is gone")

    with pytest.raises(RuntimeError) as caught:
        getattr(lib, call)(Broken(1, 2))
    assert str(caught.value) == f"{call}() argument 'all': the disk is gone"


class Exporter(Producer):
    def __init__(self, count: int, dtype: str) -> None:
        super().__init__(0, dtype)
        self.array = np.zeros(count, dtype)


def test_each_producer_in_a_list_is_exported_once(lib: ModuleType) -> None:
    items = [Exporter(2, "f8"), Exporter(3, "f8")]
    assert (lib.count(items), [item.calls for item in items]) == (8005, [1, 1])
    assert (lib.count(all=tuple(items)), [item.calls for item in items]) == (8005, [2, 2])


def test_the_error_of_a_producer_in_a_list_is_raised(lib: ModuleType) -> None:
    class Failing(Exporter):
        def __dlpack__(self, **keywords: Any) -> Any:
            raise RuntimeError("no memory card")

    with pytest.raises(RuntimeError, match=r"^count\(\) argument 'all': no memory card$"):
        lib.count([np.zeros(2), Failing(2, "f8")])


def test_arrays_of_a_wrong_rank_in_a_list_are_refused(lib: ModuleType) -> None:
    with pytest.raises((BufferError, TypeError), match=r"^count\(\) argument 'all"):
        lib.count([np.zeros((2, 2))])


def test_choices_by_numbers_leak_nothing(lib: ModuleType) -> None:
    numbers_ = [[1.5, np.float32(2)], Column(1, 2), (3, 4), [np.complex64(1j)], range(3), [2**64], [Undescribed(1.5)]]
    scalars = [np.float32(2), np.int32(3), Producer(3, "i8"), Attributed(2.5, "f8"), Decimal(2), Both(2.5)]
    lists: list[Any] = [[Exporter(2, "f8"), np.zeros(2)], Column(np.zeros(2, "f4")), [np.zeros((2, 2))], [None]]

    def calls() -> None:
        for value in numbers_:
            lib.total(value)
        for value in scalars:
            lib.one(value)
        for value in lists:
            with contextlib.suppress(BufferError, TypeError):
                lib.count(value)

    warm_up(calls)
    assert_no_growth(calls)


@pytest.mark.parametrize("error", [RecursionError, MemoryError, KeyboardInterrupt])
def test_a_producer_whose_exception_is_final_is_not_read_as_a_number(
    lib: ModuleType, error: type[BaseException]
) -> None:
    steps = []

    class Failing(Attributed):
        def __dlpack__(self, **keywords: Any) -> Any:
            steps.append("__dlpack__")
            raise error

        @property
        def dtype(self) -> Any:
            steps.append("dtype")
            return self.array.dtype

    with pytest.raises(error):
        lib.one(Failing(2.5, "f8"))
    assert steps[-1] == "__dlpack__"


def test_a_list_of_arrays_of_rank_0_is_a_list_of_numbers(lib: ModuleType) -> None:
    """The choice calls `__dlpack__()` of each item. The function for numbers gets the items, and not these capsules."""
    items = [Attributed(2.5, "f8"), Attributed(4, "f8")]
    assert lib.mixed(items) == 6.5
    assert lib.mixed([Producer([1, 2], "f8"), np.zeros(3)]) == 8005
    assert lib.mixed([1.5, 2]) == 3.5
