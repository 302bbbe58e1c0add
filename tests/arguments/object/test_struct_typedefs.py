# SPDX-License-Identifier: MIT
"""Second names of a struct: a typedef of it, or its tag, is the struct also by value."""

from __future__ import annotations

import gc
import subprocess
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import CC, build_module, generate, header_flags

HEADER = """
#include <stdlib.h>
typedef struct vec2 { float x, y; } vec2;
typedef vec2 position;
typedef const vec2 fixed_position;
typedef vec2 *vec2_ptr;
typedef const vec2 *vec2_view;
static inline position moved(position p, vec2 by) { position q = {p.x + by.x, p.y + by.y}; return q; }
static inline double norm(position p) { return p.x * p.x + p.y * p.y; }
static inline double norm_of_fixed(fixed_position p) { return p.x; }
static inline double norm_of_tag(struct vec2 p) { return p.y; }
static inline position made(float x, float y) { position q = {x, y}; return q; }
static inline struct vec2 made_of_tag(float x) { struct vec2 q = {x, x}; return q; }
static inline void filled(position *out) { out->x = 5; out->y = 6; }
static inline void filled_tag(struct vec2 *out) { out->x = 7; out->y = 8; }
static inline int pair(float x, position *a, position *b) { a->x = b->x = x; a->y = b->y = 2; return x < 0; }
static inline position checked(float x, int *failed) { position q = {x, 0}; *failed = x < 0; return q; }
static inline void grow(position *p, float by) { p->x += by; }
static inline double length(const position *p) { return p->x; }
static inline vec2_ptr same(vec2_ptr p) { return p; }
static inline vec2_ptr none(vec2_ptr p) { (void)p; return NULL; }
static inline double seen(vec2_view p) { return p->x + p->y; }
static inline vec2_ptr either(vec2_ptr *all, int n, int which) { return which < n ? all[which] : NULL; }
static inline void both(vec2_ptr p, vec2_ptr *a, vec2_ptr *b) { *a = *b = p; }
"""
SPEC = """
module: points
include: points.h
handles:
  Vec:
    type: TYPE
    release: (void)self
    new: {c: "position made(float x, float y)", returns: Vec}
    properties: {x: {get: self->x, type: float}, y: {get: self->y, type: float}}
    methods:
      norm: {c: double norm(position p), args: {p: Vec}}
      moved: {c: "position moved(position p, vec2 by)", args: {p: Vec, by: Vec}, returns: Vec}
functions:
  moved: {c: "position moved(position p, vec2 by)", args: {p: Vec, by: Vec}, returns: Vec}
  norm: {c: double norm(position p), args: {p: {of: Vec}}}
  norm_of_fixed: {c: double norm_of_fixed(fixed_position p), args: {p: Vec}}
  norm_of_tag: {c: double norm_of_tag(struct vec2 p), args: {p: Vec}}
  made_of_tag: {c: struct vec2 made_of_tag(float x), returns: Vec}
  filled: {c: void filled(position *out), args: {out: {of: Vec, out: true}}}
  filled_tag: {c: void filled_tag(struct vec2 *out), args: {out: {of: Vec, out: true}}}
  pair:
    c: "int pair(float x, position *a, position *b)"
    ok: "% == 0"
    args: {a: {of: Vec, out: true}, b: {of: Vec, out: true}}
  checked:
    c: "position checked(float x, int *failed)"
    ok: failed == 0
    args: {failed: {out: true}}
    returns: {of: Vec}
  grow: {c: "void grow(position *p, float by)", args: {p: Vec}}
  length: {c: double length(const position *p), args: {p: Vec}}
  same: {c: vec2_ptr same(vec2_ptr p), args: {p: Vec}, returns: Vec}
  none: {c: vec2_ptr none(vec2_ptr p), args: {p: Vec}, returns: Vec}
  maybe: {c: vec2_ptr none(vec2_ptr p), args: {p: Vec}, returns: {of: Vec, optional: true}}
  seen: {c: double seen(vec2_view p), args: {p: Vec}}
  either:
    c: "vec2_ptr either(vec2_ptr *all, int n, int which)"
    args: {all: Vec, n: {count_of: all}}
    returns: Vec
  both:
    c: "void both(vec2_ptr p, vec2_ptr *a, vec2_ptr *b)"
    args: {p: Vec, a: {of: Vec, out: true}, b: {of: Vec, out: true}}
"""


def point(vec: object) -> tuple[float, float]:
    return vec.x, vec.y  # type: ignore[attr-defined]


