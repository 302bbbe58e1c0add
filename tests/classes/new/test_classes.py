"""Classes: constructors, owners, properties, methods, and the release of objects."""

from __future__ import annotations

import array
import copy
import gc
import inspect
import itertools
import pickle
import re
import weakref
from collections.abc import Callable
from types import ModuleType

import pytest


def refusal(call: Callable[[], object]) -> tuple[type[BaseException], str]:
    with pytest.raises(Exception) as caught:
        call()
    return caught.type, str(caught.value)


# ---- Classes ----


def test_class_methods_need_no_object(things: ModuleType) -> None:
    store = things.Store.of(5)
    assert (store.value, things.Store.empty().value, store.of(6).value) == (5, 0, 6)
    assert refusal(lambda: things.Store.of()) == (TypeError, "of() missing required argument 'value' (pos 1)")


def test_a_class_without_new_has_no_constructor(things: ModuleType) -> None:
    assert refusal(things.Item) == (TypeError, "cannot create 'things.Item' instances")


def test_classes_and_methods_have_signatures_and_docs(things: ModuleType) -> None:
    assert str(inspect.signature(things.Store)) == "(value=7)"
    assert str(inspect.signature(things.Point)) == "(x, y)"
    assert str(inspect.signature(things.Store.item)) == "(self, /, index)"
    assert str(inspect.signature(things.Store().item)) == "(index)"
    assert str(inspect.signature(things.Store.of)) == "(value)"
    assert things.Store.__doc__ == "Has items.\n\nRaises ValueError if the library reports a failure."
    assert things.Store.value.__doc__ == "Its number."
    assert things.Store.empty.__doc__ == "A new one.\n\nRaises RuntimeError if the library reports a failure."
    assert (things.Store.__module__, things.Store.item.__qualname__) == ("things", "Store.item")


def test_classes_are_final(things: ModuleType) -> None:
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Sub", (things.Store,), {})
    with pytest.raises(TypeError, match="immutable type"):
        things.Store.value = 3


def test_handles_cannot_be_copied_or_pickled(things: ModuleType) -> None:
    store = things.Store()
    for call in (lambda: pickle.dumps(store), lambda: copy.copy(store), lambda: copy.deepcopy(store)):
        with pytest.raises(TypeError, match=re.escape("things.Store")):
            call()


# ---- Objects as arguments ----


def test_objects_are_arguments(things: ModuleType) -> None:
    one, other = things.Store(1), things.Store(20)
    assert (one.compare(other), things.compare(other, one), things.compare(self=one, other=one)) == (-19, 19, 0)
    assert (one.compare(None), one.compare(), one.get()) == (1, 1, 1)


@pytest.mark.parametrize("given, shown", [(3, "int"), ("x", "str"), (array.array("d"), "array.array")])
def test_objects_of_other_types_are_refused(things: ModuleType, given: object, shown: str) -> None:
    store = things.Store()
    error, message = refusal(lambda: things.compare(store, given))
    assert error is TypeError
    assert message == f"compare() argument 'other' must be Store, not {shown}"
    assert refusal(lambda: store.compare(given))[1] == f"compare() argument 'other' must be Store or None, not {shown}"


def test_none_and_objects_of_other_classes_are_refused(things: ModuleType) -> None:
    store = things.Store()
    assert refusal(lambda: things.compare(store, None))[1] == "compare() argument 'other' must be Store, not None"
    for other in (things.Point(1, 2), store.item(0), things.Block(1)):
        error, message = refusal(lambda other=other: things.compare(store, other))
        assert error is TypeError
        assert message == f"compare() argument 'other' must be Store, not things.{type(other).__name__}"


def test_a_method_needs_an_object_of_its_class(things: ModuleType) -> None:
    with pytest.raises(TypeError):
        things.Store.get(things.Point(1, 2))
    with pytest.raises(TypeError):
        things.Store.get()


def test_objects_can_be_passed_by_value(things: ModuleType) -> None:
    point = things.Point(1, 2)
    assert (point.x, point.sum(things.Point(y=4, x=3))) == (1, 10)
    assert things.points() == 1
    point.close()
    assert things.points() == 0


def test_a_class_can_have_a_typedef_of_a_pointer(things: ModuleType) -> None:
    door = things.Door("front")
    assert (door.name(), things.doors()) == ("front", 1)
    assert refusal(lambda: things.Door("")) == (RuntimeError, "Door(): door_open() failed (name='')")
    assert refusal(lambda: things.Door.open("")) == (RuntimeError, "open(): door_open() failed (name='')")


# ---- Objects in objects ----


