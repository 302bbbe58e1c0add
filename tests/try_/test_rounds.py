# SPDX-License-Identifier: MIT
"""The reports of the sanitizers, as the rounds of `try` read them."""

from __future__ import annotations

import pytest

from dlpack_bindgen.tools.try_.rounds import Leak, _leaks, _may_leak


def report(kind: str, size: int, blocks: int, *frames: str) -> str:
    """Returns a leak as LeakSanitizer prints it."""
    lines = [f"    #{index} 0x7f0{index} in {name} lib.c:{index}" for index, name in enumerate(("malloc", *frames))]
    return "\n".join([f"{kind} leak of {size} byte(s) in {blocks} object(s) allocated from:", *lines, "", ""])


NODES = report("Indirect", 240, 10, "node_new", "py_nodes_node_new", "type_call")
LINKS = report("Indirect", 80, 5, "link_new", "node_new", "py_nodes_node_new", "type_call")


def test_blocks_that_refer_to_each_other_are_one_leak_of_their_wrapper() -> None:
    assert list(_leaks(NODES + LINKS)) == [Leak("py_nodes_node_new", 320, 10, ("node_new",))]


def test_blocks_behind_a_leaked_block_are_not_leaks_of_their_own() -> None:
    direct = report("Direct", 16, 1, "list_new", "py_nodes_list_new")
    assert list(_leaks(NODES + direct + LINKS)) == [Leak("py_nodes_list_new", 16, 1, ("list_new",))]


def test_blocks_behind_a_leaked_object_are_not_leaks_of_the_library() -> None:
    owner = report("Direct", 64, 1, "dlb_own", "py_nodes_node_new")
    assert list(_leaks(NODES + owner)) == []


def test_a_leak_of_python_explains_no_blocks_of_the_library() -> None:
    python = report("Direct", 64, 1, "PyMem_Malloc", "PyUnicode_New")
    assert len(list(_leaks(NODES + python))) == 1


PYTHON = "    #1 0x7f1 in gc_alloc Modules/gcmodule.c:2283\n    #2 0x7f2 in main lib.c:3\n"
STRIPPED = "    #1 0x7f1 in PyObject_Malloc (/usr/bin/python3.11+0x54d8c2)\n"
UNNAMED = "    #1 0x7f1  (/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0+0x17d8c2)\n"
LIBC = "    #1 0x7f1  (/lib/x86_64-linux-gnu/libc.so.6+0x7e1f6)\n"
LIBRARY = "    #1 0x7f1 in node_new src/python/nodes.c:12\n"


@pytest.mark.parametrize(
    ("stack", "may_leak"),
    [(PYTHON, False), (STRIPPED, False), (UNNAMED, False), (LIBC, True), (LIBRARY, True), ("", True)],
)
def test_only_blocks_that_the_interpreter_has_not_allocated_may_be_of_the_library(stack: str, may_leak: bool) -> None:
    head = "Direct leak of 8 byte(s) in 1 object(s) allocated from:\n    #0 0x7f0 in __interceptor_malloc asan.cpp:69\n"
    assert _may_leak(f"{head}{stack}\n") is may_leak
    assert not _may_leak("")
