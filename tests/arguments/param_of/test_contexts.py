"""Objects that are made with a context, which their functions and their release take: `params` and `param_of`."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from functions.libraries import build
from support.build import import_extension


@pytest.fixture(scope="module")
def contexts_module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return import_extension("contexts", build("contexts", tmp_path_factory.mktemp("contexts")))


@pytest.fixture
def contexts(contexts_module: ModuleType) -> Iterator[ModuleType]:
    """Gives the module. A context that is freed before its objects ends the process."""
    yield contexts_module
    gc.collect()


def test_the_release_of_a_handle_takes_its_context(contexts: ModuleType) -> None:
    context = contexts.Context()
    book = contexts.Book(context, "four")
    book.close()
    assert context.dropped == 1
    del book
    assert context.dropped == 1


def test_methods_are_given_the_context_of_their_object(contexts: ModuleType) -> None:
    context = contexts.Context()
    page = contexts.Book(context, "four").render(6)
    assert (page.shape, page.dpi) == ((6, 8), 6)
    half = page.half()
    assert (half.shape, half.dpi) == ((3, 4), 6)
    with pytest.raises(TypeError, match=r"render\(\) got an unexpected keyword argument 'ctx'"):
        contexts.Book(context, "four").render(6, ctx=context)


def test_properties_know_the_context_of_their_object(contexts: ModuleType) -> None:
    book = contexts.Book(contexts.Context(), "four")
    assert book.pages == 4
    page = book.render(6)
    page.value = 7
    assert (page.size, page.value) == (48, 7)
    assert (np.from_dlpack(page) == 7).all()


def test_c_text_of_methods_knows_the_context_of_their_object(contexts: ModuleType) -> None:
    page = contexts.Book(contexts.Context(), "four").render(6)
    page.brighten()
    assert page.value == 7
    page.dim(5)
    assert page.value == 5
    with pytest.raises(ValueError, match="too bright"):
        page.dim(6)


def test_functions_are_given_the_context_of_an_argument(contexts: ModuleType) -> None:
    first, second = contexts.Context(), contexts.Context()
    one = contexts.Book(first, "four").render(6)
    two = contexts.Book(second, "six").render(2)
    two.value = 8
    assert contexts.blend(one, two) == 2
    assert contexts.blend(two, one) == 2
    assert one.value == 4


def test_the_context_outlives_all_objects_that_were_made_with_it(contexts: ModuleType) -> None:
    context = contexts.Context()
    book = contexts.Book(context, "four")
    half = book.render(6).half()
    array = np.from_dlpack(half)
    context.close()
    del context, book, half
    gc.collect()
    assert array.sum() == 0


def test_a_result_keeps_the_context_and_not_the_object_beside_it(contexts: ModuleType) -> None:
    context = contexts.Context()
    page = contexts.Book(context, "four").render(64)
    assert context.dropped == 1
    for count in range(5):
        page = page.half()
        assert context.dropped == 2 + count


def test_a_result_can_keep_the_object_too(contexts: ModuleType) -> None:
    context = contexts.Context()
    page = contexts.Book(context, "four").render(6)
    top = page.first_row()
    page.value = 9
    del page
    assert context.dropped == 1
    assert np.from_dlpack(top).tolist() == [[9] * 8]
    del top
    assert context.dropped == 3


def test_an_import_uses_the_default_context(contexts: ModuleType) -> None:
    book = contexts.Book.from_dlpack(np.array([3, 0], np.uint8))
    assert book.pages == -5


def test_closed_objects_have_no_context(contexts: ModuleType) -> None:
    book = contexts.Book(contexts.Context(), "four")
    book.close()
    with pytest.raises(ValueError, match="closed"):
        book.render(6)
    with pytest.raises(ValueError, match="closed"):
        _ = book.pages


def test_docstrings_and_stubs_do_not_show_the_context_as_a_parameter(
    contexts: ModuleType, contexts_module: ModuleType
) -> None:
    assert contexts.Pixmap.half.__text_signature__ == "($self, /)"
    assert "The result keeps the `ctx` of this object alive." in contexts.Pixmap.half.__doc__
    stub = Path(contexts_module.__file__ or "").with_name("contexts.pyi").read_text(encoding="utf-8")
    assert "    def render(self, /, dpi: int) -> Pixmap:\n" in stub
    assert "def blend(target: Pixmap, source: Pixmap) -> int:" in stub
