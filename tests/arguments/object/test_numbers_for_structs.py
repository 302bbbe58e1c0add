# SPDX-License-Identifier: MIT
"""Handles that an import makes of one row of numbers: functions also take these numbers as a sequence."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module
from support.stubs import check_stubs

HEADER = """
#include <string.h>
typedef struct { unsigned char r, g, b, a; } colour;
static inline int colour_luma(colour c) { return (c.r + c.g + c.b) / 3; }
static inline int colour_red(const colour *c) { return c != NULL ? c->r : -1; }
static inline int colour_brighter(colour *c) { return ++c->r; }
typedef const colour *colour_view;
static inline int colour_green(colour_view seen) { return seen->g; }
typedef colour *colour_pointer;
static inline int colour_greener(colour_pointer changed) { return ++changed->g; }
static inline int colour_reds(const colour *const *all, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += all[i]->r;
    }
    return sum;
}
typedef struct { const colour *ink; } pen;
static inline pen pen_of(const colour *ink) { return (pen){ink}; }
typedef struct { double re, im; } pair;
static inline double pair_sum(const pair *p) { return p->re + p->im; }
typedef struct { float at[3]; } point;
static inline float point_sum(point p) { return p.at[0] + p.at[1] + p.at[2]; }
typedef struct { unsigned short half[2]; } halves;
static inline int halves_first(halves h) { return h.half[0]; }
typedef struct { double at[100]; } table;
static inline double table_last(const table *t) { return t->at[99]; }
typedef struct { int rows[2][2]; } square;
static inline int square_sum(square s) { return s.rows[0][0] + s.rows[1][1]; }
extern int freed;
typedef struct { int n; } counted;
static inline void counted_end(counted *self) { freed += self->n; }
static inline int counted_n(counted c) { return c.n; }
static inline int all_freed(void) { return freed; }
"""
SOURCE = '#include "colours.h"\nint freed = 0;\n'


def import_of(dtype: str, count: int, ndim: int = 1) -> str:
    require = (
        f'[{{ndim: {ndim}}}, {{dtype: {dtype}}}, {{expr: "shape[0] == {count}", message: {count} numbers}}, compact]'
    )
    return f'import: {{require: {require}, init: "memcpy(self, data, sizeof *self)"}}'


SPEC = f"""
dlpack-bindgen: 1
module: colours
include: [string.h, colours.h]
handles:
  Colour: {{type: colour, release: (void)self, {import_of("uint8", 4)}}}
  Pen:
    type: pen
    release: (void)self
    new: {{c: "pen pen_of(const colour *ink)", returns: {{of: Pen, keeps: ink}}}}
    properties: {{red: self->ink->r}}
  Pair: {{type: pair, release: (void)self, {import_of("float64", 2)}}}
  Point: {{type: point, release: (void)self, {import_of("float32", 3)}}}
  Halves: {{type: halves, release: (void)self, {import_of("float16", 2)}}}
  Table: {{type: table, release: (void)self, {import_of("float64", 100)}}}
  Square: {{type: square, release: (void)self, {import_of("int32", 2, 2)}}}
  Counted: {{type: counted, release: counted_end(self), {import_of("int32", 1)}}}
functions:
  luma: {{c: int colour_luma(colour c)}}
  red: {{c: int colour_red(const colour *c), args: {{c: {{optional: true}}}}}}
  brighter: {{c: int colour_brighter(colour *c)}}
  green: {{c: int colour_green(colour_view seen), args: {{seen: Colour}}}}
  greener: {{c: int colour_greener(colour_pointer changed), args: {{changed: Colour}}}}
  reds: {{c: "int colour_reds(const colour *const *all, int count)", args: {{count: {{count_of: all}}}}}}
  pair_sum: {{c: double pair_sum(const pair *p), release_gil: true}}
  point_sum: {{c: float point_sum(point p)}}
  halves_first: {{c: int halves_first(halves h)}}
  table_last: {{c: double table_last(const table *t)}}
  square_sum: {{c: int square_sum(square s)}}
  counted_n: {{c: int counted_n(counted c)}}
  all_freed: {{c: int all_freed(void)}}
