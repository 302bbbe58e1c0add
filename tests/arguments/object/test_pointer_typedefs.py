"""Typedefs for pointers to an object: the library's own, and the ones to const."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import CC, build_module, generate, header_flags

HEADER = Path(__file__).with_name("ropes.h").read_text()
SOURCE = """
#include "ropes.h"
struct rope_impl shared = {5, NULL};
int live;
"""
SPEC = """
dlpack-bindgen: 1
module: ropes
include: ropes.h
handles:
  Rope:
    type: rope
    pass: value
    release: rope_end(self)
    new: {c: rope rope_make(int knots)}
    methods:
      knots: {c: int rope_knots(rope_view r), args: {r: {of: Rope}}}
      count: {c: int rope_count(const struct rope_impl *r), args: {r: Rope}}
      tie: {c: int rope_tie(rope_struct *r), args: {r: Rope}}
      plus: {c: "int rope_total(rope_view a, rope_view b)", args: {a: Rope, b: {of: Rope, optional: true}}}
      same: {c: rope_view rope_same(rope_view r), args: {r: Rope}, returns: {of: Rope, borrow: r}}
    properties: {size: {get: self->knots, set: {c: "void rope_set(struct rope_impl *r, int knots)", args: {r: Rope}}}}
tensors:
  Sail:
    type: sail
    data: self->at
    dtype: float32
    shape: [self->n]
    release: sail_free(self)
    import: {set: {at: data, n: "shape[0]"}}
    new: {c: sail_ptr sail_new(int n), returns: Sail}
    methods:
      sum: {c: double sail_sum(sail_cptr s), args: {s: Sail}}
      fill: {c: "void sail_fill(sail_ptr s, float x)", args: {s: Sail}}
functions:
  live: {c: int rope_live(void)}
  fixed: {c: rope_view rope_make_fixed(int knots), returns: {of: Rope, owned: true}}
  opened: {c: "void rope_open(rope_view *r, int knots)", args: {r: {of: Rope, out: true, owned: true}}}
  shared: {c: const struct rope_impl *rope_shared(void), returns: {of: Rope, borrow: static}}
  standard: {c: rope_view rope_standard(void), returns: {of: Rope, borrow: static}}
  own: {c: rope_struct *rope_own(void), returns: {of: Rope, borrow: static}}
  longer:
    c: rope_view rope_longer(rope_view a, rope_view b)
    args: {a: Rope, b: Rope}
    returns: {of: Rope, owned: true}
  area: {c: double sail_area(const struct sail *s), args: {s: Sail}}
  total: {c: double sail_sum(sail_cptr s), args: {s: Sail}}
  filled: {c: "void sail_fill(sail_ptr s, float x)", args: {s: Sail}}
  sums: {c: "double sails_sum(const sail_cptr *all, int n)", args: {all: Sail, n: {count_of: all}}}
  fills: {c: "void sails_fill(sail_ptr *all, int n, float x)", args: {all: Sail, n: {count_of: all}}}
  areas: {c: "double sails_area(const struct sail *const *all, int n)", args: {all: Sail, n: {count_of: all}}}
  of: {c: sail_cptr sail_of(sail_cptr s), args: {s: Sail}, returns: {of: Sail, borrow: s}}
  fixed_sail: {c: sail_cptr sail_fixed(int n), returns: {of: Sail, owned: true}}
