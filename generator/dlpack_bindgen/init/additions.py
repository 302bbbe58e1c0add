"""Functions that are added to the text of an existing spec. All other lines of the text stay as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import yaml

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.init.classes import ObjectClass, creatable, creates, object_type, shows_memory, takes
from dlpack_bindgen.init.declarations import Function, Header
from dlpack_bindgen.init.effects import is_arithmetic
from dlpack_bindgen.init.entries import Place, block, wrapped
from dlpack_bindgen.init.header import named
from dlpack_bindgen.init.layout import Layout
from dlpack_bindgen.init.names import library_words, python_name, stem, without, words
from dlpack_bindgen.init.signatures import Names, Signature, signature, types_in
from dlpack_bindgen.init.statuses import Statuses, statuses
from dlpack_bindgen.init.yaml_values import scalar
from dlpack_bindgen.spec.spec import Item, Spec, Tensor
from dlpack_bindgen.text.diagnostics import closest
from dlpack_bindgen.validate.functions.calls import Call

Refused = Callable[[str], "str | None"]
"""Checks the text of a spec, and returns the reason why it is refused, or None."""


class AdditionError(Exception):
    """Raised if a function cannot be added. The message is one line and names the remedy."""


class Addition(Frozen):
    text: str
    """The whole spec with the function."""
    reason: str
    """The reason why the function is a comment; empty if the spec calls it."""
    guesses: tuple[str, ...]


def added(text: str, spec: Spec, header: Header, name: str, refused: Refused) -> Addition:
    """Returns the text of a spec with one more function of its headers: a method if the spec has the class of its first
    parameter, else a function of the module."""
    function = next((each for each in header.functions if each.name == name), None)
    if function is None:
        raise AdditionError(_not_declared(name, spec.includes, [each.name for each in header.functions]))
    if any(each.prototype.name == name for each in _called(spec)):
        raise AdditionError(f"the spec calls {name} already: change that entry")
    names = _names(text, spec, header)
    found = signature(function, names)
    place = _place(text, function, names.classes)
    key = _key(text, place, function, names.classes, header)
    if not found.doubt:
        whole = _inserted(text, place, key, found, "")
        reason = refused(whole)
        if reason is None:
            return Addition(whole, "", tuple(guess for _, _, guess in found.values if guess))
    else:
        reason = found.doubt
    return Addition(_inserted(text, place, key, found, reason), reason, ())


def _not_declared(name: str, includes: Sequence[str], known: Sequence[str]) -> str:
    if not includes:
        return f"the spec has no `include`: add the header that declares {name}"
    message = f"{named(includes)} {'declare' if len(includes) > 1 else 'declares'} no function {name}"
    meant = closest(name, known)
    return f"{message}: did you mean {meant}?" if meant is not None else f"{message}: add its header to `include`"


def _called(spec: Spec) -> list[Call]:
    items = (*spec.tensors, *spec.handles)
    own = [function for item in items for function in (*item.methods, *([item.new] if item.new else []))]
    return [*spec.functions, *own]


def _names(text: str, spec: Spec, header: Header) -> Names:
    """Returns the classes and enums of a spec, by the structs and enums of its headers."""
    classes: dict[str, ObjectClass] = {}
    for item in (*spec.handles, *spec.tensors):
        key = next((key for key, struct in header.structs.items() if item.type in struct.names), None)
        if key is not None:
            classes.setdefault(key, _class_of(item, header, key))
    enums = {}
    for enum in spec.enums:
        values = {value for _, value in enum.members}
        for key, each in header.enums.items():
            if values & {name for name, _ in each.values}:
                enums[key] = enum.name
    rule = _node(text, ("failures",))
    failure = next((each.value for each in _scalars(rule) if each.value.startswith("GError **")), "")
    known = creatable(header.functions, classes)
    return Names(classes, enums, _reported(statuses(header), rule), known, types_in(header), failure)


def _reported(found: Statuses, rule: yaml.Node | None) -> Statuses:
    """Returns the statuses of a header. Only those structs report failures about which the spec has a rule."""
    said = {each.value for each in _scalars(rule)}
    structs = {key: each for key, each in found.structs.items() if said & set(each.spellings)}
    return Statuses(found.success, found.messages, structs, found.constant)


def _scalars(node: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.SequenceNode):
        yield from (each for item in node.value for each in _scalars(item))
    elif isinstance(node, yaml.MappingNode):
        yield from (each for _, value in node.value for each in _scalars(value))


def _class_of(item: Item, header: Header, key: str) -> ObjectClass:
    release = (item.release, item.release) if item.release is not None else None
    retain = (item.retain, item.retain) if item.retain is not None else None
    struct = header.structs[key]
    layout = Layout((), (), frozenset()) if isinstance(item, Tensor) else None
    users = [each for each in header.functions if takes(each, key)]
    return ObjectClass(
        item.name,
        struct,
        item.type,
        item.by_value,
        layout,
        release,
        retain,
        tuple(stem(struct.spelling)),
        shows_memory=layout is not None or shows_memory(struct, users),
        is_arithmetic=is_arithmetic(users),
    )


# ---- The place in the spec ----


def _place(text: str, function: Function, classes: Mapping[str, ObjectClass]) -> Place:
    for key, each in classes.items():
        is_first = bool(function.parameters) and object_type(function.parameters[0].type, key)
        is_created = object_type(function.result, key) and creates(function) and not takes(function, key)
        for section in ("tensors", "handles"):
            if (is_first or is_created) and _node(text, (section, each.name)) is not None:
                return section, each.name, "methods"
    return ("functions",)


def _key(text: str, place: Place, function: Function, classes: Mapping[str, ObjectClass], header: Header) -> str:
    library = library_words(each.name for each in header.functions if each.name.startswith(function.name[:3]))
    own = next((each.own_words for each in classes.values() if place[1:2] == (each.name,)), ())
    shared = [word for word, other in zip(words(function.name), own, strict=False) if word == other]
    name = without(shared if len(shared) > len(library) else library, function.name)
    node = _node(text, place)
    taken = [key.value for key, _ in node.value] if isinstance(node, yaml.MappingNode) else []
    return python_name(name, taken)


def _node(text: str, place: Sequence[str]) -> yaml.Node | None:
    """Returns the value at a place of the YAML text; None: there is none."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    for part in place:
        entries = node.value if isinstance(node, yaml.MappingNode) else []
        node = next((value for key, value in entries if key.value == part), None)
    return node


