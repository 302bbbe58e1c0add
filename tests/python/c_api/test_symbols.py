# SPDX-License-Identifier: MIT
"""A module exports only its PyInit function to other shared objects.

CPython loads modules with RTLD_GLOBAL on request (`sys.setdlopenflags`). Two packages may hold modules of one name:
each must use its own functions and types."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from python.scripts import run
from support.build import SANITIZED, build_extension

# Two modules called `twin`, whose symbols have equal names and other contents.
TENSOR = """
dlpack-bindgen: 1
module: twin
include: twin.h
tensors:
  Row: {type: row, data: self->at, dtype: %s, shape: [self->n], import: {set: {at: data, n: "shape[0]"}}}
"""
HANDLE = """
dlpack-bindgen: 1
module: twin
include: twin.h
handles:
  Pen: {type: pen, release: (void)self, new: {c: pen *pen_new(void)}, properties: {%s: self->ink}}
"""
PARTS = """
dlpack-bindgen: 1
module: twin
include: twin.h
tensors:
  Sky:
    type: sky
    data: self->low
    dtype: float32
    shape: [%s]
    release: (void)self
    new: {c: sky *sky_new(void)}
    parts: {name: tops, of: Top, count: 2}
  Top: {type: sky, params: [int i], data: "self->high[i]", dtype: float32, shape: [%s]}
"""
ENUM = """
dlpack-bindgen: 1
module: twin
include: twin.h
constants: {Mode: {enum: {FAST: %s}}}
handles:
  Pen:
    type: pen
    release: (void)self
    new: {c: pen *pen_new(void)}
    properties: {mode: {get: mode_now(self), type: Mode}}
"""
HEADER = Path(__file__).with_name("twin.h").read_text()
HEADERS = HEADER % ("float", "1", "MODE_A"), HEADER % ("int16_t", "2", "MODE_B")
PAIRS = {
    "tensors": (TENSOR % "float32", TENSOR % "int16"),
    "handles": (HANDLE % "ink", HANDLE % "colour"),
    "parts": (PARTS % ("4", "4"), PARTS % ("3", "2")),
    "enums": (ENUM % "MODE_A", ENUM % "MODE_B"),
}
LOAD = """
import os, sys
sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
import first.twin as a, second.twin as b
"""
SCRIPTS = {
    "tensors": (
        "buffer = memoryview(bytearray(8))\n"
        "print(a.Row.from_dlpack(buffer.cast('f')), b.Row.from_dlpack(buffer.cast('h')))",
        "<twin.Row float32[2] on cpu> <twin.Row int16[4] on cpu>",
    ),
    "handles": ("print(a.Pen().ink, b.Pen().colour)", "1 2"),
    "parts": (
        "print(a.Sky().tops[0].shape, b.Sky().tops[0].shape, a.Sky().shape, b.Sky().shape)",
        "(4,) (2,) (4,) (3,)",
    ),
    "enums": ("print(repr(a.Pen().mode), repr(b.Pen().mode))", "<Mode.FAST: 1> <Mode.FAST: 2>"),
}


def build(folder: Path, package: str, spec: str, header: str) -> Path:
    (folder / package).mkdir()
    return build_extension("twin", spec, folder / package, files={"twin.h": header})


@pytest.mark.parametrize("pair", PAIRS)
def test_two_modules_with_one_name_use_their_own_functions_and_types(pair: str, tmp_path: Path) -> None:
    for package, spec, header in zip(("first", "second"), PAIRS[pair], HEADERS, strict=True):
        build(tmp_path, package, spec, header)
    script, expected = SCRIPTS[pair]
    assert run(tmp_path, script, prelude=LOAD) == [expected]


def dynamic_symbols(path: Path) -> set[str]:
    listing = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    found = set(re.findall(r"^[0-9a-f]+ [A-Z] (\w+)$", listing, re.MULTILINE))
    return {name for name in found if not (SANITIZED and name.startswith(("__odr_asan", "__asan")))}


@pytest.mark.parametrize("pair", PAIRS)
def test_a_module_exports_only_its_init_function(pair: str, tmp_path: Path) -> None:
    assert dynamic_symbols(build(tmp_path, "one", PAIRS[pair][0], HEADERS[0])) == {"PyInit_twin"}


def test_a_shared_library_exports_its_functions_on_request(tmp_path: Path) -> None:
    path = build_extension("twin", PAIRS["tensors"][0], tmp_path, files={"twin.h": HEADERS[0]}, flags=["-DDLB_EXPORT"])
    shown = dynamic_symbols(path)
    assert {"twin_row_type", "twin_row_own", "twin_row_from_dlpack", "twin_row_wrap", "twin_add_types"} <= shown
    assert not [name for name in shown if name.startswith("dlb_")]
