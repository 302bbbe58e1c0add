"""Numbers as arguments and results: each C type at its limits, and the Python objects that can be converted."""

from __future__ import annotations

import ctypes
import math
import re
import struct
from types import ModuleType
from typing import Any

import numpy as np
import pytest

INTEGERS = {
    "schar": ctypes.c_byte,
    "uchar": ctypes.c_ubyte,
    "short": ctypes.c_short,
    "ushort": ctypes.c_ushort,
    "int": ctypes.c_int,
    "uint": ctypes.c_uint,
    "long": ctypes.c_long,
    "ulong": ctypes.c_ulong,
    "llong": ctypes.c_longlong,
    "ullong": ctypes.c_ulonglong,
    "int8": ctypes.c_int8,
    "uint8": ctypes.c_uint8,
    "int16": ctypes.c_int16,
    "uint16": ctypes.c_uint16,
    "int32": ctypes.c_int32,
    "uint32": ctypes.c_uint32,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
    "size": ctypes.c_size_t,
    "ptrdiff": ctypes.c_ssize_t,
    "intptr": ctypes.c_ssize_t,
    "uintptr": ctypes.c_size_t,
    "index": ctypes.c_int16,
}
REALS = ("float", "double", "ldouble", "ratio")
COMPLEXES = ("cfloat", "cdouble", "cldouble")
FLOAT_MAX = struct.unpack("<f", b"\xff\xff\x7f\x7f")[0]
HUGE = 10**400


def limits(name: str) -> tuple[int, int, int]:
    """Returns the least value, the greatest value and the number of bits."""
    ctype = INTEGERS[name]
    bits = 8 * ctypes.sizeof(ctype)
    signed = ctype(-1).value < 0
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1, bits) if signed else (0, 2**bits - 1, bits)


