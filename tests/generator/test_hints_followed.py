"""Hints that name several ways, or lead to a key that has rules of its own: whoever follows one is done."""

from __future__ import annotations

import pytest

from dlpack_bindgen.diagnostics import Diagnostic
from dlpack_bindgen.load.load import load
from dlpack_bindgen.validate.validate import validate


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
def test_an_object_that_nothing_ends(functions: str) -> None:
    spec = f"handles: {{Ctx: {{type: ctx, {functions}}}}}\n"
    (found,) = diagnostics(spec)
    assert (found.code, "'(void)self' if nothing ends it" in (found.hint or "")) == ("result-owner", True)
    assert diagnostics(spec.replace("type: ctx", "type: ctx, release: (void)self")) == []


def test_an_object_of_somebody_else() -> None:
    spec = "handles: {Ctx: {type: ctx, new: {c: ctx *ctx_new(void), returns: {of: Ctx, borrow: static}}}}\n"
    assert diagnostics(spec) == []


@pytest.mark.parametrize("nothing", ["none", "NULL", "'0'", "~", "'(void)0'"])
def test_a_release_of_nothing(nothing: str) -> None:
    spec = f"handles: {{Ctx: {{type: ctx, release: {nothing}, new: {{c: ctx *ctx_new(void)}}}}}}\n"
    (found,) = diagnostics(spec)
    assert (found.code, found.hint) == ("without-effect", "write '(void)self' if nothing ends the object")


def test_an_empty_release() -> None:
    (found,) = diagnostics("handles: {Ctx: {type: ctx, release: ''}}\n")
    assert found.hint == "leave the key out if there is nothing to do; a 'release' of nothing is '(void)self'"


def test_a_release_of_memory_of_ours() -> None:
    spec = "handles: {Ctx: {type: ctx, release: free(self), new: {c: ctx ctx_make(int n)}}}\n"
    (found,) = diagnostics(spec)
    assert (found.code, "'(void)self' if there is nothing" in (found.hint or "")) == ("frees-our-memory", True)
    assert diagnostics(spec.replace("free(self)", "(void)self")) == []


@pytest.mark.parametrize("args", ["{whence: File}", "{id: File}", "{whence: int, id: int}"])
def test_which_number_is_the_object_of_a_method(args: str) -> None:
    method = "{c: 'int file_seek(int whence, int id)', returns: File}"
    spec = f"handles: {{File: {{type: int, pass: value, release: file_close(self), methods: {{seek: {method}}}}}}}\n"
    (found,) = diagnostics(spec)
    assert (found.code, args in (found.hint or "")) == ("ambiguous-class", True)
    assert diagnostics(spec.replace("returns", f"args: {args}, returns")) == []
