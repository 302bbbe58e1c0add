"""Lifetimes: owners of results, objects that end, and memory of a call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.function_keys import ARGS, FINALLY, RELEASE_GIL, RETURNS
from dlpack_bindgen.calls.kind import Argument, Kind, kept
from dlpack_bindgen.calls.object import BORROW
from dlpack_bindgen.calls.reading import written_at
from dlpack_bindgen.calls.result_kind import Value
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import Fields, Leaf, is_true, text_of
from dlpack_bindgen.tensor.item import RELEASES_NOTHING, Item, Tensor
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report
from dlpack_bindgen.text.statements import Owner, Piece, Step
from dlpack_bindgen.text.types import CType, pointed_to

# ---- Rules for the ownership of returned objects, and for the objects that they keep alive ----


def check_owners(call: Call, report: Report) -> None:
    rules = _Rules(call, report)
    rules.borrowed()
    rules.kept()
    rules.lost()
    rules.endless()


def borrowed(function: Fields) -> list[Leaf]:
    return [leaf for record in _records(function) if (leaf := record[BORROW])]


def _records(function: Fields) -> list[Fields]:
    """Returns the declarations of the parameters and the result."""
    args = function[ARGS]
    records: list[Fields] = [record for _, record in args.records()] if args else []
    if isinstance(returns := function[RETURNS], Fields):
        records.append(returns)
    return records


class _Rules:
    def __init__(self, call: Call, report: Report) -> None:
        self._function = call.fields
        self._call = call
        self._known = call.names
        self._emit = report

    def borrowed(self) -> None:
        """Reports invalid sources in `borrow`, and `keeps` beside `borrow`."""
        for record in _records(self._function):
            if (keeps := kept(record)) and BORROW in record:
                message = (
                    "an object that lives in another one keeps it anyway, and 'keeps' is for objects of the caller"
                )
                self._emit(Diagnostic("without-effect", keeps[0].span, message, "leave out one of them"))
        for leaf in borrowed(self._function):
            argument = self._call.find(leaf.text)
            if argument is not None and argument.kind.object_class is None:
                message = f"'{leaf.text}' is not an object: its memory may be freed before the object that lives in it"
                hint = "name a tensor or handle, or write 'static'"
                if argument.kind.is_array:
                    hint += "; an object that C makes around an array is the 'import' of its class, and keeps the array"
                self._emit(Diagnostic("result-owner", leaf.span, message, hint))
            elif argument is not None and argument.kind.optional:
                message = f"'{leaf.text}' may be None, and then nothing keeps or frees the object that lives in it"
                hint = f"bind it twice: once where it must be given, once with args: {{{leaf.text}: {{value: 'NULL'}}}}"
                self._emit(Diagnostic("result-owner", leaf.span, message, hint))
            else:
                self._asked(leaf, argument)
            self._not_taken(leaf, argument)

    def _asked(self, leaf: Leaf, argument: Argument | None) -> None:
        """Reports `release_gil` if another thread may replace an object that the argument keeps during the call."""
        of = argument.kind.object_class if argument is not None else None
        if of in self._known.replaced and is_true(self._function[RELEASE_GIL]):
            message = f"another thread may replace the object that '{leaf.text}' keeps before the result is used"
            self._emit(Diagnostic("result-owner", leaf.span, message, "leave 'release_gil' out"))

    def kept(self) -> None:
        """Reports invalid objects in `keeps`."""
        for leaf in [leaf for record in _records(self._function) for leaf in kept(record)]:
            argument = self._call.find(leaf.text)
            kind = argument.kind if argument is not None else None
            if kind is not None and kind.is_array:
                self._kept_array(leaf, kind)
            elif kind is not None and not kind.can_be_kept:
                message = f"'{leaf.text}' is not an object that can be kept"
                self._emit(Diagnostic("result-owner", leaf.span, message, "name a tensor, a handle or an array"))
            self._asked(leaf, argument)
            self._not_taken(leaf, argument)

    def lost(self) -> None:
        """Reports new objects that the function fills and does not return: nothing would release them."""
        for each, argument in self._call.pairs:
            out = argument.kind.returned
            if out is None or not out.kind.is_object or out.borrow or argument.name in self._call.returned:
                continue
            if not self._is_freed_in_finally(argument, out):
                message = f"'{argument.name}' is the caller's, and is not returned: nothing would release it"
                self._emit(Diagnostic("result-owner", each.span, message, "list it in 'returns'"))

    def endless(self) -> None:
        """Reports objects that the caller owns and whose class has no `release`."""
        place = written_at(self._function)
        spans = {"result": place, **{argument.name: each.span for each, argument in self._call.pairs}}
        for name, value in self._call.outputs():
            owned, span = self._known.classes.get(value.of or ""), spans[name]
            if owned is not None and not owned.releases and not value.borrow:
                message = f"the caller owns this '{value.of}', which has no 'release'"
                hint = "declare its owner with 'borrow', or how it is freed with 'release'; "
                hint += "'(void)self' if nothing frees it"
                if span == place and self._call.own_class is not None and value.of == self._call.own_class.name.text:
                    hint += "; 'returns: None' if it is the same object"
                notes = (Note(owned.name.span, "the class"),)
                self._emit(Diagnostic("result-owner", span, message, hint, notes, cause=owned.name.text))

    def _not_taken(self, leaf: Leaf, argument: Argument | None) -> None:
        if argument is not None and argument.kind.takes:
            message = f"'{leaf.text}' is taken over, and Python cannot keep it"
            self._emit(Diagnostic("result-owner", leaf.span, message, "keep the object that takes it"))

    def _kept_array(self, leaf: Leaf, kind: Kind) -> None:
        """Reports arrays in `keeps` that do not outlive the call as objects."""
        if kind.is_dltensor:
            message = f"'{leaf.text}' is a DLTensor, which exists only during the call"
            self._emit(Diagnostic("result-owner", leaf.span, message, "name a parameter that is the array itself"))
        elif self._known.arrays is None:
            message = f"only an object can be kept, and '{leaf.text}' has no class"
            hint = "write at the top: 'arrays: Array'"
            self._emit(Diagnostic("result-owner", leaf.span, message, hint, cause="arrays"))
        elif kind.rows:
            message = f"'{leaf.text}' is a table of rows, which exists only during the call"
            self._emit(Diagnostic("result-owner", leaf.span, message, "name a parameter that is the array itself"))
        elif kind.copy != "never":
            message = f"the array itself must be kept, and '{leaf.text}' may be copied"
            self._emit(Diagnostic("result-owner", leaf.span, message, "leave 'copy' away"))
        elif kind.cast is not None:
            message = f"the array itself must be kept, and '{leaf.text}' may be converted"
            self._emit(Diagnostic("result-owner", leaf.span, message, "leave 'cast' away"))

    def _is_freed_in_finally(self, argument: Argument, out: Value) -> bool:
        """Returns whether `finally` frees the object. It cannot free a struct in memory of its owner."""
        of, target = self._known.classes[out.of or ""], CType(argument.ctype.base, argument.ctype.pointers[:-1])
        return not of.is_struct(target) and ctext.mentions(text_of(self._function[FINALLY]) or "", argument.name)


# ---- Owners of the memory that a call passes to C ----
# They own encoded paths, copies of strings and of arrays, tables of strings, and bytes and arrays to fill.


class MemoryOwners:
    """The owners of one call. Each has a variable, which is NULL if there is no owner."""

    def __init__(self, function: Call, own: Callable[[str], str]) -> None:
        """Stores the function. `own` makes a name that no parameter has."""
        self._owners = {
            argument.name: _owner(argument.kind, own(f"{argument.name}_{argument.kind.owner}"))
            for argument in function.arguments
            if argument.kind.owner is not None
        }
        self._filled = [argument.name for argument in function.arguments if argument.kind.capacity]

    def get(self, name: str) -> str:
        """Returns the variable for the owner of a parameter; empty: there is none."""
        return self._owners[name].variable if name in self._owners else ""

    def filled(self, name: str) -> Owner:
        """Returns the owner of memory that C fills."""
        return self._owners[name]

    def given(self) -> tuple[Owner, ...]:
        """Returns the owners of arguments."""
        return tuple(owner for name, owner in self._owners.items() if name not in self._filled)

    def made(self) -> tuple[Owner, ...]:
        """Returns the owners of memory that C fills."""
        return tuple(self._owners[name] for name in self._filled)


def _owner(kind: Kind, variable: str) -> Owner:
    return Owner(variable, is_array=kind.owner == "array", freed=kind.freed(variable))


# ---- Memory for structs that the library fills or returns by value: storage in the owner of the new object ----


def is_in_storage(ctype: CType, item: Item) -> bool:
    """Returns whether the library provides the struct itself although the class passes objects by pointer."""
    return not ctype.pointers and not item.by_value


class StorageFacts(Frozen):
    """Memory for a struct, for `templates/functions/storages.c.j2`."""

    type: str
    """The C type of the struct."""
    variable: str
    of: str
    """The C name of the class."""
    label: str
    """The path in the spec, which a compiler shows."""
    typedef: str = ""
    """The type in the prototype, if it may be a pointer: the memory is then needed only for a struct; else empty."""


class Storages:
    """The storages of one call."""

    def __init__(self, storages: Sequence[StorageFacts]) -> None:
        self._storages = storages

    def __contains__(self, variable: object) -> bool:
        return any(storage.variable == variable for storage in self._storages)

    @property
    def structs(self) -> list[str]:
        return [storage.type for storage in self._storages if not storage.typedef]

    def steps(self, owners: tuple[Owner, ...]) -> Iterator[Step]:
        """Yields the steps that allocate the storages. `owners` are released if there is no memory."""
        for each in self._storages:
            yield Step(Piece("functions/storages", "variable", each))
        if self._storages:
            missing = [Piece("functions/storages", "is_missing", each, is_condition=True) for each in self._storages]
            yield Step(None, tuple(missing), None, (*(self.left() if len(missing) > 1 else ()), *owners))

    def left(self) -> tuple[Owner, ...]:
        """Returns the storages that are freed if no object uses them."""
        return tuple(Owner(storage.variable, storage_of=storage.of) for storage in self._storages)


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
        found = [each for each in found if not each.kind.is_list or _is_identified(each, value, item)]
    return sorted(found, key=lambda each: each.kind.class_name != value.of)


def _made_item(value: Value, items: Mapping[str, Item]) -> Item | None:
    """Returns the class of the new objects of the value; None: it has no objects, or borrows them."""
    if not value.kind.has_objects or value.borrow is not None:
        return None
    assert value.of is not None
    return items[value.of]


def _is_identified(argument: Argument, value: Value, item: Item) -> bool:
    """Returns whether equal values are one object. Values that are released by doing nothing can be equal numbers."""
    return argument.kind.class_name == value.of and item.release != RELEASES_NOTHING


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


def view_sources(returned: Iterable[tuple[Argument, Value]]) -> set[str]:
    """Returns the arguments that a returned view can refer to and keep alive."""
    return {argument.name for argument, value in returned if argument.kind.class_name not in (None, value.of)}


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
