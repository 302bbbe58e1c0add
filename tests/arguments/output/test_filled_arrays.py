"""Arrays and strings that C writes to a buffer with a declared capacity, and whose length C reports after the call."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("capacities.h").read_text()
SPEC = """
module: capacities
include: [capacities.h]
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
def capacities(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("capacities", SPEC, tmp_path_factory.mktemp("capacities"), HEADER)


def test_a_filled_array_has_the_length_that_c_reports(capacities: ModuleType) -> None:
    roots = capacities.Poly(5).roots()
    assert (type(roots).__name__, roots.shape, np.from_dlpack(roots).tolist()) == ("Array", (2,), [0.5, 1.5])
    assert capacities.Poly(1).roots().shape == (0,)


def test_a_function_can_fill_several_arrays(capacities: ModuleType) -> None:
    found, where = capacities.above(np.array([1, 5, 2, 7], np.float32), 1.5)
    assert np.from_dlpack(found).tolist() == [5, 2, 7]
    assert (np.from_dlpack(where).tolist(), np.from_dlpack(where).dtype) == ([1, 2, 3], np.uint64)


def test_a_filled_array_has_the_whole_capacity_by_default(capacities: ModuleType) -> None:
    assert np.from_dlpack(capacities.all(4)).tolist() == [0, 1, 2, 3]
    assert np.from_dlpack(capacities.shrink()).tolist() == [7]


def test_an_array_that_is_not_returned_is_dropped(capacities: ModuleType) -> None:
    assert capacities.unasked(5) is None


def test_a_filled_array_can_have_several_axes(capacities: ModuleType) -> None:
    points = np.from_dlpack(capacities.points(3))
    assert points.tolist() == [[0, 1], [2, 3]]
    points[:] = 9
    assert points.sum() == 36


@pytest.mark.parametrize(
    ("n", "problem"),
    [
        (5, r"capacities\.Array: the array has 6 elements \(result\), and the capacity is 5"),
        (6, r"capacities\.Array: an extent of the array \(result\) is -1"),
        (-1, r"claim\(\): 'items' cannot have -1 elements \(n = -1\)"),
    ],
)
def test_negative_sizes_and_lengths_beyond_the_capacity_are_errors(
    capacities: ModuleType, n: int, problem: str
) -> None:
    with pytest.raises(ValueError, match=f"^{problem}$"):
        capacities.claim(n)


def test_a_failure_frees_the_buffer(capacities: ModuleType) -> None:
    with pytest.raises(RuntimeError, match=r"poly_roots\(\) failed with -1"):
        capacities.Poly(7).roots()


def test_strings_are_filled_with_any_capacity(capacities: ModuleType) -> None:
    assert [capacities.Poly(degree).name() for degree in (3, 42, 0)] == ["degree 3", "degree 42", ""]
    assert capacities.Poly(3).story() == "p"