@pytest.mark.parametrize("order", [*itertools.permutations(("store", "item", "leaf"))])
def test_a_borrowed_object_keeps_its_owner(things: ModuleType, order: tuple[str, ...]) -> None:
    store = things.Store(100)
    item = store.item(1)
    alive = {"store": store, "item": item, "leaf": item.leaf()}
    del store, item
    for name in order:
        assert things.stores() == 1
        del alive[name]
        if "item" in alive:
            assert alive["item"].get() == 102
        if "leaf" in alive:
            assert alive["leaf"].value == 1020
    assert things.stores() == 0


@pytest.mark.parametrize("index, expected", [(0, "item"), (9, None)])
def test_a_borrowed_object_may_be_missing(things: ModuleType, index: int, expected: str | None) -> None:
    found = things.Store().item(index)
    assert found is None if expected is None else found.get() == 8


def test_a_missing_borrowed_object_can_be_an_error(things: ModuleType) -> None:
    store = things.Store()
    assert refusal(lambda: store.item_at(9)) == (IndexError, "item_at(): store_item() failed (index=9)")
    assert refusal(lambda: store.peek(9)) == (RuntimeError, "peek(): store_peek() failed (index=9)")
    assert store.peek(1).get() == store.item_at(1).get() == 9


def test_an_output_can_be_a_borrowed_object(things: ModuleType) -> None:
    found, item = things.Store(3).find(5)
    assert (found, item.get(), things.stores()) == (True, 5, 1)
    del item
    assert things.Store(3).find(50) == (False, None)


def test_the_parameter_that_borrow_names_is_kept(things: ModuleType) -> None:
    one, other = things.Store(1), things.Store(20)
    item = things.pick(one, other, 0)
    del one
    assert things.stores() == 1
    del other
    assert (things.stores(), item.get()) == (1, 21)
    del item
    assert things.stores() == 0


def test_a_static_object_keeps_nothing(things: ModuleType) -> None:
    shared = things.shared()
    item = shared.item(0)
    del shared
    assert (item.get(), things.shared().value, things.stores()) == (501, 500, 0)


# ---- Properties ----


@pytest.mark.parametrize(
    "name, before, given, after",
    [
        ("value", 7, -3, -3),
        ("ratio", 0.5, 2, 2.0),
        ("flag", False, "x", True),
        ("letter", "s", "q", "q"),
        ("mood", 0, "ANGRY", 1),
        ("label", None, "né", "né"),
    ],
)
def test_properties_are_read_and_set(
    things: ModuleType, name: str, before: object, given: object, after: object
) -> None:
    store = things.Store()
    assert getattr(store, name) == before
    setattr(store, name, given)
    assert getattr(store, name) == after
    assert type(getattr(store, name)) is (things.Mood if name == "mood" else type(after))
    assert refusal(lambda: delattr(store, name)) == (AttributeError, f"attribute '{name}' cannot be deleted")
    assert getattr(store, name) == after


@pytest.mark.parametrize(
    "name, given, error, message",
    [
        ("value", "x", TypeError, "attribute 'value' must be int, not str"),
        ("value", 2**31, OverflowError, "attribute 'value': signed 32-bit integer is greater than maximum"),
        ("ratio", -1, ValueError, "Store.ratio: it is refused (ratio=-1)"),
        ("ratio", None, TypeError, "attribute 'ratio' must be real number, not None"),
        ("letter", "", ValueError, "attribute 'letter' must be one ASCII character, not ''"),
        ("mood", 9, ValueError, "attribute 'mood': 9 is not a valid Mood"),
        ("label", 3, TypeError, "attribute 'label' must be str or None, not int"),
    ],
)
def test_a_value_that_does_not_fit_a_property_is_refused(
    things: ModuleType, name: str, given: object, error: type[Exception], message: str
) -> None:
    store = things.Store()
    before = getattr(store, name)
    assert refusal(lambda: setattr(store, name, given)) == (error, message)
    assert getattr(store, name) == before


def test_a_property_without_a_setter_cannot_be_set(things: ModuleType) -> None:
    store = things.Store()
    assert store.items == 3
    for call in (lambda: setattr(store, "items", 4), lambda: delattr(store, "items")):
        assert refusal(call)[0] is AttributeError


def test_a_property_that_the_preprocessor_left_out_is_missing(things: ModuleType) -> None:
    assert not hasattr(things.Store, "absent")


def test_objects_have_no_other_attributes(things: ModuleType) -> None:
    assert refusal(lambda: setattr(things.Store(), "anything", 1))[0] is AttributeError


# ---- Closing and release ----


CLOSED = "things.Store: the object is closed"