# ---- The text ----


def _inserted(text: str, place: Place, key: str, found: Signature, reason: str) -> str:
    """Returns the text with an entry at the end of the mapping at `place`. With a reason, the entry is a comment."""
    missing: list[str] = []
    node = _node(text, place)
    while not isinstance(node, yaml.MappingNode):
        missing.insert(0, place[len(place) - 1 - len(missing)])
        node = _node(text, place[: len(place) - len(missing)])
    if node.flow_style and not reason:
        return _in_braces(text, node, missing, key, found)
    lines = list(block(key, found.values, found.comments))
    for part in reversed(missing):
        lines = [f"{part}:", *(f"  {line}" for line in lines)]
    if reason:
        lines = [f"# {line}" for line in (*wrapped(reason), *lines)]
    column, line = _end(text, node)
    end = "\r\n" if "\r\n" in text else "\n"
    kept = text.splitlines(keepends=True)
    before = "".join(kept[:line])
    gap = "" if not before or before.endswith("\n") else end
    blank = end if missing and not place[1:] else ""
    new = "".join(f"{' ' * column}{each}{end}" for each in lines)
    return f"{before}{gap}{blank}{new}{''.join(kept[line:])}"


def _end(text: str, node: yaml.MappingNode) -> tuple[int, int]:
    """Returns the column of the keys of a mapping, and the line before which its next entry begins."""
    lines = text.splitlines()
    column = int(node.start_mark.column)
    if node.flow_style:
        start = lines[node.start_mark.line]
        return len(start) - len(start.lstrip()), int(node.end_mark.line) + 1
    line = int(node.end_mark.line) + (node.end_mark.column > column)
    line = min(line, len(lines))
    while line > 0 and _is_outside(lines[line - 1], column):
        line -= 1
    return column, line


def _is_outside(line: str, column: int) -> bool:
    """Returns whether a line is empty, or a comment to the left of the keys of a mapping."""
    stripped = line.lstrip()
    return not stripped or (stripped.startswith("#") and len(line) - len(stripped) < column)


def _in_braces(text: str, node: yaml.MappingNode, missing: Sequence[str], key: str, found: Signature) -> str:
    """Returns the text with an entry in a mapping that is written in braces. The entry has no comments there.

    It follows the last value, because a comment can stand before the closing brace."""
    listed = ", ".join(f"{name}: {_between_braces(value)}" for name, value, _ in found.values)
    entry = f"{key}: {{{listed}}}"
    for part in reversed(missing):
        entry = f"{part}: {{{entry}}}"
    at = int(node.value[-1][1].end_mark.index if node.value else node.start_mark.index + 1)
    comma = ", " if node.value else ""
    return f"{text[:at]}{comma}{entry}{text[at:]}"


def _between_braces(value: str) -> str:
    """Returns a value of YAML with the quotes that it needs between braces."""
    return value if value.startswith(("{", "[")) else scalar(str(yaml.load(value, Loader=yaml.BaseLoader)))
