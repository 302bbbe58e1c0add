"""The declaration of the language, and specs made at random by it."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dlpack_bindgen.language.keys import (
    Alternatives,
    Anything,
    Form,
    Integer,
    Kind,
    ListOf,
    Lookup,
    MapOf,
    Record,
    Single,
    Words,
    records,
)
from dlpack_bindgen.spec import all_keys
from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.text.names import snake
from dlpack_bindgen.text.yaml import load


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
def test_names_of_classes_become_snake_case(name: str, expected: str) -> None:
    assert snake(name) == expected


def test_the_language_documents_everything() -> None:
    found = records(all_keys.SPEC)
    assert found[0] is all_keys.SPEC
    assert {"a tensor", "a handle", "an import", "a match", "an arm", "a check", "a declaration"} <= {
        record.what for record in found
    }
    for record in found:
        docs = [record.doc, *(key.doc for key in record.keys), *([record.entry.doc] if record.entry else [])]
        docs += [detail for key in record.keys for detail in key.details]
        assert all(text.endswith(".") for text in docs), record.what
        assert len({key.name for key in record.keys}) == len(record.keys)
        assert _names(record) >= set(record.one_of)
        assert _names(record) >= {name for key in record.keys if key.needs for name in key.needs.keys}
        assert _names(record) >= {name for pair in record.exclusive for name in pair}
        assert _names(record) >= {key.unless for key in record.keys if key.unless}
        assert record.template in (None, *_names(record))


def _kinds(kind: Kind) -> list[Kind]:
    inner: list[Kind] = []
    if isinstance(kind, Record):
        inner = [*(key.kind for key in kind.keys), *([kind.entry.value] if kind.entry else [])]
    elif isinstance(kind, Alternatives):
        inner = [option.kind for option in kind.options]
    elif isinstance(kind, ListOf):
        inner = [kind.item]
    elif isinstance(kind, MapOf):
        inner = [kind.value]
    elif isinstance(kind, Lookup):
        inner = [kind.table]
    return [kind, *(found for child in inner for found in _kinds(child))]


def test_alternatives_are_distinct() -> None:
    for kind in _kinds(all_keys.SPEC):
        if not isinstance(kind, Alternatives):
            continue
        records = [option for option in kind.options if isinstance(option.kind, Record)]
        for option in records:
            assert option.tag is None or option.kind.key(option.tag).required  # type: ignore[union-attr]
        assert len([option for option in records if option.tag is None]) <= 1
        lists = [option.kind for option in kind.options if isinstance(option.kind, ListOf)]
        assert len(lists) <= 2
        assert len({isinstance(known.item, Record) for known in lists}) == len(lists)


def _names(record: Record) -> set[str]:
    return {key.name for key in record.keys}


_TEXTS = {
    Form.VERSION: ["1"],
    Form.MODULE: ["m"],
    Form.PREFIX: ["m"],
    Form.TENSOR: ["T", "U", "T${N}"],
    Form.HANDLE: ["H"],
    Form.ORIGIN: ["m", "p.m", ".m:T"],
    Form.PROPERTY: ["planes", "shape"],
    Form.MAP: ["kinds", "N"],
    Form.LICENSE: ["MIT-0"],
    Form.INCLUDE: ["a.h"],
    Form.TEXT: ["words", ""],
    Form.KEY: ["1", "K", '"a"', "_", "K == 1", "== K", "default"],
    Form.EXPRESSION: [
        "1",
        "self->a",
        "f(self)",
        "n",
        "_",
        "axis",
        "itemsize",
        "code",
        "code[0]",
        "shape[3]",
        "deleter",
        "user",
    ],
    Form.STATEMENT: ["f(self)", "a(); b()"],
    Form.CONDITION: ["== 0", "OK(%)"],
    Form.OUTCOME: ["== 0", "OK(%)"],
    Form.DIRECTIVE: ["OLD"],
    Form.INITIALISER: ["", "{0}", "shape", "reversed(strides)", "m"],
    Form.CTYPE: ["t", "struct s"],
    Form.STORAGE: ["t", "T_OF(3)"],
    Form.DECLARATION: ["int n", "char *m"],
    Form.OUTPUT: ["int n", "long m[2]"],
    Form.VARIABLE: ["int n", "long m[]"],
    Form.PARAMETER: ["int n", "int m = 0"],
    Form.ARGUMENT: ["data", "user", "size_t n"],
    Form.MEMBER: ["p", "x[axis].y"],
    Form.FIELD: ["x", "tag"],
    Form.DTYPE: ["uint8", "float4_e2m1fn"],
    Form.DEVICE: ["cpu", "cuda"],
    Form.FUNCTION: ["f", "g", "new"],
    Form.PROTOTYPE: [
        "int f(t *a, int n)",
        "t *f(const t *a, t *x)",
        "void f(const double *x, unsigned long n)",
        "double f(const char *n, struct s **a, DLTensor *x)",
    ],
    Form.KIND: ["T", "U", "H", "A", "int", "float", "str", "path", "bytes", "array", "None"],
    Form.VALUE: ["A", "int", "float", "str"],
    Form.OF_PROTOTYPE: ["a", "n", "x", "result", "static"],
    Form.EXCEPTION: ["ValueError", "OSError"],
    Form.CONSTANT: ["A", "B"],
}
_WRONG = st.sampled_from(["", "(", "${x}", "a b c", ";", "class", "!=", "none", "unit8"]).map(json.dumps)


def test_every_form_has_samples() -> None:
    assert set(_TEXTS) == set(Form)


def _mostly(draw: st.DrawFn, likely: st.SearchStrategy[str], unlikely: st.SearchStrategy[str] = _WRONG) -> str:
    return draw(unlikely if draw(st.integers(0, 60)) == 0 else likely)


@st.composite
def _written(draw: st.DrawFn, kind: Kind) -> str:
    """Returns YAML for `kind`; now and then with a mistake."""
    if isinstance(kind, Alternatives):
        return draw(_written(draw(st.sampled_from(kind.options)).kind))
    if isinstance(kind, Words):
        return _mostly(draw, st.sampled_from([word.name for word in kind.words]).map(json.dumps))
    if isinstance(kind, Integer):
        return _mostly(draw, st.sampled_from([str(kind.least), "2", "4"]).map(json.dumps))
    if isinstance(kind, Single):
        return _mostly(draw, st.sampled_from(_TEXTS[kind.form]).map(json.dumps))
    if isinstance(kind, ListOf):
        length = draw(st.integers(max(kind.least, 0), min(kind.most or 3, 3)))
        items = [draw(_written(kind.item)) for _ in range(length)]
        return items[0] if kind.lone and length == 1 else f"[{', '.join(items)}]"
    if isinstance(kind, Lookup):
        return draw(st.one_of(_written(kind.table), st.just("kinds")))
    if isinstance(kind, Anything):
        return draw(st.sampled_from(["uint8", "[1, 2]", "{c: long}"]))
    if isinstance(kind, MapOf):
        keys = draw(st.lists(st.sampled_from(_TEXTS[kind.key]), min_size=1, max_size=3, unique=True))
        return "{" + ", ".join(f"{json.dumps(key)}: {draw(_written(kind.value))}" for key in keys) + "}"
    return draw(_written_record(kind))


@st.composite
def _written_record(draw: st.DrawFn, kind: Record) -> str:
    one = draw(st.sampled_from(kind.one_of)) if kind.one_of else None
    entries = []
    for key in kind.keys:
        likely = key.required or key.name == one
        if draw(st.integers(0, 40)) == 0 if likely else draw(st.integers(0, 11)) > 0 or key.name in kind.one_of:
            continue
        entries.append(f"{key.name}: {draw(_written(key.kind))}")
    if kind.entry:
        name = json.dumps(draw(st.sampled_from(_TEXTS[kind.entry.key])))
        entries.append(f"{name}: {draw(_written(kind.entry.value))}")
    return "{" + ", ".join(entries) + "}"


@settings(max_examples=200, suppress_health_check=list(HealthCheck))
@given(_written(all_keys.SPEC))
@example(
    '{functions: {f: {c: "int f(void *a, int n)", args: {a: array, n: {code_of: a, map: {1: {code: 1}, 2: {c: ""}}}}}}}'
)
def test_any_spec_is_built_or_refused(text: str) -> None:
    specs, diagnostics = validate([load("f", text.encode())])
    assert bool(specs) != bool(diagnostics)