"""


@pytest.fixture(scope="module")
def colours(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("colours", SPEC, tmp_path_factory.mktemp("colours"), HEADER, SOURCE)


def refusal(call: Callable[[], object]) -> tuple[type[BaseException], str]:
    with pytest.raises(Exception) as caught:
        call()
    return caught.type, str(caught.value)


@pytest.mark.parametrize(
    "given",
    [
        (9, 6, 3, 255),
        [9, 6, 3, 255],
        range(9, 1, -2),
        deque([9, 6, 3, 0]),
        [np.int64(9), np.uint8(6), 3, True],
        np.array([9, 6, 3, 255], np.uint8),
        bytes([9, 6, 3, 255]),
    ],
)
def test_a_sequence_of_numbers_stands_for_the_struct(colours: ModuleType, given: Any) -> None:
    assert colours.luma(given) == sum([*given][:3]) // 3
    assert colours.red(given) == colours.red(c=given) == 9
    assert colours.green(given) == [*given][1]
    assert colours.reds([given, given, colours.Colour.from_dlpack(np.array([1, 2, 3, 4], np.uint8))]) == 19


def test_a_struct_can_consist_of_numbers_of_any_type(colours: ModuleType) -> None:
    assert colours.pair_sum((1, 2.5)) == 3.5
    assert colours.point_sum([1, 2.5, np.float32(3)]) == 6.5
    assert colours.table_last([*range(100)]) == 99
    assert colours.red(None) == -1


@pytest.mark.parametrize(
    "given, expected",
    [
        ((1, 2, 3), (BufferError, "luma() argument 'c': 4 numbers")),
        ((1, 2, 3, 256), (OverflowError, "luma() argument 'c[3]': unsigned 8-bit integer")),
        ((1, "x", 3, 4), (TypeError, "luma() argument 'c[1]' must be int, not str")),
        (((1, 2), 3, 4, 5), (TypeError, "luma() argument 'c[0]' must be int, not tuple")),
        (3, (TypeError, "luma() argument 'c' must be Colour or an array or a sequence of numbers, not int")),
        ("rgba", (TypeError, "luma() argument 'c' must be Colour or an array or a sequence of numbers, not str")),
        ({1: 2}, (TypeError, "luma() argument 'c' must be Colour or an array or a sequence of numbers, not dict")),
    ],
)
def test_numbers_that_the_struct_cannot_hold_are_refused(
    colours: ModuleType, given: object, expected: tuple[type, str]
) -> None:
    kind, message = refusal(lambda: colours.luma(given))
    assert (kind, message[: len(expected[1])]) == expected


def test_a_struct_that_c_changes_must_be_an_object_or_an_array(colours: ModuleType) -> None:
    colour = colours.Colour.from_dlpack(np.array([1, 2, 3, 4], np.uint8))
    assert (colours.brighter(colour), colours.luma(colour), colours.greener(colour)) == (2, 2, 3)
    for call in (colours.brighter, colours.greener):
        kind, message = refusal(lambda call=call: call((1, 2, 3, 4)))  # type: ignore[misc]
        assert kind is TypeError
        assert "numbers" not in message


def test_numbers_do_not_stand_for_structs_that_python_numbers_cannot_fill(colours: ModuleType) -> None:
    kind, message = refusal(lambda: colours.halves_first((1, 2)))
    assert kind is TypeError
    assert message == "halves_first() argument 'h' must be an array: Python numbers are not converted to float16"
    kind, message = refusal(lambda: colours.square_sum(((1, 2), (3, 4))))
    assert (kind, message) == (TypeError, "square_sum() argument 's' must be Square or an array, not tuple")


def test_a_result_keeps_the_struct(colours: ModuleType) -> None:
    pen = colours.Pen((7, 0, 0, 0))
    gc.collect()
    assert pen.red == 7


def test_each_struct_is_released(colours: ModuleType) -> None:
    before = colours.all_freed()
    assert colours.counted_n([5]) == 5
    assert refusal(lambda: colours.counted_n([1, 2]))[0] is BufferError
    assert colours.all_freed() == before + 5


def test_code_of_a_number_may_change_the_list_or_fail(colours: ModuleType) -> None:
    class Wanted(Exception):
        pass

    class Clears:
        def __index__(self) -> int:
            values.clear()
            return 3

    class Fails:
        def __index__(self) -> int:
            raise Wanted

    values: list[Any] = []
    values += [Clears(), 3, 3, 0]
    assert colours.luma(values) == 3
    assert refusal(lambda: colours.luma((1, Fails(), 2, 3)))[0] is Wanted


def test_the_stub_shows_sequences_of_numbers(colours: ModuleType, tmp_path: Path) -> None:
    path = Path(str(colours.__file__))
    stub = path.with_name("colours.pyi").read_text()
    assert "def luma(c: Colour | _Array | collections.abc.Sequence[int]) -> int" in stub
    assert "def pair_sum(p: Pair | _Array | collections.abc.Sequence[float]) -> float" in stub
    check_stubs({"colours": path}, tmp_path)
    assert colours.luma.__doc__.splitlines()[-1] == (
        "`c` is read: Colour, or an array that Colour.from_dlpack() takes, or a sequence of numbers."
    )
