"""Nodes become specs: keys of a tensor, and the defaults of keys that are missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dlpack_bindgen.dlpack import DType
from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.tensor.data_and_device import Device
from dlpack_bindgen.tensor.dtype import CTypeDType, DecodedDType, NamedDType, NumberedDType
from dlpack_bindgen.tensor.item import (
    Action,
    Allocate,
    CallStep,
    Construct,
    Declaration,
    Handle,
    Import,
    Init,
    Let,
    Part,
    SetFields,
    Tensor,
)
from dlpack_bindgen.tensor.requirements import Check, Requirements
from dlpack_bindgen.tensor.shape import EachShape, ListedShape
from dlpack_bindgen.tensor.slot import Conditional
from dlpack_bindgen.tensor.slots import Arm, Match, Slots
from dlpack_bindgen.tensor.strides import EachStrides, ListedStrides, OuterStride, RowPointers
from dlpack_bindgen.text.yaml import load
from support.validated import spec, tensor

_PARAMS = (Declaration("int", "a"), Declaration("const char *", "b", '"x"'))


def test_missing_keys_of_the_smallest_useful_spec_have_defaults() -> None:
    text = """\
# The smallest useful spec
dlpack-bindgen: 1
module: imaging
include: [image.h]
tensors:
  Image:
    type: image_t
    data: self->pixels
    dtype: uint8
    shape: [self->height, self->width, self->channels]
    strides: {outer: self->pitch, unit: bytes}
    release: image_free(self)
"""
    assert spec(text) == Spec(
        file="imaging.yaml",
        module="imaging",
        prefix="imaging",
        license="MIT-0",
        doc=None,
        includes=('"image.h"',),
        tensors=(
            Tensor(
                name="Image",
                type="image_t",
                slots=Slots(
                    dtype=NamedDType("uint8"),
                    shape=ListedShape(("self->height", "self->width", "self->channels")),
                    strides=OuterStride("self->pitch", "bytes"),
                    data="self->pixels",
                ),
                release="image_free(self)",
            ),
        ),
    )


def test_a_matrix_of_gsl_has_an_outer_stride() -> None:
    text = """\
module: gsl
include: <gsl/gsl_matrix.h>
tensors:
  MatrixF32:
    type: gsl_matrix_float
    dtype: float32
    data: self->data
    shape: [self->size1, self->size2]
    strides: {outer: self->tda}
    release: gsl_matrix_float_free(self)
    allocate: {construct: "gsl_matrix_float_calloc(shape[0], shape[1])", ok: "!= NULL", require: [{ndim: 2}]}
    import:
      set: {size1: "shape[0]", size2: "shape[1]", tda: "strides[0]", data: data, block: NULL, owner: 0}
      require: [{ndim: 2}, inner_compact, nonnegative_strides, writable]
"""
    found = spec(text)
    assert found.includes == ("<gsl/gsl_matrix.h>",)
    assert found.tensors == (
        Tensor(
            name="MatrixF32",
            type="gsl_matrix_float",
            slots=Slots(
                dtype=NamedDType("float32"),
                shape=ListedShape(("self->size1", "self->size2")),
                strides=OuterStride("self->tda", "elements"),
                data="self->data",
            ),
            release="gsl_matrix_float_free(self)",
            allocate=Allocate(
                Construct("gsl_matrix_float_calloc(shape[0], shape[1])", ok="% != NULL"),
                require=Requirements(ndim=(2, 2)),
            ),
            import_=Import(
                SetFields(
                    (
                        ("size1", "shape[0]"),
                        ("size2", "shape[1]"),
                        ("tda", "strides[0]"),
                        ("data", "data"),
                        ("block", "NULL"),
                        ("owner", "0"),
                    )
                ),
                require=Requirements(ndim=(2, 2), inner_compact=True, nonnegative_strides=True, writable=True),
            ),
        ),
    )


def test_the_values_of_many_keys_of_a_spec_are_read() -> None:
    text = """\
module: nrrd
prefix: nr
license: BSD-3-Clause OR GPL-2.0-or-later WITH GCC-exception-3.1
doc: |
  Nearly raw raster data.

  Two paragraphs.
