"""A length that is too small leads to no wrong access: the last element of the argument never has an effect."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dlpack_bindgen.cli import main
from try_.builds import shared_library

SOURCE = """
#include <stddef.h>
#include <stdlib.h>
double sum(const double *x, size_t n)
{
    double found = 0;
    for (size_t i = 0; i < n; i++) found += x[i];
    return found;
}
void fill(double *x, size_t n) { for (size_t i = 0; i < n; i++) x[i] = 7; }
void twice(double *x, size_t n) { for (size_t i = 0; i < n; i++) x[i] *= 2; }
double noise(const double *x, size_t n) { (void)x; (void)n; return rand(); }
double strided(const double *x, ptrdiff_t step, size_t n)
{
    double found = 0;
    for (size_t i = 0; i < n; i++) found += x[(ptrdiff_t)i * step];
    return found;
}
double rows(const double *x, int count, int width, int pitch) /* pitch in bytes */
{
    double found = 0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < width; j++) found += ((const double *)((const char *)x + i * pitch))[j];
    }
    return found;
}
"""
HEADER = """
#include <stddef.h>
double sum(const double *x, size_t n);
void fill(double *x, size_t n);
void twice(double *x, size_t n);
double noise(const double *x, size_t n);
double strided(const double *x, ptrdiff_t step, size_t n);
double rows(const double *x, int count, int width, int pitch);
"""
SPEC = """
dlpack-bindgen: 1
module: ends
include: [ends.h]
functions:
"""


@pytest.fixture(autouse=True)
def ends(try_folder: Path) -> None:
    """Writes the files of the library to the working directory."""
    (try_folder / "ends.h").write_text(HEADER)
    (try_folder / "ends.c").write_text(SOURCE)
    shared_library(try_folder, "ends", "ends.c")


def notices(*functions: str) -> list[dict[str, Any]]:
    """Returns the notices about functions, each of which is a line of the spec."""
    Path("ends.yaml").write_text(SPEC + "".join(f"  {each}\n" for each in functions))
    code = main(["try", "ends.yaml", "--calls", "500", "--json", "out.json", "--", "-L.", "-lends", "-I."])
    assert code == 0
    return [each for each in json.loads(Path("out.json").read_text())["claims"] if each["state"] == "notice"]


def test_a_length_that_is_too_small_is_a_notice() -> None:
    [found] = notices('sum: {c: "double sum(const double *x, size_t n)", args: {n: {count_of: x, plus: -1}}}')
    assert (found["check"], found["subject"], found["argument"], found["key"]) == ("end-unused", "sum", "x", "n")
    assert len(found["seen"]) == 1
    assert "float64[" in found["seen"][0]


def test_a_stride_that_is_too_small_is_a_notice() -> None:
    step = "step: {stride_of: x, plus: -1}"
    c = "double strided(const double *x, ptrdiff_t step, size_t n)"
    [found] = notices(f'strided: {{c: "{c}", args: {{x: {{require: [no_overlap]}}, {step}, n: {{count_of: x}}}}}}')
    assert (found["check"], found["argument"]) == ("end-unused", "x")


@pytest.mark.parametrize("unit", ["elements", "bytes"])
def test_a_stride_in_elements_where_c_needs_bytes_is_a_notice(unit: str) -> None:
    """An array of one row is read in full although its stride is wrong."""
    c = "double rows(const double *x, int count, int width, int pitch)"
    lengths = "count: {extent_of: x, axis: 0}, width: {extent_of: x, axis: 1}"
    found = notices(f'rows: {{c: "{c}", args: {{{lengths}, pitch: {{stride_of: x, axis: 0, unit: {unit}}}}}}}')
    assert [each["check"] for each in found] == (["end-unused"] if unit == "elements" else [])


def test_elements_that_c_reads_or_writes_are_used() -> None:
    assert (
        notices(
            'sum: {c: "double sum(const double *x, size_t n)", args: {n: {count_of: x}}}',
            'fill: {c: "void fill(double *x, size_t n)", args: {n: {count_of: x}}}',
            'twice: {c: "void twice(double *x, size_t n)", args: {n: {count_of: x}}}',
        )
        == []
    )


def test_a_function_whose_result_changes_by_itself_tells_nothing() -> None:
    assert notices('noise: {c: "double noise(const double *x, size_t n)", args: {n: {count_of: x}}}') == []
