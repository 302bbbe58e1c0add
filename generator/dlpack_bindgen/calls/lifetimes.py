"""Lifetimes: owners of results, objects that others keep alive after the call, and memory for structs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.argument_kind import Argument, Kind, kept
from dlpack_bindgen.calls.failures import FINALLY
from dlpack_bindgen.calls.feature import Feature, Part, Stage
from dlpack_bindgen.calls.function_keys import ARGS, RELEASE_GIL, RETURNS
from dlpack_bindgen.calls.object import BORROW
from dlpack_bindgen.calls.result_kind import Value
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import Fields, Leaf, is_true, text_of
from dlpack_bindgen.tensor.item import RELEASES_NOTHING, Item, Tensor
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note
from dlpack_bindgen.text.fragments import Piece
from dlpack_bindgen.text.types import CType, pointed_to

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call
    from dlpack_bindgen.calls.emitted_function import Body


class ReturnedClass(Frozen):
    """A class of another module whose objects the call returns, for the template."""

    name: str
    is_owned: int
    """1: the class must be able to release the object."""


class Lifetimes(Feature, Frozen):
    """The owners of returned objects, the objects that they keep alive, and the memory for structs."""

    call: Call

    @classmethod
    def problems(cls, call: Call) -> Iterator[Diagnostic]:
        yield from _borrowed_objects(call)
        yield from _kept_objects(call)
        yield from _lost_objects(call)
        yield from _objects_without_release(call)

    @classmethod
    def read(cls, call: Call) -> Lifetimes:
        return cls(call)

    def sentences(self) -> Iterator[str | None]:
        for each in keeping(self.call):
            subject = "This object" if each is self.call.own_object else f"`{each.name}`"
            kept = kept_in_words(self.call, each.kind.keeps_alive)
            yield f"{subject} keeps {kept} alive from now on{', until the next call' if each.kind.replaces else ''}."

    def holds(self, arguments: Iterable[Argument]) -> bool:
        return bool(keeping(self.call))

    def needs_items(self, argument: Argument, body: Body) -> bool:
        call, items = self.call, body.items
        return argument.name in referred(call, items) or argument in (each for each, _ in returnable(call, items))

    def flags(self, argument: Argument, body: Body) -> Iterator[str]:
        call, name = self.call, argument.name
        if name in referred(call, body.items):
            yield "DLB_PY_REFERRED"
        others = [each.kind for each in call.arguments]
        values = [value for each, value in returnable(call, body.items) if each is argument]
        is_viewed = any(argument.kind.class_name not in (None, value.of) for value in values)
        kept = is_viewed or name in kept_arguments(call)
        kept = kept or (body.keeps_receiver and argument is call.own_object)
        kept = kept or any(other.param_owner == name for other in others)
        if kept or any(param.source == name for param in call.params):
            yield "DLB_PY_KEPT"
            if _may_be_readonly(call, argument, body.items):
                yield "DLB_PY_UNSTORED"

    def pieces(self, stage: Stage, body: Body) -> Iterator[Piece]:
        if stage is Stage.BEGIN:
            for of in self._external_classes():
                yield Piece("calls/lifetimes", "has_no_class", Part(of, body), is_condition=True)
        elif stage is Stage.MEMORY:
            for storage in body.storages:
                yield Piece("calls/lifetimes", "storage", Part(storage, body))
            for storage in body.storages:
                yield Piece("calls/lifetimes", "is_missing", storage, is_condition=True)
        elif stage is Stage.LAST_CHECK:  # before C gets the addresses of the arguments
            for each in keeping(self.call):
                yield Piece("calls/lifetimes", "cannot_keep", Part(each, body), is_condition=True)

    def _external_classes(self) -> Iterable[ReturnedClass]:
        found: dict[str, ReturnedClass] = {}
        for value in map(self.call.value_of, self.call.returned):
            of = value.of if value is not None and value.kind.has_objects else None
            if value is not None and of is not None and self.call.names.classes[of].is_external:
                is_owned = value.borrow is None or (of in found and found[of].is_owned == 1)
                found[of] = ReturnedClass(of, int(is_owned))
        return found.values()


def keeping(call: Call) -> tuple[Argument, ...]:
    """Returns the objects that keep other arguments alive after the call, by the keys `keeps` and `replaces`."""
    return tuple(each for each in call.arguments if each.kind.keeps_alive)


def stored_arguments(call: Call) -> set[str]:
    """Returns the arguments that the library stores in a result or another argument, where later calls find them."""
    found = {name for _, _, each in call.values for name in each.keeps}
    return found.union(*([each.name, *each.kind.keeps_alive] for each in keeping(call)))


def kept_arguments(call: Call) -> set[str]:
    """Returns the arguments that a result or another argument keeps alive."""
    return stored_arguments(call) | {each.borrow for _, _, each in call.values if each.borrow is not None}


def kept_in_words(call: Call, names: Iterable[str]) -> str:
    """Returns the arguments that something keeps alive, for a sentence."""
    arguments = {argument.name: argument.kind for argument in call.arguments}
    kept = [_in_words(call, name, arguments[name].param_owner) for name in names]
    return " and ".join([", ".join(kept[:-1]), kept[-1]] if len(kept) > 1 else kept)


def _in_words(call: Call, name: str, owner: str | None) -> str:
    if owner is None:
        return f"`{name}`"
    return f"the `{name}` of {'this object' if call.receiver == owner else f'`{owner}`'}"


def _may_be_readonly(call: Call, argument: Argument, items: Mapping[str, Item]) -> bool:
    """Returns whether a read-only array is safe although the import of its class requires a writable one."""
    item = items.get(argument.kind.object_class or "")
    required = item is not None and item.import_ is not None and item.import_.require.writable
    return required and not argument.kind.writes and argument.name not in stored_arguments(call)


# ---- Rules for the ownership of returned objects, and for the objects that they keep alive ----


def borrowed(function: Fields) -> list[Leaf]:
    """Returns the names in the `borrow` of all results."""
    return [leaf for record in _records(function) if (leaf := record[BORROW])]


def _records(function: Fields) -> list[Fields]:
    """Returns the declarations of the parameters and the result."""
    args = function[ARGS]
    records: list[Fields] = [record for _, record in args.records()] if args else []
    if isinstance(returns := function[RETURNS], Fields):
        records.append(returns)
    return records


def _borrowed_objects(call: Call) -> Iterator[Diagnostic]:
    """Yields invalid sources in `borrow`, and `keeps` beside `borrow`."""
    for record in _records(call.fields):
        if (keeps := kept(record)) and BORROW in record:
            message = "an object that lives in another one keeps it anyway, and 'keeps' is for objects of the caller"
            yield Diagnostic("without-effect", keeps[0].span, message, "leave out one of them")
    for leaf in borrowed(call.fields):
        argument = call.find(leaf.text)
        if argument is not None and argument.kind.object_class is None:
            message = f"'{leaf.text}' is not an object: its memory may be freed before the object that lives in it"
            hint = "name a tensor or handle, or write 'static'"
            if argument.kind.is_array:
                hint += "; an object that C makes around an array is the 'import' of its class, and keeps the array"
            yield Diagnostic("result-owner", leaf.span, message, hint)
        elif argument is not None and argument.kind.optional:
            message = f"'{leaf.text}' may be None, and then nothing keeps or frees the object that lives in it"
            hint = f"bind it twice: once where it must be given, once with args: {{{leaf.text}: {{value: 'NULL'}}}}"
            yield Diagnostic("result-owner", leaf.span, message, hint)
        else:
            yield from _replaced_meanwhile(call, leaf, argument)
        yield from _taken_over(call, leaf, argument)


def _replaced_meanwhile(call: Call, leaf: Leaf, argument: Argument | None) -> Iterator[Diagnostic]:
    """Yields `release_gil` if another thread may replace an object that the argument keeps during the call."""
    of = argument.kind.object_class if argument is not None else None
    if of in call.names.replaced and is_true(call.fields[RELEASE_GIL]):
        message = f"another thread may replace the object that '{leaf.text}' keeps before the result is used"
        yield Diagnostic("result-owner", leaf.span, message, "leave 'release_gil' out")


def _kept_objects(call: Call) -> Iterator[Diagnostic]:
    """Yields invalid objects in `keeps`."""
    for leaf in [leaf for record in _records(call.fields) for leaf in kept(record)]:
        argument = call.find(leaf.text)
        kind = argument.kind if argument is not None else None
        if kind is not None and kind.is_array:
            yield from _kept_array(call, leaf, kind)
        elif kind is not None and not kind.can_be_kept:
            message = f"'{leaf.text}' is not an object that can be kept"
            yield Diagnostic("result-owner", leaf.span, message, "name a tensor, a handle or an array")
        yield from _replaced_meanwhile(call, leaf, argument)
        yield from _taken_over(call, leaf, argument)


def _lost_objects(call: Call) -> Iterator[Diagnostic]:
    """Yields new objects that the function fills and does not return: nothing would release them."""
    for each, argument in call.pairs:
        out = argument.kind.returned
        if out is None or not out.kind.is_object or out.borrow or argument.name in call.returned:
            continue
        if not _is_freed_in_finally(call, argument, out):
            message = f"'{argument.name}' is the caller's, and is not returned: nothing would release it"
            yield Diagnostic("result-owner", each.span, message, "list it in 'returns'")


def _objects_without_release(call: Call) -> Iterator[Diagnostic]:
    """Yields objects that the caller owns and whose class has no `release`."""
    place = call.place
    spans = {"result": place, **{argument.name: each.span for each, argument in call.pairs}}
    for name, value in call.outputs():
        owned, span = call.names.classes.get(value.of or ""), spans[name]
        if owned is not None and not owned.releases and not value.borrow:
            message = f"the caller owns this '{value.of}', which has no 'release'"
            hint = "declare its owner with 'borrow', or how it is freed with 'release'; "
            hint += "'(void)self' if nothing frees it"
            if span == place and call.own_class is not None and value.of == call.own_class.name.text:
                hint += "; 'returns: None' if it is the same object"
            notes = (Note(owned.name.span, "the class"),)
            yield Diagnostic("result-owner", span, message, hint, notes, cause=owned.name.text)


def _taken_over(call: Call, leaf: Leaf, argument: Argument | None) -> Iterator[Diagnostic]:
    if argument is not None and argument.kind.takes:
        message = f"'{leaf.text}' is taken over, and Python cannot keep it"
        yield Diagnostic("result-owner", leaf.span, message, "keep the object that takes it")


def _kept_array(call: Call, leaf: Leaf, kind: Kind) -> Iterator[Diagnostic]:
    """Yields arrays in `keeps` that do not outlive the call as objects."""
    if kind.is_dltensor:
        message = f"'{leaf.text}' is a DLTensor, which exists only during the call"
        yield Diagnostic("result-owner", leaf.span, message, "name a parameter that is the array itself")
    elif call.names.arrays is None:
        message = f"only an object can be kept, and '{leaf.text}' has no class"
        hint = "write at the top: 'arrays: Array'"
        yield Diagnostic("result-owner", leaf.span, message, hint, cause="arrays")
    elif kind.rows:
        message = f"'{leaf.text}' is a table of rows, which exists only during the call"
        yield Diagnostic("result-owner", leaf.span, message, "name a parameter that is the array itself")
    elif kind.copy != "never":
        message = f"the array itself must be kept, and '{leaf.text}' may be copied"
        yield Diagnostic("result-owner", leaf.span, message, "leave 'copy' away")
    elif kind.cast is not None:
        message = f"the array itself must be kept, and '{leaf.text}' may be converted"
        yield Diagnostic("result-owner", leaf.span, message, "leave 'cast' away")


def _is_freed_in_finally(call: Call, argument: Argument, out: Value) -> bool:
    """Returns whether `finally` frees the object. It cannot free a struct in memory of its owner."""
    of, target = call.names.classes[out.of or ""], CType(argument.ctype.base, argument.ctype.pointers[:-1])
    return not of.is_struct(target) and ctext.mentions(text_of(call.fields[FINALLY]) or "", argument.name)


# ---- Memory for structs that the library fills or returns by value: storage in the owner of the new object ----


def is_in_storage(ctype: CType, item: Item) -> bool:
    """Returns whether the library provides the struct itself although the class passes objects by pointer."""
    return not ctype.pointers and not item.by_value


class Storage(Frozen):
    """Memory for a struct, for the template."""

    type: str
    """The C type of the struct."""
    variable: str
    of: str
    """The C name of the class."""
    typedef: str = ""
    """The type in the prototype, if it may be a pointer: the memory is then needed only for a struct; else empty."""


# ---- Arguments that a C function can return, and arguments that a result can refer to after the call ----
# Without reference counts a returned argument has one owner. Python then gets the same object or, as another class, a
# view that keeps the argument alive. With reference counts the library keeps its own memory alive, and the result must
# keep the memory of Python arrays alive.


def may_return(function: Call, name: str, value: Value, items: Mapping[str, Item]) -> list[Argument]:
    """Returns the arguments that the function can return as an object of the value."""
    item, ctype = _made_item(value, items), object_type(function, name)
    if item is None:
        return []
    in_storage = is_in_storage(ctype, item)
    if item.is_counted or (in_storage and (value is not function.result or item.release == RELEASES_NOTHING)):
        return []
    found = [each for each in function.arguments if each.kind.may_be_returned(each.ctype, ctype, item.name, in_storage)]
    if item.by_value and value.kind.is_object:
        # Values that are released by doing nothing can be equal numbers, and need not be one object.
        is_released = item.release != RELEASES_NOTHING
        found = [each for each in found if not each.kind.is_list or (is_released and each.kind.class_name == value.of)]
    return sorted(found, key=lambda each: each.kind.class_name != value.of)


def _made_item(value: Value, items: Mapping[str, Item]) -> Item | None:
    """Returns the class of the new objects of the value; None: it has no objects, or borrows them."""
    if not value.kind.has_objects or value.borrow is not None:
        return None
    assert value.of is not None
    return items[value.of]


def ctype_of(value: Value, ctype: CType) -> CType:
    """Returns the C type of a value. For an object this is the type of its class."""
    return value.class_type or ctype


def object_type(function: Call, name: str) -> CType:
    """Returns the C type of an object of a value: of the value itself, or of the places of its table."""
    ctype, value = next((ctype, value) for each, ctype, value in function.values if each == name)
    is_storage = any(each.name == name and each.ctype.length for each in function.arguments)
    return pointed_to(ctype) if value.kind.is_list and not is_storage else ctype_of(value, ctype)


def is_unique(function: Call, name: str, value: Value, items: Mapping[str, Item]) -> bool:
    """Returns whether Python owns the objects of the value, and each of them has one owner."""
    item = _made_item(value, items)
    if item is None:
        return False
    in_storage = is_in_storage(object_type(function, name), item)
    return not (item.is_counted or in_storage or (item.by_value and item.release == RELEASES_NOTHING))


def returnable(function: Call, items: Mapping[str, Item]) -> list[tuple[Argument, Value]]:
    """Returns the arguments that the function can return, themselves or an item.

    Each comes with the value that it can be.
    """
    return [
        (argument, value) for name, _, value in function.values for argument in may_return(function, name, value, items)
    ]


def referred(function: Call, items: Mapping[str, Item]) -> set[str]:
    """Returns the arguments that any result can refer to."""
    return {each for name, _, value in function.values for each in may_refer_to(function, name, value, items)}


def may_refer_to(function: Call, name: str, value: Value, items: Mapping[str, Item]) -> list[str]:
    """Returns the arguments whose structs or memory this value can refer to."""
    made, ctype = _made_item(value, items), object_type(function, name)
    if made is None:
        return []
    return [each.name for each in function.arguments if _fits(each, ctype, made, items)]


def _fits(argument: Argument, ctype: CType, made: Item, items: Mapping[str, Item]) -> bool:
    kind = argument.kind
    if kind.class_name is None or kind.takes:
        return False
    given = items[kind.class_name]
    if not made.is_counted and not given.is_counted:
        return False
    return isinstance(made, Tensor) or made.type == given.type or argument.ctype.base == ctype.base