include: [image.h, <sys/types.h>, '"quoted.h"']
tensors:
  Nrrd:
    type: struct Nrrd
    doc: A raster.
    require: [self->data, {expr: "self->dim > 0", message: it has no axes}]
    data: >-
      self->type == nrrdTypeBlock
        ? NULL
        : self->data
    shape: {ndim: self->dim, each: "self->axis[axis].size"}
    strides: {each: "self->axis[axis].spacing", unit: bytes}
    order: reversed
    dtype: {of: self->type, map: {nrrdTypeChar: int8, nrrdTypeFloat: float32}, default: bool}
    device: {of: self->place, map: {'"host"': cpu, '"gpu"': cuda}, id: self->ordinal}
    readonly: "!self->writable"
    retain: nrrdRef(self)
    release: nrrdNuke(self);
    import:
      require: [{ndim: [1, 16]}, {dtype: float32}, compact, {align: 64}, {expr: ndim != 3, message: "not\\nthree"}]
      let: [{unsigned rank: ndim}, {Nrrd *new: nrrdNew()}]
      construct: "nrrdWrap_nva(new, data, code, rank) == 0 ? new : NULL"
      ok: NRRD_OK(%)
      error: biffGet(result)
      destroy: nrrdNix(self)
"""
    assert spec(text) == Spec(
        file="imaging.yaml",
        module="nrrd",
        prefix="nr",
        license="BSD-3-Clause OR GPL-2.0-or-later WITH GCC-exception-3.1",
        doc="Nearly raw raster data.\n\nTwo paragraphs.\n",
        includes=('"image.h"', "<sys/types.h>", '"quoted.h"'),
        tensors=(
            Tensor(
                name="Nrrd",
                type="struct Nrrd",
                doc="A raster.",
                require=(Check("self->data"), Check("self->dim > 0", "it has no axes")),
                slots=Slots(
                    shape=EachShape("self->dim", "self->axis[axis].size"),
                    order="reversed",
                    strides=EachStrides("self->axis[axis].spacing", "bytes"),
                    data="self->type == nrrdTypeBlock ? NULL : self->data",
                    readonly="!self->writable",
                ),
                matches=(
                    Match(
                        ("self->type",),
                        (
                            Arm((("nrrdTypeChar",),), Slots(dtype=NamedDType("int8"))),
                            Arm((("nrrdTypeFloat",),), Slots(dtype=NamedDType("float32"))),
                        ),
                        Slots(dtype=NamedDType("bool")),
                    ),
                    Match(
                        ("self->place",),
                        (
                            Arm((('"host"',),), Slots(device=Device("cpu", "self->ordinal"))),
                            Arm((('"gpu"',),), Slots(device=Device("cuda", "self->ordinal"))),
                        ),
                    ),
                ),
                retain="nrrdRef(self)",
                release="nrrdNuke(self)",
                import_=Import(
                    Construct(
                        "nrrdWrap_nva(new, data, code, rank) == 0 ? new : NULL",
                        ok="NRRD_OK(%)",
                        error="biffGet(result)",
                    ),
                    let=(Let("unsigned", "rank", "ndim"), Let("Nrrd *", "new", "nrrdNew()")),
                    require=Requirements(
                        ndim=(1, 16),
                        dtypes=("float32",),
                        compact=True,
                        align=64,
                        checks=(Check("ndim != 3", "not three"),),
                    ),
                    destroy="nrrdNix(self)",
                ),
            ),
        ),
    )


@pytest.mark.parametrize(
    ("slots", "changes"),
    [
        ("strides: [1]", {"strides": ListedStrides(("1",))}),
        ("strides: {list: [1], unit: bytes}", {"strides": ListedStrides(("1",), "bytes")}),
        ("strides: {each: 'self->s[axis]'}", {"strides": EachStrides("self->s[axis]")}),
        ("strides: {outer: n, unit: sizeof(x), compact_when: z}", {"strides": OuterStride("n", "sizeof(x)", "z")}),
        ("shape: [a, b]\nstrides: {rows: r}", {"shape": ListedShape(("a", "b")), "strides": RowPointers("r")}),
        ("shape: []\nstrides: []", {"shape": ListedShape(()), "strides": ListedStrides(())}),
        ("order: F", {"order": "F"}),
        ("dtype: {code: kDLInt, bits: self->bits}", {"dtype": DecodedDType("kDLInt", "self->bits")}),
        ("dtype: {code: c, bits: b, lanes: l}", {"dtype": DecodedDType("c", "b", "l")}),
        ("dtype: {code: kDLInt, bits: 4}", {"dtype": NamedDType("int4")}),
        ("dtype: {code: 2, bits: 32}", {"dtype": NamedDType("float32")}),
        ("dtype: {code: 2, bits: 32, lanes: 2}", {"dtype": NumberedDType(DType("kDLFloat", 32, 2))}),
        ("dtype: {code: 3, bits: 64}", {"dtype": NumberedDType(DType("kDLOpaqueHandle", 64))}),
        ("dtype: {code: 18, bits: 32}", {"dtype": NumberedDType(DType("18", 32))}),
        ("dtype: {code: 255, bits: 7}", {"dtype": NumberedDType(DType("255", 7))}),
        ("dtype: {code: 2, bits: 32, lanes: self->n}", {"dtype": DecodedDType("2", "32", "self->n")}),
        ("dtype: {code: LIB_REAL, bits: 32}", {"dtype": DecodedDType("LIB_REAL", "32")}),
        ("dtype: {c: unsigned long}", {"dtype": CTypeDType("unsigned long")}),
        ("device: cuda", {"device": Device("cuda")}),
        ("device: 19", {"device": Device("19")}),
        ("device: {type: 255, id: 1}", {"device": Device("255", "1")}),
        ("device: {type: cuda, id: self->gpu}", {"device": Device("cuda", "self->gpu")}),
        ("readonly: NO", {"readonly": "NO"}),
        ("byte_offset: itemsize", {"byte_offset": "itemsize"}),
        ("data: self->axis", {"data": "self->axis"}),
        ("data: axis(self).p", {"data": "axis(self).p"}),
        ("data: '(self->a, self->b)'", {"data": "(self->a, self->b)"}),
        ("data: 'f(\"//;#\", '';'')'", {"data": "f(\"//;#\", ';')"}),
        ("data: self->größe", {"data": "self->größe"}),
        ("data: 'a ? b ? c : d : e ?: f'", {"data": "a ? b ? c : d : e ?: f"}),
        ("data: '_Generic(x, int: a ? b : c, default: d)'", {"data": "_Generic(x, int: a ? b : c, default: d)"}),
        ("data: '(t){x: {[0] = 1, .y[1] = 2}}.x[0]'", {"data": "(t){x: {[0] = 1, .y[1] = 2}}.x[0]"}),
        ("data: '(char *[]){a, \"b\"[1], 2[c]}[0]'", {"data": '(char *[]){a, "b"[1], 2[c]}[0]'}),
        ("data: [{if: A, value: a}, {if: B, value: b}]", {"data": Conditional((("A", "a"), ("B", "b")))}),
        ("data: [{if: A, value: a}, {value: b}]", {"data": Conditional((("A", "a"),), "b")}),
        (
            "shape: [{if: A, value: [a]}, {value: []}]",
            {"shape": Conditional((("A", ListedShape(("a",))),), ListedShape(()))},
        ),
    ],
)
def test_each_form_of_a_slot_is_read(slots: str, changes: dict[str, object]) -> None:
    base = Slots(data="self->p", dtype=NamedDType("int8"), shape=ListedShape(("self->n",)))
    assert tensor(slots).slots == replace(base, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("keys", "changes"),
    [
        ("doc: ''", {"doc": None}),
        ("type: unsigned long long", {"type": "unsigned long long"}),
        ("type: union u", {"type": "union u"}),
        ("pass: value", {"by_value": True}),
        ("if: defined(A) && B > 1", {"condition": "defined(A) && B > 1"}),
        ('params: [int a, const char *b = "x"]', {"params": _PARAMS}),
        ("params: [int a, {const char *b: '\"x\"'}]", {"params": _PARAMS}),
        (
            "hold: [{int w: f(self), ok: '>= 0', error: e()}]",
            {"hold": (Let("int", "w", "f(self)", ok="% >= 0", error="e()"),)},
        ),
        ("let: [{static int n: }]", {"let": (Let("static int", "n", None),)}),
        ("let: [{struct s v: '{0}', finally: e(&v)}]", {"let": (Let("struct s", "v", "{0}", finally_="e(&v)"),)}),
        (
            "let: [{do: lock(self), ok: == 0, undo: unlock(self)}]",
            {"let": (CallStep("lock(self)", ok="% == 0", undo="unlock(self)"),)},
        ),
        ("let: [{out: int n, do: 'count(self, &n)'}]", {"let": (CallStep("count(self, &n)", "int", "n"),)}),
        ("let: [{require: self->p, message: no p}]", {"let": (Check("self->p", "no p"),)}),
        ("require: [{expr: a, error: why(self)}]", {"require": (Check("a", error="why(self)"),)}),
        ("acquire: lock(self)", {"acquire": (Action("lock(self)"),)}),
        (
            "acquire: [{do: lock(self), ok: == 0}, map(self)]",
            {"acquire": (Action("lock(self)", "% == 0"), Action("map(self)"))},
        ),
        ("device: cuda\nsync: {do: wait(self), ok: == 0, error: e()}", {"sync": Action("wait(self)", "% == 0", "e()")}),
        ("device: cuda\nto_cpu: get(self, dst)", {"to_cpu": Action("get(self, dst)")}),
        ("release: f(self)\nclone: c(self)", {"release": "f(self)", "clone": Construct("c(self)")}),
        (
            "release: f(self)\nclone: {do: c(self), ok: '!= 0', error: e()}",
            {"release": "f(self)", "clone": Construct("c(self)", "% != 0", "e()")},
        ),
        ("release: f(self)\nrelease_on: gil", {"release": "f(self)", "release_on": "gil"}),
        ("legacy_readonly: copy\ncopy: allowed", {"legacy_readonly": "copy", "copy": "allowed"}),
        ('release: "if (self->own) { a(self); b(self); }"', {"release": "if (self->own) { a(self); b(self); }"}),
        ("release: a(self), b(self)", {"release": "a(self), b(self)"}),
        (
            "release: 'switch (x) { case A ? 1 : 2: [[fallthrough]]; default: y: f(self); }'",
            {"release": "switch (x) { case A ? 1 : 2: [[fallthrough]]; default: y: f(self); }"},
        ),
    ],
)
def test_each_key_of_a_tensor_is_read(keys: str, changes: dict[str, object]) -> None:
    base = Tensor("T", "t", slots=Slots(data="self->p", dtype=NamedDType("int8"), shape=ListedShape(("self->n",))))
    found = tensor(keys)
    # Memory that a device shares is not what these are about.
    assert replace(found, slots=base.slots) == replace(base, **changes)  # type: ignore[arg-type]


def test_the_test_of_the_spec_is_for_calls() -> None:
    text = """\
