"""Lists of objects that C returns, with objects that have an owner: arguments, and objects in several places."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: lamps
include: [lamps.h, stdlib.h]
handles:
  Lamp:
    type: lamp
    release: lamp_free(self)
    new: {c: lamp *lamp_new(int watts)}
    properties: {watts: self->watts}
    methods:
      with_other:
        c: "lamp **lamp_with(lamp *l, lamp *other, int *m)"
        args: {other: {optional: true}, m: {out: true}}
        returns: {of: Lamp, count: m}
        finally: free(result)
  Socket: {type: socket_t, pass: value, release: lamp_free(self), new: {c: socket_t socket_of(int watts)},
           properties: {watts: self->watts}}
  Number: {type: number, pass: value, release: number_close(self), new: {c: number number_open(int n)},
           properties: {value: self}}
  Mark: {type: mark, pass: value, release: (void)self, new: {c: mark mark_new(int n)}, properties: {value: self}}
  Tag: {type: tag, pass: value, release: tag_free(self), new: {c: tag tag_new(int watts)},
        properties: {watts: "self.of->watts"}}
  Counted: {type: counted, retain: counted_retain(self), release: counted_release(self),
            new: {c: counted *counted_new(int number)}, properties: {references: counted_references(self)}}
tensors:
  Row:
    type: row
    data: self->x
    dtype: float64
    shape: [self->n]
    release: row_free(self)
    import: {construct: "row_wrap(data, (int)shape[0])", require: [{ndim: 1}, {dtype: float64}]}
  Shared:
    type: row
    data: self->x
    dtype: float64
    shape: [self->n]
    retain: row_retain(self)
    release: row_release(self)
    import: {construct: "row_wrap(data, (int)shape[0])", require: [{ndim: 1}, {dtype: float64}]}
functions:
  alive: {c: int lamps_alive(void)}
  freed_twice: {c: int lamps_freed_twice(void)}
  number_closed: {c: int number_closed(int n)}
  strong:
    c: "lamp **lamps_strong(lamp *const *all, int n, int *m)"
    args: {n: {count_of: all}, m: {out: true}}
    returns: {of: Lamp, count: m}
    finally: free(result)
  turned:
    c: "lamp **lamps_turned(lamp **all, int n, int *m)"
    args: {n: {count_of: all}, m: {out: true}}
    returns: {of: Lamp, count: m}
    finally: free(result)
  twins: {c: "lamp **lamps_twins(int n, int *m)", args: {m: {out: true}}, returns: {of: Lamp, count: m},
          finally: free(result)}
  fill: {c: "int lamps_fill(lamp *all[4], lamp *given, int want)",
         args: {all: {out: true, of: Lamp, count: result}}, returns: [all]}
  gap: {c: "lamp **lamps_gap(lamp *given, int *m)", args: {m: {out: true}}, returns: {of: Lamp, count: m},
        finally: free(result)}
  half: {c: "int lamps_half(lamp *all[4])", args: {all: {out: true, of: Lamp, count: 4}}, returns: [all], ok: == 0,
         undo: "for (int i = 0; i < 2; i++) { lamp_free(all[i]); }"}
  best: {c: "lamp *lamps_best(int n, lamp ***all, int *m)", returns: [result, all],
         args: {all: {out: true, of: Lamp, count: m}, m: {out: true}}, finally: free(all)}
  all_and_best: {c: "lamp *lamps_best(int n, lamp ***all, int *m)", returns: [all, result],
                 args: {all: {out: true, of: Lamp, count: m}, m: {out: true}}, finally: free(all)}
  split:
    c: "void lamps_split(int n, lamp ***low, int *m, lamp ***high, int *k, const char **name)"
    args: {low: {out: true, of: Lamp, count: m}, m: {out: true}, high: {out: true, of: Lamp, count: k}, k: {out: true},
           name: {out: true, of: str, optional: false}}
    returns: [low, high, name]
    finally: "free(low); free(high)"
  split_named:
    c: "void lamps_split(int n, lamp ***low, int *m, lamp ***high, int *k, const char **name)"
    args: {low: {out: true, of: Lamp, count: m}, m: {out: true}, high: {out: true, of: Lamp, count: k}, k: {out: true},
           name: {out: true, of: str, optional: false}}
    returns: [name, high, low]
    finally: "free(low); free(high)"
  pair: {c: "void lamps_pair(lamp **a, lamp **b)", args: {a: {out: true}, b: {out: true}}}
  sockets: {c: "socket_t *sockets_twice(const socket_t *all, int n, int *m)",
            args: {n: {count_of: all}, m: {out: true}}, returns: {of: Socket, count: m}, finally: free(result)}
  numbers: {c: "int numbers_twice(number given, number all[6])", returns: [all],
            args: {given: {of: Number}, all: {out: true, of: Number, count: result}}}
  marks: {c: "int marks_twice(mark given, mark all[6])", returns: [all],
          args: {given: {of: Mark}, all: {out: true, of: Mark, count: result}}}
  tags: {c: "int tags_twice(tag given, tag all[4], int want)", returns: [all],
         args: {all: {out: true, of: Tag, count: result}}}
  counted: {c: "counted **counted_twice(counted *const *all, int n, int *m)", returns: {of: Counted, count: m},
            args: {n: {count_of: all}, m: {out: true}}, finally: free(result)}
  long_rows: {c: "row **rows_long(row *const *all, int n, int least, int *m)", returns: {of: Row, count: m},
              args: {all: {of: Row}, n: {count_of: all}, m: {out: true}}, finally: free(result)}
  shared_rows: {c: "row **rows_shared(row *const *all, int n, int *m)", returns: {of: Shared, count: m},
                args: {all: {of: Shared}, n: {count_of: all}, m: {out: true}}, finally: free(result)}
  brighter: {c: "socket_t sockets_brightest(const socket_t *all, int n)", args: {n: {count_of: all}}}
  brighter_than: {c: "socket_t sockets_brighter_than(const socket_t *all, int n, int watts)",
                  args: {n: {count_of: all}}, returns: {of: Socket, optional: true}}
  kept: {c: "lamp **lamp_with(lamp *l, lamp *other, int *m)", args: {m: {out: true}},
         returns: {of: Lamp, count: m, keeps: other}, finally: free(result)}
"""
VIEWS = """
dlpack-bindgen: 1
module: views
include: [views.h, stdlib.h]
handles:
  Lamp: {type: lamp, release: lamp_free(self), new: {c: lamp *lamp_new(int watts), returns: Lamp}}
  View: {type: lamp, release: lamp_free(self), properties: {watts: self->watts}}
functions:
  alive: {c: int lamps_alive(void)}
  views:
    c: "lamp **lamps_turned(lamp **all, int n, int *m)"
    args: {all: {of: Lamp}, n: {count_of: all}, m: {out: true}}
    returns: {of: View, count: m}
    finally: free(result)
"""
HEADER = Path(__file__).with_name("lamps.h").read_text()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("lamps", SPEC, tmp_path_factory.mktemp("lamps"), HEADER)


