"""The C fragments that bindings are made of, and the words of the comments."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlpack_bindgen.bind import bind
from dlpack_bindgen.binding import TensorBinding
from dlpack_bindgen.fragments import (
    equals,
    is_number,
    negate,
    operand,
    replace_names,
    replace_result,
    statement,
    subtracts,
)
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
    OuterStride,
    Requirements,
    SetFields,
    Spec,
    Tensor,
)

TENSOR = Tensor(
    name="Image", type="image_t", data="self->pixels", dtype="uint8", shape=ListedShape(("self->height", "self->width"))
)


def bound(**changes: object) -> TensorBinding:
    tensor = replace(TENSOR, **changes)  # type: ignore[arg-type]
    return bind(Spec("imaging.yaml", "imaging", "img", "MIT-0", None, ('"image.h"',), (tensor,))).tensors[0]


# ---- Conditions ----


@pytest.mark.parametrize(
    "condition, opposite",
    [
        ("self->data != NULL", "self->data == NULL"),
        ("f(a, b == c) == 0", "!(f(a, b == c) == 0)"),
        ("result->status == OK", "result->status != OK"),
        ("a[i == j] != 3", "a[i == j] == 3"),
        ("self->ready", "!(self->ready)"),
        ("a < b", "!(a < b)"),
        ("x >= 0.0", "!(x >= 0.0)"),
        ("a == b && c", "!(a == b && c)"),
        ("a == b || c == d", "!(a == b || c == d)"),
        ("a & b == c", "!(a & b == c)"),
        ("a ^ b != c", "!(a ^ b != c)"),
        ("a | b == 0", "!(a | b == 0)"),
        ("a ? b : c == d", "!(a ? b : c == d)"),
        ("(a == b)", "!((a == b))"),
        ("!a == b", "!(!a == b)"),
        ("a==b", "!(a==b)"),
        ("a == b == c", "!(a == b == c)"),
        ("a == b != c", "!(a == b != c)"),
        ('strcmp(s, " == ")', '!(strcmp(s, " == "))'),
        ('strcmp(s, " == ") == 0', '!(strcmp(s, " == ") == 0)'),
        ("c == ' == '", "c != ' == '"),
        ("f(a == b)", "!(f(a == b))"),
    ],
)
def test_negate(condition: str, opposite: str) -> None:
    assert negate(condition) == opposite


OPERATORS = st.sampled_from("== != < <= > >= && || & | ^ + - * << ,".split()[:-1])
OPERANDS = st.sampled_from(["a", "b", "c", "0", "1", "2", "-1", "!a", "~b", "(a == b)", "(b != c)"])


@st.composite
def conditions(draw: st.DrawFn) -> str:
    text = draw(OPERANDS)
    for _ in range(draw(st.integers(0, 3))):
        text += f" {draw(OPERATORS)} {draw(OPERANDS)}"
    return text


def test_negate_in_a_compiler(tmp_path: Path) -> None:
    """For hundreds of conditions and all small values: exactly one of a condition and its opposite holds."""
    found: set[str] = set()

    @given(st.lists(conditions(), min_size=20, max_size=40))
    def collect(some: list[str]) -> None:
        found.update(some)

    collect()
    shifts = re.compile(r"<< (?:-1|~b|c|b|a|!a)|~b <<|-1 <<")  # a negative shift means nothing
    checks = "\n".join(
        f"if (!({c}) != !!({negate(c)})) return __LINE__;" for c in sorted(found) if not shifts.search(c)
    )
    source = tmp_path / "main.c"
    source.write_text(
        "static int wrong(int a, int b, int c) { (void)a; (void)b; (void)c;\n"
        f"{checks}\nreturn 0; }}\n"
        "int main(void) { for (int i = 0; i < 64; i++) if (wrong(i % 4 - 1, i / 4 % 4 - 1, i / 16 - 1)) return 1;\n"
        "return 0; }\n"
    )
    subprocess.run(["cc", "-std=c11", "-w", source, "-o", tmp_path / "main"], check=True)
    assert len(found) > 100
    assert subprocess.run([tmp_path / "main"], check=False).returncode == 0


@pytest.mark.parametrize(
    "of, key, condition",
    [
        ("self->type", "FLOAT", "self->type == FLOAT"),
        ("self->type", "-1", "self->type == -1"),
        ("self->type", "(BASE + 1)", "self->type == (BASE + 1)"),
        ("self->type", "BASE + 1", "self->type == (BASE + 1)"),
        ("self->flags & MASK", "KIND | 1u", "(self->flags & MASK) == (KIND | 1u)"),
        ("kind(self, 1 + 2)", "'f'", "kind(self, 1 + 2) == 'f'"),
        ("self->info[0].type", "&type_f32", "self->info[0].type == &type_f32"),
        ("*self->type", "(int)0x80u", "*self->type == (int)0x80u"),
        ("a ? b : c", "d", "(a ? b : c) == d"),
        ("a == b", "1", "(a == b) == 1"),
        ("!a", "1", "(!a) == 1"),
        ("self->format", '"f"', 'strcmp(self->format, "f") == 0'),
        ("a ? b : c", '"a == b"', 'strcmp(a ? b : c, "a == b") == 0'),
        ("self->format", 'u8"f"', 'strcmp(self->format, u8"f") == 0'),
    ],
)
def test_equals(of: str, key: str, condition: str) -> None:
    assert equals(of, key) == condition


@pytest.mark.parametrize(
    "text", ["a", "a->b", "a.b[c + 1]", "f(a, b)", "(a + b)", "-a", "~0u", "&a->b", "'-'", '"+"', "1e+5"]
)
def test_operands_that_need_no_brackets(text: str) -> None:
    assert operand(text) == text


@pytest.mark.parametrize("text", ["a + b", "a, b", "(a) | (b)", "-a - b", "- -a", "sizeof a * 2", "a = b"])
def test_operands_that_need_brackets(text: str) -> None:
    assert operand(text) == f"({text})"


# ---- Names and statements ----


@pytest.mark.parametrize(
    "text, replaced",
    [
        ("self->data", "X->data"),
        ("other->self", "other->self"),
        ("other.self + self->self", "other.self + X->self"),
        ("other-> self", "other-> self"),
        ("f(self, myself, self_, selfish)", "f(X, myself, self_, selfish)"),
        ('strcmp("self", self->name)', 'strcmp("self", X->name)'),
        ("self->kind == 'self'", "X->kind == 'self'"),
        (r'f("\"self", self)', r'f("\"self", X)'),
        (r"self->c == '\'' ? self : 0", r"X->c == '\'' ? X : 0"),
        ("self->dims[axis] + axis", "X->dims[0] + 0"),
        ("&self->buf", "&X->buf"),
        ("0xself + 1", "0xself + 1"),
    ],
)
def test_replace_names(text: str, replaced: str) -> None:
    assert replace_names(text, {"self": "X", "axis": "0"}) == replaced


@pytest.mark.parametrize(
    "text, replaced",
    [
        ("% != NULL", "result != NULL"),
        ("OK(%) && %->n", "OK(result) && result->n"),
        ('f(%, "100%")', 'f(result, "100%")'),
    ],
)
def test_replace_result(text: str, replaced: str) -> None:
    assert replace_result(text) == replaced


@pytest.mark.parametrize(
    "text, ended",
    [
        ("f(self)", "f(self);"),
        ("f(self);", "f(self);"),
        ("{ f(self); g(self); }", "{ f(self); g(self); }"),
        ("if (self->n) { f(self); }", "if (self->n) { f(self); }"),
        ("do { f(self); } while (0)", "do { f(self); } while (0);"),
        ("*self = (image_t){0}", "*self = (image_t){0};"),
        ("iffy = (image_t){0}", "iffy = (image_t){0};"),
    ],
)
def test_statement(text: str, ended: str) -> None:
    assert statement(text) == ended


def test_is_number() -> None:
    assert is_number("3") and is_number("010")
    assert not any(map(is_number, ["0x3", "3u", "-3", "N", "", "3 ", "٣"]))


# ---- Comments ----


@pytest.mark.parametrize(
    "changes, summary",
    [
        ({}, "uint8[height, width] on the CPU"),
        ({"shape": EachShape("self->rank", "self->dims[axis]")}, "uint8[rank axes] on the CPU"),
        ({"shape": ListedShape(())}, "uint8[] on the CPU"),
        ({"dtype": Choice("self->type", (("1", "int8"),))}, "dtype(type)[height, width] on the CPU"),
        ({"device": Device("cuda", "self->gpu")}, "uint8[height, width] on cuda"),
        ({"device": Device(Choice("self->kind", (("1", "cpu"),)))}, "uint8[height, width] on device(kind)"),
    ],
)
def test_summary(changes: dict[str, object], summary: str) -> None:
    lines = bound(doc="A picture.", **changes).comment
    assert lines == ("Image: A picture.", f"The array is {summary}.")


def test_default_doc() -> None:
    assert bound().comment[0] == "Image: image_t, shared through DLPack."
    assert bound().docstring == '"image_t, shared through DLPack."'


@pytest.mark.parametrize(
    "changes, words",
    [
        ({}, "Makes an owner that borrows `self`, which must live longer."),
        (
            {"release": "image_free(self)"},
            "Moves `self` into an owner; `image_free(self)` runs when its last share goes.",
        ),
        (
            {"release": "image_unref(self)", "retain": "image_ref(self)"},
            "Makes an owner with a reference of its own to `self`; yours stays yours.",
        ),
    ],
)
def test_ownership(changes: dict[str, object], words: str) -> None:
    tensor = bound(**changes)
    assert " ".join(tensor.owner_comment) == f"{words} It can be exported as often as wanted."
    assert " ".join(tensor.export_comment) == words.replace("an owner", "one managed tensor")
    assert " ".join(tensor.wrap_comment) == words.replace("an owner", "a new Python object of class Image")


def test_a_file_name_cannot_break_out() -> None:
    spec = Spec("a */ b\nc??/\\.yaml", "imaging", "img", "MIT-0", None, (), (TENSOR,))
    assert bind(spec).spec_file == "a * / b c?? /\\.yaml"


# ---- What is decided for one tensor ----


def test_self_is_declared_where_it_is_used() -> None:
    assert bound().uses_self
    assert not bound(data="screen", shape=ListedShape(("480", "WIDTH"))).uses_self
    for used in (
        {"readonly": "self->frozen"},
        {"require": (Check("self->ok"),)},
        {"dtype": Choice("self->type", (("1", "int8"),))},
        {"device": Device("cuda", "self->gpu")},
        {"strides": OuterStride("self->pitch")},
    ):
        assert bound(data="screen", shape=ListedShape(("480", "WIDTH")), **used).uses_self, used
    enders = bound(release="close_all()", retain="ref(self)").enders
    assert [(ender.name, ender.uses_self) for ender in enders] == [
        ("img_image_retain", True),
        ("img_image_release", False),
    ]


@pytest.mark.parametrize(
    "let, lines",
    [
        (Let("int", "n", "shape[0]"), ["int n;", "DLB_SET(source, n, shape[0]);"]),
        (Let("const int", "n", "shape[0]"), ["int n;", "DLB_SET(source, n, shape[0]);"]),
        (Let("unsigned const long", "n", "1"), ["unsigned long n;", "DLB_SET(source, n, 1);"]),
        (Let("char *", "p", "data"), ["char *p = data;"]),
        (Let("char *const", "p", "data"), ["char *const p = data;"]),
        (Let("struct dims", "d", "{ndim, 0}"), ["struct dims d = {ndim, 0};"]),
    ],
)
def test_let(let: Let, lines: list[str]) -> None:
    made = Import(Construct("wrap(data)"), (let,))
    importer = bound(import_=made).importer
    assert importer is not None
    assert list(importer.lets) == lines
    assert importer.checks_lets == (len(lines) == 2)


def test_codes_are_read_backwards() -> None:
    dtype = Choice("self->type", (("T_F32", "float32"), ("T_F64", "float64")), default="int8")
    imported = Import(Construct("wrap(data, code)"))
    importer = bound(dtype=dtype, import_=imported).importer
    assert importer is not None and len(importer.codes) == 1
    code = importer.codes[0]
    assert code.declaration == "DLB_TYPE_OF(((image_t *)0)->type) code; /* the map of the spec, read backwards */"
    assert [branch.statement for branch in code.choice.branches] == ["code = T_F32;"]
    assert code.choice.otherwise == "code = T_F64;"
    one = replace(imported, require=Requirements(dtype="float32"))
    importer = bound(dtype=dtype, import_=one).importer
    assert importer is not None
    assert importer.codes[0].choice.branches == ()
    assert importer.codes[0].choice.otherwise == "code = T_F32;"
    importer = bound(dtype=dtype, import_=Import(Construct("wrap(data)"))).importer
    assert importer is not None and importer.codes == ()


def test_what_an_import_accepts() -> None:
    made = Import(SetFields((("n", "shape[0]"),)), require=Requirements(ndim=(1, 4), writable=True, align=64))
    importer = bound(shape=EachShape("self->n", "self->dims[axis]"), order="F", import_=made).importer
    assert importer is not None
    assert (importer.min_ndim, importer.max_ndim, importer.align) == ("1", "4", 64)
    assert (importer.layout, importer.order) == ("DLB_WRITABLE | DLB_COMPACT", "DLB_ORDER_F")
    assert importer.box == "sizeof(image_t)" and importer.destroy is None
    strided = bound(strides=EachStrides("self->step[axis]"), shape=EachShape("2", "1"), import_=replace(made)).importer
    assert strided is not None and strided.layout == "DLB_WRITABLE"
    listed = bound(shape=ListedShape(("self->n", "3")), order="reversed", import_=made).importer
    assert listed is not None and listed.extents == ("3", "-1")


def test_destroy_by_default_is_release() -> None:
    made = Import(Construct("wrap(data)"), destroy="image_free(self)")
    tensor = bound(release="image_free(self)", import_=made)
    assert tensor.importer is not None and tensor.importer.destroy == "img_image_release"
    assert len(tensor.enders) == 1
    tensor = bound(release="image_free(self)", import_=replace(made, destroy="image_close(self)"))
    assert tensor.importer is not None and tensor.importer.destroy == "img_image_destroy"
    assert [ender.statement for ender in tensor.enders] == ["image_free(self);", "image_close(self);"]


def test_empty_of_one_dtype_has_a_default() -> None:
    allocate = Allocate(Construct("make(shape[0])"))
    assert bound(release="f(self)", allocate=allocate).allocates_dtype == "'uint8'"
    chosen = Choice("self->type", (("1", "int8"), ("2", "int16")))
    assert bound(release="f(self)", allocate=allocate, dtype=chosen).allocates_dtype is None
    one = replace(allocate, require=Requirements(dtype="int16"))
    assert bound(release="f(self)", allocate=one, dtype=chosen).allocates_dtype == "'int16'"


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("self->end - self->begin", True),
        ("-self->pitch", True),
        ("2 * (self->n - 1)", True),
        ("self->size", False),
        ("--self->count", False),
        ("self->dims[self->rank - 1]", False),
        ("extent(self, axis - 1)", False),
        ("table[0](self - 1)", False),
        ("'-'", False),
    ],
)
def test_differences_are_seen_outside_of_indices_and_arguments(expression: str, expected: bool) -> None:
    assert subtracts(expression) is expected
