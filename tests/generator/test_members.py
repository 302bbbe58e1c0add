"""Members of classes, and constants, of valid specs."""

from __future__ import annotations

from dlpack_bindgen.calls.call import Property
from dlpack_bindgen.calls.number import ENUM
from dlpack_bindgen.calls.object import Object
from dlpack_bindgen.calls.result_kind import HIDDEN, Result
from dlpack_bindgen.calls.result_kinds import KINDS, kind_of
from dlpack_bindgen.classes.constants import Constant, Enumeration
from dlpack_bindgen.tensor.item import Action, Construct, Import
from dlpack_bindgen.tensor.requirements import Requirements
from dlpack_bindgen.text.types import CType
from support.validated import spec

OBJECT = next(kind for kind in KINDS if kind.is_object)

MEMBERS = """\
module: m
tensors:
  Image:
    type: image_t
    data: self->p
    dtype: uint8
    shape: [self->n]
    release: image_free(self)
    new: {c: "int image_make(image_t **made, int n)", args: {made: {out: true}}, ok: == 0}
    close: {do: image_close(self), ok: == 0, error: why()}
    methods:
      scale: {c: "int image_scale(double by, image_t *image)", ok: == 0}
      add: {c: "void image_add(image_t *one, const image_t *other)"}
      load: {c: image_t *image_load(const char *path)}
    properties:
      width: self->n
      gamma:
        get: image_gamma(self)
        type: float
        doc: The exponent.
        if: GAMMA
        set: {c: "int image_set_gamma(image_t *image, double gamma)", ok: == 0}
      mode: {get: self->mode, type: Mode}
      name: {get: self->name, type: str}
handles:
  File:
    type: file_t
    release: file_close(self)
    close: file_end(self)
    import: {construct: file_of(data), require: [{ndim: 1}, {dtype: uint8}]}
constants:
  Mode: {enum: {FAST: 1 << 0, GOOD: 1 << 1}}
"""


def test_a_method_has_its_object_among_the_arguments() -> None:
    scale, add, load = spec(MEMBERS).tensors[0].methods
    assert (scale.key, scale.self_index, [each.name for each in scale.arguments]) == ("scale", 1, ["by", "image"])
    assert add.self_index == 0
    assert [each.kind for each in add.arguments] == [Object("Image", True), Object("Image", False)]
    assert (load.self_index, load.result) == (None, Result(OBJECT, "Image"))


def test_a_parameter_may_be_called_like_something_of_the_slots() -> None:
    method = "      turn: {c: 'int image_turn(image_t *i, int axis)', ok: == 0, error: why(axis)}\n"
    found = spec(MEMBERS.replace("    methods:\n", f"    methods:\n{method}"))
    assert found.tensors[0].methods[0].error == "why(axis)"


def test_a_constructor_returns_the_new_object() -> None:
    new = spec(MEMBERS).tensors[0].new
    assert new is not None
    assert (new.key, new.returned, new.self_index, new.result) == ("new", ("made",), None, Result(HIDDEN))


def test_a_property_has_a_getter_a_kind_and_perhaps_a_setter() -> None:
    width, gamma, mode, name = spec(MEMBERS).tensors[0].properties
    assert width == Property("width", "self->n", kind_of("int"))
    assert (gamma.get, gamma.kind, gamma.doc, gamma.condition) == (
        "image_gamma(self)",
        kind_of("float"),
        "The exponent.",
        "GAMMA",
    )
    assert gamma.set is not None
    assert (gamma.set.key, gamma.set.name, gamma.set.self_index) == ("set_gamma", "gamma", 0)
    assert mode == Property("mode", "self->mode", ENUM, "Mode")
    assert name == Property("name", "self->name", kind_of("str"))


def test_how_objects_are_closed() -> None:
    found = spec(MEMBERS)
    assert found.tensors[0].close == Action("image_close(self)", "% == 0", "why()")
    assert found.handles[0].close == Action("file_end(self)")


def test_the_import_of_a_handle_has_its_requirements() -> None:
    require = Requirements(ndim=(1, 1), dtypes=("uint8",))
    assert spec(MEMBERS).handles[0].import_ == Import(
        Construct("file_of(data)"), require=require, destroy="file_close(self)"
    )


def test_methods_of_variants_have_the_types_of_their_variant() -> None:
    text = """\
module: m
tensors:
  Matrix${N}:
    variants: [{N: "", T: mat, E: double, dtype: float64}, {N: F, T: mat_f, E: float, dtype: float32}]
    type: ${T}
    data: self->data
    shape: [self->n]
    methods:
      scale: {c: "int ${T}_scale(${T} *m, ${E} by)", ok: == 0}
"""
    methods = [tensor.methods[0] for tensor in spec(text).tensors]
    assert [each.prototype.name for each in methods] == ["mat_scale", "mat_f_scale"]
    assert [each.arguments[1].ctype for each in methods] == [CType("double"), CType("float")]
    assert [each.self_index for each in methods] == [0, 0]


def test_constants_have_the_declared_or_the_default_kind() -> None:
    text = """\
constants:
  MAX: IMG_MAX
  PI: {value: M_PI, type: float}
  NAME: {value: '"m"', type: str}
  ONE: {value: "1"}
  Mode: {enum: [FAST, GOOD]}
  Filter: {enum: {BOX: F_BOX, GAUSS: F_GAUSS}}
"""
    found = spec(f"module: m\n{text}")
    assert found.constants == (
        Constant("MAX", "IMG_MAX", kind_of("int")),
        Constant("PI", "M_PI", kind_of("float")),
        Constant("NAME", '"m"', kind_of("str")),
        Constant("ONE", "1", kind_of("int")),
    )
    assert found.enums == (
        Enumeration("Mode", (("FAST", "FAST"), ("GOOD", "GOOD")), False),
        Enumeration("Filter", (("BOX", "F_BOX"), ("GAUSS", "F_GAUSS")), False),
    )