@pytest.fixture
def lamps(built: ModuleType) -> Iterator[ModuleType]:
    """Builds the module. After the test, each object must have been freed once."""
    yield built
    gc.collect()
    assert (built.alive(), built.freed_twice()) == (0, 0)


def watts(objects: list[object]) -> list[int]:
    return [each.watts for each in objects]  # type: ignore[attr-defined]


@pytest.mark.parametrize("as_sequence", [list, tuple])
@pytest.mark.parametrize("count", [3, 40])
def test_given_objects_in_a_returned_list_are_the_same_objects(
    lamps: ModuleType, as_sequence: type, count: int
) -> None:
    given = [lamps.Lamp(number) for number in range(count)]
    strong = lamps.strong(as_sequence(given))
    assert len(strong) == count - 2
    assert all(one is other for one, other in zip(strong, given[2:], strict=True))
    del strong
    assert watts(given) == list(range(count))


def test_an_object_that_is_given_twice_is_one_object(lamps: ModuleType) -> None:
    lamp = lamps.Lamp(4)
    strong = lamps.strong([lamp, lamp])
    assert strong[0] is lamp
    assert strong[1] is lamp


def test_c_may_change_the_order_of_the_given_table(lamps: ModuleType) -> None:
    given = [lamps.Lamp(number) for number in range(12)]
    turned = lamps.turned(given)
    assert [id(each) for each in turned[:12]] == [id(each) for each in reversed(given)]
    assert turned[12] is turned[13]
    assert watts(turned[12:]) == [9, 9]


