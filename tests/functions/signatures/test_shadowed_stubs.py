"""Stubs of modules that use names of Python's types for their own."""

from __future__ import annotations

from pathlib import Path

from support.build import generate

SPEC = """
dlpack-bindgen: 1
module: shadows
doc: Makes a float, an int and a type.
include: shadows.h
constants: {tuple: 3}
tensors:
  Image:
    type: image
    data: self->p
    dtype: uint8
    shape: [self->n]
    import: {set: {p: data, n: "shape[0]"}}
    properties:
      type: self->kind
      str: {get: self->name, type: str, doc: "A str, of type int."}
      property: {get: self->kind, set: {c: "void image_set(image *i, int kind)"}}
    methods: {object: {c: int image_object(image *i)}}
functions:
  float: {c: double to_float(int x)}
  half: {c: double half(double x)}
  text: {c: const char *text(const char *x)}
"""


def test_stubs_find_types_whose_names_the_module_uses(tmp_path: Path) -> None:
    generate(SPEC, tmp_path)
    stub = (tmp_path / "shadows.pyi").read_text(encoding="utf-8")
    assert "def half(x: builtins.float) -> builtins.float:" in stub
    assert "def text(x: builtins.str) -> builtins.str | None:" in stub
    assert "def shape(self) -> builtins.tuple[int, ...]: ..." in stub
    assert "target: builtins.type[_T]" in stub
    assert '"""A str, of type int."""' in stub and '"""Makes a float, an int and a type."""' in stub
    assert "@property.setter" in stub and "@builtins.property" in stub


def test_stubs_of_other_modules_use_the_short_names(tmp_path: Path) -> None:
    generate(SPEC.replace("  float: {c: double to_float(int x)}\n", ""), tmp_path)
    stub = (tmp_path / "shadows.pyi").read_text(encoding="utf-8")
    assert "def half(x: float) -> float:" in stub
