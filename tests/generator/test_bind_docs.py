"""Docstrings and stubs of functions, besides the `doc` of the spec."""

from __future__ import annotations

import pytest

from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.function_docs import docstring, facts
from dlpack_bindgen.tensor.item import Handle, Tensor
from support.validated import spec

MODULE = """\
module: m
include: [m.h]
handles:
  File: {type: file_t, release: file_close(self)}
tensors:
  Image:
    type: image_t
    data: self->pixels
    dtype: uint8
    shape: [self->height, self->width]
    release: image_free(self)
    allocate: {construct: "image_new(shape[1], shape[0])"}
    import: {construct: "image_of(data, shape[1], shape[0])"}
  Frame: {type: frame_t, data: self->pixels, dtype: uint8, shape: [self->n], release: frame_free(self)}
functions:
  run:
"""
TAKEN = "Image, or an array that Image.from_dlpack() takes"


def function(*lines: str) -> tuple[Call, dict[str, Tensor | Handle]]:
    made = spec(MODULE + "".join(f"    {line}\n" for line in lines))
    return made.functions[0], {each.name: each for each in (*made.tensors, *made.handles)}


def documented(*lines: str) -> list[str]:
    return facts(*function(*lines)).splitlines()


@pytest.mark.parametrize(
    ("prototype", "args", "expected"),
    [
        ("void f(const image_t *x)", "", f"is read: {TAKEN}."),
        ("void f(image_t *x)", "", f"is written: {TAKEN}."),
        ("void f(const frame_t *x)", "", "is read: Frame."),
        ("void f(frame_t *x)", "invalidates: true", "is written: Frame; nobody else may be using its memory."),
        ("void f(image_t *x)", "invalidates: true", "is written: Image; nobody else may be using its memory."),
        ("void f(const image_t *const *x, int n)", "", f"is read: a sequence, each {TAKEN}."),
        ("void f(image_t *x, int n)", "require: [{shape: [n, 4]}]", f"is written: {TAKEN}, of shape (n, 4)."),
        ("void f(const DLTensor *x)", "optional: true", "is read: an array; None will do."),
        (
            "void f(const DLTensor *x)",
            "require: [{ndim: [1, 2]}, {dtype: int16}, {device: [cpu, cuda]}]",
            "is read: an array, of 1 or 2 axes, of int16, on the CPU or cuda.",
        ),
        ("void f(const double *x)", "{of: array}", "is read: an array of float64, compact, or a sequence of numbers."),
        ("void f(const long *x)", "{of: array}", "is read: an array of C's `long`, compact, or a sequence of numbers."),
        ("void f(uint8_t x[3])", "", "is written: an array of uint8, of 3 elements, compact."),
        (
            "void f(float *x)",
            "{of: array, copy: allowed}",
            "is written: an array of float32, compact; arrays in another layout or alignment are copied, "
            "and copied back.",
        ),
        (
            "void f(const void *x)",
            "{of: array, copy: allowed}",
            "is read: an array, compact; arrays in another layout or alignment are copied.",
        ),
        (
            "void f(const void *x)",
            "{of: bytes, copy: allowed, require: [{count: 4}]}",
            "is read: bytes-like, of 4 elements, compact; bytes with gaps between them are copied.",
        ),
        (
            "void f(float *x)",
            "{of: array, require: [{align: 32}]}",
            "is written: an array of float32, compact, aligned to 32 bytes.",
        ),
    ],
)
def test_the_docstring_describes_each_argument(prototype: str, args: str, expected: str) -> None:
    more = ", n: {count_of: x}" if "*const *x" in prototype else ""
    assert documented(f'c: "{prototype}"', f"args: {{x: {{{args.strip('{}')}}}{more}}}") == [f"`x` {expected}"]


def test_a_handle_needs_no_line_in_the_docstring() -> None:
    assert documented("c: void f(file_t *x)") == []


def test_the_docstring_says_which_object_a_new_one_is_like() -> None:
    assert documented('c: "void f(const image_t *src, image_t *dst)"', "args: {dst: {default: like src}}") == [
        f"`src` is read: {TAKEN}.",
        f"`dst` is written: {TAKEN}; a new one like `src` where none is given.",
    ]


@pytest.mark.parametrize(
    ("measure", "known"),
    [
        ("count_of: x", "x.size"),
        ("size_of: x", "x.nbytes"),
        ("extent_of: x, axis: 1", "x.shape[1]"),
    ],
)
def test_derived_arguments_are_documented_by_their_array(measure: str, known: str) -> None:
    lines = documented(
        'c: "void f(const void *x, int n, float *y)"',
        f"args: {{x: {{of: array}}, n: {{{measure}}}, y: {{require: [{{count: 2 * n}}]}}}}",
    )
    assert lines[1] == f"`y` is written: an array of float32, of 2 * {known} elements, compact."


def test_fixed_values_are_inserted_into_documented_shapes() -> None:
    args = "args: {n: {count_of: x}, lwork: {value: n * 3}, lead: {value: n}, y: {require: [{shape: [lwork, lead]}]}}"
    lines = documented('c: "void f(float *x, int n, int lwork, int lead, double *y)"', args)
    assert lines[1] == "`y` is written: an array of float64, of shape ((x.size * 3), x.size), compact."


def test_strides_of_other_parameters_let_the_array_be_padded() -> None:
    args = "args: {n: {extent_of: x}, m: {extent_of: x, axis: 1}, pitch: {stride_of: x, unit: bytes}}"
    assert documented('c: "void f(float *x, size_t n, size_t m, size_t pitch)"', args) == [
        "`x` is written: an array of float32, of 2 axes, compact but for the outermost axis, without negative strides."
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (['c: "int f(int *a, int *b)"', "args: {a: {out: true}, b: {out: true}}"], "Returns (the result, a, b)."),
        (
            ["c: frame_t *f(image_t *x)", "returns: {of: Frame, borrow: x}"],
            "The result lives in `x`, and keeps it alive.",
        ),
        (["c: frame_t *f(image_t *x)", "returns: {of: Frame, keeps: x}"], "The result keeps `x` alive."),
        (["c: frame_t *f(void)", "returns: {of: Frame, borrow: static}"], "The result stays the library's."),
        (['c: "void f(frame_t **a)"', "args: {a: {out: true, borrow: static}}"], "`a` stays the library's."),
        (["c: int f(void)", 'ok: "== 0"'], "Raises RuntimeError if the library reports a failure."),
        (
            ["c: int f(void)", 'ok: "== 0"', "raises: {-1: ValueError, -2: OSError, -3: ValueError}"],
            "Raises ValueError, OSError or RuntimeError if the library reports a failure.",
        ),
        (["c: void f(void)", "release_gil: true"], "Other threads run meanwhile."),
    ],
)
def test_the_docstring_describes_results_failures_and_threads(lines: list[str], expected: str) -> None:
    assert expected in documented(*lines)


def test_a_docstring_begins_with_the_text_of_the_spec_or_the_prototype() -> None:
    assert docstring(*function("c: int f(void)", "doc: Counts.", "release_gil: true")) == (
        "Counts.\n\nOther threads run meanwhile."
    )
    assert docstring(*function("c: int f(void)")) == "int f(void), of the C library."