module: m
ok: == OK
tensors:
  T:
    type: t
    data: p
    dtype: int8
    shape: [1]
    device: cuda
    let: [{do: a()}, {do: b(), ok: none}, {do: c(), ok: '> 1'}, {int n: d()}]
    sync: {do: e()}
    to_cpu: f()
    clone: g(self)
    release: h(self)
    import: {init: "i(self, data)"}
    allocate: {construct: j(), error: k()}
"""
    found = spec(text).tensors[0]
    assert [getattr(step, "ok", None) for step in found.let] == ["% == OK", None, "% > 1", None]
    assert [getattr(step, "by_spec", False) for step in found.let] == [True, False, False, False]
    assert found.sync == Action("e()", "% == OK")
    assert found.to_cpu == Action("f()")
    assert found.clone == Construct("g(self)")
    assert found.import_ and found.import_.build == Init("i(self, data)", "% == OK")
    assert found.allocate and found.allocate.build == Construct("j()", error="k()")


def test_a_handle_has_parts_of_the_named_class() -> None:
    found = spec("""\
module: m
tensors:
  Plane: {type: struct f, params: [int i = 0], data: "self->d[i]", dtype: int8, shape: [1]}
handles:
  Frame: {type: struct f, doc: A frame., retain: r(self), release: f(self), parts: {name: planes, of: Plane, count: 3}}