class Indexed:
    """An int that has only `__index__`."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Floated:
    """A float that has only `__float__`."""

    def __float__(self) -> float:
        return 2.5


class Complexed:
    """A complex number that has only `__complex__`."""

    def __complex__(self) -> complex:
        return 1.5 - 2j


class Stuck:
    """An object whose methods all fail."""

    def fail(self) -> Any:
        raise KeyError("stuck")

    __index__ = __float__ = __complex__ = __bool__ = fail


@pytest.mark.parametrize("name", INTEGERS)
def test_integers_at_the_limits_of_their_type_are_passed(calls: ModuleType, name: str) -> None:
    least, greatest, _ = limits(name)
    echo = getattr(calls, f"echo_{name}")
    digits = (-(2**30), -(2**30) + 1, -1, 2**30 - 1, 2**30)  # where CPython needs one more
    for value in (
        least,
        greatest,
        0,
        1,
        least + 1,
        greatest - 1,
        *(each for each in digits if least <= each <= greatest),
    ):
        assert echo(value) == value
        assert echo(Indexed(value)) == value
    assert type(echo(True)) is int


@pytest.mark.parametrize("name", INTEGERS)
def test_integers_beyond_the_limits_of_their_type_are_refused(calls: ModuleType, name: str) -> None:
    least, greatest, bits = limits(name)
    below = f"signed {bits}-bit integer is less than minimum" if least else "can't convert negative int to unsigned"
    above = f"{'signed' if least else 'unsigned'} {bits}-bit integer is greater than maximum"
    echo = getattr(calls, f"echo_{name}")
    for value, text in ((least - 1, below), (-HUGE, below), (greatest + 1, above), (HUGE, above)):
        for given in (value, Indexed(value)):
            with pytest.raises(OverflowError) as caught:
                echo(given)
            assert str(caught.value) == f"echo_{name}() argument 'value': {text}"


@pytest.mark.parametrize(
    "value, shown",
    [
        (1.0, "float"),
        ("1", "str"),
        (None, "None"),
        (b"1", "bytes"),
        ([1], "list"),
        (Floated(), "Floated"),
        (1j, "complex"),
        (np.float64(1), "float64"),
    ],
)
def test_objects_that_are_not_integers_are_refused(calls: ModuleType, value: object, shown: str) -> None:
    with pytest.raises(TypeError, match=re.escape("echo_int() argument 'value' must be int, not ") + rf".*{shown}$"):
        calls.echo_int(value)


def test_integers_of_numpy_are_passed(calls: ModuleType) -> None:
    assert calls.echo_int(np.int8(-3)) == -3
    assert calls.echo_uint64(np.uint64(2**64 - 1)) == 2**64 - 1


@pytest.mark.parametrize("name", ["int", "uint64", "double", "cdouble", "bool"])
def test_an_exception_of_a_conversion_reaches_the_caller(calls: ModuleType, name: str) -> None:
    with pytest.raises(KeyError, match="stuck"):
        getattr(calls, f"echo_{name}")(Stuck())


@pytest.mark.parametrize("value", [0, 1, -1, "", "a", [], [0], None, 0.0, 2.5])
def test_a_bool_is_the_truth_of_any_object(calls: ModuleType, value: object) -> None:
    assert calls.echo_bool(value) is bool(value)
    assert calls.truth(value) is bool(value)


@pytest.mark.parametrize("name", REALS)
@pytest.mark.parametrize("value", [0.5, -2, True, math.inf, -math.inf, FLOAT_MAX, Floated(), Indexed(3), np.float32(7)])
def test_real_numbers_are_passed(calls: ModuleType, name: str, value: Any) -> None:
    result = getattr(calls, f"echo_{name}")(value)
    assert type(result) is float
    assert result == (float(value) if not isinstance(value, Indexed) else 3.0)


@pytest.mark.parametrize("name", REALS)
def test_not_a_number_and_the_sign_of_zero_are_passed(calls: ModuleType, name: str) -> None:
    echo = getattr(calls, f"echo_{name}")
    assert math.isnan(echo(math.nan))
    assert math.copysign(1.0, echo(-0.0)) == -1.0


def test_a_float_is_rounded_as_c_does_it(calls: ModuleType) -> None:
    assert calls.echo_float(0.1) == float(np.float32(0.1)) != 0.1
    assert calls.echo_double(0.1) == calls.echo_ldouble(0.1) == 0.1
    assert calls.echo_float(1e-60) == 0.0


@pytest.mark.parametrize("name", ["float", "ratio", "cfloat"])
@pytest.mark.parametrize("value", [1e39, -1e39, FLOAT_MAX * (1 + 2**-24)])
def test_a_number_too_large_for_a_c_float_is_refused(calls: ModuleType, name: str, value: float) -> None:
    with pytest.raises(OverflowError) as caught:
        getattr(calls, f"echo_{name}")(value)
    assert str(caught.value) == f"echo_{name}() argument 'value': Python float too large to convert to C float"


def test_an_imaginary_part_too_large_for_a_c_float_is_refused(calls: ModuleType) -> None:
    with pytest.raises(OverflowError, match=r"^echo_cfloat\(\) argument 'value': Python float too large to convert"):
        calls.echo_cfloat(1e39j)


@pytest.mark.parametrize("name", [*REALS, *COMPLEXES])
def test_an_int_too_large_for_any_float_is_refused(calls: ModuleType, name: str) -> None:
    with pytest.raises(OverflowError) as caught:
        getattr(calls, f"echo_{name}")(HUGE)
    assert str(caught.value) == f"echo_{name}() argument 'value': int too large to convert to float"


@pytest.mark.parametrize(
    "value, shown", [("1", "str"), (None, "None"), ([], "list"), (1j, "complex"), (object(), "object")]
)
def test_objects_that_are_not_real_numbers_are_refused(calls: ModuleType, value: object, shown: str) -> None:
    with pytest.raises(TypeError) as caught:
        calls.echo_double(value)
    assert str(caught.value) == f"echo_double() argument 'value' must be real number, not {shown}"


class Refusing:
    """An object whose Python code raises, so that the traceback shows the code."""

    def __float__(self) -> float:
        raise TypeError("refused")

    __index__ = __float__


@pytest.mark.parametrize("name", ["echo_double", "echo_int"])
def test_an_exception_of_an_object_that_refuses_to_be_a_number_is_raised(calls: ModuleType, name: str) -> None:
    with pytest.raises(TypeError, match=rf"^{name}\(\) argument 'value': only "):
        getattr(calls, name)(np.zeros(3, int))
    with pytest.raises(TypeError, match=rf"^{name}\(\) argument 'value': refused$") as caught:
        getattr(calls, name)(Refusing())
    assert caught.traceback[-1].name == "__float__"


@pytest.mark.parametrize("name", COMPLEXES)
@pytest.mark.parametrize(
    "value, expected",
    [
        (1.5 + 2j, 1.5 + 2j),
        (3, 3 + 0j),
        (0.5, 0.5 + 0j),
        (Complexed(), 1.5 - 2j),
        (Floated(), 2.5 + 0j),
        (np.complex64(1j), 1j),
        (complex(math.inf, -1), complex(math.inf, -1)),
    ],
)
def test_complex_numbers_are_passed(calls: ModuleType, name: str, value: object, expected: complex) -> None:
    assert getattr(calls, f"echo_{name}")(value) == expected


@pytest.mark.parametrize("value, shown", [("1j", "str"), (None, "None"), ([], "list")])
def test_objects_that_are_not_complex_numbers_are_refused(calls: ModuleType, value: object, shown: str) -> None:
    with pytest.raises(TypeError) as caught:
        calls.echo_cdouble(value)
    assert str(caught.value) == f"echo_cdouble() argument 'value' must be complex number, not {shown}"


@pytest.mark.parametrize("value", ["a", "\0", "\x7f"])
def test_a_char_is_one_ascii_character(calls: ModuleType, value: str) -> None:
    assert calls.echo_char(value) == value


@pytest.mark.parametrize("value", ["", "ab", "\x80", "é", "\udcff", "\U0001f600"])
def test_strings_that_are_not_one_ascii_character_are_refused(calls: ModuleType, value: str) -> None:
    with pytest.raises(ValueError) as caught:
        calls.echo_char(value)
    assert str(caught.value) == f"echo_char() argument 'value' must be one ASCII character, not {value!r}"


@pytest.mark.parametrize("value, shown", [(b"a", "bytes"), (97, "int"), (None, "None")])
def test_objects_that_are_not_strings_are_refused_for_a_char(calls: ModuleType, value: object, shown: str) -> None:
    with pytest.raises(TypeError) as caught:
        calls.echo_char(value)
    assert str(caught.value) == f"echo_char() argument 'value' must be str, not {shown}"


def test_a_function_that_the_compiler_has_built_in_is_called(calls: ModuleType) -> None:
    """Compilers give such functions attributes that the prototype lacks."""
    assert calls.cosine(0) == 1


def test_values_of_the_spec_are_checked_by_the_compiler_and_passed(calls: ModuleType) -> None:
    assert calls.checked() == calls.two(300, 7)
    assert calls.checked(4) == calls.two(4, 7)
    assert calls.widest() == 2**64 - 1
    assert calls.lowest() == -(2**63)
    assert calls.indexed() == -1
    assert calls.halved() == 0.5
