"""Arrays: exports and results beyond their memory, and what C reads and writes of an argument."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dlpack_bindgen.calls.argument_kind import WRITES, Argument
from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.tensor.item import Tensor
from dlpack_bindgen.text.types import BYTES
from dlpack_bindgen.tools.try_.calls.dtypes import DTYPES, dtypes_of_c, is_defined_by_headers
from dlpack_bindgen.tools.try_.claims import Subject
from dlpack_bindgen.tools.try_.findings import NOTICE, REFUTED, Finding, Specs, bytes_of, shape_of, symbol_of, verb_of
from dlpack_bindgen.tools.try_.lifetimes import borrowing, returns_part
from dlpack_bindgen.tools.try_.remedies import Remedy, change, of_argument
from dlpack_bindgen.tools.try_.rounds import Event

_EXCHANGED = ", if C has the other order of the axes"
"""The end of a remedy that exchanges two extents."""


# ---- Exports, results and new objects ----


def export_outside(specs: Specs, event: Event) -> Finding:
    subject, shape = specs.class_(event["class"]), shape_of(event["shape"])
    maker = specs.function(event.get("function"))
    needs, has = event["needs"], event.get("has", -1)
    memory = f"; the memory has {bytes_of(has)} from there" if has >= 0 else ""
    evidence = f"the array {shape} needs {bytes_of(needs)} from `data`{memory}"
    evidence += f"; byte {event['at']} is not memory of the library"
    if maker is not None and subject is not None and subject.name == specs.spec_of(subject).arrays:
        size = f": the memory has {bytes_of(has)}" if has >= 0 else ""
        return specs.about(
            event,
            "bytes",
            maker,
            "its result ends beyond its memory",
            evidence,
            [Remedy(f"compare `shape` and `dtype` of the result with C{size}")],
            key="shape",
        )
    if maker is not None and event["at"] == 0 and has < 0 and returns_part(specs, maker):
        evidence += f": {maker.name} returned an object of which nothing keeps the memory"
        return specs.about(
            event,
            "owner",
            maker,
            f"the memory of its {subject.name if subject is not None else 'object'} is freed while Python uses it",
            evidence,
            borrowing(maker, subject),
            key="borrow",
        )
    slot, remedies = _slot_too_large(subject, event)
    place = specs.place(subject, "shape") if subject is not None else None
    return specs.about(
        event,
        "export",
        subject,
        "the export ends beyond the memory of `data`",
        evidence,
        remedies,
        key=slot,
        place=place,
    )


def _slot_too_large(subject: Subject | None, event: Event) -> tuple[str, list[Remedy]]:
    """Returns the slot that is probably wrong, and remedies."""
    tensor = subject.item if subject is not None else None
    if not isinstance(tensor, Tensor):
        return "shape", []
    needs, has, itemsize = event["needs"], event.get("has", -1), event.get("itemsize", 1)
    extents = [str(each) for each in getattr(tensor.slots.shape, "extents", None) or ()]
    strides = tensor.slots.strides is not None
    bad = event["at"]
    if bad < 0:
        words = "a stride is negative, or `data` is not the first element"
        return ("strides" if strides else "data"), [Remedy(words)]
    remedies = []
    if has > 0 and itemsize > 1 and needs == has * itemsize:
        of = [f"`{each} / {itemsize}`" for each in extents if re.search("byte|size|stride|pitch|len", each, re.I)]
        example = f", such as {of[0]}" if of else ""
        words = f"an extent counts bytes, and the elements have {itemsize}: divide it{example}"
        remedies.append(Remedy(words))
    elif has > 0:
        slots = "`shape`, `strides` and `dtype`" if strides else "`shape` and `dtype`"
        remedies.append(Remedy(f"compare {slots} with the struct: the memory has {bytes_of(has)}"))
    return "shape", remedies


def readonly_memory(specs: Specs, event: Event) -> Finding:
    subject = specs.class_(event["class"])
    place = specs.place(subject, "readonly") if subject is not None else None
    evidence = "the page of `data` is not writable: a cast hides `const`"
    return specs.about(
        event,
        "export",
        subject,
        "its memory is read-only, and the export is writable",
        evidence,
        [change("readonly", "true")],
        key="readonly",
        place=place,
    )


def made_differs(specs: Specs, event: Event) -> Finding:
    subject, slot, key = specs.class_(event["class"]), event["slot"], event["by"]
    made, wanted = shape_of(event["made"]), shape_of(event["wanted"])
    evidence = f"{made} instead of {wanted}" if slot in ("shape", "strides") else f"`{slot}` of an array {wanted}"
    source = "the array" if key == "import" else "the shape"
    remedies = [Remedy(f"compare `{slot}` of the class with `{key}`: one of both is wrong")]
    place = specs.place(subject, key) if subject is not None else None
    return specs.about(
        event,
        "export",
        subject,
        f"a new object does not show {source} that it was made from",
        evidence,
        remedies,
        key=key,
        place=place,
    )


def bytes_outside(specs: Specs, event: Event) -> Finding:
    subject = specs.function(event["function"])
    has = event.get("has", -1)
    memory = (
        f", and the memory has {bytes_of(has)}"
        if has >= 0
        else f", and byte {event['at']} is not memory of the library"
    )
    evidence = f"the result has {bytes_of(event['size'])}{memory}"
    key = "shape" if event.get("array") else "size"
    remedies = [Remedy(f"a smaller `{key}` of the result")]
    return specs.about(event, "bytes", subject, "its result ends beyond its memory", evidence, remedies, key=key)


# ---- Lengths ----


def beyond(specs: Specs, event: Event) -> Finding:
    subject, name = specs.function(event["function"]), event["argument"]
    sides = {"before": "before the beginning of its", "between": "between the elements of its"}
    side = sides.get(event.get("side", ""), "beyond the end of its")
    size, distance = event["size"], event["distance"]
    away = f"{bytes_of(distance)} " if distance else ""
    sentence = f"C {verb_of(event)} {away}{side} {bytes_of(size)}"
    argument = subject.argument(name) if subject is not None else None
    key = _key_of_length(subject, name)
    if argument is not None and argument.kind.returned is not None and argument.ctype.length:
        key = "c"
    return specs.about(
        event,
        "within",
        subject,
        sentence,
        f"in {symbol_of(event)}",
        _lengths_to_write(specs, subject, argument, event),
        argument=name,
        key=key,
    )


def _key_of_length(subject: Subject | None, name: str) -> str:
    """Returns the parameter that has the length of an argument, or `require`."""
    argument = subject.argument(name) if subject is not None else None
    if subject is None or subject.call is None or argument is None:
        return "require"
    return next((each.argument.name for each in subject.call.derived if each.measure.of == argument.name), "require")


def _lengths_to_write(specs: Specs, subject: Subject | None, argument: Argument | None, event: Event) -> list[Remedy]:
    if subject is None or subject.call is None or argument is None:
        return []
    if event.get("side") == "between":
        return [*_strides_to_write(subject, argument.name), *_shapes_to_write(argument)]
    if argument.kind.returned is not None and argument.ctype.length:
        return [larger_prototype(argument)]
    found: list[Remedy] = []
    is_behind = event.get("side") != "before"
    itemsize = _itemsize(argument)
    more = event["distance"] // itemsize + 1 if itemsize else 1
    for each in subject.call.derived:
        if each.measure.of != argument.name or not is_behind:
            continue
        if event["size"] == 0 and each.measure.is_length:
            needed = change("require", f"[{{expr: {each.argument.name} > 0}}]", ", if C needs an element")
            found.insert(0, needed)
        name, measure = each.argument.name, each.measure
        of = f"{measure.key}: {argument.name}" + (f", axis: {measure.axis}" if measure.axis else "")
        if measure.what == "size" and itemsize != 1:
            found.append(of_argument(name, f"{{count_of: {argument.name}}}", ", if C counts elements"))
        if measure.what == "stride" and measure.in_bytes and itemsize != 1:
            found.insert(0, of_argument(name, f"{{{of}, unit: elements}}", ", if C counts elements"))
        if measure.is_length and more == 1:
            more_words = f", if C uses one element more than `{name}`"
            found.append(of_argument(name, f"{{{of}, plus: {measure.plus - 1}}}", more_words))
    if is_behind:
        exchanged, is_likely = _exchanged_extents(subject.call, argument)
        found = [*exchanged, *found] if is_likely else [*found, *exchanged]
        found = [*_shapes_of_others(specs, subject, argument), *found, *_shapes_to_write(argument, more)]
    if not found:
        found.append(Remedy(f"{argument.name}: {{require: ...}}, so that the array has all elements that C uses"))
    return found


def _exchanged_extents(call: Call, argument: Argument) -> tuple[list[Remedy], bool]:
    """Returns the remedy that exchanges two extents of an argument, and whether their order in the prototype is not
    that of the axes."""
    extents = [each for each in call.derived if each.measure.of == argument.name and each.measure.what == "extent"]
    if len(extents) != 2 or extents[0].measure.axis == extents[1].measure.axis:
        return [], False
    names = [each.argument.name for each in extents]
    axes = [each.measure.axis or 0 for each in extents]
    entries = [
        f"{name}: {{extent_of: {argument.name}, axis: {axis}}}"
        for name, axis in zip(names, reversed(axes), strict=True)
    ]
    shape = list(argument.kind.require.shape or ())
    if set(names) <= set(shape):
        other = dict(zip(names, reversed(names), strict=True))
        shape = [other.get(each, each) for each in shape]
        entries.append(f"{argument.name}: {{require: [{{shape: [{', '.join(shape)}]}}]}}")
    return [change("args", f"{{{', '.join(entries)}}}", _EXCHANGED)], axes[0] > axes[1]


def without_exchange(finding: Finding, call: Call, steps: Sequence[Event]) -> Finding:
    """Returns a finding without the remedy that exchanges two extents, if they are equal in the last step."""
    shape = shape_of_argument(steps[-1].get("args", {}).get(finding.argument), steps) if steps else []
    axes = [
        each.measure.axis or 0
        for each in call.derived
        if each.measure.of == finding.argument and each.measure.what == "extent"
    ]
    if len({shape[axis] for axis in axes if axis < len(shape)}) != 1:
        return finding
    return replace(finding, remedies=tuple(each for each in finding.remedies if not each.text.endswith(_EXCHANGED)))


def _shapes_of_others(specs: Specs, subject: Subject, argument: Argument) -> Iterator[Remedy]:
    """Yields the shapes of arrays of other methods that have the same parameters."""
    call = subject.call
    shape = tuple(argument.kind.require.shape or ())
    names = {each.name for each in call.arguments} if call is not None else set()
    for other in specs.functions.values():
        same_class = other.item is not None and other.item is subject.item and other.call is not None
        for each in other.call.arguments if same_class and other.call is not call and other.call is not None else ():
            wanted = tuple(each.kind.require.shape or ())
            used = {name for text in wanted for name in re.findall(r"(?<![\w.>])[A-Za-z_]\w*", text)}
            if shape and wanted[: len(shape)] == shape and wanted != shape and used <= names:
                require = f"{{require: [{{shape: [{', '.join(wanted)}]}}]}}"
                yield of_argument(argument.name, require, f", as in {other.name}")


def _shapes_to_write(argument: Argument, more: int = 1) -> list[Remedy]:
    require = argument.kind.require
    shape = [*(require.shape or ())]
    if shape:
        larger = ", ".join(_larger(each, more) for each in shape)
        value = f"{{require: [{{shape: [{larger}]}}]}}"
        return [of_argument(argument.name, value, ", or another larger shape")]
    if require.count:
        value = f"{{require: [{{count: {_larger(require.count, more)}}}]}}"
        return [of_argument(argument.name, value, ", or another larger count")]
    return []


def _strides_to_write(subject: Subject, name: str) -> list[Remedy]:
    """Returns the strides of an argument with the other unit."""
    found = []
    for each in subject.call.derived if subject.call is not None else ():
        if each.measure.of == name and each.measure.what == "stride":
            of = f"{each.measure.key}: {name}" + (f", axis: {each.measure.axis}" if each.measure.axis else "")
            unit = "elements" if each.measure.in_bytes else "bytes"
            found.append(of_argument(each.argument.name, f"{{{of}, unit: {unit}}}", f", if C counts {unit}"))
    compact = ", or [compact], if C expects rows without gaps"
    return found or [of_argument(name, "{require: [inner_compact]}", compact)]


def _larger(text: str, more: int) -> str:
    return str(int(text) + more) if text.isdecimal() else f"{text} + {more}"


def larger_prototype(argument: Argument) -> Remedy:
    return Remedy(f"c: a prototype with a larger length than `{argument.name}[{argument.ctype.length}]`")


def _itemsize(argument: Argument) -> int:
    """Returns the size of an element in bytes; 0: only the headers know it."""
    base = argument.ctype.base
    if base in BYTES:
        return 1
    return 0 if is_defined_by_headers(base) else DTYPES[dtypes_of_c(base, None)[0]].size


def shape_of_argument(value: object, steps: Sequence[Event]) -> list[int]:
    """Returns the shape of an argument in a step; an empty list: unknown, or no array."""
    if not isinstance(value, Mapping):
        return []
    if "array" in value:
        return [each for each in value["array"].get("shape", ()) if type(each) is int]
    if "list" in value:
        return [len(value["list"])]
    made = next((each for each in reversed(steps) if "var" in value and each.get("result") == value["var"]), {})
    for each in made.get("args", {}).values():
        if isinstance(each, list):
            return [extent for extent in each if type(extent) is int]
        if found := shape_of_argument(each, steps):
            return found
    return []


# ---- What C writes ----


def changed(specs: Specs, event: Event) -> Finding:
    subject, name = specs.function(event["function"]), event["argument"]
    argument = subject.argument(name) if subject is not None else None
    is_const = argument is not None and argument.ctype.pointers[-1:] == (True,)
    pairs = subject.call.pairs if subject is not None and subject.call is not None else []
    entry = next((entry for entry, each in pairs if each is argument), None)
    declares = entry is not None and WRITES in entry.fields
    words = (
        "remove `writes: false`"
        if declares
        else f"declare `{name}` without `const` in a function of your own that calls it"
    )
    evidence = f"element {event['element']} has another value after the call"
    return specs.about(
        event,
        "unchanged",
        subject,
        "C changed it, and the spec says that C only reads it",
        evidence,
        [Remedy(words)],
        argument=name,
        key="writes" if declares or not is_const else "c",
    )


def unset(specs: Specs, event: Event) -> Finding:
    subject, name = specs.function(event["function"]), event["argument"]
    sentence = f"C left out {event['kept']} of {event['of']} elements of the new output"
    evidence = f"element {event['element']} kept the value from before the call"
    return specs.about(
        event,
        "set",
        subject,
        sentence,
        evidence,
        _complete(subject, name),
        argument=name,
        key=_key_of_length(subject, name),
    )


def undefined(specs: Specs, event: Event) -> Finding:
    subject, name = specs.function(event["function"]), event["argument"]
    sentence = f"C left out element {event['element']} of {event['of']}"
    return specs.about(
        event,
        "set",
        subject,
        sentence,
        "memcheck: it is not set after the call",
        _complete(subject, name),
        argument=name,
        key=_key_of_length(subject, name),
        state=REFUTED if event.get("new") else NOTICE,  # C may fill a part of an array that it is given
    )


def end_kept(specs: Specs, event: Event) -> Finding:
    subject, name = specs.function(event["function"]), event["argument"]
    sentence = f"in each of {event['calls']} calls the last {event['kept']} of {event['of']} elements kept their values"
    return specs.about(
        event,
        "set",
        subject,
        sentence,
        "",
        _complete(subject, name),
        argument=name,
        key=_key_of_length(subject, name),
        state=NOTICE,
    )


def end_unused(specs: Specs, event: Event) -> Finding:
    subject, name = specs.function(event["function"]), event["argument"]
    key = _key_of_length(subject, name)
    sentence = f"in each of {event['calls']} calls the last element had no effect, whatever its value"
    remedies = [Remedy(f"compare `{key}` with what C counts: C may use fewer elements")]
    return specs.about(event, "within", subject, sentence, "", remedies, argument=name, key=key, state=NOTICE)


def _complete(subject: Subject | None, name: str) -> list[Remedy]:
    if subject is None or subject.call is None:
        return []
    found = []
    for each in subject.call.derived:
        if each.measure.of == name and each.measure.what in ("count", "extent"):
            found.append(of_argument(each.argument.name, f"{{size_of: {name}}}", ", if C counts bytes"))
        if each.measure.of == name and each.measure.what == "stride":
            found += _strides_to_write(subject, name)
    words = f"{name}: a smaller shape, or the number of elements that C reports, if it does not fill all"
    found.append(Remedy(words))
    return found