"""


@pytest.fixture(scope="module")
def ropes(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("ropes", SPEC, tmp_path_factory.mktemp("ropes"), HEADER, SOURCE)


def frozen(*values: float) -> np.ndarray:
    array = np.array(values, np.float32)
    array.flags.writeable = False
    return array


# ---- A handle that is a typedef ----


def test_methods_can_take_typedefs_of_pointers(ropes: ModuleType) -> None:
    rope = ropes.Rope(8)
    assert (rope.knots(), rope.count(), rope.tie(), rope.plus(ropes.Rope(2)), rope.plus(None)) == (8, 8, 9, 11, 109)
    rope.size = 3
    assert rope.size == rope.knots() == 3
    with pytest.raises(TypeError, match=r"plus\(\) argument 'b' must be Rope"):
        rope.plus(3)


@pytest.mark.parametrize("make", ["fixed", "opened"])
def test_results_that_are_const_are_read_only_and_freed_once(ropes: ModuleType, make: str) -> None:
    before = ropes.live()
    rope = getattr(ropes, make)(4)
    assert (rope.knots(), rope.count(), ropes.live()) == (4, 4, before + 1)
    with pytest.raises(BufferError, match=r"tie\(\) argument 'self': the object is read-only"):
        rope.tie()
    with pytest.raises(BufferError, match="read-only"):
        rope.size = 1
    assert rope.knots() == 4
    del rope
    assert ropes.live() == before


def test_borrowed_results_can_be_typedefs_of_pointers(ropes: ModuleType) -> None:
    before = ropes.live()
    for make in (ropes.shared, ropes.standard):
        with pytest.raises(BufferError, match="read-only"):
            make().tie()
    knots = ropes.shared().knots()
    assert ropes.own().tie() == knots + 1 == ropes.standard().knots()
    rope = ropes.Rope(6)
    view = rope.same()
    del rope
    assert (view.knots(), ropes.live()) == (6, before + 1)
    del view
    assert ropes.live() == before


def test_an_argument_that_comes_back_is_the_object_itself(ropes: ModuleType) -> None:
    before = ropes.live()
    short, long = ropes.Rope(1), ropes.Rope(2)
    assert ropes.longer(short, long) is long
    assert ropes.longer(long, short) is long
    del short, long
    assert ropes.live() == before


def test_null_is_a_failure(ropes: ModuleType) -> None:
    for make in (ropes.fixed, ropes.fixed_sail, ropes.Sail):
        with pytest.raises(RuntimeError):
            make(-1)


# ---- Typedefs of pointers to a struct ----


def test_arrays_can_be_typedefs_of_pointers(ropes: ModuleType) -> None:
    sail = ropes.Sail(3)
    sail.fill(2)
    assert (sail.sum(), ropes.total(sail), ropes.area(sail)) == (6, 6, 6)
    array = np.ones(2, np.float32)
    ropes.filled(array, 4)
    assert array.tolist() == [4, 4]
    assert (ropes.total(array), ropes.area(array), ropes.total(frozen(1, 2))) == (8, 8, 3)
    with pytest.raises(BufferError, match="read-only"):
        ropes.filled(frozen(1), 2)


def test_lists_can_have_typedefs_of_pointers(ropes: ModuleType) -> None:
    array, sail = np.ones(2, np.float32), ropes.Sail(1)
    ropes.fills([array, sail], 5)
    assert (ropes.sums([array, sail, frozen(1)]), ropes.areas([array, frozen(2)])) == (16, 12)
    with pytest.raises(BufferError, match="read-only"):
        ropes.fills([frozen(1)], 2)
    assert ropes.sums([]) == 0


def test_read_only_arrays_can_be_typedefs_of_pointers(ropes: ModuleType) -> None:
    before = ropes.live()
    fixed = ropes.fixed_sail(2)
    assert not np.asarray(fixed).flags.writeable
    shown = ropes.of(fixed)
    del fixed
    assert (np.asarray(shown).tolist(), shown.sum(), ropes.live()) == ([0, 0], 0, before + 1)
    with pytest.raises(BufferError, match="read-only"):
        shown.fill(1)
    del shown
    assert ropes.live() == before
    array = np.ones(2, np.float32)
    assert ropes.of(array).sum() == 2


# ---- Pointers of other types ----

CONST = "type: rope_view, pass: value, release: free((void *)self)"
ROPE = "type: rope, pass: value, release: rope_end(self)"


@pytest.mark.parametrize(
    "handle, function, shown",
    [
        (ROPE, "{c: int other_count(other_ptr x), args: {x: It}}", "f.x: rope of It does not convert to other_ptr"),
        (ROPE, "{c: int other_count(struct other *x), args: {x: It}}", "rope of It does not convert to struct other *"),
        (ROPE, "{c: int f(number x), args: {x: It}}", "f.x: rope of It does not convert to number"),
        (CONST, "{c: int f(rope x), args: {x: It}}", "f.x: rope_view of It does not convert to rope"),
        ("type: sail", "{c: int f(other_ptr x), args: {x: It}}", "f.x: sail * of It does not convert to other_ptr"),
        (
            "type: sail",
            "{c: 'int f(other_ptr *x, int n)', args: {x: It, n: {count_of: x}}}",
            "f.x: sail * of It does not convert to other_ptr",
        ),
        (ROPE, "{c: other_ptr f(void), returns: It}", "f.result: rope of It does not convert to other_ptr"),
        (ROPE, "{c: number f(void), returns: It}", "f.result: rope of It does not convert to number"),
        (ROPE, "{c: void f(other_ptr *x), args: {x: {of: It, out: true}}}", "f.x: rope of It does not convert"),
        (ROPE, "{c: rope_view f(void), returns: It}", "this It is not declared: rope_view points to const"),
        (ROPE, "{c: void f(rope_view *x), args: {x: {of: It, out: true}}}", "f.x: the owner of this It is not"),
    ],
)
def test_other_pointers_do_not_compile(handle: str, function: str, shown: str, tmp_path: Path) -> None:
    prototype = function.split("c: ")[1].split(")")[0].strip("'")
    (tmp_path / "ropes.h").write_text(f"{HEADER}\n{prototype});\n")
    generate(f"module: m\ninclude: ropes.h\nhandles: {{It: {{{handle}}}}}\nfunctions: {{f: {function}}}", tmp_path)
    command = [*CC, "-std=c11", f"-I{tmp_path}", *header_flags(), "-fsyntax-only", str(tmp_path / "m_module.c")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode != 0
    assert shown in result.stderr
