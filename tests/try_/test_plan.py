"""The plan of generated calls names what Python can call, with values, places and the names of C functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dlpack_bindgen.tools.try_.plan import dtype_table
from support.build import TOP
from support.specs import committed_specs
from try_.builds import SPEC, plan

Target = dict[str, Any]
PLAN = plan(SPEC)
TARGETS = {each["name"]: each for each in PLAN["targets"]}
SPECS = committed_specs()


def params(target: str) -> dict[str, Any]:
    return {each["name"]: each for each in TARGETS[target]["params"]}


def test_all_members_of_a_class_are_targets() -> None:
    kinds = {name.partition("Sheet")[2]: each["kind"] for name, each in TARGETS.items() if each["class"] == "Sheet"}
    assert kinds == {
        "": "new",
        ".empty": "allocate",
        ".copy": "method",
        ".add": "method",
        ".save": "method",
        ".rename": "method",
        ".__getitem__": "special",
        "()": "iteration",
        ".level": "getter",
        ".level=": "setter",
        ".rows": "getter",
        ".close": "close",
        ".with": "with",
    }


def test_alternatives_are_targets_by_their_keys() -> None:
    assert {name for name, each in TARGETS.items() if each["python"] == "total_of"} == {"sum_of_floats", "number_alone"}


def wrappers(each: dict[str, Any]) -> Iterator[str]:
    yield from (target["function"] for target in each["targets"] if target["function"])


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_each_target_names_its_c_function(path: Path) -> None:
    found = plan(path.read_text(encoding="utf-8"), path.name)
    emitted = (TOP / "generated" / path.stem / f"{found['module']}_module.c").read_text(encoding="utf-8")
    defined = set(re.findall(r"^static PyObject \*(\w+)\(PyObject \*", emitted, re.MULTILINE))
    assert found["targets"]
    assert [name for name in wrappers(found) if name not in defined] == []


def test_results_name_the_classes_that_they_return() -> None:
    assert {name: TARGETS[name]["returns"] for name in ("Sheet", "sheet_sum", "Sheet.copy", "total", "Meter")} == {
        "Sheet": ["Sheet"],
        "sheet_sum": ["Sheet"],
        "Sheet.copy": ["Sheet"],
        "total": [None],
        "Meter": ["Meter"],
    }


def test_numbers_enums_and_defaults() -> None:
    assert [(each["is"], each.get("of"), each.get("missing", False)) for each in TARGETS["paint"]["params"]] == [
        ("enum", "Color", False),
        ("enum", "Options", True),
        ("float", None, True),
    ]
    assert PLAN["enums"]["Options"] == {"members": ["FAST", "EXACT"], "flags": True}


def test_arrays_have_dtype_rank_and_layout() -> None:
    strided, compact = params("total")["x"]["array"], params("only_if_equal")["a"]["array"]
    assert (strided["dtypes"], strided["ndim"], strided["layout"]) == (["c:double"], [1, 1], "positive")
    assert (compact["dtypes"], compact["layout"], compact["writes"]) == (["c:int32_t"], "compact", False)
    assert params("bytes_sum")["data"]["array"]["dtypes"] == ["bytes"]


def test_lengths_of_arrays_are_expressions_of_derived_values() -> None:
    assert params("weighted")["w"]["array"]["count"] == "2 * n"
    assert TARGETS["weighted"]["derived"] == {"n": {"of": "x", "what": "count", "axis": 0, "plus": 0}}


def test_objects_name_their_class_and_who_takes_them() -> None:
    assert (params("Meter.take")["taken"]["of"], params("Meter.take")["taken"]["takes"]) == ("Sheet", True)
    assert params("sheet_sum")["parts"]["is"] == "objects"
    assert [each["name"] for each in params("width_of")["s"]["members"]] == ["first", "last"]


@pytest.mark.parametrize(
    ("prototype", "args", "reason"),
    [
        ("int f(const char *p)", ", args: {p: path}", "'p' is a path or a file"),
        ("int f(FILE *out)", ", args: {out: {of: file, mode: wb}}", "'out' is a path or a file"),
        ("int f(int fd)", "", "'fd' is a file descriptor"),
        ("int f(uintptr_t place)", "", "'place' may be an address"),
    ],
)
def test_files_and_addresses_are_not_called(prototype: str, args: str, reason: str) -> None:
    text = f'dlpack-bindgen: 1\nmodule: m\ninclude: m.h\nfunctions: {{f: {{c: "{prototype}"{args}}}}}\n'
    assert [each.get("reason") for each in plan(text)["targets"]] == [reason]


def test_extents_in_the_struct_are_known_by_their_axis() -> None:
    assert PLAN["classes"]["Sheet"]["extents"] == {"rows": 0, "columns": 1}


def test_the_table_of_dtypes_has_the_types_of_headers_alone() -> None:
    text = """
dlpack-bindgen: 1
module: own
include: own.h
numbers: {own_int: int, own_point: complex}
functions:
  sums: {c: "void own_sums(const own_int a[2], own_int b[2], const long c[2])"}
  rotate: {c: "void own_rotate(const own_point a[2])", if: defined(OWN_ROTATES)}
"""
    assert dtype_table(plan(text)).split("\n")[2:-1] == [
        "DLB_TRY_DTYPES_BEGIN(dlb_try_dtypes_own)",
        "DLB_TRY_DTYPE(own_int)",
        "#if defined(OWN_ROTATES)",
        "DLB_TRY_COMPLEX_DTYPE(own_point)",
        "#endif",
        "DLB_TRY_DTYPES_END",
    ]
    assert dtype_table(PLAN) == ""
