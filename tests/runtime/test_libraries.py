"""The runtime is three libraries, core, object and call: each uses only those before it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from runtime.test_platform import symbols
from support.build import RUNTIME, runtime_objects

LIBRARIES = ("core", "object", "call")
HEADERS = [
    *("dlb_namespace.h", "dlb_core.h", "dlb_array.h", "dlb_platform.h", "dlb_assert.h", "dlb_describe.h", "dlb_emit.h"),
    "dlb_records.h",
    *("core/tensor.h", "core/owner.h", "core/exchange.h"),
    *("dlb_object.h", "dlb_module.h", "object/errors.h", "object/stack.h", "object/state.h", "object/object.h"),
    *("dlb_call.h", "call/call.h", "call/choice.h"),
]
"""The headers of the runtime, from the first to the last."""


def included(path: Path) -> list[str]:
    """Returns the files of the runtime that a file includes, by their place in the runtime."""
    found = []
    for name in re.findall(r'^#include "(.*)"', path.read_text(encoding="utf-8"), re.MULTILINE):
        place = path.parent / name if (path.parent / name).is_file() else RUNTIME / name
        if place.is_file():  # CPython.h is none: it is how a wrong Python is refused
            found.append(place.resolve().relative_to(RUNTIME).as_posix())
    return found


def code_of(path: Path) -> str:
    """Returns the text of a file without comments and strings."""
    return re.sub(r'/\*.*?\*/|"(\\.|[^"\\])*"', " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)


@cache
def sources() -> dict[str, str]:
    """Returns the code of the C files, in the order in which the libraries include them."""
    names = [name for library in LIBRARIES for name in included(RUNTIME / f"dlb_{library}.c")]
    return {name: code_of(RUNTIME / name) for name in names}


@cache
def definitions() -> dict[str, str]:
    """Returns the file that defines each function and variable of the runtime that other files can use."""
    found = {}
    for name, code in sources().items():
        function = r"^(?!static|typedef|#)[A-Za-z][^;{}=#]*?\b(dlb_\w+)\([^;{}]*?\)\n\{"
        variable = r"^(?!static|typedef|#|extern)[A-Za-z][\w *]*?\b(dlb_\w+)(?:\[\])? = "
        for defined in re.findall(function, code, re.MULTILINE) + re.findall(variable, code, re.MULTILINE):
            found[defined] = name
    return found


def test_the_order_of_the_headers_is_complete() -> None:
    found = {path.relative_to(RUNTIME).as_posix() for path in RUNTIME.rglob("*.h")}
    found = {name for name in found if not name.startswith("checked/")}  # they have an order of their own
    assert found == {*HEADERS, "dlb_runtime.h"}  # the last one refuses files of earlier generators


@pytest.mark.parametrize("header", HEADERS)
def test_no_header_includes_a_later_one(header: str) -> None:
    later = HEADERS[HEADERS.index(header) :]
    assert [name for name in included(RUNTIME / header) if name in later] == []


@pytest.mark.parametrize("library", LIBRARIES)
def test_no_file_includes_a_header_of_a_later_library(library: str) -> None:
    later = LIBRARIES[LIBRARIES.index(library) + 1 :]
    beyond = tuple(f"{name}/" for name in later) + tuple(f"dlb_{name}.h" for name in later)
    for path in (RUNTIME / library).iterdir():
        assert [name for name in included(path) if name.startswith(beyond)] == [], path.name


def test_no_file_calls_a_later_one() -> None:
    order = list(sources())
    calls = {
        (name, defined)
        for name, code in sources().items()
        for defined in set(re.findall(r"\bdlb_\w+", code))
        if defined in definitions() and order.index(definitions()[defined]) > order.index(name)
    }
    assert calls == set()


def test_core_needs_no_python() -> None:
    (core,) = runtime_objects("core")
    assert not [name for name in symbols(core) if name.startswith(("Py", "_Py", "dlb_py_"))]


def test_object_needs_core_alone() -> None:
    core, objects = runtime_objects("object")
    own = symbols("--defined-only", core) | symbols("--defined-only", objects)
    assert {name for name in symbols("--undefined-only", objects) if name.startswith("dlb_")} <= own
