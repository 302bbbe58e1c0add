# SPDX-License-Identifier: MIT
"""The values on which the stream of a function can depend."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dlpack_bindgen.tools import config
from imports.stream.test_stream import Wrapper
from support.build import SUFFIX, build_module, compile_c, generate, import_extension, runtime_sources

HERE = Path(__file__).parent


@pytest.fixture(scope="module", params=["full", pytest.param("limited", marks=pytest.mark.limited_api)])
def values(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder, spec = tmp_path_factory.mktemp("values"), (HERE / "values.yaml").read_text(encoding="utf-8")
    if request.param == "full":
        header, source = ((HERE / f"values.{suffix}").read_text(encoding="utf-8") for suffix in ("h", "c"))
        return build_module("values", spec, folder, header, source)
    sources = [path for path in generate(spec, folder) if path.suffix == ".c"]
    files = (*sources, HERE / "values.c", *runtime_sources("call"))
    compile_c(["-shared", *config.abi3_cflags(), f"-I{HERE}", *files], folder / f"values{SUFFIX}")
    return import_extension("values", folder / f"values{SUFFIX}")


@pytest.mark.parametrize(
    ("call", "stream"),
    [
        (lambda values, x: values.by_value(values.Lane(8), x), 8),
        (lambda values, x: values.by_typedef(values.Context(9), x), 9),
        (lambda values, x: values.by_options(values.Options(stream=10, level=1), x), 11),
        (lambda values, x: values.by_options({"stream": 11}, x), 11),
        (lambda values, x: values.by_options((11, 2), x), 13),
        (lambda values, x: values.options_last(Wrapper(x), {"stream": 14}), 14),
        (lambda values, x: values.options_last(Wrapper(x), values.Options(stream=15, level=1)), 16),
        (lambda values, x: values.by_taken(values.Queue(12), x, values.Block(1)), 12),
        (lambda values, x: values.by_taken(values.Queue(13), Wrapper(values.Block(1)), Wrapper(x)), 13),
        (lambda values, x: values.by_enum(values.Speed.FAST, x), 21),
        (lambda values, x: values.by_string("four", x), 4),
        (lambda values, x: values.by_address(17, x), 17),
        (lambda values, x: values.by_several("abc", x, 40, True, 1000), 1143),
        (lambda values, x: values.Block(1, 33)(x), 34),
    ],
    ids=[
        "value",
        "typedef",
        "options",
        "mapping",
        "tuple",
        "mapping after the array",
        "object after the array",
        "taken",
        "several arrays",
        "enum",
        "string",
        "address",
        "several",
        "call",
    ],
)
def test_the_producer_gets_the_value_of_the_expression(
    values: ModuleType, call: Callable[..., Any], stream: int
) -> None:
    x = values.Block(1)
    assert call(values, x) == 1
    assert x.ready_for == stream


@pytest.mark.parametrize("value", [7, None, (1, "a"), (1, 2, 3)])
def test_a_wrong_value_after_the_array_is_refused_before_a_producer_is_called(values: ModuleType, value: Any) -> None:
    x = values.Block(1)
    with pytest.raises((TypeError, ValueError), match=r"^options_last\(\) argument 'o'"):
        values.options_last(Wrapper(x), value)
    assert x.ready_for == -9


def test_a_closed_object_after_an_array_of_the_module_is_refused(values: ModuleType) -> None:
    x, q = values.Block(1), values.Queue(17)
    assert values.queue_last(x, q) == 1
    assert x.ready_for == 17
    q.close()
    x = values.Block(1)
    with pytest.raises(ValueError, match=r"^queue_last\(\) argument 'q' is closed$"):
        values.queue_last(x, q)
    assert x.ready_for == -9


def test_minus_1_waits_for_nothing(values: ModuleType) -> None:
    x = values.Block(1)
    values.by_address(-1, x)
    assert x.ready_for == -9


def test_an_array_on_the_cpu_is_not_made_ready(values: ModuleType) -> None:
    x = values.Block(1, -1)
    assert x.device == (1, 0)
    assert values.by_address(17, x) == 1
    assert x.ready_for == 0


def test_a_constructor_has_a_stream(values: ModuleType) -> None:
    x = values.Block(3)
    assert values.Copy(values.Queue(31), x).shape == (3,)
    assert x.ready_for == 31


def test_the_object_of_a_method_can_be_its_array(values: ModuleType) -> None:
    x = values.Block(1, 41)
    x.set(x)
    assert x.ready_for == 41


def test_an_object_that_a_producer_closes_lives_until_the_call_ends(values: ModuleType) -> None:
    x, own = values.Block(1), values.Block(1, 51)

    class Closing:
        def __dlpack_device__(self) -> Any:
            own.close()
            return (2, 0)

        def __dlpack__(self, **keywords: Any) -> Any:
            return x.__dlpack__(**keywords)

    own.set(Closing())
    assert x.ready_for == 51
    with pytest.raises(ValueError, match="closed"):
        own.set(x)


OUTSIDE = """
module: outside
include: outside.h
handles:
  Queue: {type: queue, from: values}
functions:
  by_queue: {c: "int by_queue(const queue *q, const DLTensor *x)", stream: q->stream}
  queue_last: {c: "int queue_last(const DLTensor *x, const queue *q)", stream: q->stream}
  by_taken: {c: "int by_taken(queue *q, const DLTensor *x)", args: {q: {takes: true}}, stream: q->stream}
"""
OUTSIDE_HEADER = """
#include <dlpack/dlpack.h>
#include <stdint.h>
typedef struct queue { intptr_t stream; } queue;
int by_queue(const queue *q, const DLTensor *x);
int queue_last(const DLTensor *x, const queue *q);
int by_taken(queue *q, const DLTensor *x);
"""
OUTSIDE_SOURCE = """
#include "outside.h"
#include <stdlib.h>
int by_queue(const queue *q, const DLTensor *x) { return q->stream > 0 ? x->ndim : 0; }
int queue_last(const DLTensor *x, const queue *q) { return by_queue(q, x); }
int by_taken(queue *q, const DLTensor *x) { free(q); return x->ndim; }
"""


def test_the_stream_can_belong_to_an_object_of_another_module(
    values: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "values", values)
    outside = build_module("outside", OUTSIDE, tmp_path, OUTSIDE_HEADER, OUTSIDE_SOURCE)
    q, x = values.Queue(61), values.Block(1)
    assert outside.by_queue(q, x) == 1
    assert x.ready_for == 61
    assert outside.queue_last(Wrapper(x), values.Queue(63)) == 1
    assert x.ready_for == 63
    with pytest.raises(TypeError, match=r"^queue_last\(\) argument 'q' must be Queue, not int$"):
        outside.queue_last(Wrapper(x), 7)

    class Closing:
        def __dlpack_device__(self) -> Any:
            q.close()
            return (2, 0)

        def __dlpack__(self, **keywords: Any) -> Any:
            return x.__dlpack__(**keywords)

    assert outside.by_taken(values.Queue(62), x) == 1
    assert x.ready_for == 62
    assert outside.by_queue(q, Closing()) == 1
    with pytest.raises(ValueError, match=r"^by_queue\(\) argument 'q' is closed$"):
        outside.by_queue(q, x)
