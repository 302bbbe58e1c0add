"""Nodes to specs: good ones in full, bad ones with every mistake at its place."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlpack_bindgen import language
from dlpack_bindgen.diagnostics import Code, Diagnostic
from dlpack_bindgen.kinds import Record
from dlpack_bindgen.load import load
from dlpack_bindgen.names import snake
from dlpack_bindgen.spec import (
    Allocate,
    Check,
    Choice,
    Construct,
    Device,
    EachShape,
    EachStrides,
    Import,
    Let,
    ListedShape,
    ListedStrides,
    OuterStride,
    Requirements,
    SetFields,
    Spec,
    Tensor,
)
from dlpack_bindgen.validate import validate

BAD = Path(__file__).parents[1] / "bad"
_HEADER = re.compile(rb"# (?P<what>expect|hint|with): (?P<text>.*)")


@dataclass(frozen=True)
class Expected:
    line: int
    column: int
    code: str
    hint: str | None = None


def _header(path: Path) -> tuple[list[Expected], list[Path]]:
    """What stands first in a bad spec.

    `# with: FILE` names a spec that is checked with it, `# expect: LINE:COLUMN CODE` a diagnostic; `# hint: TEXT`
    belongs to the line before.
    """
    expected: list[Expected] = []
    companions: list[Path] = []
    for raw in path.read_bytes().splitlines():
        match = _HEADER.fullmatch(raw)
        if match is None:
            break
        text = match["text"].decode()
        if match["what"] == b"with":
            companions.append(path.parent / "with" / text)
        elif match["what"] == b"hint":
            expected[-1] = replace(expected[-1], hint=text)
        else:
            place, code = text.split()
            line, column = place.split(":")
            expected.append(Expected(int(line), int(column), code))
    return expected, companions


def _summary(diagnostic: Diagnostic) -> Expected:
    return Expected(diagnostic.span.line, diagnostic.span.column, diagnostic.code, diagnostic.hint)


@pytest.mark.parametrize("path", sorted(BAD.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_bad_spec_gets_exactly_its_diagnostics(path: Path) -> None:
    expected, companions = _header(path)
    assert expected, "the file does not begin with '# expect: LINE:COLUMN CODE'"
    specs, diagnostics = validate([load(file.name, file.read_bytes()) for file in (*companions, path)])
    assert {diagnostic.span.file for diagnostic in diagnostics} == {path.name}
    found = [_summary(diagnostic) for diagnostic in diagnostics]
    assert [replace(entry, hint=None) for entry in found] == [replace(entry, hint=None) for entry in expected]
    for diagnostic, entry in zip(found, expected, strict=True):
        assert (entry.hint is None) == (diagnostic.hint is None)
        assert (entry.hint or "") in (diagnostic.hint or "")
    assert [spec.file for spec in specs] == [companion.name for companion in companions]


def test_every_code_has_a_bad_spec_that_is_named_after_it() -> None:
    shown = {code for path in BAD.glob("*.yaml") for code in _codes_of(path)}
    # A file of more than 1 MiB is better made than kept: test_load.py does.
    assert sorted(set(get_args(Code)) - shown) == ["file-too-large"]


def _codes_of(path: Path) -> list[str]:
    return [
        entry.code for entry in _header(path)[0] if path.stem == entry.code or path.stem.startswith(f"{entry.code}-")
    ]


def _spec(text: str, file: str = "specs/imaging.yaml") -> Spec:
    specs, diagnostics = validate([load(file, text.encode())])
    assert diagnostics == []
    return specs[0]


def _tensor(slots: str) -> Tensor:
    base = {"type": "t", "data": "self->p", "dtype": "int8", "shape": "[self->n]"}
    lines = [f"{key}: {value}" for key, value in base.items() if not re.search(rf"^{key}:", slots, re.MULTILINE)]
    body = "\n".join(f"    {line}" for line in [*lines, *slots.splitlines()])
    return _spec(f"module: m\ntensors:\n  T:\n{body}\n").tensors[0]


def _import(text: str) -> Import:
    made = _tensor(f"release: t_free(self)\nimport: {text}").import_
    assert made is not None
    return made


def test_the_smallest_useful_spec() -> None:
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
    assert _spec(text) == Spec(
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
                data="self->pixels",
                dtype="uint8",
                shape=ListedShape(("self->height", "self->width", "self->channels")),
                strides=OuterStride("self->pitch", "bytes"),
                release="image_free(self)",
            ),
        ),
    )


def test_a_matrix_of_gsl() -> None:
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
    spec = _spec(text)
    assert spec.includes == ("<gsl/gsl_matrix.h>",)
    assert spec.tensors == (
        Tensor(
            name="MatrixF32",
            type="gsl_matrix_float",
            data="self->data",
            dtype="float32",
            shape=ListedShape(("self->size1", "self->size2")),
            strides=OuterStride("self->tda", "elements"),
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


def test_a_spec_with_everything() -> None:
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
    assert _spec(text) == Spec(
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
                data="self->type == nrrdTypeBlock ? NULL : self->data",
                shape=EachShape("self->dim", "self->axis[axis].size"),
                strides=EachStrides("self->axis[axis].spacing", "bytes"),
                order="reversed",
                dtype=Choice("self->type", (("nrrdTypeChar", "int8"), ("nrrdTypeFloat", "float32")), "bool"),
                device=Device(Choice("self->place", (('"host"', "cpu"), ('"gpu"', "cuda"))), "self->ordinal"),
                readonly="!self->writable",
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
                        dtype="float32",
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
        ("shape: []\nstrides: []", {"shape": ListedShape(()), "strides": ListedStrides(())}),
        ("order: F", {"order": "F"}),
        ("device: cuda", {"device": Device("cuda")}),
        ("device: {type: cuda, id: self->gpu}", {"device": Device("cuda", "self->gpu")}),
        ("readonly: NO", {"readonly": "NO"}),
        ("doc: ''", {"doc": None}),
        ("type: unsigned long long", {"type": "unsigned long long"}),
        ("type: union u", {"type": "union u"}),
        ("data: self->axis", {"data": "self->axis"}),
        ("data: axis(self).p", {"data": "axis(self).p"}),
        ("data: '(self->a, self->b)'", {"data": "(self->a, self->b)"}),
        ("data: 'f(\"//;#\", '';'')'", {"data": "f(\"//;#\", ';')"}),
        ("data: self->größe", {"data": "self->größe"}),
        ('release: "if (self->own) { a(self); b(self); }"', {"release": "if (self->own) { a(self); b(self); }"}),
        ("release: a(self), b(self)", {"release": "a(self), b(self)"}),
    ],
)
def test_slots(slots: str, changes: dict[str, object]) -> None:
    base = Tensor(name="T", type="t", data="self->p", dtype="int8", shape=ListedShape(("self->n",)))
    assert _tensor(slots) == replace(base, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "destroy"),
    [
        ("{set: {p: data}}", None),
        ("{construct: t_view(data)}", "t_free(self)"),
        ("{construct: t_view(data), destroy: t_end(self)}", "t_end(self)"),
        ("{construct: t_view(data), destroy: none}", None),
    ],
)
def test_how_an_imported_object_ends(text: str, destroy: str | None) -> None:
    assert _import(text).destroy == destroy


@pytest.mark.parametrize(
    ("ok", "condition"),
    [
        ("== 0", "% == 0"),
        ("'!= NULL'", "% != NULL"),
        ("'>= 0'", "% >= 0"),
        ("< 7", "% < 7"),
        ("LIB_OK(%)", "LIB_OK(%)"),
        ("'% == 0 || errno == 0'", "% == 0 || errno == 0"),
    ],
)
def test_ok_becomes_an_expression_of_the_result(ok: str, condition: str) -> None:
    assert _import(f"{{construct: t_view(data), ok: {ok}}}").build == Construct("t_view(data)", condition)


def test_the_rank_of_a_listed_shape_is_required_of_imports() -> None:
    assert _import("{set: {p: data}}").require.ndim == (1, 1)
    assert _import("{set: {p: data}, require: [{ndim: [1, 2]}]}").require.ndim == (1, 2)
    free = _tensor("shape: {ndim: self->rank, each: 'self->size[axis]'}\nimport: {set: {p: data}}").import_
    assert free is not None
    assert free.require.ndim is None


def test_code_is_unambiguous_where_the_dtype_is_required() -> None:
    dtype = "dtype: {of: self->k, map: {A: int8, B: int8, C: uint8}}"
    assert _tensor(f"{dtype}\nimport: {{set: {{p: data, k: code}}, require: [{{dtype: uint8}}]}}").import_
    assert _tensor(f"{dtype}\nimport: {{set: {{p: data}}}}").import_


def test_all_files_are_checked_in_one_run() -> None:
    texts = {
        "b": "module: b\n",
        "a": "module: [\n",
        "good": "module: g\ntensors: {T: {type: t, data: p, dtype: int8, shape: [1]}}\n",
    }
    specs, diagnostics = validate([load(file, text.encode()) for file, text in texts.items()])
    assert [spec.module for spec in specs] == ["g"]
    assert [(diagnostic.span.file, diagnostic.code) for diagnostic in diagnostics] == [
        ("a", "yaml-syntax"),
        ("b", "missing-key"),
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Image", "image"),
        ("MatrixF32", "matrix_f32"),
        ("F32Matrix", "f32_matrix"),
        ("Image2D", "image2d"),
        ("HTTPBody", "http_body"),
        ("gsl_matrix", "gsl_matrix"),
        ("X", "x"),
    ],
)
def test_snake(name: str, expected: str) -> None:
    assert snake(name) == expected


def test_the_language_documents_everything() -> None:
    found = language.records()
    assert found[0] is language.SPEC
    assert {"a tensor", "an import", "a check", "a declaration"} <= {record.what for record in found}
    for record in found:
        texts = [record.doc, *(key.doc for key in record.keys), *([record.entry.doc] if record.entry else [])]
        assert all(text.endswith(".") for text in texts), record.what
        assert len({key.name for key in record.keys}) == len(record.keys)
        assert _names(record) >= set(record.one_of)
        assert _names(record) >= {key.needs.key for key in record.keys if key.needs}


def _names(record: Record) -> set[str]:
    return {key.name for key in record.keys}


_C = st.sampled_from(
    ["self->a", "f(self)", "axis", "code", "shape[3]", "(", '"', "1;", "a, b", "${x}", "", "!=", "== 0", "none", "%"]
)
_NAMES = st.sampled_from(
    ["uint8", "unit8", "cpu", "C", "bytes", "compact", "T", "class", "int x", "2", "[1, 2]", "{}", "[]"]
)
_VALUES = st.recursive(
    _C.map(repr) | _NAMES,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.dictionaries(
            st.sampled_from(
                sorted({key.name for record in language.records() for key in record.keys} | {"int n", "x.y"})
            ),
            inner,
            max_size=4,
        ).map(lambda entries: "{" + ", ".join(f"{key}: {value}" for key, value in entries.items()) + "}")
    ),
    max_leaves=12,
)


@settings(max_examples=600, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(_names(language.TENSOR))), _VALUES, max_size=14))
def test_any_tensor_is_built_or_refused(slots: dict[str, str]) -> None:
    body = "".join(f"    {key}: {value}\n" for key, value in slots.items())
    specs, diagnostics = validate([load("f", f"module: m\ntensors:\n  T:\n{body}".encode())])
    assert bool(specs) != bool(diagnostics)
