# SPDX-License-Identifier: MIT
"""Arguments of methods: each kind of C type, and wrong values."""

from __future__ import annotations

import decimal
import fractions
import math
from typing import Any

import numpy as np
import pytest

NAMES = "i8 u8 i16 u16 i32 u32 i64 u64 f d ld b text".split()
DEFAULTS = (0, 8, 0, 0, 0, 0, 0, 0, 0.5, 0.0, 0.0, False, "default")


@pytest.fixture
def settings(frame, frames) -> Any:
    """Makes an object with these arguments, and reads back what C got."""
    whole = [frame().wrap()]

    def make(*args: Any, **kwargs: Any) -> dict[str, Any]:
        return dict(zip(NAMES, frames.read(whole[0].settings(*args, **kwargs)), strict=True))

    yield make
    whole.clear()


def test_params_without_arguments_have_their_defaults_or_zero(settings) -> None:
    assert tuple(settings().values()) == DEFAULTS


def test_arguments_are_positional_or_named(settings) -> None:
    values = (-1, 2, -3, 4, -5, 6, -7, 8, 1.5, 2.5, 3.5, True, "ä")
    assert tuple(settings(*values).values()) == values
    assert tuple(settings(**dict(zip(NAMES, values, strict=True))).values()) == values
    assert settings(-1, 2, text="x", u64=3) == {
        **dict(zip(NAMES, DEFAULTS, strict=True)),
        "i8": -1,
        "u8": 2,
        "text": "x",
        "u64": 3,
    }
    assert settings(**dict(reversed(list(zip(NAMES, values, strict=True))))) == settings(*values)
    name = "".join(["te", "xt"])  # not interned
    assert settings(**{name: "y"})["text"] == "y"


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_integers_are_checked_against_their_range(settings, bits: int) -> None:
    name = f"i{bits}"
    for value in (-(2 ** (bits - 1)), -1, 0, 1, 2 ** (bits - 1) - 1):
        assert settings(**{name: value})[name] == value
    for value in (2 ** (bits - 1), 2**bits, 2**64, 10**30):
        with pytest.raises(
            OverflowError, match=rf"^settings\(\) argument '{name}': signed {bits}-bit integer is greater than maximum$"
        ):
            settings(**{name: value})
    for value in (-(2 ** (bits - 1)) - 1, -(2**64), -(10**30)):
        with pytest.raises(
            OverflowError, match=rf"^settings\(\) argument '{name}': signed {bits}-bit integer is less than minimum$"
        ):
            settings(**{name: value})


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_unsigned_integers_are_checked_against_their_range(settings, bits: int) -> None:
    name = f"u{bits}"
    for value in (0, 1, 2 ** (bits - 1), 2**bits - 1):
        assert settings(**{name: value})[name] == value
    for value in (2**bits, 2**64, 10**30):
        with pytest.raises(
            OverflowError,
            match=rf"^settings\(\) argument '{name}': unsigned {bits}-bit integer is greater than maximum$",
        ):
            settings(**{name: value})
    for value in (-1, -(2**63), -(10**30)):
        with pytest.raises(
            OverflowError, match=rf"^settings\(\) argument '{name}': can't convert negative int to unsigned$"
        ):
            settings(**{name: value})


def test_an_object_with_index_is_an_int(settings) -> None:
    assert settings(i32=True)["i32"] == 1
    assert settings(i32=np.int8(-3), u64=np.uint64(2**64 - 1)) | {"i32": 0, "u64": 0} == settings()
    for value in ("1", 1.0, None, [1], decimal.Decimal(1)):
        kind = "None" if value is None else type(value).__name__
        with pytest.raises(TypeError, match=rf"^settings\(\) argument 'i32' must be int, not (decimal\.)?{kind}$"):
            settings(i32=value)


