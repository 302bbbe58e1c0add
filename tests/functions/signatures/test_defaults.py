"""Signatures and stubs show known defaults: a call with its own defaults does the same as a call without them."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support.build import build_module, import_extension

HEADER = r"""
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
enum mode { FAST, SLOW = 5 };
enum { BIT_A = 1, BIT_B = 2 };
#define LIMIT 7
#define RATIO 0.25
#define TITLE "title"
#define LOUD true
static inline double of_unsigned(unsigned x) { return x; }
static inline double of_long(long x) { return (double)x; }
static inline double of_size(size_t x) { return (double)x; }
static inline double of_float(float x) { return (double)x; }
static inline double of_double(double x) { return x; }
static inline double of_bool(bool x) { return x; }
static inline double of_mode(enum mode x) { return (double)x; }
static inline double of_int(int x) { return x; }
static inline double of_char(char x) { return x; }
static inline double of_string(const char *x) { return x == NULL ? -1 : (double)strlen(x) + x[0]; }
typedef struct box { int side; } box;
static inline box *box_new(enum mode x, int side)
{
    box *b = malloc(sizeof *b);
    b->side = side + (int)x;
    return b;
}
static inline void box_free(box *b) { free(b); }
static inline double box_of(const box *b, enum mode x, int n) { return b->side + (double)x + n; }
"""
# The function, the default in C, and the default in Python.
DEFAULTS = [
    ("of_unsigned", "3u", "3"),
    ("of_unsigned", "0x10U", "16"),
    ("of_unsigned", "010", "8"),
    ("of_size", "0x10UL", "16"),
    ("of_long", "-1L", "-1"),
    ("of_long", "(-2)", "-2"),
    ("of_float", "1.5f", "1.5"),
    ("of_float", "0.1f", "0.1"),
    ("of_float", "1e3", "1000.0"),
    ("of_float", "-2.F", "-2.0"),
    ("of_double", "1e3", "1000.0"),
    ("of_double", "0.1f", "0.10000000149011612"),
    ("of_double", ".5", "0.5"),
    ("of_double", "3u", "3"),
    ("of_double", "RATIO", "0.25"),
    ("of_double", "LIMIT", "7"),
    ("of_bool", "true", "True"),
    ("of_bool", "1u", "True"),
    ("of_bool", "LOUD", "True"),
    ("of_mode", "SLOW", "<Mode.SLOW: 5>"),
    ("of_mode", "0", "0"),
    ("of_int", "SLOW", "<Mode.SLOW: 5>"),
    ("of_int", "BIT_B", "<Bit.B: 2>"),
    ("of_int", "LIMIT", "7"),
    ("of_int", "'a'", "97"),
    ("of_int", "LIMIT + 1", "Ellipsis"),
    ("of_char", "'a'", "'a'"),
    ("of_char", r"'\n'", r"'\n'"),
    ("of_char", r"'\''", '"\'"'),
    ("of_char", "65", "'A'"),
    ("of_string", '"abc"', "'abc'"),
    ("of_string", r'"a\tb"', r"'a\tb'"),
    ("of_string", '"é"', "'é'"),
    ("of_string", '"a" "b"', "'ab'"),
    ("of_string", r'"a\t" "b"', r"'a\tb'"),
    ("of_string", '"%" PRIu64 "x"', "Ellipsis"),
    ("of_string", "TITLE", "'title'"),
]


def quoted(text: str) -> str:
    return text if text.isidentifier() else "'" + text.replace("'", "''") + "'"


def entries() -> str:
    found = []
    for index, (function, default, _) in enumerate(DEFAULTS):
        declared = next(line for line in HEADER.splitlines() if f" {function}(" in line)
        prototype = declared.removeprefix("static inline ").split("{")[0].strip()
        kind = "of: Mode, " if function == "of_mode" else "of: str, " if function == "of_string" else ""
        kind = "of: char, " if function == "of_char" else kind
        found.append(f"  f{index}: {{c: {quoted(prototype)}, args: {{x: {{{kind}default: {quoted(default)}}}}}}}")
    return "\n".join(found)


SPEC = f"""
dlpack-bindgen: 1
module: known_defaults
include: known_defaults.h
constants:
  Mode: {{enum: {{FAST: FAST, SLOW: SLOW}}}}
  Bit: {{flags: {{A: BIT_A, B: BIT_B}}}}
  LIMIT: LIMIT
  RATIO: {{value: RATIO, type: float}}
  TITLE: {{value: TITLE, type: str}}
  LOUD: {{value: LOUD, type: bool}}
