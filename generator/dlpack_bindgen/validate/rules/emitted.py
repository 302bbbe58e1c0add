"""Rules for emitted C names: they must differ from each other and from the names that the C text of the spec uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dlpack_bindgen.calls.features import FEATURES
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.hooks.acquire import ACQUIRE
from dlpack_bindgen.hooks.clone import CLONE
from dlpack_bindgen.hooks.count_parts import NAME_OF_PART, PARTS
from dlpack_bindgen.hooks.hooks import RETAIN
from dlpack_bindgen.hooks.release import RELEASE
from dlpack_bindgen.imports.part import PARAMS_OF_MAKING
from dlpack_bindgen.language.classes import METHODS, NEW, NEW_STRUCT, PROPERTIES, PROPERTY, SET
from dlpack_bindgen.language.functions import FUNCTION
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.language import MODULE, PREFIX, TENSOR, classes_of
from dlpack_bindgen.language.making import ALLOCATE_OF_TENSOR, IMPORT_OF_CLASS
from dlpack_bindgen.language.module import FUNCTIONS
from dlpack_bindgen.language.records import RECORDS, table_of
from dlpack_bindgen.language.shared import PARAMS, TYPE
from dlpack_bindgen.language.values import C_FORMS, Fields, Leaf, Value, c_fragments, is_record, text_of
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, within
from dlpack_bindgen.text.names import CALLED, called_part, snake
from dlpack_bindgen.text.types import place_of

_MENTIONING = (
    *C_FORMS,
    *(Form.CTYPE, Form.STORAGE, Form.PROTOTYPE),
    *(Form.DECLARATION, Form.VARIABLE, Form.OUTPUT, Form.PARAMETER, Form.ARGUMENT),
)
"""Forms of C text that can use names of a header."""
_NO_NAMES = frozenset((".", "->", "struct", "union", "enum"))
"""Tokens before a name that belongs to another namespace of C."""
_OF_NEW_STRUCTS = ("init", "members", "params", "setters")
"""Suffixes of the function and the further tables of a constructor that makes a struct."""
_OF_MODULES = ("add_types", "import_c_api", "c_api")
_OF_CLASSES = ("own", "wrap", "unwrap", "type")
_OF_IMPORTS = ("from_dlpack", "from_dlpack_legacy")


class _Made(Frozen):
    """An emitted C name and the key that gives it."""

    c_name: str
    key: Leaf
    compared: bool = False
    """Whether another rule, `collisions`, compares the name with the others that have this flag."""


def check(spec: Fields, report: Report) -> None:
    prefix = text_of(spec[PREFIX] if PREFIX in spec else spec[MODULE])
    if prefix is not None:
        _distinct(spec, prefix, report)
        _mentioned(spec, prefix, report)


def _classes(spec: Fields) -> list[tuple[Leaf, Fields]]:
    """Returns the name and the fields of each class, handles first."""
    return sorted(classes_of(spec), key=lambda named: named[1].record is TENSOR)


# ---- Names of functions that Python calls ----


def _distinct(spec: Fields, prefix: str, report: Report) -> None:
    known: dict[str, _Made] = {}
    pairs: set[tuple[Leaf, Leaf]] = set()
    for made in _called(spec, f"{CALLED}{prefix}"):
        first = known.setdefault(made.c_name, made)
        pair = (first.key, made.key)
        if first.key is made.key or pair in pairs:
            continue
        pairs.add(pair)
        if not (first.compared and made.compared):
            message = f"'{made.key.text}' and '{first.key.text}' would both be made into a C name '{made.c_name}'"
            hint = "give a function another key: 'name' declares its name in Python"
            notes = (Note(first.key.span, "the other one"),)
            report(Diagnostic("name-collision", made.key.span, message, hint, notes))


def _called(spec: Fields, prefix: str) -> Iterator[_Made]:
    for name, entry in _classes(spec):
        c_name = f"{prefix}_{snake(name.text)}"
        if NEW in entry:
            new = Leaf("new", entry.place(NEW))
            yield from _function(new, f"{c_name}_new", entry[NEW], compared=False)
            if is_record(entry[NEW], NEW_STRUCT):
                yield from (_Made(f"{c_name}_new_{each}", new) for each in _OF_NEW_STRUCTS)
        properties, methods = entry[PROPERTIES], entry[METHODS]
        for key, value in properties.entries if properties else ():
            yield _Made(f"{c_name}_get_{key.text}", key)
            if is_record(value, PROPERTY) and SET in value:
                yield _Made(f"{c_name}_assign_{key.text}", key)
                yield from _function(key, f"{c_name}_set_{key.text}", value[SET])
        for key, method in methods.entries if methods else ():
            yield from _function(key, f"{c_name}_{called_part(key.text)}", method)
    functions = spec[FUNCTIONS]
    for key, function in functions.entries if functions else ():
        yield from _function(key, f"{prefix}_{key.text}", function)


def _function(key: Leaf, c_name: str, fields: Value | None, compared: bool = True) -> Iterator[_Made]:
    yield _Made(c_name, key, compared)
    if is_record(fields, FUNCTION):
        for each in FEATURES:
            if each.suffix and any(own in fields for own in each.keys):
                yield _Made(f"{c_name}{each.suffix}", key)


# ---- Emitted names in C text ----


def _mentioned(spec: Fields, prefix: str, report: Report) -> None:
    emitted = {made.c_name: made.key for made in _emitted(spec, prefix)}
    for _, text in c_fragments(spec, forms=_MENTIONING) if emitted else ():
        for name in _named(text.text) if prefix in text.text else ():
            if name in emitted:
                message = f"'{name}' is the emitted C name of '{emitted[name].text}'"
                hint = f"its names begin with 'prefix': choose another one than '{prefix}'"
                notes = (Note(emitted[name].span, "this one"),)
                span = within(text.span, text.text, place_of(text.text, name))
                report(Diagnostic("name-collision", span, message, hint, notes))
                del emitted[name]


def _named(text: str) -> Iterator[str]:
    before = ""
    for token in ctext.tokens(text):
        if token.kind == "name" and before not in _NO_NAMES:
            yield token.text
        before = token.text


def _emitted(spec: Fields, prefix: str) -> Iterator[_Made]:
    """Yields the names at file scope of the emitted files, except names with a longer prefix."""
    classes = _classes(spec)
    if module := spec[MODULE]:
        for verb in _OF_MODULES:
            yield _Made(f"{prefix}_{verb}", module)
    for ctype, _ in records.entries if (records := spec[RECORDS]) else ():
        yield _Made(table_of(ctype.text, prefix), ctype)
    sharing = Counter(text_of(entry[TYPE]) for _, entry in classes)
    for name, entry in classes:
        c_name = f"{prefix}_{snake(name.text)}"
        for verb in _of_class(entry, sharing[text_of(entry[TYPE])] > 1):
            yield _Made(f"{c_name}_{verb}", name)
        parts = entry[PARTS]
        for part in parts.records() if parts else ():
            if key := part[NAME_OF_PART]:
                yield _Made(f"{c_name}_parts_{key.text}", key)


def _of_class(entry: Fields, shares: bool) -> Iterator[str]:
    """Yields the suffixes of the functions of a class. `shares`: other classes have the same C type."""
    yield from _OF_CLASSES
    if IMPORT_OF_CLASS in entry:
        yield from _OF_IMPORTS
    if (allocate := entry[ALLOCATE_OF_TENSOR]) is not None and PARAMS_OF_MAKING in allocate:
        yield "allocate"
    if entry.record is not TENSOR:
        return
    if ACQUIRE not in entry:
        yield "view"
    shared = RETAIN in entry or CLONE in entry
    moves = RELEASE in entry and not shared
    if not (moves and (shares or PARAMS in entry)):
        yield from ("to_dlpack", "to_dlpack_legacy")
    if shares:
        yield "part"
