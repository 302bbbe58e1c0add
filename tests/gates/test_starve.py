# SPDX-License-Identifier: MIT
"""The rules of `make starve`: which results of a fault are failures."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from support.build import TOP

sys.path.append(str(TOP / "gates"))

from starve.judge import Judge
from starve.wrappers import print_macros, read_names, wrapped_names

SITE = "object/object.c:1 dlb_py_axes PyTuple_New"
STARVED = "MemoryError: starved: PyTuple_New at object.c:1"


def record(**changes: Any) -> dict[str, Any]:
    """Returns the result of a fault after which a MemoryError was raised, and nothing else happened."""
    result = {
        "test": "tests/classes/views/test_views.py::test_it",
        "site": SITE,
        "call": 1,
        "onward": False,
        "by_address": False,
        "failures": 1,
        "raised": [STARVED],
        "seen": "",
        "teardown": [],
        "unraisable": [],
        "afterwards": [],
        "growth": 0,
        "left": [],
    }
    return {**result, **changes}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"raised": []},
        {"raised": ["AssertionError: 'MemoryError' == 'ValueError'"]},
        {"raised": ["ValueError: no", STARVED]},
        {"raised": ["AssertionError: []"], "unraisable": [STARVED]},
        {"by_address": True, "teardown": ["AssertionError: a struct was not released"], "left": [SITE]},
        {"by_address": True, "afterwards": ["AssertionError: 1 == 2"]},
        {"site": "object/errors.c:1 set_message PyTuple_Pack", "raised": ["AssertionError: another message"]},
    ],
)
def test_results_that_are_right_are_accepted(changes: dict[str, Any]) -> None:
    assert Judge().problems(record(**changes)) == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"crash": "crashes with SIGSEGV"}, "the process crashes with SIGSEGV"),
        ({"raised": ["SystemError: returned NULL without setting an exception"]}, "SystemError"),
        ({"raised": [STARVED, "SystemError: returned a result with an exception set"]}, "SystemError"),
        ({"unraisable": ["SystemError: bad call"]}, "SystemError"),
        ({"raised": ["ValueError: no"]}, "another exception: ValueError: no"),
        ({"afterwards": ["AssertionError: 1 == 2"]}, "the test fails afterwards"),
        ({"teardown": ["AssertionError: a struct was not released"]}, "the teardown fails"),
        ({"left": [SITE]}, f"blocks are left, allocated at {SITE}"),
        ({"growth": 1}, "1 blocks of Python are left"),
    ],
)
def test_results_that_are_failures_are_reported(changes: dict[str, Any], problem: str) -> None:
    assert problem in Judge().problems(record(**changes))[0]


def test_each_wrapped_function_has_a_macro_or_is_wrapped_by_hand() -> None:
    by_hand = "".join((TOP / "gates" / "starve" / "include" / f"{name}.h").read_text() for name in ("Python", "stdlib"))
    macros = print_macros() + by_hand
    assert [name for name in wrapped_names() if f"#define {name}" not in macros] == []
    assert set(wrapped_names()) < set(read_names())
