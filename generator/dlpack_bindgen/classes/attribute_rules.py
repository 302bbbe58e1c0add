"""Rules for the attributes of classes: those of the spec, of all classes, and views of the same C type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dlpack_bindgen.calls.call import alternatives
from dlpack_bindgen.calls.function_keys import NAME, TYPE_OF_PROPERTY
from dlpack_bindgen.classes.methods_and_properties import GET, METHODS, PROPERTIES, PROPERTY
from dlpack_bindgen.language.keys import IF, PASS
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, Value, is_record, text_of
from dlpack_bindgen.tensor.parts import COUNT_OF_PARTS, NAME_OF_PART, PARTS, Entry, check_part
from dlpack_bindgen.tensor.slot import INT64_MAX, range_problems
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report
from dlpack_bindgen.text.names import ATTRIBUTES, snake
from dlpack_bindgen.text.names import METHODS as METHODS_OF_ALL


def called(functions: Table | None) -> Iterator[tuple[Leaf, str | None]]:
    """Yields the names of functions or methods in Python, each with its `if`. Alternatives have one name."""
    entries = functions.records() if functions else ()
    named = [(function[NAME] or key, text_of(function[IF])) for key, function in entries]
    for group in alternatives(named, lambda each: each[0].text, lambda each: each[1]):
        yield next((each for each in group if each[1] is None), group[0])


def distinct(attributes: Iterable[tuple[Leaf, str | None]], where: str, report: Report) -> None:
    """Reports attributes with the same name, unless different `if` conditions select one of them."""
    seen: dict[str, list[tuple[Leaf, str | None]]] = {}
    for name, condition in attributes:
        others = seen.setdefault(name.text, [])
        clash = next((other for other, known in others if condition is None or known in (None, condition)), None)
        if clash is not None:
            message = f"{where} has another '{name.text}'"
            hint = "two of the same name have different 'if'" if condition or others[0][1] else None
            report(Diagnostic("duplicate-name", name.span, message, hint, (Note(clash.span, "first here"),)))
        others.append((name, condition))


# ---- Rules for tensors and handles of one C type, and for the attributes of their classes ----

_FACTORIES = {"import": "from_dlpack", "allocate": "empty"}


def check_parts(classes: Iterable[tuple[Leaf, Fields]], report: Report) -> None:
    entries = [Entry(name, fields) for name, fields in classes]
    named = {entry.name.text: entry for entry in entries}
    tensors = tuple(name for name, known in named.items() if known.is_tensor)
    groups: dict[str, list[Entry]] = {}
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
            check_part(entry, part, named, tensors, report)
            for problem in range_problems(part[COUNT_OF_PARTS], 0, INT64_MAX, "a number of parts is 0 to 2^63 - 1"):
                report(problem)
        _attributes_of_parts(entry, parts, methods.get(entry.type or "", {}), report)


def _passed(entry: Entry) -> str:
    return text_of(entry.fields[PASS]) or "pointer"


def _same_pass(group: list[Entry], report: Report) -> None:
    first = group[0]
    for entry in group[1:]:
        if _passed(entry) != _passed(first) and _both_sound(entry, first):
            message = f"'{entry.name.text}' and '{first.name.text}' share a C type, and not the way it is passed"
            notes = (Note(first.fields.place(PASS, first.name.span), "the other one"),)
            report(Diagnostic("pass-differs", entry.fields.place(PASS, entry.name.span), message, notes=notes))


def _both_sound(one: Entry, other: Entry) -> bool:
    return all(entry.fields[PASS] or PASS not in entry.fields for entry in (one, other))


def _methods(group: list[Entry], report: Report) -> None:
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


def _attributes_of_parts(entry: Entry, parts: Items | None, methods: dict[str, Leaf], report: Report) -> None:
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
