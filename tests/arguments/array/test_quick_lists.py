"""Lists and tuples are read without a copy while no Python code runs. They are accepted like other sequences."""

from __future__ import annotations

import ctypes
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("quick.h").read_text()

SPEC = """
dlpack-bindgen: 1
module: quick
include: quick.h
handles:
  Box:
    type: box
    release: box_free(self)
    new: {c: box *box_new(double value)}
    methods: {value: {c: double box_value(const box *self)}}
functions:
  boxes_sum: {c: "double boxes_sum(const box *const *list, int count)", args: {count: {count_of: list}}}
  boxes_into: {c: "void boxes_into(const box *const *list, int count, box *to)", args: {count: {count_of: list}}}
  boxes_two:
    c: "double boxes_two(const box *const *a, int m, const box *const *b, int n)"
    args: {m: {count_of: a}, n: {count_of: b}}
  boxes_last: {c: "box *boxes_last(box *const *list, int count)", args: {count: {count_of: list}}, returns: {of: Box}}
  doubles: {c: "double doubles(const double *x, int count)", args: {count: {count_of: x}}}
  place: {c: uintptr_t place(const double *x), args: {x: array}}
  three: {c: "double three(const double x[3])"}
  floats: {c: "double floats(const float *x, int count)", args: {count: {count_of: x}}}
  shorts: {c: "int shorts(const int16_t *x, int count)", args: {count: {count_of: x}}}
  with_box: {c: "double with_box(const box *self, const double *x, int count)", args: {count: {count_of: x}}}
"""

COUNTS = [1, 2, 24, 25, 32, 33, 100]
"""Numbers of items around the capacity of an argument without an allocation."""


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("quick", SPEC, tmp_path_factory.mktemp("quick"), HEADER)


@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("count", COUNTS)
def test_lists_and_tuples_of_objects_are_passed(quick: ModuleType, kind: type, count: int) -> None:
    boxes = kind(quick.Box(i) for i in range(count))
    to = quick.Box(0)
    quick.boxes_into(boxes, to)
    assert quick.boxes_sum(boxes) == to.value() == sum(range(count))
    assert quick.boxes_two(boxes, boxes) == 0
    assert quick.boxes_two(boxes, [to]) == 0
    assert quick.boxes_two([to], kind([*boxes, *boxes])) == -to.value()
    assert quick.boxes_last(boxes) is boxes[-1]


@pytest.mark.parametrize("count", COUNTS)
def test_a_wrong_or_closed_item_is_refused(quick: ModuleType, count: int) -> None:
    boxes = [quick.Box(1) for _ in range(count)]
    for wrong, error in ((3, TypeError), (None, TypeError)):
        with pytest.raises(error, match=r"^boxes_into\(\) argument 'list' must be Box, not (int|None)$"):
            quick.boxes_into([*boxes, wrong], quick.Box(0))
    closed = quick.Box(1)
    closed.close()
    with pytest.raises(ValueError, match=r"^boxes_two\(\) argument 'b' is closed$"):
        quick.boxes_two(boxes, [*boxes, closed])
    with pytest.raises(ValueError, match=r"^boxes_two\(\) argument 'a' is closed$"):
        quick.boxes_two([*boxes, closed], boxes)
    with pytest.raises(ValueError, match=r"^boxes_into\(\) argument 'to' is closed$"):
        quick.boxes_into(boxes, closed)


@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("count", COUNTS)
def test_lists_and_tuples_of_numbers_are_passed(quick: ModuleType, kind: type, count: int) -> None:
    values = [i + 0.5 for i in range(count)]
    assert quick.doubles(kind(values)) == sum(values)
    assert quick.doubles(kind(range(count))) == sum(range(count))
    assert quick.with_box(quick.Box(1), kind(values)) == 1 + sum(values)
    assert quick.floats(kind(values)) == values[0] + values[-1]
    assert quick.shorts(kind(range(count))) == count - 1
    assert quick.place(kind(values)) % 64 == 0


@pytest.mark.parametrize("count", COUNTS)
def test_numbers_of_other_types_are_converted_by_their_methods(quick: ModuleType, count: int) -> None:
    given: list[Any] = [1.0] * count
    assert quick.doubles([*given, True, np.float32(2), 2**70]) == count + 3 + 2.0**70
    assert quick.floats([np.float64(3), *given, np.int8(4)]) == 7
    assert quick.shorts([ctypes.c_short(5).value, *([0] * count), np.int64(6)]) == 11

    class Late:
        def __float__(self) -> float:
            given.clear()
            return 0.5

    given.insert(count // 2, Late())
    assert quick.doubles(given) == count + 0.5
    assert given == []


@pytest.mark.parametrize("count", COUNTS)
def test_numbers_that_do_not_fit_are_refused(quick: ModuleType, count: int) -> None:
    beyond = rf"\(\) argument 'x\[{count}\]'"
    with pytest.raises(TypeError, match=rf"^doubles{beyond} must be real number, not str$"):
        quick.doubles([1.0] * count + ["a"])
    with pytest.raises(OverflowError, match=rf"^floats{beyond}: Python float too large to convert to C float$"):
        quick.floats([1.0] * count + [1e300])
    assert quick.floats([1.0] * count + [float("inf")]) == float("inf")
    with pytest.raises(OverflowError, match=rf"^shorts{beyond}: signed 16-bit integer is greater than maximum$"):
        quick.shorts([1] * count + [2**15])


def test_a_list_must_have_the_fixed_number_of_items(quick: ModuleType) -> None:
    assert quick.three([1, 2.0, 3]) == 6
    for given in ([1.0, 2.0], (1.0,) * 4):
        with pytest.raises(ValueError, match=r"^three\(\) argument 'x' must have 3 elements, not [24]$"):
            quick.three(given)


@pytest.mark.parametrize("name", ["Größe", "N" * 40, "N" * 2000])
def test_messages_show_the_whole_name_of_a_type(quick: ModuleType, name: str) -> None:
    wrong = type(name, (), {})()
    with pytest.raises(
        TypeError, match=rf"^doubles\(\) argument 'x' must be an array or a sequence of numbers, not {name}$"
    ):
        quick.doubles(wrong)
    with pytest.raises(TypeError, match=rf"^boxes_sum\(\) argument 'list' must be a sequence, not {name}$"):
        quick.boxes_sum(wrong)


def test_arrays_are_read_by_a_function_that_releases_the_gil(quick: ModuleType, tmp_path: Path) -> None:
    header = "#include <stddef.h>\nstatic inline double first(const double *x, size_t n) { return n > 0 ? x[0] : 0; }\n"
    spec = """
dlpack-bindgen: 1
module: held
include: held.h
functions:
  first: {c: "double first(const double *x, size_t n)", args: {n: {count_of: x}}, release_gil: true}
"""
    held = build_module("held", spec, tmp_path, header)
    x = np.arange(1.0, 4)
    for _ in range(3):
        assert held.first(x) == 1
        assert held.first(x[1:]) == 2
    x.resize(5, refcheck=False)
    assert held.first(x) == 1
