"""The error of a call that no alternative takes: the best fit comes first, and then why the others refuse the call."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.leaks import assert_no_growth, warm_up
from support.build import ABI3, build_module

FOLDER = Path(__file__).parent
DOUBLES = np.zeros(2)
FLOATS = DOUBLES.astype("f4")
PLANE = np.zeros((2, 3), "f4")
NDARRAY = "ndarray" if ABI3 else "numpy.ndarray"
DTYPES = "int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64, complex64, complex128"
MANY = [f"coefficient_of_the_polynomial_of_degree_{degree:02}" for degree in range(30)]


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    spec, header = (FOLDER / "refused.yaml").read_text(), (FOLDER / "refused.h").read_text()
    parameters = ", ".join(f"int {name}" for name in MANY)
    header += f"static inline int of_many({parameters}) {{ return {' + '.join(MANY)}; }}\n"
    spec += (
        f'  many: {{c: "int of_many({parameters})", name: long}}\n  few: {{c: int numbered(int name), name: long}}\n'
    )
    return build_module("refused", spec, tmp_path_factory.mktemp("refused"), header)


def _message(error: type[Exception], function: Any, *args: Any, **keywords: Any) -> str:
    with pytest.raises(error) as caught:
        function(*args, **keywords)
    return str(caught.value)


def test_twelve_dtypes_are_one_line(lib: ModuleType) -> None:
    assert _message(BufferError, lib.twelve, DOUBLES.astype("f2")) == (
        f"twelve() argument 'x': the dtype is float16; accepted: {DTYPES}"
    )


def test_twelve_types_are_one_line(lib: ModuleType) -> None:
    accepted = ", ".join(f"an array of {dtype}" for dtype in DTYPES.split(", "))
    assert _message(TypeError, lib.twelve, {}) == (
        f"twelve() argument 'x': the type is dict; accepted: {accepted}, a sequence of numbers"
    )


def test_equal_reasons_of_twelve_alternatives_are_one_line(lib: ModuleType) -> None:
    assert _message(TypeError, lib.twelve) == (
        "twelve() has no signature for these arguments:\n  twelve(x): the argument 'x' is missing"
    )


def test_each_other_alternative_has_a_line(lib: ModuleType) -> None:
    """The argument that the best fit refuses comes first. Equal signatures with one reason share a line."""
    assert _message(BufferError, lib.draw, DOUBLES, DOUBLES) == (
        "draw() argument 'y': the dtype is float64; accepted: float32\n"
        "Other signatures:\n"
        f"  draw(x, path): 'path' must be of another type, not {NDARRAY}\n"
        "  draw(x, y): the dtype of 'x' must be int32, not float64\n"
        "  draw(plane, *, axis=...): at most 1 argument by position, not 2"
    )


def test_a_wrong_second_argument_is_named_before_the_other_signatures(lib: ModuleType) -> None:
    lines = _message(BufferError, lib.draw, np.zeros(2, "i4"), DOUBLES).splitlines()
    assert lines == [
        "draw() argument 'y': the dtype is float64; accepted: float32",
        "Other signatures:",
        "  draw(x, path): the dtype of 'x' must be float64, not int32",
        "  draw(x, y): the dtype of 'x' must be float64, not int32",
        "  draw(plane, *, axis=...): at most 1 argument by position, not 2",
    ]


def test_a_wrong_first_argument_is_named_with_all_accepted_dtypes(lib: ModuleType) -> None:
    lines = _message(BufferError, lib.draw, np.zeros(2, "f2"), FLOATS).splitlines()
    assert lines == [
        "draw() argument 'x': the dtype is float16; accepted: float64, int32",
        "Other signatures:",
        "  draw(plane, *, axis=...): at most 1 argument by position, not 2",
    ]


def test_the_only_alternative_for_the_number_of_arguments_comes_first(lib: ModuleType) -> None:
    lines = _message(BufferError, lib.draw, DOUBLES).splitlines()
    assert lines[0] == "draw() argument 'plane': the array has 1 axis, not 2"
    assert lines[1:] == [
        "Other signatures:",
        "  draw(x, path): the argument 'path' is missing",
        "  draw(x, y): the argument 'y' is missing",
    ]
    assert _message(TypeError, lib.draw, PLANE, axis=1.5).splitlines() == [
        "draw() argument 'axis' must be int, not float",
        "Other signatures:",
        "  draw(x, path): there is no argument 'axis' by name",
        "  draw(x, y): there is no argument 'axis' by name",
    ]


def test_each_alternative_of_one_signature_has_the_line_of_its_own_reason(lib: ModuleType) -> None:
    assert _message(BufferError, lib.fit, DOUBLES, DOUBLES).splitlines() == [
        "fit() argument 'y': the dtype is float64; accepted: float32",
        "Other signatures:",
        "  fit(x, path): the number of axes of 'x' must be 2, not 1",
        "  fit(x, path): the dtype of 'x' must be float32, not float64",
    ]


def test_the_accepted_numbers_of_axes_are_a_list_of_ranges(lib: ModuleType) -> None:
    assert (lib.ranks(DOUBLES), lib.ranks(np.zeros((1, 2, 1, 1)))) == (2, 102)
    assert _message(BufferError, lib.ranks, np.zeros((2, 2, 2))) == (
        "ranks() argument 'x': the number of axes is 3; accepted: 1 to 2, 4"
    )


def test_a_line_names_the_other_byte_order(lib: ModuleType) -> None:
    """The alternative that converts arrays accepts them in the other byte order."""
    swapped = np.zeros(2, ">f8")
    assert (lib.swapped(swapped, FLOATS), lib.swapped(DOUBLES, "a")) == (4, 2)
    assert _message(BufferError, lib.swapped, swapped, DOUBLES).splitlines() == [
        "swapped() argument 'y': the dtype is float64; accepted: float32",
        "Other signatures:",
        "  swapped(x, path): the dtype of 'x' must be float64, not float64 in the other byte order",
    ]


def test_a_keyword_that_is_not_utf_8_is_refused(lib: ModuleType) -> None:
    assert _message(TypeError, lib.label, **{"\udc80": 1}) == (
        "label() has no signature for these arguments:\n  label(name): there is no argument '?' by name"
    )


def test_the_end_of_a_long_signature_is_cut_off(lib: ModuleType) -> None:
    lines = _message(TypeError, lib.long, "a", 2).splitlines()
    assert lines[0] == "long() has no signature for these arguments:"
    assert lines[1].startswith(f"  long({', '.join(MANY[:25])}")
    assert MANY[-1] not in lines[1]
    assert lines[2:] == ["  long(name): at most 1 argument by position, not 2"]


def test_an_argument_that_becomes_acceptable_is_not_named(lib: ModuleType) -> None:
    """The message looks at the argument again: it is an array only for the choice."""

    class Changing:
        looks = 0

        def __getattr__(self, name: str) -> Any:
            self.looks += name == "__dlpack__"
            if name == "__dlpack__" and self.looks == 1:
                return None.__str__
            raise AttributeError(name)

    message = _message(TypeError, lib.label, Changing())
    assert message.splitlines()[0] == "label() argument 'name': the type is Changing; accepted: int"


def test_the_error_of_a_value_that_is_neither_string_nor_number_names_both(lib: ModuleType) -> None:
    """Only the conversion to a string can tell that the value is not a string."""
    for value in (None, {}, b"a"):
        name = "None" if value is None else type(value).__name__
        assert _message(TypeError, lib.label, value).splitlines() == [
            f"label() argument 'name' must be str, not {name}",
            "Other signatures:",
            f"  label(name): 'name' must be int, not {name}",
        ]


def test_an_error_of_the_value_stays_as_it_is(lib: ModuleType) -> None:
    assert _message(ValueError, lib.label, "a\0b") == "label() argument 'name': embedded null character"
    assert _message(OverflowError, lib.label, 2**40) == (
        "label() argument 'name': signed 32-bit integer is greater than maximum"
    )


@pytest.mark.parametrize("sequence", [list, tuple])
def test_errors_of_lists_of_arrays_name_the_alternatives(lib: ModuleType, sequence: Any) -> None:
    name = sequence.__name__
    accepted = (
        "accepted: a sequence of Floats, a sequence of arrays of float32, a sequence of Doubles, "
        "a sequence of arrays of float64"
    )
    assert _message(TypeError, lib.both, sequence([np.zeros(2, "i2")])) == (
        f"both() argument 'all': the type is {name}, with an array of int16 and 1 axis; {accepted}"
    )
    assert _message(TypeError, lib.both, sequence([PLANE])) == (
        f"both() argument 'all': the type is {name}, with an array of float32 and 2 axes; {accepted}"
    )
    assert _message(TypeError, lib.both, sequence([3])) == f"both() argument 'all': the type is {name}; {accepted}"


def test_the_exception_of_foreign_code_stays_as_it_is(lib: ModuleType) -> None:
    class Broken:
        def __dlpack__(self, **keywords: Any) -> Any:
            raise TypeError("not today")

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

    message = _message(TypeError, lib.twelve, Broken())
    assert "not today" in message and "Other signatures" not in message


def test_refused_calls_leak_nothing(lib: ModuleType) -> None:
    def calls() -> None:
        for function, args in (
            *((lib.draw, args) for args in ((), (DOUBLES,), (DOUBLES, DOUBLES), (np.zeros(2, "f2"), FLOATS))),
            *((lib.label, (value,)) for value in (None, {}, 2**40)),
            *((lib.both, (value,)) for value in ([3], [PLANE], [DOUBLES, None])),
            (lib.twelve, ({},)),
        ):
            with pytest.raises((TypeError, BufferError, OverflowError)):
                function(*args)

    warm_up(calls)
    assert_no_growth(calls)


@pytest.mark.parametrize("call", ["both", "draw", "label", "mixed", "told"])
def test_an_interruption_ends_the_call_at_each_lookup(lib: ModuleType, call: str) -> None:
    """The message looks at the arguments again. A sequence is not looked up as a bool."""

    class Interrupted:
        def __init__(self, lookups: int) -> None:
            self.lookups = lookups

        def __getattr__(self, name: str) -> Any:
            self.lookups -= 1
            raise KeyboardInterrupt if self.lookups == 0 else AttributeError(name)

    class InterruptedSequence(Interrupted):
        def __len__(self) -> int:
            return 1

        def __getitem__(self, index: int) -> Any:
            if index > 0:
                raise IndexError
            return "a string"

    lookups = 1
    while True:
        value = Interrupted(lookups) if call == "told" else InterruptedSequence(lookups)
        with pytest.raises((KeyboardInterrupt, TypeError)) as caught:
            getattr(lib, call)(value)
        if value.lookups > 0:
            break
        assert caught.type is KeyboardInterrupt, lookups
        lookups += 1
    assert caught.type is TypeError
    assert lookups > 3