def test_self_and_another_argument_are_the_same_objects(lamps: ModuleType) -> None:
    lamp, other = lamps.Lamp(1), lamps.Lamp(2)
    found = lamp.with_other(other)
    assert found[0] is lamp
    assert found[1] is other
    assert watts(found) == [1, 2, 5]
    alone = lamp.with_other(None)
    assert alone[0] is lamp
    assert watts(alone) == [1, 5]
    both = lamp.with_other(lamp)
    assert both[0] is both[1] is lamp


def test_another_class_gets_views_of_the_given_objects(tmp_path: Path) -> None:
    lamps = build_module("views", VIEWS, tmp_path, HEADER)
    found = lamps.views([lamps.Lamp(2), lamps.Lamp(3)])
    gc.collect()
    assert (watts(found), lamps.alive()) == ([3, 2, 9, 9], 3)
    del found
    assert lamps.alive() == 0


@pytest.mark.parametrize("count", [1, 2, 100])
def test_a_new_object_in_several_places_is_one_object(lamps: ModuleType, count: int) -> None:
    twins = lamps.twins(count)
    assert (len(twins), len({id(each) for each in twins})) == (count, 1)
    last = twins.pop()
    del twins
    gc.collect()
    assert last.watts == 5


def test_storage_has_given_objects_and_objects_in_two_places(lamps: ModuleType) -> None:
    lamp = lamps.Lamp(7)
    found = lamps.fill(lamp, 4)
    assert found[0] is lamp
    assert found[1] is found[2]
    assert watts(found) == [7, 1, 1, 3]


def test_more_objects_than_the_storage_has_places_for_are_released(lamps: ModuleType) -> None:
    lamp = lamps.Lamp(7)
    with pytest.raises(ValueError, match=r"the number of objects \(result\) is 6, and C had space for 4$"):
        lamps.fill(lamp, 6)
    assert (lamp.watts, lamps.alive()) == (7, 1)


def test_a_null_among_objects_releases_the_other_objects(lamps: ModuleType) -> None:
    lamp = lamps.Lamp(7)
    with pytest.raises(RuntimeError, match=r"^lamps\.Lamp: the function returned NULL$"):
        lamps.gap(lamp)
    assert (lamp.watts, lamps.alive()) == (7, 1)


def test_undo_releases_the_objects_of_a_failed_call(lamps: ModuleType) -> None:
    with pytest.raises(RuntimeError, match="failed with -1"):
        lamps.half()


def test_a_single_result_may_stand_in_a_list_of_the_same_call(lamps: ModuleType) -> None:
    best, every = lamps.best(3)
    assert best is every[2]
    del every
    assert best.watts == 2
    every, best = lamps.all_and_best(20)
    assert best is every[19]


@pytest.mark.parametrize("count", [2, 30])
def test_lists_of_one_call_may_share_an_object(lamps: ModuleType, count: int) -> None:
    low, high, name = lamps.split(count)
    assert name == "split"
    assert low[count - 1] is high[0]
    assert watts(low) == [*range(count - 1), 50]
    _, high, low = lamps.split_named(count)
    assert low[count - 1] is high[0]


