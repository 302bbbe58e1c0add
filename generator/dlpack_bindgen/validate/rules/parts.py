"""Rules for tensors and handles of one C type, and for the attributes of their classes."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.hooks.count_parts import COUNT_OF_PARTS, NAME_OF_PART, OF_PART, PARTS
from dlpack_bindgen.language.classes import GET, METHODS, PROPERTIES, PROPERTY, TYPE_OF_PROPERTY
from dlpack_bindgen.language.language import TENSOR, classes_of
from dlpack_bindgen.language.shared import IF, PARAMS, PASS, TYPE
from dlpack_bindgen.language.values import Fields, Items, Leaf, Value, is_record, text_of
from dlpack_bindgen.slots.slot import INT64_MAX, range_problems
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, UnknownName, shown
from dlpack_bindgen.text.names import ATTRIBUTES, snake
from dlpack_bindgen.text.names import METHODS as METHODS_OF_ALL
from dlpack_bindgen.text.types import plain_type, split_parameter
from dlpack_bindgen.validate.rules.module import called, distinct

_FACTORIES = {"import": "from_dlpack", "allocate": "empty"}
_NO_INTEGERS = frozenset(("float", "double", "bool", "_Bool", "struct", "union"))


class _Entry(Frozen):
    name: Leaf
    fields: Fields

    @property
    def is_tensor(self) -> bool:
        return self.fields.record is TENSOR

    @property
    def type(self) -> str | None:
        return text_of(self.fields[TYPE])


def check(spec: Fields, report: Report) -> None:
    entries = [_Entry(name, fields) for name, fields in classes_of(spec)]
    named = {entry.name.text: entry for entry in entries}
    tensors = tuple(name for name, known in named.items() if known.is_tensor)
    groups: dict[str, list[_Entry]] = {}
    for entry in entries:
        if entry.type is not None:
            groups.setdefault(entry.type, []).append(entry)
    methods = {
        ctype: {snake(entry.name.text): entry.name for entry in group if entry.is_tensor}
        for ctype, group in groups.items()
    }
    for group in groups.values():
        _same_pass(group, report)
        _methods(group, report)
    for entry in entries:
        parts = entry.fields[PARTS]
        for part in parts.records() if parts else ():
            _part(entry, part, named, tensors, report)
            for problem in range_problems(part[COUNT_OF_PARTS], 0, INT64_MAX, "a number of parts is 0 to 2^63 - 1"):
                report(problem)
        _attributes(entry, parts, methods.get(entry.type or "", {}), report)


def _passed(entry: _Entry) -> str:
    return text_of(entry.fields[PASS]) or "pointer"


def _same_pass(group: list[_Entry], report: Report) -> None:
    first = group[0]
    for entry in group[1:]:
        if _passed(entry) != _passed(first) and _both_sound(entry, first):
            message = f"'{entry.name.text}' and '{first.name.text}' share a C type, and not the way it is passed"
            notes = (Note(first.fields.place(PASS, first.name.span), "the other one"),)
            report(Diagnostic("pass-differs", entry.fields.place(PASS, entry.name.span), message, notes=notes))


def _both_sound(one: _Entry, other: _Entry) -> bool:
    return all(entry.fields[PASS] or PASS not in entry.fields for entry in (one, other))


def _methods(group: list[_Entry], report: Report) -> None:
    """Reports tensors whose method on the other classes of the C type clashes with an attribute."""
    if len(group) == 1:
        return
    factories = {factory for entry in group for key, factory in _FACTORIES.items() if key in entry.fields.given}
    for entry in group:
        method = snake(entry.name.text)
        if entry.is_tensor and method in ATTRIBUTES | factories:
            message = (
                f"'{entry.name.text}' is a method '{method}' of all classes of its C type, which they have already"
            )
            report(Diagnostic("attribute-clash", entry.name.span, message))


def _part(entry: _Entry, part: Fields, named: dict[str, _Entry], tensors: tuple[str, ...], report: Report) -> None:
    of = part[OF_PART]
    if of is None:
        return
    target = named.get(of.text)
    if target is None or not target.is_tensor:
        message = f"'{of.text}' is {'a handle' if target else 'not a tensor of this spec'}"
        report(Diagnostic("unknown-tensor", of.span, message, facts=UnknownName(of.text, tensors)))
        return
    note = (Note(target.name.span, "the tensor"),)
    if None not in (entry.type, target.type) and entry.type != target.type:
        message = f"'{of.text}' is made of '{target.type}', and this of '{entry.type}': parts are of the same object"
        report(Diagnostic("part-type", of.span, message, notes=note))
    _index(of, target, entry, note, report)


def _index(of: Leaf, target: _Entry, whole: _Entry, note: tuple[Note, ...], report: Report) -> None:
    found, known = _params(target), _params(whole)
    if found is None:
        return
    if not found:
        message = f"'{of.text}' has no parameter for the index of the part"
        report(Diagnostic("part-index", of.span, message, "add for example params: [int index = 0]", note))
        return
    ctype = found[0][0]
    if "*" in ctype or _NO_INTEGERS.intersection(ctype.split()):
        message = f"the first parameter of '{of.text}' is the index, and '{shown(ctype)}' is not an integer type"
        report(Diagnostic("part-index", of.span, message, notes=note))
    inherited = None if known is None else [(name, plain_type(ctype)) for ctype, name, _ in known]
    for ctype, name, value in found[1:]:
        if value is None and inherited is not None and (name, plain_type(ctype)) not in inherited:
            message = f"'{name}' of '{of.text}' has no default, and '{whole.name.text}' has no such param"
            hint = f"give '{whole.name.text}' the param '{shown(f'{ctype} {name}')}' too: its parts get its value"
            report(Diagnostic("part-index", of.span, message, hint, note))


def _params(entry: _Entry) -> list[tuple[str, str, str | None]] | None:
    """Returns the types, names and defaults of the params; None if they are invalid."""
    params = entry.fields[PARAMS]
    if params is None and PARAMS in entry.fields:
        return None
    return [_param(item) for item in (params.items if params else ())]


def _param(item: Value) -> tuple[str, str, str | None]:
    text = ""
    if isinstance(item, Leaf):
        text = item.text
    elif isinstance(item, Fields) and item.entry:
        text = f"{item.entry[0].text} = {item.entry[1].text}"
    found = split_parameter(text)
    return found if isinstance(found, tuple) else ("", "", "")


def _attributes(entry: _Entry, parts: Items | None, methods: dict[str, Leaf], report: Report) -> None:
    """Reports clashing attributes of a class. `methods`: the tensors of the same C type, which are methods of the
    class."""
    taken = set(ATTRIBUTES if entry.is_tensor else METHODS_OF_ALL)
    taken |= {factory for key, factory in _FACTORIES.items() if key in entry.fields.given}
    own: list[tuple[Leaf, str | None]] = []
    for part in parts.records() if parts else ():
        if name := part[NAME_OF_PART]:
            own.append((name, None))
    own += _called(entry.fields)
    shown = [name for name, value in _properties(entry.fields) if _shows(value, methods.get(name.text))]
    sound: list[tuple[Leaf, str | None]] = []
    for name, condition in own:
        if name.text in taken:
            message = f"'{name.text}' is another attribute of the class"
            hint = "the key 'close' declares what it runs" if name.text == "close" else None
            report(Diagnostic("attribute-clash", name.span, message, hint))
        elif methods.get(name.text, entry.name) is not entry.name and name not in shown:
            notes = (Note(methods[name.text].span, "the tensor"),)
            message = f"'{name.text}' is the method that makes a '{methods[name.text].text}' already"
            report(Diagnostic("attribute-clash", name.span, message, notes=notes))
        else:
            sound.append((name, condition))
    distinct(sound, f"'{entry.name.text}'", report)


def _called(fields: Fields) -> Iterator[tuple[Leaf, str | None]]:
    """Yields the methods and properties, each with its `if`."""
    yield from called(fields[METHODS])
    for name, value in _properties(fields):
        yield name, text_of(value[IF]) if is_record(value, PROPERTY) else None


def _properties(fields: Fields) -> tuple[tuple[Leaf, Value], ...]:
    return properties.entries if (properties := fields[PROPERTIES]) else ()


def _shows(value: Value, tensor: Leaf | None) -> bool:
    """Returns whether the property replaces the method that makes an object of the tensor."""
    if tensor is None or not is_record(value, PROPERTY):
        return False
    return text_of(value[GET]) == "self" and text_of(value[TYPE_OF_PROPERTY]) == tensor.text
