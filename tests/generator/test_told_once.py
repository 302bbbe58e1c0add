"""One mistake that is seen at several places is reported once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.yaml import Mapping, Node, Scalar, Sequence
from dlpack_bindgen.tools.generate import load, validate
from support.build import TOP

IMAGING = TOP / "specs/imaging.yaml"
IMAGE = "type: image_t, data: self->pixels, dtype: uint8, shape: [self->n], release: image_free(self)"


def diagnostics(text: str) -> list[Diagnostic]:
    return validate([load("m.yaml", f"module: m\n{text}".encode())])[1]


def only(text: str) -> Diagnostic:
    found = diagnostics(text)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("functions", "code", "note"),
    [
        (["Ctx *f(void)", "Ctx *g(int n)", "Ctx *h(int n)"], "result-owner", "here as well, and at 1 other place"),
        (["void f(const real *x)", "void g(real *y)"], "argument-unclear", "here as well"),
        (["void f(const double *x, double *y, double *z)"], "argument-length", "'y'"),
    ],
)
def test_one_mistake_is_reported_once(functions: list[str], code: str, note: str) -> None:
    written = "".join(f"  f{index}: {{c: '{c}'}}\n" for index, c in enumerate(functions))
    found = only(f"handles: {{Ctx: {{type: Ctx}}}}\nfunctions:\n{written}")
    assert (found.code, note in [each.message for each in found.notes]) == (code, True)


def test_one_unknown_name_is_reported_once() -> None:
    function = "{c: 'void f(image_t *x)', args: {x: Imag}}"
    found = only(f"tensors: {{Image: {{{IMAGE}}}}}\nfunctions: {{f: {function}, g: {function}, h: {function}}}\n")
    assert (found.code, found.hint) == ("unknown-class", "did you mean 'Image'?")


def test_missing_lengths_of_several_arrays_are_reported_once() -> None:
    spec = "functions: {f: {c: 'int f(const int *a, int *b, int m)'"
    found = only(f"{spec}}}}}\n")
    wanted = "args: {a: {require: [{count: N}]}, b: {require: [{count: N}]}}, or lengths in the prototype"
    assert (found.hint or "").startswith(wanted)
    args = wanted.split(", or")[0].replace("count: N", "count: m")
    assert diagnostics(f"{spec}, {args}}}}}\n") == []


@pytest.mark.parametrize(
    ("tensor", "code"),
    [
        (
            "type: t, data: self->p, dtype: uint8, match: {of: self->k, arms: [{when: A, shape: []}, "
            "{when: B}, {when: C}, {when: D}]}",
            "arm-incomplete",
        ),
        (
            "type: t, data: self->p, shape: [self->h, self->w], strides: {outer: self->row_step}, release: f(self), "
            "match: {of: self->k, arms: [{when: A, dtype: uint8, strides: {outer: self->step, unit: bytes}}, "
            "{when: B, dtype: uint16}, {when: C, dtype: float32}]}",
            "stride-unit",
        ),
        (
            "type: t, data: self->p, dtype: uint8, strides: [1], release: f(self), match: {of: self->k, arms: "
            "[{when: A, shape: [self->h, self->w]}, {when: B, shape: [self->w, self->h]}]}",
            "strides-rank",
        ),
    ],
)
def test_one_mistake_of_a_tensor_is_reported_once(tensor: str, code: str) -> None:
    assert only(f"tensors: {{Image: {{{tensor}}}}}\n").code == code


def test_one_mistake_of_a_class_is_reported_once() -> None:
    functions = "f: {c: 'int f(image_t *x)', args: {x: Image}}, g: {c: 'int g(image_t *x)', args: {x: Image}}"
    found = only(f"tensors: {{Image: {{pass: value, {IMAGE.replace('->', '.')}}}}}\nfunctions: {{{functions}}}\n")
    assert found.code == "argument-type"


def test_a_class_without_a_type_has_no_other_mistake() -> None:
    methods = "methods: {size: {c: 'int image_size(const image_t *i)'}}"
    assert only(f"handles: {{Image: {{release: image_free(self), {methods}}}}}\n").code == "missing-key"


@pytest.mark.parametrize(
    "constants",
    [
        "constnats: {MOST: LIB_MOST, Mode: {enum: [ADD, SUB]}}",
        "enums: {Mode: [ADD, SUB]}",
        "constants: {Mode: {enums: [ADD, SUB]}}",
        "constants: {class: {enum: [ADD]}, Mode: {enum: [ADD, SUB], type: int}}",
    ],
)
def test_a_mistake_of_constants_is_not_reported_again_where_they_are_named(constants: str) -> None:
    properties = "properties: {mode: {get: self->mode, type: Mode}}"
    functions = "f: {c: 'void f(int mode)', args: {mode: Mode}}, g: {c: int g(void), returns: Mode}"
    found = diagnostics(f"{constants}\ntensors: {{Image: {{{IMAGE}, {properties}}}}}\nfunctions: {{{functions}}}\n")
    assert {each.code for each in found} <= {"unknown-key", "keyword-name"}


def test_an_unknown_key_without_a_suggestion_hides_no_mistake() -> None:
    found = diagnostics("author: me\nfunctions: {f: {c: 'void f(int mode)', args: {mode: Mode}}}\n")
    assert [each.code for each in found] == ["unknown-key", "unknown-class"]


def _keys(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Mapping):
        for key, value in node.entries:
            yield key
            yield from _keys(value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _keys(item)


def test_a_misspelt_key_is_the_only_mistake() -> None:
    lines = IMAGING.read_text().split("\n")
    root = load("imaging.yaml", IMAGING.read_bytes()).root
    assert root is not None
    keys = {key.text: key.span for key in _keys(root) if key.text not in ("variants", "maps")}
    several, misspelt = {}, 0
    for key, span in keys.items():
        line, wrong = lines[span.line - 1], key[:2] + key[3:]
        if len(key) > 3 and line.startswith(key, span.column - 1):
            changed = line[: span.column - 1] + wrong + line[span.column - 1 + len(key) :]
            spec = "\n".join([*lines[: span.line - 1], changed, *lines[span.line :]])
            found = [each.message for each in validate([load("imaging.yaml", spec.encode())])[1]]
            if any(each.startswith(f"'{wrong}' is not a key of ") for each in found):
                misspelt += 1
                several |= {key: found} if len(found) > 1 else {}
    assert misspelt > 20
    assert several == {}
