"""Rules for emitted C names: they must differ from each other and from the names that the C text of the spec uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.names import CALLED, called_part, snake
from dlpack_bindgen.c.prototype import place_of
from dlpack_bindgen.diagnostics import Diagnostic, Note, within
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.values import C_FORMS, Fields, Leaf, c_fragments
from dlpack_bindgen.validate.structure import Report

_MENTIONING = (
    *C_FORMS,
    *(Form.CTYPE, Form.STORAGE, Form.PROTOTYPE),
    *(Form.DECLARATION, Form.VARIABLE, Form.OUTPUT, Form.PARAMETER, Form.ARGUMENT),
)
"""Forms of C text that can use names of a header."""
_NO_NAMES = frozenset((".", "->", "struct", "union", "enum"))
"""Tokens before a name that belongs to another namespace of C."""
_OF_FUNCTIONS = ("function", "params", "operands")
"""Suffixes of the tables of a function that Python calls."""
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
    prefix = spec.text("prefix" if "prefix" in spec.given else "module")
    if prefix is not None:
        _distinct(spec, prefix, report)
        _mentioned(spec, prefix, report)


def _classes(spec: Fields) -> list[tuple[Leaf, Fields, bool]]:
    """Returns the name and the fields of each class, and whether it is a tensor."""
    tables = [(spec.table(key), key == "tensors") for key in ("handles", "tensors")]
    return [(name, entry, is_tensor) for table, is_tensor in tables if table for name, entry in table.records()]


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
    for name, entry, _ in _classes(spec):
        c_name = f"{prefix}_{snake(name.text)}"
        if "new" in entry.given:
            yield from _function(Leaf("new", entry.given["new"]), f"{c_name}_new", compared=False)
        properties, methods = entry.table("properties"), entry.table("methods")
        for key, value in properties.entries if properties else ():
            yield _Made(f"{c_name}_get_{key.text}", key)
            if isinstance(value, Fields) and "set" in value.given:
                yield _Made(f"{c_name}_assign_{key.text}", key)
                yield from _function(key, f"{c_name}_set_{key.text}")
        for key, _ in methods.entries if methods else ():
            yield from _function(key, f"{c_name}_{called_part(key.text)}")
    functions = spec.table("functions")
    for key, _ in functions.entries if functions else ():
        yield from _function(key, f"{prefix}_{key.text}")


def _function(key: Leaf, c_name: str, compared: bool = True) -> Iterator[_Made]:
    yield _Made(c_name, key, compared)
    for table in _OF_FUNCTIONS:
        yield _Made(f"{c_name}_{table}", key)


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
    if module := spec.leaf("module"):
        for verb in _OF_MODULES:
            yield _Made(f"{prefix}_{verb}", module)
    sharing = Counter(entry.text("type") for _, entry, _ in classes)
    for name, entry, is_tensor in classes:
        c_name = f"{prefix}_{snake(name.text)}"
        for verb in _of_class(entry, is_tensor, sharing[entry.text("type")] > 1):
            yield _Made(f"{c_name}_{verb}", name)
        parts = entry.items("parts")
        for part in parts.records() if parts else ():
            if key := part.leaf("name"):
                yield _Made(f"{c_name}_parts_{key.text}", key)


def _of_class(entry: Fields, is_tensor: bool, shares: bool) -> Iterator[str]:
    """Yields the suffixes of the functions of a class. `shares`: other classes have the same C type."""
    given = entry.given.keys()
    yield from _OF_CLASSES
    if "import" in given:
        yield from _OF_IMPORTS
    if not is_tensor:
        return
    if "acquire" not in given:
        yield "view"
    moves = "release" in given and not given & {"retain", "clone"}
    if not (moves and (shares or "params" in given)):
        yield from ("to_dlpack", "to_dlpack_legacy")
    if shares:
        yield "part"
