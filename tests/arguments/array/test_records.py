"""Records given as `bytes` to C functions that have a pointer to structs: C counts structs, and Python gives bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("stars.h").read_text()
ROWS = "{of: bytes, require: [{shape: [n, sizeof(star)]}]}"
SPEC = f"""
module: stars
include: stars.h
handles:
  Sky:
    type: sky
    release: (void)self
    new: {{c: "sky *sky_new(const star *stars, int n)", args: {{stars: {ROWS}, n: {{extent_of: stars}}}}}}
    methods:
      add: {{c: "double sky_add(sky *s, const star *stars, int n)", args: {{stars: {ROWS}, n: {{extent_of: stars}}}}}}
functions:
  rows: {{c: "double brightest(const star *stars, int n)", args: {{stars: {ROWS}, n: {{extent_of: stars}}}}}}
  dim: {{c: "void dim(star *stars, int n)", args: {{stars: {ROWS}, n: {{extent_of: stars}}}}}}
  told:
    c: double brightest(const star *stars, int n)
    args: {{stars: {{of: bytes, require: [{{count: n * sizeof(star)}}]}}}}
  sized: {{c: "double by_size(const star *stars, size_t size)", args: {{stars: bytes, size: {{size_of: stars}}}}}}
  first_two: {{c: "double first_two(const star stars[2])", args: {{stars: bytes}}}}
  pairs: {{c: "double pairs(const star stars[2 * n], int n)", args: {{stars: bytes}}}}
  octets: {{c: "int octets(const octet *data, int n)", args: {{data: bytes, n: {{count_of: data}}}}}}
  four: {{c: "int four(const octet data[4])", args: {{data: bytes}}}}
"""
STAR = np.dtype([("id", "i4"), ("x", "f8"), ("y", "f8")], align=True)


@pytest.fixture(scope="module")
def stars(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("stars", SPEC, tmp_path_factory.mktemp("stars"), HEADER)


@pytest.fixture
def sky() -> np.ndarray:
    made = np.zeros(4, STAR)
    made["y"] = [1, 2, 3, 4]
    return made


def test_records_are_counted_as_structs(stars: ModuleType, sky: np.ndarray) -> None:
    assert [stars.rows(sky[:count]) for count in range(5)] == [0, 1, 2, 3, 4]
    assert stars.rows(sky.view(np.uint8).reshape(4, STAR.itemsize)) == 4
    assert stars.rows(memoryview(sky)[1:]) == 4
    assert stars.Sky(sky[:2]).add(sky[:3]) == 2 + 3


def test_only_the_records_that_are_given_are_written(stars: ModuleType, sky: np.ndarray) -> None:
    stars.dim(sky[1:3])
    assert sky["y"].tolist() == [1, 0, 0, 4]


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (lambda sky: sky[::2], "must be compact"),
        (lambda sky: sky.view(np.uint8), "has 1 axis, not 2"),
        (lambda sky: sky.reshape(2, 2), "has 3 axes, not 2"),
        (lambda sky: sky["y"].copy(), r"must have shape \(4, 24\), not \(4, 8\)"),
        (lambda sky: bytes(sky), "has 1 axis, not 2"),
    ],
    ids=["gaps", "bytes", "axes", "numbers", "flat"],
)
def test_records_of_another_layout_are_refused(
    stars: ModuleType, sky: np.ndarray, wrong: Callable[[np.ndarray], object], error: str
) -> None:
    with pytest.raises((BufferError, ValueError), match=error):
        stars.rows(wrong(sky))


def test_a_number_of_records_from_python_counts_structs(stars: ModuleType, sky: np.ndarray) -> None:
    assert stars.told(sky, 4) == 4
    with pytest.raises(ValueError, match=r"told\(\) argument 'stars' must have 120 elements, not 96"):
        stars.told(sky, 5)
    assert stars.sized(sky[:3]) == 3


def test_a_length_in_the_prototype_counts_structs(stars: ModuleType, sky: np.ndarray) -> None:
    assert (stars.first_two(sky[:2]), stars.pairs(sky, 2)) == (2, 4)
    with pytest.raises(ValueError, match=r"first_two\(\) argument 'stars' must have 48 elements, not 2"):
        stars.first_two(b"ab")
    with pytest.raises(ValueError, match=r"pairs\(\) argument 'stars' must have 48 elements, not 2"):
        stars.pairs(b"ab", 1)


def test_bytes_under_other_names_are_counted_as_bytes(stars: ModuleType) -> None:
    assert (stars.octets(b"abc"), stars.octets(b""), stars.four(b"abcd")) == (99, -1, 100)


def test_an_object_can_be_counted_in_elements_or_bytes(tmp_path: Path) -> None:
    header = """
        typedef struct { const double *at; int n; } line;
        static inline double line_sum(const line *l, int n)
        {
            double sum = 0;
            for (int i = 0; i < n; i++) { sum += l->at[i]; }
            return sum;
        }
        static inline int line_bytes(const line *l, int n) { return l != 0 ? n : 0; }
    """
    spec = """
        module: lines
        include: lines.h
        tensors:
          Line:
            type: line
            data: self->at
            dtype: float64
            shape: [self->n]
            import: {set: {at: data, n: "shape[0]"}}
            methods:
              mine: {c: "double line_sum(const line *l, int n)", args: {n: {count_of: l, unit: elements}}}
        functions:
          total: {c: "double line_sum(const line *l, int n)", args: {n: {count_of: l, unit: elements}}}
          first: {c: "double line_sum(const line *l, int n)", args: {n: {extent_of: l, unit: elements}}}
          size: {c: "int line_bytes(const line *l, int n)", args: {n: {size_of: l, unit: bytes}}}
    """
    lines = build_module("lines", spec, tmp_path, header)
    numbers = np.arange(5.0)
    assert [lines.total(numbers), lines.first(numbers), lines.Line.from_dlpack(numbers).mine()] == [10, 10, 10]
    assert lines.size(numbers) == 40