def test_an_exception_of_an_argument_names_the_argument(settings) -> None:
    class Bad:
        def __index__(self) -> int:
            raise LookupError("no index")

        def __float__(self) -> float:
            raise OverflowError("no float")

        def __bool__(self) -> bool:
            raise LookupError("no bool")

    for name, message in (("i8", "no index"), ("u64", "no index"), ("f", "no float"), ("b", "no bool")):
        with pytest.raises((LookupError, OverflowError), match=rf"^settings\(\) argument '{name}': {message}$"):
            settings(**{name: Bad()})


def test_floats_are_rounded_to_their_size(settings) -> None:
    made = settings(f=0.1, d=0.1, ld=0.1)
    assert made["f"] == float(np.float32(0.1))
    assert (made["d"], made["ld"]) == (0.1, 0.1)
    made = settings(f=7, d=fractions.Fraction(1, 2))
    assert (made["f"], made["d"]) == (7.0, 0.5)
    assert settings(d=np.float32(0.25))["d"] == 0.25
    for value in (math.inf, -math.inf):
        assert settings(f=value)["f"] == value
    assert math.isnan(settings(f=math.nan)["f"])
    assert settings(f=1e-60)["f"] == 0.0


@pytest.mark.parametrize("name", ["f", "d", "ld"])
def test_an_argument_that_is_not_a_float_is_named(settings, name: str) -> None:
    for value, kind in (("1", "str"), (None, "None"), (1j, "complex"), ([], "list")):
        with pytest.raises(TypeError, match=rf"^settings\(\) argument '{name}' must be real number, not {kind}$"):
            settings(**{name: value})
    with pytest.raises(OverflowError, match=rf"^settings\(\) argument '{name}': int too large to convert to float$"):
        settings(**{name: 10**400})


def test_a_float_that_a_smaller_one_cannot_hold_is_an_overflow(settings) -> None:
    for value in (1e39, -1e39):
        message = r"^settings\(\) argument 'f': Python float too large to convert to C float$"
        with pytest.raises(OverflowError, match=message):
            settings(f=value)
        made = settings(d=value, ld=value)
        assert (made["d"], made["ld"]) == (value, value)


def test_a_bool_takes_the_truth_of_any_object(settings) -> None:
    for value in (True, 1, [0], "no", object()):
        assert settings(b=value)["b"] is True
    for value in (False, 0, [], "", None, 0.0):
        assert settings(b=value)["b"] is False


def test_a_string_is_a_str_without_null_characters(settings) -> None:
    for text in ("", "a", "ä€\U0001f600", "x" * 10_000):
        assert settings(text=text)["text"] == text
    for value, kind in ((b"a", "bytes"), (None, "None"), (1, "int")):
        with pytest.raises(TypeError, match=rf"^settings\(\) argument 'text' must be str, not {kind}$"):
            settings(text=value)
    with pytest.raises(ValueError, match=r"^settings\(\) argument 'text': embedded null character$"):
        settings(text="a\0b")
    with pytest.raises(UnicodeEncodeError):
        settings(text="\ud800")


def test_a_string_lives_as_long_as_the_object(frame, frames) -> None:
    whole = frame().wrap()
    made = [whole.settings(text="".join(["text ", str(i)])) for i in range(100)]
    assert [frames.read(one)[-1] for one in made] == [f"text {i}" for i in range(100)]


def test_a_c_type_without_a_conversion_is_a_type_error(settings) -> None:
    with pytest.raises(TypeError, match=r"^settings\(\) argument 'other' is of a C type that Python objects"):
        settings(other=1)


