"""Arrays and texts that C fills in room that the prototype says, and of which it tells afterwards how much there is."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("rooms.h").read_text()
SPEC = """
module: rooms
include: [rooms.h]
arrays: Array
handles:
  Poly:
    type: poly
    release: (void)self
    new: {c: "void poly_make(poly *p, int degree)", args: {p: {out: true}}}
    methods:
      roots:
        c: int poly_roots(const poly *p, double roots[p->degree], int *count)
        args: {roots: {out: true, of: array, shape: [count]}, count: {out: true}}
        ok: == 0
      name:
        c: void poly_name(const poly *p, char name[size], size_t size)
        args: {name: {out: true, of: str}, size: {value: poly_name_size(p)}}
      story: {c: "void poly_story(const poly *p, char text[100000])", args: {text: {out: true, of: str}}}
functions:
  above:
    c: size_t above(const float *x, size_t n, float limit, float found[n], size_t where[n])
    args:
      n: {count_of: x}
      found: {out: true, of: array, shape: [result]}
      where: {out: true, of: array, shape: [result]}
  claim: {c: "int claim(int n, int items[n])", args: {items: {out: true, of: array, shape: [result]}}}
  all: {c: "int claim(int n, int items[n])", args: {items: {out: true, of: array}}, returns: [items]}
  unasked:
    c: int claim(int n, int items[n])
    args: {items: {out: true, of: array, shape: [result]}}
    returns: None
  points: {c: "int points(int n, float xy[2 * n])", args: {xy: {out: true, of: array, shape: [result, 2]}}}
  shrink:
    c: void shrink(short items[count], long *count)
    args: {items: {out: true, of: array}, count: {of: int, value: "9"}}
"""


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("rooms", SPEC, tmp_path_factory.mktemp("rooms"), HEADER)


def test_as_many_as_c_says(rooms: ModuleType) -> None:
    roots = rooms.Poly(5).roots()
    assert (type(roots).__name__, roots.shape, np.from_dlpack(roots).tolist()) == ("Array", (2,), [0.5, 1.5])
    assert rooms.Poly(1).roots().shape == (0,)


def test_several(rooms: ModuleType) -> None:
    found, where = rooms.above(np.array([1, 5, 2, 7], np.float32), 1.5)
    assert np.from_dlpack(found).tolist() == [5, 2, 7]
    assert (np.from_dlpack(where).tolist(), np.from_dlpack(where).dtype) == ([1, 2, 3], np.uint64)


def test_all_by_default(rooms: ModuleType) -> None:
    assert np.from_dlpack(rooms.all(4)).tolist() == [0, 1, 2, 3]
    assert np.from_dlpack(rooms.shrink()).tolist() == [7]


def test_what_nobody_asks_for(rooms: ModuleType) -> None:
    assert rooms.unasked(5) is None


def test_rows_of_several(rooms: ModuleType) -> None:
    points = np.from_dlpack(rooms.points(3))
    assert points.tolist() == [[0, 1], [2, 3]]
    points[:] = 9
    assert points.sum() == 36


@pytest.mark.parametrize(
    ("n", "problem"),
    [
        (5, r"rooms\.Array: the array has 6 elements \(result\), and the capacity is 5"),
        (6, r"rooms\.Array: an extent of the array \(result\) is -1"),
        (-1, r"claim\(\): no buffer has as many elements as 'items' must have"),
    ],
)
def test_wrong_claims(rooms: ModuleType, n: int, problem: str) -> None:
    with pytest.raises(ValueError, match=f"^{problem}$"):
        rooms.claim(n)


def test_a_failure_lets_go_of_the_room(rooms: ModuleType) -> None:
    with pytest.raises(RuntimeError, match=r"poly_roots\(\) failed with -1"):
        rooms.Poly(7).roots()


def test_texts_of_any_room(rooms: ModuleType) -> None:
    assert [rooms.Poly(degree).name() for degree in (3, 42, 0)] == ["degree 3", "degree 42", ""]
    assert rooms.Poly(3).story() == "p"
