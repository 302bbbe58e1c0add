"""The names and numbers of DLPack are those of the header, in the generator and in the runtime."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dlpack_bindgen import dlpack
from dlpack_bindgen.tools import config
from support.build import RUNTIME

HEADER = next(
    path.read_text(encoding="utf-8")
    for flag in config.cflags()
    if (path := Path(flag.removeprefix("-I")) / "dlpack" / "dlpack.h").is_file()
)
NUMBERS = {name: int(value) for name, value in re.findall(r"^ *(kDL\w+) *= *(\d+)U?,", HEADER, re.MULTILINE)}
TABLES = "".join((RUNTIME / "core" / name).read_text(encoding="utf-8") for name in ("names.c", "describe.c"))


def test_every_enumerator_of_the_header_has_its_place() -> None:
    devices = set(dlpack.DEVICES.values())
    assert {*NUMBERS} == {*dlpack.CODES, *devices}
    assert [NUMBERS[name] for name in dlpack.CODES] == [*range(18)]
    assert {*range(1, 19)} - {NUMBERS[name] for name in devices} == {5, 6}


def test_every_code_but_one_has_a_name_for_each_of_its_common_widths() -> None:
    named = {dtype.code for dtype in dlpack.DTYPES.values()}
    assert {*dlpack.CODES} - named == {"kDLOpaqueHandle"}
    for dtype in dlpack.DTYPES.values():
        assert dtype.bits in (dlpack.widths(dtype.code) or ())


def test_the_runtime_has_the_names_of_the_generator() -> None:
    dtypes = {name: (code, int(bits)) for name, code, bits in re.findall(r'\{"(\w+)", (kDL\w+), (\d+)\}', TABLES)}
    assert dtypes == {name: (dtype.code, dtype.bits) for name, dtype in dlpack.DTYPES.items()}
    assert dict(re.findall(r'\{"(\w+)", (kDL\w+)\}', TABLES)) == dlpack.DEVICES


def test_the_runtime_has_the_widths_of_the_generator() -> None:
    found = dict(re.findall(r"\[(\w+)\] = \{\{?(FLOAT8|[\d, ]+)\}", TABLES))
    widths = {code: "8, 0" if bits == "FLOAT8" else bits for code, bits in found.items()}
    widths["18"] = widths.pop("BCOMPLEX")
    for code in (*dlpack.CODES, "18"):
        assert [int(bits) for bits in widths.pop(code).split(", ")] == [*(dlpack.widths(code) or ()), 0]
    assert widths == {}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("19", 19),
        ("-3", -3),
        ("-0", None),
        ("007", None),
        ("0x2", None),
        ("1u", None),
        ("A", None),
        ("", None),
    ],
)
def test_only_decimal_literals_are_numbers(text: str, value: int | None) -> None:
    assert dlpack.number(text) == value
