"""One tensor becomes several, and their mistakes have places."""

from __future__ import annotations

import tracemalloc

from dlpack_bindgen.tensor.dtype import NamedDType
from dlpack_bindgen.tensor.item import Tensor
from dlpack_bindgen.tensor.shape import ListedShape
from dlpack_bindgen.tensor.slots import Slots
from dlpack_bindgen.text.diagnostics import Diagnostic, render
from dlpack_bindgen.tools.generate import load, validate
from support.validated import spec


def _diagnostics(text: str) -> list[Diagnostic]:
    specs, diagnostics = validate([load("f", text.encode())])
    assert bool(specs) != bool(diagnostics)
    return diagnostics


def test_names_strings_and_whole_keys_are_replaced() -> None:
    text = """\
module: m
tensors:
  Before: {type: b, data: p, dtype: int8, shape: []}
  Vec${N}:
    variants:
      - {N: "", T: vec, dtype: float64, shape: [self->n]}
      - {N: I8, T: vec_i8, dtype: "${LOW}", shape: ["self->${T}", 2], LOW: int8}
    type: ${T}_t
    doc: A vector of ${T}.
    dtype: bool
    data: self->data_${T}
    release: ${T}_free(self)
  After: {type: a, data: p, dtype: int8, shape: []}
"""
    assert [diagnostic.code for diagnostic in _diagnostics(text)] == ["variant-keys"]
    found = spec(text.replace("float64, shape: [self->n]", "float64, shape: [self->n], LOW: x"))
    assert [tensor.name for tensor in found.tensors] == ["Before", "Vec", "VecI8", "After"]
    assert found.tensors[1:3] == (
        Tensor(
            name="Vec",
            type="vec_t",
            slots=Slots(dtype=NamedDType("float64"), shape=ListedShape(("self->n",)), data="self->data_vec"),
            doc="A vector of vec.",
            release="vec_free(self)",
        ),
        Tensor(
            name="VecI8",
            type="vec_i8_t",
            slots=Slots(dtype=NamedDType("int8"), shape=ListedShape(("self->vec_i8", "2")), data="self->data_vec_i8"),
            doc="A vector of vec_i8.",
            release="vec_i8_free(self)",
        ),
    )


def test_keys_of_mappings_are_replaced() -> None:
    text = """\
module: m
tensors:
  T${N}:
    variants: [{N: A, F: x}, {N: B, F: y}]
    type: t
    data: p
    dtype: {of: self->k, map: {"${N}_KIND": int8}}
    shape: []
    import: {set: {"${F}": data}}
"""
    found = spec(text).tensors
    assert [tensor.matches[0].arms[0].when for tensor in found] == [(("A_KIND",),), (("B_KIND",),)]
    assert [tensor.import_ and tensor.import_.build.fields for tensor in found] == [  # type: ignore[union-attr]
        (("x", "data"),),
        (("y", "data"),),
    ]


def test_a_mistake_in_all_variants_is_reported_once() -> None:
    text = "module: m\ntensors:\n  T${N}:\n    variants: [{N: A}, {N: B}]\n    type: t\n    shape: []\n    data: a;\n"
    assert [(found.code, found.notes) for found in _diagnostics(text)] == [
        ("missing-key", ()),
        ("c-semicolon", ()),
    ]


def test_a_mistake_in_some_variants_names_the_first() -> None:
    text = """\
module: m
tensors:
  T${N}:
    variants:
      - {N: A, D: int8}
      - {N: B, D: x}
      - {N: C, D: x}
    type: t
    dtype: ${D}
    shape: []
    data: p
"""
    assert render(_diagnostics(text), {"f": text}).splitlines()[::3] == [
        "f:9:12: error: unknown dtype 'x'",
        "f:6:9: note: in this variant",
    ]


def test_a_spec_with_mistakes_in_variants_keeps_its_other_mistakes() -> None:
    text = "module: m\ntensors:\n  T: {variants: 1}\n  U: {type: t}\n"
    assert {diagnostic.code for diagnostic in _diagnostics(text)} == {"wrong-type", "missing-key"}


def test_small_files_do_not_become_gigabytes() -> None:
    variants = ", ".join(f"{{N: n{index}}}" for index in range(100))
    lets = "".join(f"      - {{int a{index}: 1}}\n" for index in range(2500))
    text = (
        f"module: m\ntensors:\n  T${{N}}:\n    variants: [{variants}]\n    type: t\n    dtype: int8\n    shape: []\n"
        f"    data: p\n    let:\n{lets}"
    )
    tracemalloc.start()
    try:
        assert [diagnostic.code for diagnostic in _diagnostics(text)] == ["variants-too-large"]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 64 * 1024 * 1024, peak
