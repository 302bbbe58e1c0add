"""Methods that Python calls itself: lengths, items, iterators, calls, numbers and strings."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import pytest

from support.build import build_module
from support.stubs import check_stubs

HEADER = Path(__file__).with_name("lists.h").read_text()
SPEC = """
module: lists
include: [lists.h]
handles:
  List:
    type: list
    release: free(self)
    new: {c: list *list_new(int n)}
    methods:
      __len__: {c: int list_length(const list *l)}
      __getitem__:
        c: int list_at(const list *l, int i, double *item)
        args: {item: {out: true}}
        ok: == 0
        raises: IndexError
      __setitem__: {c: "int list_put(list *l, int i, double item)", ok: == 0, raises: IndexError}
      __delitem__: {c: "void list_drop(list *l, int i)", require: [{expr: i >= 0 && i < l->n, message: there is none}]}
      __contains__: {c: "bool list_has(const list *l, double item)"}
      __call__: {c: "double list_evaluate(const list *l, double x, int more)", args: {more: {default: 0}}}
      __float__: {c: double list_first(const list *l)}
      __str__: {c: const char *list_text(const list *l)}
      __repr__: {c: const char *list_text(const list *l)}
      number: {c: int list_length(const list *l), name: __index__}
      __iter__: {c: steps *list_steps(const list *l)}
  Steps:
    type: steps
    release: free(self)
    methods:
      __next__:
        c: int steps_next(steps *s, int *value)
        args: {value: {out: true}}
        ok: == 0
        raises: {"1": StopIteration, _: ValueError}
  Deaf:
    type: deaf
    release: free(self)
    new: {c: deaf *deaf_new(void)}
    methods:
      __setitem__: {c: "void deaf_put(deaf *d, int i, int item)"}
      __getitem__: {c: "size_t deaf_ask(const deaf *d, const char *key)"}
      __call__: {c: int deaf_sum(const deaf *d)}
      __bool__: {c: bool deaf_asked(const deaf *d)}
  Fixed:
    type: fixed
    release: free(self)
    new: {c: fixed *fixed_new(void)}
    methods:
      __getitem__: {c: "int fixed_at(const fixed *f, int i)", ok: ">= 0", raises: IndexError}
      __delitem__: {c: "void fixed_drop(fixed *f, int i)"}
"""


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("lists", SPEC, tmp_path_factory.mktemp("lists"), HEADER)


def test_a_class_can_be_a_container(lists: ModuleType) -> None:
    full = lists.List(3)
    assert (len(full), full[1], 20 in full, 5 in full) == (3, 10.0, True, False)
    full[1] = 7
    del full[0]
    assert [full[0], full[1], len(full)] == [7.0, 20.0, 2]
    assert bool(full) and not lists.List(0)


def test_missing_items_and_closed_objects_are_errors(lists: ModuleType) -> None:
    full = lists.List(2)
    with pytest.raises(IndexError, match=r"__getitem__\(\): list_at\(\) failed"):
        full[2]
    with pytest.raises(IndexError):
        full[2] = 1
    with pytest.raises(ValueError, match="there is none"):
        del full[2]
    with pytest.raises(TypeError):
        full["a"]
    full.close()
    with pytest.raises(ValueError, match="closed"):
        len(full)


def test_a_negative_length_is_an_error(lists: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"__len__\(\) should return >= 0"):
        len(lists.List(-1))


def test_objects_can_be_called(lists: ModuleType) -> None:
    full = lists.List(2)
    assert (full(2), full(2, 1), full(x=3, more=2), full(*[1.5])) == (20, 21, 32, 15)
    with pytest.raises(TypeError, match=r"__call__\(\)"):
        full()


def test_objects_can_be_called_without_arguments(lists: ModuleType) -> None:
    deaf = lists.Deaf()
    assert not deaf
    deaf[3] = 4
    assert deaf and (deaf(), deaf.__call__()) == (7, 7)
    with pytest.raises(TypeError, match=r"__call__\(\) takes no arguments \(1 given\)"):
        deaf(1)
    with pytest.raises(TypeError, match=r"__call__\(\) got an unexpected keyword argument 'x'"):
        deaf(x=1)


def test_objects_can_be_converted_to_numbers_and_strings(lists: ModuleType) -> None:
    full = lists.List(3)
    assert (float(full), list(range(full)), str(full), repr(full)) == (0.0, [0, 1, 2], "a list", "a list")
    with pytest.raises(TypeError, match=r"returned non-string|must return a str, not NoneType"):
        str(lists.List(8))


def test_a_class_can_be_an_iterator(lists: ModuleType) -> None:
    assert list(lists.List(3)) == [0, 1, 2]
    steps = iter(lists.List(5))
    assert iter(steps) is steps and [next(steps), next(steps)] == [0, 1]
    with pytest.raises(ValueError, match="failed with -1"):
        next(steps)


def test_special_methods_can_be_called_by_name(lists: ModuleType) -> None:
    full = lists.List(2)
    assert (full.__len__(), full.__getitem__(1), full.__call__(1)) == (2, 10.0, 10.0)
    assert "list_at" in lists.List.__getitem__.__doc__


def test_a_class_lacks_the_protocols_that_the_spec_does_not_declare(lists: ModuleType) -> None:
    fixed = lists.Fixed()
    assert list(fixed) == [0, 1, 4]
    del fixed[1]
    assert list(fixed) == [0]
    with pytest.raises(TypeError, match="does not support item assignment"):
        fixed[0] = 1
    with pytest.raises(TypeError):
        len(fixed)
    deaf = lists.Deaf()
    assert deaf["abc"] == 3 and not isinstance(deaf, Iterable)
    with pytest.raises(TypeError, match="Deaf' object does not support item deletion"):
        del deaf[0]


USE = """
import lists
full = lists.List(3)
number: float = full[0] + full(2) + float(full) + len(full)
for step in full:
    at: int = step
for item in lists.Fixed():
    square: int = item
"""


def test_stubs_show_the_types_of_iterated_items(lists: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    path = Path(lists.__file__ or "")
    (tmp_path / "use.py").write_text(USE)
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "use.py"],
        env={**os.environ, "MYPYPATH": str(path.parent)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout
    check_stubs({"lists": path}, tmp_path)