def test_arguments_must_fit_the_params(frame) -> None:
    made = frame().wrap()
    for call, message in (
        (lambda: made.plane(), r"plane\(\) missing required argument 'plane' \(pos 1\)"),
        (lambda: made.plane(step=1), r"plane\(\) missing required argument 'plane' \(pos 1\)"),
        (lambda: made.plane(1, 2, "x", 4), r"plane\(\) takes at most 3 arguments \(4 given\)"),
        (lambda: made.plane(1, plane=2), r"argument for plane\(\) given by name \('plane'\) and position \(1\)"),
        (lambda: made.plane(1, 1, step=2), r"argument for plane\(\) given by name \('step'\) and position \(2\)"),
        (lambda: made.plane(1, x=2), r"plane\(\) got an unexpected keyword argument 'x'"),
        (lambda: made.plane(plan=1), r"plane\(\) got an unexpected keyword argument 'plan'"),
        (lambda: made.plane(**{"plane\0": 1}), r"plane\(\) got an unexpected keyword argument 'plane\0'"),
        (lambda: made.plane(plane=1, Step=2), r"plane\(\) got an unexpected keyword argument 'Step'"),
        (lambda: made.plane(1, ä=1), r"plane\(\) got an unexpected keyword argument 'ä'"),
        (lambda: made.whole(1), r"whole\(\) takes no arguments \(1 given\)"),
        (lambda: made.whole(x=1), r"whole\(\) got an unexpected keyword argument 'x'"),
        (lambda: made.plane("1"), r"plane\(\) argument 'plane' must be int, not str"),
    ):
        with pytest.raises(TypeError, match=f"^{message}$"):
            call()


def test_no_code_of_an_argument_runs_before_all_are_known(frame) -> None:
    class Loud:
        def __index__(self) -> int:
            raise AssertionError("ran")

    made = frame().wrap()
    with pytest.raises(TypeError, match="unexpected keyword"):
        made.plane(Loud(), nonsense=1)


class TestOfAnImport:
    @pytest.fixture
    def gil(self, frame, frames) -> Any:  # `frame` checks in the end that nothing is left
        return frames.Gil

    def test_params_are_keywords_only(self, gil, frames) -> None:
        label = "a label"
        made = gil.from_dlpack(np.zeros((2, 3), np.uint8), rate=5, label=label)
        assert made.shape == (2, 3)
        assert frames.last_import() == (5, label)
        made = gil.from_dlpack(np.zeros((2, 3), np.uint8), rate=-1)
        assert frames.last_import() == (-1, "no label")

    def test_a_call_that_knows_no_params_gets_the_defaults(self, gil) -> None:
        with pytest.raises(TypeError, match=r"^frames\.Gil: from_dlpack\(\) needs the argument 'rate'$"):
            gil.from_dlpack_plainly(np.zeros((2, 3), np.uint8))

    def test_legacy_capsules_are_imported_with_params(self, gil, managed, frames) -> None:
        for number, versioned in enumerate((True, False)):
            capsule = managed(versioned, axes=((2, 3), (3, 1)), dtype=(1, 8, 1)).capsule()
            assert gil.from_dlpack(capsule, rate=number).shape == (2, 3)
            assert frames.last_import()[0] == number

    def test_arguments_of_an_import_must_fit_the_params(self, gil) -> None:
        array = np.zeros((2, 3), np.uint8)
        for call, message in (
            (lambda: gil.from_dlpack(), r"from_dlpack\(\) takes exactly 1 positional argument \(0 given\)"),
            (lambda: gil.from_dlpack(array, 5), r"from_dlpack\(\) takes exactly 1 positional argument \(2 given\)"),
            (lambda: gil.from_dlpack(x=array), r"from_dlpack\(\) takes exactly 1 positional argument \(0 given\)"),
            (lambda: gil.from_dlpack(array), r"from_dlpack\(\) missing required keyword-only argument: 'rate'"),
            (lambda: gil.from_dlpack(array, rate=1, x=2), r"from_dlpack\(\) got an unexpected keyword argument 'x'"),
            (lambda: gil.from_dlpack(array, rate="1"), r"from_dlpack\(\) argument 'rate' must be int, not str"),
        ):
            with pytest.raises(TypeError, match=f"^{message}$"):
                call()
        with pytest.raises(OverflowError, match=r"^from_dlpack\(\) argument 'rate': signed 32-bit integer is greater"):
            gil.from_dlpack(array, rate=2**31)