handles:
  Box:
    type: box
    release: box_free(self)
    new:
      c: "box *box_new(enum mode x, int side)"
      args: {{x: {{of: Mode, default: SLOW}}, side: {{default: LIMIT}}}}
    properties: {{side: self->side}}
    methods:
      of:
        c: "double box_of(const box *b, enum mode x, int n)"
        args: {{x: {{of: Mode, default: SLOW}}, n: {{default: LIMIT}}}}
      made:
        c: "box *box_new(enum mode x, int side)"
        args: {{x: {{of: Mode, default: FAST}}, side: {{default: 2L}}}}
functions:
{entries()}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("known_defaults")


@pytest.fixture(scope="module")
def lib(folder: Path) -> ModuleType:
    return build_module("known_defaults", SPEC, folder, HEADER)


def own_defaults(function: Any) -> dict[str, Any]:
    return {name: each.default for name, each in inspect.signature(function).parameters.items() if name != "self"}


@pytest.mark.parametrize(("index", "expected"), list(enumerate(expected for _, _, expected in DEFAULTS)))
def test_a_known_default_is_shown_and_can_be_passed(lib: ModuleType, folder: Path, index: int, expected: str) -> None:
    function = getattr(lib, f"f{index}")
    default = own_defaults(function)["x"]
    assert repr(default) == expected
    if default is not Ellipsis:
        assert function(x=default) == function()
    stub = re.search(rf"def f{index}\(x: .* = (.*)\) -> float", (folder / "known_defaults.pyi").read_text())
    assert stub is not None
    assert eval(stub[1], vars(lib)) == default


def test_signatures_of_classes_show_named_defaults_and_methods_do_not(lib: ModuleType) -> None:
    """`inspect` knows the module of a method only since Python 3.13: it could not evaluate a name."""
    box = lib.Box()
    assert own_defaults(lib.Box) == {"x": lib.Mode.SLOW, "side": 7} and box.side == 12
    assert own_defaults(box.of) == own_defaults(lib.Box.of) == {"x": ..., "n": ...}
    assert own_defaults(lib.Box.made) == {"x": ..., "side": 2}
    assert box.of(lib.Mode.SLOW, 7) == box.of() == 24
    assert lib.Box(**own_defaults(lib.Box)).side == 12
    assert lib.Box.made(side=2).side == lib.Box.made().side == 2


def test_a_stub_shows_names_for_methods(lib: ModuleType, folder: Path) -> None:
    stub = (folder / "known_defaults.pyi").read_text()
    assert "def of(self, /, x: Mode | str | int = Mode.SLOW, n: int = LIMIT)" in stub


def test_signatures_are_known_in_a_package(lib: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of the module in its package is unknown when the code is generated."""
    assert lib.__file__ is not None
    monkeypatch.delitem(sys.modules, "known_defaults")
    packaged = import_extension("package_of_defaults.known_defaults", Path(lib.__file__))
    index = DEFAULTS.index(("of_mode", "SLOW", "<Mode.SLOW: 5>"))
    assert own_defaults(getattr(packaged, f"f{index}")) == {"x": packaged.Mode.SLOW}
    assert own_defaults(packaged.Box) == {"x": packaged.Mode.SLOW, "side": 7}
    assert own_defaults(packaged.Box.of) == own_defaults(packaged.Box().of) == {"x": ..., "n": ...}
    assert own_defaults(packaged.Box.made) == {"x": ..., "side": 2}
