"""Stubs of functions that return an argument: the class of a new or known object, else the type of the argument."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.build import generate

SPEC = """
dlpack-bindgen: 1
module: degrees
include: degrees.h
arrays: Numbers
handles:
  Graph: {type: graph, release: graph_free(self)}
tensors:
  Vector:
    type: vector
    data: self->p
    dtype: float64
    shape: [self->n]
    release: vector_free(self)
    import: {set: {p: data, n: "shape[0]"}}
    allocate: {construct: "vector_new(shape[0])"}
functions:
  degree:
    c: int degree(const graph *g, vector *grown)
    args: {grown: {invalidates: true}}
    ok: == 0
    returns: [grown]
  ends:
    c: double ends(graph *g, vector *filled, graph *other)
    args: {other: {optional: true}}
    returns: [g, filled, other, result]
  pair:
    c: void pair(vector *a, vector *b)
    returns: [a, b]
  scaled:
    c: void scaled(const vector *x, vector *to, double by)
    args: {to: {default: like x}, by: {default: 1}}
  times:
    c: void times(const vector *x, vector *to, double by)
    args: {to: {default: like x}}
  late:
    c: void late(const vector *x, double by, vector *to)
    args: {by: {default: 1}, to: {default: like x}}
  named:
    c: void named(const vector *x, double by, vector *to)
    args: {by: {default: 1}, to: {default: like x}}
    keyword_only: [to]
  split:
    c: void split(const vector *x, vector *low, vector *high)
    args: {low: {default: like x}, high: {default: like x}}
  ramp:
    c: void ramp(double *x, size_t n)
    args: {x: {default: new, require: [{count: 8}]}, n: {value: 8}}
"""
USES = """\
import array
import degrees
from degrees import Numbers, Vector
from typing_extensions import assert_type

def use(x: Vector, some: Vector | None, y: array.array[float]) -> None:
    assert_type(degrees.pair(x, y)[0], Vector)  # refused: nobody knows which of two comes back
    assert_type(degrees.scaled(x), Vector)
    assert_type(degrees.scaled(y, None, 2), Vector)
    assert_type(degrees.scaled(x, y), array.array[float])
    assert_type(degrees.scaled(x, to=y, by=2), array.array[float])
    assert_type(degrees.scaled(x, some), Vector)
    degrees.scaled(x, 1)  # refused
    degrees.scaled(x).shap  # refused
    assert_type(degrees.times(x, by=2), Vector)
    assert_type(degrees.times(x, None, 2), Vector)
    assert_type(degrees.times(x, y, 2), array.array[float])
    degrees.times(x)  # refused
    assert_type(degrees.late(x, 2), Vector)
    degrees.late(x, 2, y).append(1)
    assert_type(degrees.named(x), Vector)
    assert_type(degrees.named(x, to=y), array.array[float])
    assert_type(degrees.split(x), tuple[Vector, Vector])
    degrees.split(x, y)[0].append(1)
    assert_type(degrees.ramp(), Numbers)
    assert_type(degrees.ramp(y), array.array[float])
"""


def test_a_known_class_is_in_the_stub(tmp_path: Path) -> None:
    generate(SPEC, tmp_path)
    stub = (tmp_path / "degrees.pyi").read_text(encoding="utf-8")
    assert "def degree(g: Graph, grown: Vector) -> Vector:" in stub
    assert "-> tuple[Graph, _Given, Graph | None, float]:" in stub
    assert "def pair(a: Vector | _Array, b: Vector | _Array) -> tuple[typing.Any, typing.Any]:" in stub


def test_checkers_know_new_objects_and_returned_arguments(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    generate(SPEC, tmp_path)
    (tmp_path / "uses.py").write_text(USES, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "uses.py"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    refused = [int(line.split(":")[1]) for line in result.stdout.splitlines() if ": error:" in line]
    assert refused == [number for number, line in enumerate(USES.splitlines(), 1) if "refused" in line], result.stdout