@pytest.fixture(scope="module", params=["vec2", "position", "struct vec2"])
def points(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("points")
    return build_module("points", SPEC.replace("TYPE", request.param), folder, HEADER)


def test_a_parameter_gets_the_struct(points: ModuleType) -> None:
    """Passes a copy of the struct for a typedef, for one with const and for the tag."""
    vec = points.Vec(3, 4)
    assert (points.norm(vec), points.norm_of_fixed(vec), points.norm_of_tag(vec)) == (25, 3, 4)
    assert vec.norm() == 25
    with pytest.raises(TypeError, match="Vec"):
        points.norm(None)


def test_a_result_is_a_new_object(points: ModuleType) -> None:
    """Copies a returned struct into a new object, which outlives the arguments."""
    first, second = points.Vec(1, 2), points.Vec(3, 4)
    found = [points.moved(first, second), first.moved(second), points.made_of_tag(4)]
    del first, second
    gc.collect()
    assert [point(each) for each in found] == [(4, 6), (4, 6), (4, 4)]
    assert all(type(each) is points.Vec for each in found)


def test_an_output_is_a_new_object(points: ModuleType) -> None:
    """Makes one object of each output, and none after a failure."""
    assert point(points.filled()) == (5, 6)
    assert point(points.filled_tag()) == (7, 8)
    one, other = points.pair(1)
    assert one is not other
    points.grow(one, 3)
    assert (point(one), point(other)) == ((4, 2), (1, 2))
    with pytest.raises(RuntimeError):
        points.pair(-1)


def test_pointers_to_the_struct_stay_pointers(points: ModuleType) -> None:
    """Returns the argument itself for a typedef of a pointer, and finds NULL."""
    vec = points.Vec(1, 2)
    assert points.same(vec) is vec
    points.grow(vec, 2)
    assert (points.length(vec), points.seen(vec)) == (3, 5)
    with pytest.raises(RuntimeError, match="none"):
        points.none(vec)
    assert points.maybe(vec) is None
    assert points.either([points.Vec(0, 0), vec], 1) is vec


LEVELS = """
module: levels
include: levels.h
handles:
  Codec: {type: codec, release: codec_end(self), new: {}, properties: {n: {get: self->n, type: int, set: true}}}
  Plain: {type: plain, release: (void)self, new: {}, properties: {n: {get: self->n, type: int, set: true}}}
functions:
  level: {c: int level(second c), args: {c: Codec}}
  ended: {c: int ended(void)}
  sum: {c: "int sum(third t)", args: {t: Plain}}
"""
HEADER_OF_LEVELS = """
typedef struct { int n; } codec;
typedef codec second;
typedef struct { int n; } plain;
typedef plain third;
extern int ends;
static inline void codec_end(codec *self) { ends += self->n; }
static inline int level(second c) { return c.n; }
static inline int ended(void) { return ends; }
static inline int sum(third t) { return t.n; }
"""


def test_members_replace_an_object_that_is_passed_by_value(tmp_path: Path) -> None:
    """Accepts a tuple or a mapping of the members, and releases the object that it becomes."""
    levels = build_module("levels", LEVELS, tmp_path, HEADER_OF_LEVELS, '#include "levels.h"\nint ends = 0;\n')
    assert levels.level(levels.Codec(n=4)) == 4
    assert levels.ended() == 4
    assert (levels.level((3,)), levels.level({"n": 2}), levels.sum((9,))) == (3, 2, 9)
    assert levels.ended() == 9


BY_VALUE = """
module: values
include: values.h
handles:
  Vec:
    type: vec2
    pass: value
    release: (void)self
    properties: {x: {get: self.x, type: float}, y: {get: self.y, type: float}}
  Id: {type: id, pass: value, release: id_free(self), new: {c: id id_new(void)}}
functions:
  made: {c: position made(float x), returns: Vec}
  norm: {c: double norm(position p), args: {p: Vec}}
  norm_of_tag: {c: double norm_of_tag(struct vec2 p), args: {p: Vec}}
  filled: {c: void filled(position *out), args: {out: {of: Vec, out: true}}}
  total: {c: "double total(const position *all, int n)", args: {all: Vec, n: {count_of: all}}}
  other: {c: other_id id_other(void), returns: Id}
  get: {c: int id_get(other_id i), args: {i: Id}}
"""
VALUES = """
typedef struct vec2 { float x, y; } vec2;
typedef vec2 position;
typedef long long id;
typedef id other_id;
static inline position made(float x) { position q = {x, 2}; return q; }
static inline double norm(position p) { return p.x + p.y; }
static inline double norm_of_tag(struct vec2 p) { return p.x - p.y; }
static inline void filled(position *out) { out->x = 5; out->y = 6; }
static inline double total(const position *all, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += all[i].x;
    }
    return sum;
}
static inline id id_new(void) { return 3; }
static inline other_id id_other(void) { return -1234567890123LL; }
static inline int id_get(other_id i) { return i == -1234567890123LL ? -1 : (int)i; }
static inline void id_free(id i) { (void)i; }
"""


def test_classes_that_are_passed_by_value_have_second_names(tmp_path: Path) -> None:
    """Passes and returns structs and numbers of `pass: value` by another name, also in a list and as an output."""
    values = build_module("values", BY_VALUE, tmp_path, VALUES)
    vec = values.made(1)
    assert (point(vec), values.norm(vec), values.norm_of_tag(vec)) == ((1, 2), 3, -1)
    assert point(values.filled()) == (5, 6)
    assert values.total([vec, values.made(4)]) == 5
    assert (values.get(values.other()), values.get(values.Id())) == (-1, 3)


ARRAYS = """
module: buffers
include: buffers.h
tensors:
  Buffer:
    type: buffer
    data: self->data
    dtype: float32
    shape: [self->n]
    release: (void)self
    import: {set: {data: data, n: "shape[0]"}}
functions:
  sum: {c: float buffer_sum(second b), args: {b: Buffer}}
  scale: {c: "void buffer_scale(second b, float by)", args: {b: Buffer}}
  shared: {c: second buffer_shared(void), returns: Buffer}
"""
BUFFERS = """
typedef struct { float *data; int n; } buffer;
typedef buffer second;
static inline float buffer_sum(second b)
{
    float sum = 0;
    for (int i = 0; i < b.n; i++) {
        sum += b.data[i];
    }
    return sum;
}
static inline void buffer_scale(second b, float by)
{
    for (int i = 0; i < b.n; i++) {
        b.data[i] *= by;
    }
}
static float three[3] = {1, 2, 3};
static inline second buffer_shared(void) { second found = {three, 3}; return found; }
"""


def test_structs_with_arrays_have_second_names(tmp_path: Path) -> None:
    """Passes the struct of an imported array by value, and exports a returned one."""
    buffers = build_module("buffers", ARRAYS, tmp_path, BUFFERS)
    shared, array = buffers.shared(), np.arange(4, dtype=np.float32)
    assert np.from_dlpack(shared).tolist() == [1, 2, 3]
    assert (buffers.sum(shared), buffers.sum(array)) == (6, 6)
    buffers.scale(array, 2)
    assert array.tolist() == [0, 2, 4, 6]


@pytest.mark.parametrize(
    ("function", "shown"),
    [
        ("{c: int f(other x), args: {x: It}}", "f.x: plain * of It does not convert to other, and other is not plain"),
        ("{c: other f(void), returns: It}", "f.result: plain * of It does not convert to other, and other is not"),
        ("{c: void f(other *x), args: {x: {of: It, out: true}}}", "f.x: plain * of It does not convert to other"),
        ("{c: int f(struct tag x), args: {x: It}}", "f.x: plain of It does not convert to struct tag"),
        ("{c: int f(number x), args: {x: It}}", "f.x: plain * of It does not convert to number"),
        ("{c: int f(second x), args: {x: {of: It, optional: true}}}", "f.x: plain * of It does not convert to second"),
        ("{c: 'int f(second *all, int n)', args: {all: It, n: {count_of: all}}}", "f.all: plain * of It does not"),
        ("{c: second f(void), returns: {of: It, optional: true}}", ""),
    ],
)
def test_the_compiler_refuses_other_types(tmp_path: Path, function: str, shown: str) -> None:
    """Quotes the spec for a struct that is not that of the class, and where only a pointer has a meaning."""
    types = "typedef struct { int n; } plain;\ntypedef plain second;\ntypedef struct tag { int n; } other;\n"
    prototype = function.split("c: ")[1].split(")")[0].strip("'")
    (tmp_path / "plain.h").write_text(f"{types}typedef int number;\n{prototype});\n")
    handle = "{type: plain, release: (void)self}"
    generate(f"module: m\ninclude: plain.h\nhandles: {{It: {handle}}}\nfunctions: {{f: {function}}}", tmp_path)
    command = [*CC, "-std=c11", f"-I{tmp_path}", *header_flags(), "-fsyntax-only", str(tmp_path / "m_module.c")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (result.returncode != 0) == bool(shown), result.stderr
    assert shown in result.stderr