def test_a_closed_object_does_nothing(things: ModuleType) -> None:
    store = things.Store()
    store.close()
    assert things.stores() == 0
    for call in (
        lambda: store.value,
        lambda: setattr(store, "value", 1),
        lambda: store.items,
        lambda: store.get(),
        lambda: store.item(0),
        lambda: store.__enter__(),
    ):
        assert refusal(call) == (ValueError, CLOSED)
    assert refusal(lambda: things.compare(things.Store(), store)) == (
        ValueError,
        "compare() argument 'other' is closed",
    )
    assert repr(store) == "<things.Store, closed>"
    assert store.close() is None
    assert things.Store.of(1).of(2).value == 2


def test_close_is_refused_while_a_borrowed_object_exists(things: ModuleType) -> None:
    store = things.Store()
    item = store.item(0)
    text = "things.Store: cannot be closed: 1 exports of it, or objects made of it, are in use"
    assert refusal(store.close) == (BufferError, text)
    assert (store.value, item.get(), things.stores()) == (7, 8, 1)
    del item
    store.close()
    assert things.stores() == 0


def test_the_failure_of_close_is_raised_once(things: ModuleType) -> None:
    store = things.Store()
    store.close_fails = 1
    expected = "things.Store: store_close(self) failed: it is stuck"
    assert refusal(store.close) == (RuntimeError, expected)
    assert things.stores() == 0
    assert store.close() is None
    assert repr(store) == "<things.Store, closed>"


def test_the_end_of_with_closes(things: ModuleType) -> None:
    with things.Store(3) as store:
        assert (store.value, things.stores()) == (3, 1)
    assert things.stores() == 0
    assert refusal(lambda: store.value) == (ValueError, CLOSED)


def test_the_end_of_with_raises_the_failure_of_close(things: ModuleType) -> None:
    with pytest.raises(RuntimeError, match="it is refused"), things.Store() as store:
        store.close_fails = 2
    with pytest.raises(RuntimeError, match="it is refused") as caught, things.Store() as store:
        store.close_fails = 2
        raise KeyError("first")
    assert isinstance(caught.value.__context__, KeyError)
    assert things.stores() == 0


def test_an_object_that_nobody_closes_is_released_without_a_failure(things: ModuleType) -> None:
    """The release does not report the failure that `close` would report."""
    store = things.Store()
    store.close_fails = 1
    alive = weakref.ref(store)
    del store
    assert alive() is None
    assert things.stores() == 0


def test_a_tensor_is_closed_when_nothing_shares_it(things: ModuleType) -> None:
    block = things.Block(4)
    view = memoryview(block)
    assert refusal(block.close)[0] is BufferError
    assert view[0] == 0.0
    view.release()
    assert block.close() is None
    assert things.blocks() == 0


def test_close_of_a_tensor_can_fail(things: ModuleType) -> None:
    block = things.Block(1)
    with memoryview(block) as view:
        view[0] = -1.0
    assert refusal(block.close) == (RuntimeError, "things.Block: block_close(self) failed")
    assert things.blocks() == 0


def test_closing_an_object_of_the_library_does_not_free_it(things: ModuleType) -> None:
    """The library's own `close` is for objects that would be released."""
    with things.shared_block() as block:
        assert block.sum() == 3.0
    assert things.blocks() == 0
    assert things.shared_block().sum() == 3.0
    things.shared().close()
    assert things.shared().value == 500


def test_closing_an_imported_object_releases_the_array(things: ModuleType) -> None:
    memory = array.array("d", [1, 2, 3])
    block = things.Block.from_dlpack(memory)
    assert block.sum() == 6.0
    view = memoryview(block)
    block.close()
    assert view[1] == 2.0
    del view, block
    gc.collect()
    memory.append(4)  # nothing holds it
    assert things.blocks() == 0


# ---- Params from parameters of the function ----


def test_the_function_has_the_params_of_its_result(things: ModuleType) -> None:
    """`release` gets the params, too, and would report a difference."""
    assert things.make_grid(3, 2).shape == (2, 3)
    assert things.make_grid(width=4, height=1).shape == (1, 4)
    assert things.make_column(5).shape == (5, 1)
    assert things.get_grid(6).shape == (1, 6)
    with pytest.raises(RuntimeError):
        things.get_grid(-1)
    assert things.blocks() == 0


def test_an_object_among_the_params_outlives_the_result(things: ModuleType) -> None:
    store = things.Store(7)
    row = things.make_row(things.Store(), 3, store)
    alive = weakref.ref(store)
    del store
    gc.collect()
    assert (alive(), row.shape) == (None, (1, 3))
    assert memoryview(row).tolist() == [[7.0, 0.0, 0.0]]
    assert things.stores() == 1
    del row
    assert things.stores() == 0
