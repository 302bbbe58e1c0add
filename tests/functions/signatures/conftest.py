"""Leaves out the tests of stubs under the sanitizers: they run no C of this project in this process."""

from support.build import SANITIZED

collect_ignore = ["test_call_stubs.py"] if SANITIZED else []
