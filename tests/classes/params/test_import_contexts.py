"""Imports that take objects of other classes: the context in which a library makes its objects."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from python.leaks import assert_no_growth, counters, refused, warm_up
from support.build import build_module

HEADER = Path(__file__).with_name("import_contexts.h").read_text()
SOURCE = Path(__file__).with_name("import_contexts.c").read_text()
SPEC = """
module: import_contexts
include: import_contexts.h
handles:
  Context: {type: context, release: context_free(self), new: {c: context *context_new(void)}}
  Options:
    type: options_t
    pass: value
    release: options_free(self)
    new: {c: options_t options_new(int scale)}
tensors:
  Vector:
    type: vector
    params: [context *home]
    data: self->data
    dtype: float64
    shape: [self->n]
    release: vector_free(home, self)
    import:
      params: [context *home, options_t options = NULL]
      require: [writable]
      let: [{long n: "shape[0]"}]
      construct: vector_over(home, options, data, n)
      destroy: vector_free(home, self)
    methods:
      sum: {c: "double vector_sum(const context *home, const vector *v)", args: {home: {param_of: v}}}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("import_contexts", SPEC, tmp_path_factory.mktemp("import_contexts"), HEADER, SOURCE)


@pytest.fixture
def lib(built: ModuleType) -> ModuleType:
    assert counts(built) == (0, 0)
    return built


def counts(lib: ModuleType) -> tuple[int, ...]:
    """Returns the number of contexts that live, and of vectors that lived longer than their context."""
    return counters(lib, "contexts_live", "too_late")


def test_the_import_gets_the_object_and_the_new_object_remembers_it(lib: ModuleType) -> None:
    context = lib.Context()
    vector = lib.Vector.from_dlpack(np.array([1.0, 2.0]), home=context)
    assert vector.sum() == 103
    scaled = lib.Vector.from_dlpack(np.array([1.0, 2.0]), options=lib.Options(10), home=context)
    assert scaled.sum() == 230
    assert lib.Vector.from_dlpack(np.array([5.0]), home=context, options=None).sum() == 305


@pytest.mark.parametrize("close", [True, False])
def test_the_context_is_freed_after_the_new_object(lib: ModuleType, close: bool) -> None:
    context = lib.Context()
    vector = lib.Vector.from_dlpack(np.array([1.0, 2.0]), home=context)
    if close:
        context.close()
    del context
    assert (counts(lib), vector.sum()) == ((1, 0), 103)
    shown = np.asarray(vector)
    del vector
    assert (counts(lib), shown.tolist()) == ((1, 0), [1.0, 2.0])
    del shown
    assert counts(lib) == (0, 0)


@pytest.mark.parametrize(
    "array",
    [np.zeros(2), memoryview(bytearray(16)).cast("d"), np.zeros(2).__dlpack__()],
    ids=["array", "buffer", "capsule"],
)
def test_arrays_of_any_kind_can_be_imported_with_a_context(lib: ModuleType, array: Any) -> None:
    assert lib.Vector.from_dlpack(array, home=lib.Context()).sum() == 100


@pytest.mark.parametrize(
    ("given", "exception", "message"),
    [
        (lambda lib: {}, TypeError, "missing required keyword-only argument: 'home'"),
        (lambda lib: {"home": None}, TypeError, "argument 'home' must be Context, not None"),
        (lambda lib: {"home": lib.Options(1)}, TypeError, "argument 'home' must be Context, not .*Options"),
        (lambda lib: {"home": lib.Context(), "options": 3}, TypeError, "argument 'options' must be Options, not int"),
    ],
)
def test_missing_and_wrong_contexts_are_refused(lib: ModuleType, given: Any, exception: type, message: str) -> None:
    with pytest.raises(exception, match=rf"^from_dlpack\(\) {message}$"):
        lib.Vector.from_dlpack(np.zeros(2), **given(lib))


def test_a_closed_context_is_refused(lib: ModuleType) -> None:
    context = lib.Context()
    context.close()
    with pytest.raises(ValueError, match=r"^from_dlpack\(\) argument 'home' is closed$"):
        lib.Vector.from_dlpack(np.zeros(2), home=context)


def test_an_import_with_a_context_checks_the_dtype(lib: ModuleType) -> None:
    vector = lib.Vector.from_dlpack(np.zeros(2), home=lib.Context())
    assert vector.sum() == 100
    with pytest.raises(BufferError, match="the dtype is int64, not float64"):
        lib.Vector.from_dlpack(np.zeros(2, np.int64), home=lib.Context())


def test_imports_with_a_context_leak_nothing(lib: ModuleType) -> None:
    context, options, array = lib.Context(), lib.Options(2), np.zeros(2)

    def everything() -> None:
        lib.Vector.from_dlpack(array, home=context, options=options)
        lib.Vector.from_dlpack(memoryview(array), home=lib.Context())
        refused(TypeError, lambda: lib.Vector.from_dlpack(array, home=context, options=1))()
        refused(BufferError, lambda: lib.Vector.from_dlpack(np.zeros((2, 2)), home=context))()

    warm_up(everything)
    assert_no_growth(everything)
