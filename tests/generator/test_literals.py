"""A variable can hold a literal, cannot hold it, or only the compiler knows: its C type decides."""

from __future__ import annotations

import pytest

from dlpack_bindgen.text.literals import Fit, fit
from dlpack_bindgen.text.types import NumberKind


@pytest.mark.parametrize(
    "base, values",
    [
        ("int", ["0", "-2147483648", "0x7fffffff", "1", "'x'", r"'\n'", "sizeof(double)", "sizeof (struct s *)"]),
        ("unsigned char", ["255", "0377", "0xFF", "255u", "'x'"]),
        ("int8_t", ["-128", "127"]),
        ("char", ["127", "'x'"]),
        ("uint64_t", ["18446744073709551615ULL", "0"]),
        ("size_t", ["4294967295", "sizeof(int)"]),
        ("long", ["-2147483648L", "2147483647"]),
        ("lib_t", ["0", "127", "'x'"]),
    ],
)
def test_values_in_the_range_of_the_type_fit(base: str, values: list[str]) -> None:
    assert {value: fit(value, base, "int") for value in values} == dict.fromkeys(values, "fits")


@pytest.mark.parametrize(
    "base, values",
    [
        ("int", ["2147483648", "-2147483649", "2.9", "1.", ".5f", "1e3", "3000000000.7", "-0.0"]),
        ("unsigned char", ["256", "-1", "0400", "0x100"]),
        ("char", ["256", "-129", "1.5"]),
        ("uint64_t", ["18446744073709551616", "-1"]),
        ("size_t", ["-1", "18446744073709551616"]),
        ("long", ["9223372036854775808", "-9223372036854775809"]),
        ("lib_t", ["2.9"]),
    ],
)
def test_literals_out_of_range_and_floating_literals_differ(base: str, values: list[str]) -> None:
    assert {value: fit(value, base, "int") for value in values} == dict.fromkeys(values, "differs")


@pytest.mark.parametrize(
    "base, values",
    [
        ("int", ["LIMIT", "-1u", "089", "(1)", "1 + 1.5", "sizeof(a) * 2", "'ab'", "sizeof x", "0x1p3"]),
        ("char", ["-1", "128", "255"]),
        ("size_t", ["4294967296"]),
        ("long", ["2147483648"]),
        ("lib_t", ["128", "-1", "sizeof(int)"]),
    ],
)
def test_values_that_only_the_compiler_knows_are_unknown(base: str, values: list[str]) -> None:
    assert {value: fit(value, base, "int") for value in values} == dict.fromkeys(values, "unknown")


@pytest.mark.parametrize(
    "value, kind, expected",
    [
        ("0.1", "float", "fits"),
        ("LIMIT", "float", "fits"),
        ("2", "complex", "fits"),
        ("1", "bool", "fits"),
        ("false", "bool", "fits"),
        ("self->on", "bool", "fits"),
        ("2", "bool", "differs"),
        ("-1", "bool", "differs"),
        ("0.0", "bool", "differs"),
        ("0.5", None, "unknown"),
        ("1", None, "fits"),
        ("1000", None, "unknown"),
    ],
)
def test_the_kind_of_a_number_decides_for_unknown_types(value: str, kind: NumberKind | None, expected: Fit) -> None:
    assert fit(value, "lib_t", kind) == expected
