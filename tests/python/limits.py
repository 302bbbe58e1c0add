# SPDX-License-Identifier: MIT
"""Leaves out tests of features that a module or its Python does not have."""

from __future__ import annotations

import sys
import sysconfig

import pytest

from support.build import ABI3, SANITIZED

MAIN_INTERPRETER_ONLY = ABI3 and sys.version_info < (3, 12)
"""Before 3.12 the limited API cannot tell one interpreter from another: such modules refuse all but the main one."""
FREE_THREADED = sysconfig.get_config_var("Py_GIL_DISABLED") == 1

ABSENT = {
    "subinterpreters": MAIN_INTERPRETER_ONLY,
    "type_versions": ABI3,  # the limited API does not tell that a type has changed
    "heard_deleters": MAIN_INTERPRETER_ONLY,  # nor whether exceptions are those of this thread
    "forks_threads": SANITIZED,  # see the test
    "borrowing": FREE_THREADED,  # without a GIL, nothing is borrowed
    "limited_api": sys.version_info < (3, 11),  # it has no buffers
    "failed_starts": sys.version_info[:2] != (3, 11),  # without memory for a type, CPython 3.13.0 itself crashes
}
"""Markers, and whether their tests are left out."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    absent = [item for item in items if any(there and item.get_closest_marker(name) for name, there in ABSENT.items())]
    config.hook.pytest_deselected(items=absent)
    items[:] = [item for item in items if item not in absent]