""")
    parts = (Part("planes", "Plane", "3"),)
    assert found.handles == (
        Handle("Frame", "struct f", doc="A frame.", retain="r(self)", release="f(self)", parts=parts),
    )


def test_all_files_are_checked_in_one_run() -> None:
    files = {
        "b": "module: b\n",
        "a": "module: [\n",
        "good": "module: g\ntensors: {T: {type: t, data: p, dtype: int8, shape: [1]}}\n",
    }
    specs, diagnostics = validate([load(file, text.encode()) for file, text in files.items()])
    assert [spec.module for spec in specs] == ["g"]
    assert [(diagnostic.span.file, diagnostic.code) for diagnostic in diagnostics] == [
        ("a", "yaml-syntax"),
        ("b", "missing-key"),
    ]


def test_an_output_may_be_an_array_of_a_fixed_length() -> None:
    found = tensor("""\
let: [{out: "int64_t dims[2]", do: "f(self, dims)", ok: == 0}, {out: double x, do: "g(self, &x)"}]""")
    assert found.let == (
        CallStep("f(self, dims)", ctype="int64_t", name="dims", length="[2]", ok="% == 0"),
        CallStep("g(self, &x)", ctype="double", name="x"),
    )


def test_a_variable_may_have_the_name_of_an_array_of_imports() -> None:
    found = tensor('let: [{"const int *shape": image_size(self)}]\nshape: ["shape[0]", "shape[1]"]')
    (size,) = found.let
    assert isinstance(size, Let) and size.value == "image_size(self)"
    assert found.slots.shape == ListedShape((f"{size.name}[0]", f"{size.name}[1]"))
