"""Hints that name several ways, or lead to a key with rules: each way leads to a valid spec."""

from __future__ import annotations

import pytest

from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.tools.generate import load, validate


def diagnostics(text: str) -> list[Diagnostic]:
    return validate([load("m.yaml", f"module: m\ninclude: [m.h]\n{text}".encode())])[1]


@pytest.mark.parametrize(
    "functions",
    [
        "new: {c: ctx *ctx_new(void)}",
        "methods: {open: {c: 'int ctx_open(ctx **made)', args: {made: {out: true}}, ok: == 0}}",
        "methods: {first: {c: 'ctx *ctx_first(void)'}}",
        "methods: {init: {c: 'void ctx_init(ctx *made)', args: {made: {out: true}}}}",
        "methods: {copy: {c: ctx ctx_copy(const ctx *x)}}",
    ],
)
def test_an_object_without_a_release_gets_a_hint_that_works(functions: str) -> None:
    spec = f"handles: {{Ctx: {{type: ctx, {functions}}}}}\n"
    (found,) = diagnostics(spec)
    assert (found.code, "'(void)self' if nothing frees it" in (found.hint or "")) == ("result-owner", True)
    assert diagnostics(spec.replace("type: ctx", "type: ctx, release: (void)self")) == []


def test_a_borrowed_object_needs_no_release() -> None:
    spec = "handles: {Ctx: {type: ctx, new: {c: ctx *ctx_new(void), returns: {of: Ctx, borrow: static}}}}\n"
    assert diagnostics(spec) == []


@pytest.mark.parametrize("nothing", ["none", "NULL", "'0'", "~", "'(void)0'"])
def test_a_release_without_effect_gets_a_hint(nothing: str) -> None:
    spec = f"handles: {{Ctx: {{type: ctx, release: {nothing}, new: {{c: ctx *ctx_new(void)}}}}}}\n"
    (found,) = diagnostics(spec)
    assert (found.code, found.hint) == ("without-effect", "write '(void)self' if nothing frees the object")


def test_an_empty_release_gets_a_hint() -> None:
    (found,) = diagnostics("handles: {Ctx: {type: ctx, release: ''}}\n")
    assert found.hint == "leave the key out if there is nothing to do; a 'release' of nothing is '(void)self'"


def test_a_release_that_frees_memory_of_python_gets_a_hint_that_works() -> None:
    spec = "handles: {Ctx: {type: ctx, release: free(self), new: {c: ctx ctx_make(int n)}}}\n"
    (found,) = diagnostics(spec)
    assert (found.code, "'(void)self' if there is nothing" in (found.hint or "")) == ("frees-our-memory", True)
    assert diagnostics(spec.replace("free(self)", "(void)self")) == []


@pytest.mark.parametrize("args", ["{whence: File}", "{id: File}", "{whence: int, id: int}"])
def test_args_say_which_number_is_the_object_of_a_method(args: str) -> None:
    method = "{c: 'int file_seek(int whence, int id)', returns: File}"
    spec = f"handles: {{File: {{type: int, pass: value, release: file_close(self), methods: {{seek: {method}}}}}}}\n"
    (found,) = diagnostics(spec)
    assert (found.code, args in (found.hint or "")) == ("ambiguous-class", True)
    assert diagnostics(spec.replace("returns", f"args: {args}, returns")) == []


FILLED = "methods: {init: {c: 'int ctx_init(ctx *made, int n)', args: {made: {out: true}}, ok: == 0}}"


@pytest.mark.parametrize(
    "filled",
    [
        FILLED,
        "methods: {copy: {c: ctx ctx_copy(const ctx *x)}}",
        "import: {init: 'ctx_over(self, data)', require: [{ndim: 1}]}",
    ],
)
@pytest.mark.parametrize(
    "given",
    ["new: {c: ctx *ctx_new(void)}", "new: {c: 'int ctx_open(ctx **made)', args: {made: {out: true}}, ok: == 0}"],
)
def test_one_release_cannot_serve_memory_of_python_and_of_the_library(filled: str, given: str) -> None:
    tensor = "type: ctx, data: self->values, dtype: uint8, shape: [self->length]"
    spec = f"tensors: {{Ctx: {{{tensor}, release: ctx_free(self), {filled}, {given}}}}}\n"
    (found,) = diagnostics(spec)
    assert (found.code, len(found.notes)) == ("frees-our-memory", 1)
    for harmless in (
        spec.replace("ctx_free(self)", "(void)self"),
        spec.replace(given, "doc: Others."),
        spec.replace(filled, "doc: Others."),
    ):
        assert diagnostics(harmless) == []


def test_one_release_cannot_serve_filled_and_allocated_objects() -> None:
    tensor = "type: ctx, data: self->values, dtype: uint8, shape: [self->length], release: ctx_free(self)"
    allocate = "allocate: {construct: 'ctx_new(shape[0])', require: [{ndim: 1}]}"
    (found,) = diagnostics(f"tensors: {{Ctx: {{{tensor}, {FILLED}, {allocate}}}}}\n")
    assert found.code == "frees-our-memory"


@pytest.mark.parametrize(
    "new, filled",
    [
        ("new: {c: ctx *ctx_first(void), returns: {of: Ctx, borrow: static}}", FILLED),
        ("new: {c: ctx *ctx_new(void)}", FILLED.replace("{made: {out: true}}", "{made: {invalidates: true}}")),
    ],
)
def test_one_release_can_serve_objects_of_one_owner(new: str, filled: str) -> None:
    assert diagnostics(f"handles: {{Ctx: {{type: ctx, release: ctx_free(self), {new}, {filled}}}}}\n") == []
