"""What stubs say of arguments that are returned: an object of its class, unless Python may give an array for it."""

from __future__ import annotations

from pathlib import Path

from support.build import generate

SPEC = """
dlpack-bindgen: 1
module: degrees
include: degrees.h
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
"""


def test_a_class_is_said_where_it_is_known(tmp_path: Path) -> None:
    generate(SPEC, tmp_path)
    stub = (tmp_path / "degrees.pyi").read_text(encoding="utf-8")
    assert "def degree(g: Graph, grown: Vector) -> Vector:" in stub
    assert "-> tuple[Graph, typing.Any, Graph | None, float]:" in stub