@pytest.mark.parametrize("name", ["split", "split_named"])
def test_a_failure_of_another_result_releases_each_object_once(lamps: ModuleType, name: str) -> None:
    with pytest.raises(RuntimeError, match="returned NULL for 'name'"):
        getattr(lamps, name)(7)


def test_single_results_may_share_an_object(lamps: ModuleType) -> None:
    a, b = lamps.pair()
    assert a is b


def test_pointers_by_value_are_objects_as_well(lamps: ModuleType) -> None:
    given = [lamps.Socket(1), lamps.Socket(2)]
    found = lamps.sockets(given)
    assert [id(each) for each in found[:4]] == [id(each) for each in [*given, *given]]
    assert found[4] is found[5]
    assert watts(found) == [1, 2, 1, 2, 8, 8]


def test_numbers_by_value_are_objects_even_if_they_are_0(lamps: ModuleType) -> None:
    zero = lamps.Number(0)
    found = lamps.numbers(zero)
    assert found[0] is found[3] is zero
    assert found[1] is found[4]
    del found, zero
    assert [lamps.number_closed(n) for n in (0, 5, 7)] == [1, 1, 1]


def test_numbers_of_a_class_that_releases_nothing_are_separate_objects(lamps: ModuleType) -> None:
    """Equal numbers are nothing but equal."""
    given = lamps.Mark(5)
    found = lamps.marks(given)
    assert [each.value for each in found] == [5, 5, 7, 5, 5, 7]
    assert len({id(each) for each in [given, *found]}) == 7


def test_structs_by_value_are_one_object_if_their_bytes_are_equal(lamps: ModuleType) -> None:
    given = lamps.Tag(2)
    found = lamps.tags(given, 3)
    assert found[0] is found[2] is given
    assert watts(found) == [2, 4, 2]
    del found
    with pytest.raises(ValueError, match="C had space for 4"):
        lamps.tags(given, 9)
    assert given.watts == 2


def test_each_place_of_a_counted_object_has_its_own_reference(lamps: ModuleType) -> None:
    given = [lamps.Counted(1), lamps.Counted(2)]
    found = lamps.counted(given)
    assert [each.references for each in given] == [3, 3]
    assert len({id(each) for each in [*given, *found]}) == 6
    del found
    assert [each.references for each in given] == [1, 1]


def test_arrays_are_returned_as_they_were_given(lamps: ModuleType) -> None:
    arrays = [np.zeros(2), np.zeros(5), lamps.Row.from_dlpack(np.ones(7))]
    found = lamps.long_rows(arrays, 3)
    assert found[0] is arrays[1]
    assert found[1] is arrays[2]


def test_references_to_objects_of_arrays_keep_the_arrays(lamps: ModuleType) -> None:
    array = np.arange(3.0)
    own = lamps.Shared.from_dlpack(np.ones(2))
    found = lamps.shared_rows([array, own])
    del array, own
    gc.collect()
    assert [np.from_dlpack(each).tolist() for each in found] == [[0, 1, 2], [1, 1]]


def test_a_single_object_by_value_may_be_an_item_of_an_argument(lamps: ModuleType) -> None:
    sockets = [lamps.Socket(1), lamps.Socket(4), lamps.Socket(2)]
    assert lamps.brighter(sockets) is sockets[1]
    assert lamps.brighter([]).watts == 6
    assert lamps.brighter_than(sockets, 3) is sockets[1]
    assert lamps.brighter_than(sockets, 4) is None


def test_new_objects_keep_arguments_and_given_objects_do_not(lamps: ModuleType) -> None:
    lamp, other = lamps.Lamp(3), lamps.Lamp(4)
    found = lamps.kept(lamp, other)
    assert found[0] is lamp
    assert found[1] is other
    new = found[2]
    del found, other
    assert lamps.alive() == 3
    del new
    assert lamps.alive() == 1
