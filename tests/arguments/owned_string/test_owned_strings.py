"""Strings that the library takes over: their content, and who frees them."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

HERE = Path(__file__).parent
ONE = np.ones(1)


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    spec, header, source = ((HERE / f"labels.{suffix}").read_text() for suffix in ("yaml", "h", "c"))
    return build_module("labels", spec, tmp_path_factory.mktemp("labels"), header, source)


@pytest.fixture
def labels(module: ModuleType) -> Iterator[ModuleType]:
    """Gives the module. After each test, every copy must have been freed."""
    yield module
    module.fail_after(-1)
    gc.collect()
    assert module.live_blocks() == 0


def content(of: Any) -> list[str]:
    return [of.get(index) for index in range(len(of))]


def full(labels: ModuleType) -> Any:
    made = labels.Labels()
    made.add("a")
    made.add("b")
    return made


# ---- Success: the library owns the copy ----


@pytest.mark.parametrize("text", ["", "plain", "é", "\U0001f600", "a" * 100_000])
@pytest.mark.parametrize("method", ["add", "add_without_of", "add_const", "add_xml", "add_default", "consume"])
def test_the_library_gets_a_copy(labels: ModuleType, method: str, text: str) -> None:
    made = labels.Labels()
    getattr(made, method)(text)
    assert (content(made), labels.live_blocks()) == ([text], 1)


def test_the_default_is_copied(labels: ModuleType) -> None:
    made = labels.Labels()
    made.add_default()
    assert (content(made), labels.live_blocks()) == (["none"], 1)


def test_none_is_null(labels: ModuleType) -> None:
    made = labels.Labels()
    made.change_title("title")
    assert (made.title, labels.live_blocks()) == ("title", 1)
    made.change_title(None)
    assert (made.title, labels.live_blocks()) == (None, 0)
    made.change_title("again")
    made.change_title()
    assert (made.title, labels.live_blocks()) == (None, 0)


def test_a_property_can_be_taken_over(labels: ModuleType) -> None:
    made = labels.Labels()
    made.title = "one"
    made.title = "two"
    assert (made.title, labels.live_blocks()) == ("two", 1)
    with pytest.raises(TypeError):
        made.title = None


def test_other_arguments_read_the_string(labels: ModuleType) -> None:
    assert (labels.drop("four"), labels.drop_free("é")) == (4, 2)


def test_a_returned_object_owns_the_copy(labels: ModuleType) -> None:
    made = labels.of("first")
    assert (content(made), labels.live_blocks()) == (["first"], 1)


# ---- Failure ----


def test_after_a_failure_the_module_frees_the_copy(labels: ModuleType) -> None:
    made = full(labels)
    for add in (made.add_without_of, made.add_const, made.add_xml, made.add_default):
        with pytest.raises(RuntimeError):
            add("c")
    assert (content(made), labels.live_blocks()) == (["a", "b"], 2)
    with pytest.raises(RuntimeError):
        labels.of("")
    assert labels.live_blocks() == 2


def test_with_always_the_library_frees_the_copy_after_a_failure(labels: ModuleType) -> None:
    made = full(labels)
    with pytest.raises(RuntimeError):
        made.consume("c")
    assert (content(made), labels.live_blocks()) == (["a", "b"], 2)


@pytest.mark.parametrize("method", ["add", "consume"])
def test_the_message_of_a_failure_can_contain_the_string(labels: ModuleType, method: str) -> None:
    with pytest.raises(RuntimeError, match="the label"):
        getattr(full(labels), method)("the label")


@pytest.mark.parametrize(
    "arguments, error",
    [
        (("a", ONE, 3), TypeError),
        (("a", ONE, "b\0"), ValueError),
        (("a", ONE, "\ud800"), UnicodeEncodeError),
        (("a", np.ones(1, "f4"), "b"), BufferError),
        (("a", ONE), TypeError),
        (("a", ONE, "a"), ValueError),
        (("a", -ONE, "b"), RuntimeError),
    ],
)
def test_without_a_successful_call_both_copies_are_freed(
    labels: ModuleType, arguments: tuple[object, ...], error: type[Exception]
) -> None:
    made = labels.Labels()
    with pytest.raises(error):
        made.add_both(*arguments)
    assert (content(made), labels.live_blocks()) == ([], 0)
    made.add_both("a", ONE, "b")
    assert (content(made), labels.live_blocks()) == (["a", "b"], 2)


@pytest.mark.parametrize("blocks", [0, 1])
def test_without_memory_the_call_raises(labels: ModuleType, blocks: int) -> None:
    made = labels.Labels()
    labels.fail_after(blocks)
    with pytest.raises(MemoryError):
        made.add_both("a", ONE, "b")
    assert (content(made), labels.live_blocks()) == ([], 0)


@pytest.mark.parametrize("value, shown", [(b"a", "bytes"), (3, "int"), (None, "None")])
def test_values_that_are_not_strings_are_refused(labels: ModuleType, value: object, shown: str) -> None:
    with pytest.raises(TypeError, match=rf"^add\(\) argument 'label' must be str, not {shown}$"):
        labels.Labels().add(value)
