"""Rules about the C names of a module, and the names of the spec that its emitted variables would hide."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from dlpack_bindgen.calls.features import FEATURES, FUNCTION
from dlpack_bindgen.classes.constants import CONSTANTS, INT_ENUM, INT_FLAG
from dlpack_bindgen.classes.methods_and_properties import METHODS, NEW, NEW_STRUCT, PROPERTIES, PROPERTY, SET
from dlpack_bindgen.classes.records import RECORDS, table_of
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import PARAMS, TYPE, Form
from dlpack_bindgen.language.values import (
    C_FORMS,
    Fields,
    Items,
    Leaf,
    Table,
    Value,
    c_fragments,
    inside,
    is_record,
    text_of,
)
from dlpack_bindgen.spec.all_keys import FUNCTIONS, MODULE, PREFIX, TENSOR, classes_of
from dlpack_bindgen.tensor.import_parts import PARAMS_OF_MAKING
from dlpack_bindgen.tensor.imports import ALLOCATE_OF_TENSOR, IMPORT_OF_CLASS
from dlpack_bindgen.tensor.lifetime_hooks import ACQUIRE, CLONE, RELEASE, RETAIN, SCOPE_NAMES, WORDS_OF_HOOKS
from dlpack_bindgen.tensor.parts import NAME_OF_PART, PARTS
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Code, Diagnostic, Note, Report, within
from dlpack_bindgen.text.fragments import LITERAL, is_variable
from dlpack_bindgen.text.names import (
    CALLED,
    DELETER_ROLES,
    MARK,
    NAMES_BESIDE_TEXT,
    OWN_NAMES,
    STATIC,
    WORDS_OF_CLASSES,
    WORDS_OF_MAKING,
    called_part,
    snake,
)
from dlpack_bindgen.text.types import place_of

# ---- Rules for emitted C names: they must differ from each other, and from names in C code of the spec ----

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
    """Whether another rule, `check_collisions`, compares the name with the others that have this flag."""


def check_emitted(spec: Fields, report: Report) -> None:
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
    for made in _emitted_calls(spec, f"{CALLED}{prefix}"):
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


def _emitted_calls(spec: Fields, prefix: str) -> Iterator[_Made]:
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


# ---- Checks for C names that two specs, or two entries of one spec, would both emit ----


def check_collisions(specs: Sequence[Fields], report: Report) -> None:
    modules: dict[str, Leaf] = {}
    emitted: dict[str, tuple[Leaf, bool]] = {}
    for fields in specs:
        module = fields[MODULE]
        if module is not None:
            # Some file systems ignore case.
            first = modules.setdefault(module.text.lower(), module)
            if first is not module:
                message = f"the module '{module.text}' would be written to the same files as another spec's"
                report(_both("module-collision", module, message, first))
                continue
        prefix = fields[PREFIX] or module
        if prefix is None or (PREFIX in fields and not fields[PREFIX]):
            continue
        for name, c_name, is_class in _names(fields, prefix.text):
            other, other_is_class = emitted.setdefault(c_name, (name, is_class))
            # For entries other than classes, `check_module` and `check_parts` report duplicate names.
            is_same_leaf = name.text == other.text and name.span.file == other.span.file
            if other is not name and (not is_same_leaf or (is_class and other_is_class)):
                message = f"the C names of '{name.text}' would begin with '{c_name}', like those of '{other.text}'"
                if name.text == other.text:
                    message = f"there is another '{name.text}'"
                report(_both("name-collision", name, message, other))


def _names(fields: Fields, prefix: str) -> Iterator[tuple[Leaf, str, bool]]:
    """Yields each entry of the spec with the prefix of its C names, and whether the entry is a class."""
    for name, entry in classes_of(fields):
        c_name = f"{prefix}_{snake(name.text)}"
        yield name, c_name, True
        yield from _called_names(entry, c_name)
    functions = fields[FUNCTIONS]
    for name, _ in functions.entries if functions else ():
        yield name, f"{CALLED}{prefix}_{name.text}", False
    constants = fields[CONSTANTS]
    for name, _ in constants.records(INT_ENUM, INT_FLAG) if constants else ():
        yield name, f"{STATIC}{prefix}_{snake(name.text)}", False


def _called_names(entry: Fields, c_name: str) -> Iterator[tuple[Leaf, str, bool]]:
    """Yields each method and each setter of a property, with its C name and False: it is not a class."""
    methods, properties = entry[METHODS], entry[PROPERTIES]
    for name, _ in methods.entries if methods else ():
        yield name, f"{CALLED}{c_name}_{name.text}", False
    for name, value in properties.records() if properties else ():
        if SET in value:
            yield name, f"{CALLED}{c_name}_set_{name.text}", False


def _both(code: Code, leaf: Leaf, message: str, other: Leaf) -> Diagnostic:
    return Diagnostic(code, leaf.span, message, notes=(Note(other.span, "the other one"),))


# ---- Names in a spec that equal names of variables in emitted functions ----
# They are types and constants of headers, or variables that the spec declares. The module marks them in all C code of
# the spec. The emitter can then distinguish them from its own variables.

_NAMES = "|".join(sorted(OWN_NAMES | SCOPE_NAMES))
_TOKEN = re.compile(rf"{LITERAL}|(?:(?:->|\.)\s*|\b(?:struct|union|enum)\s+)[A-Za-z_]\w*|\b(?P<name>{_NAMES})\b")
"""A name in C code. Literals, members and tags are skipped, because no variable hides them."""
_BEGINS_TYPE = re.compile(r"\s*\*|\s+[A-Za-z_]")
_DECLARED = re.compile(r"[A-Za-z_]\w*(?=\s*(?:\[[^\]]*\]\s*)?$)")
_TYPES = (Form.CTYPE, Form.STORAGE)
_DECLARATIONS = (Form.DECLARATION, Form.VARIABLE, Form.OUTPUT, Form.PARAMETER, Form.ARGUMENT, Form.PROTOTYPE)
_OF_FUNCTIONS = frozenset(("result", "axis"))
_NO_WORDS: frozenset[str] = frozenset()

_Use = Literal["word", "type", "called", "declared", "value"]


class _Place(NamedTuple):
    name: str
    end: int
    use: _Use


def marked(fields: Fields) -> tuple[Fields, tuple[str, ...], tuple[str, ...]]:
    """Marks the conflicting names in the fields of a spec without mistakes.

    Returns the marked fields, the names that headers define, and the names that only variables of the spec have.
    """
    uses: dict[_Use, set[str]] = {use: set() for use in get_args(_Use)}
    for leaf, words in _leaves_of_spec(fields, WORDS_OF_CLASSES):
        for place in _places(leaf, words) if leaf.form is not Form.PROTOTYPE else ():
            uses[place.use].add(place.name)
    # A word of the language is a variable only where it is used. A plain value is a constant unless it is declared.
    of_headers = uses["type"] | (uses["called"] & (NAMES_BESIDE_TEXT | uses["word"]))
    of_headers |= (uses["value"] - uses["declared"]) & NAMES_BESIDE_TEXT
    declared = (uses["declared"] & (NAMES_BESIDE_TEXT | SCOPE_NAMES)) - of_headers
    if not (of_headers or declared):
        return fields, (), ()
    names = frozenset(of_headers | declared)
    return _of_fields(fields, WORDS_OF_CLASSES, names), tuple(sorted(of_headers)), tuple(sorted(declared))


def _words(key: str, words: frozenset[str]) -> frozenset[str]:
    """Returns the names in scope of the C code below a key of a class."""
    if key in ("import", "allocate"):
        return WORDS_OF_MAKING
    if key in ("deleter", "attach"):
        return words.union(DELETER_ROLES)
    return words | WORDS_OF_HOOKS.get(key, _NO_WORDS)


def _leaves_of_spec(value: Value, words: frozenset[str]) -> Iterator[tuple[Leaf, frozenset[str]]]:
    """Yields all strings outside of functions, each with the words of the language in its scope.

    Functions are skipped, because their variables are renamed when they conflict.
    """
    if isinstance(value, Leaf):
        yield value, words
    elif not is_record(value, FUNCTION):
        for key, item in inside(value):
            yield from _leaves_of_spec(item, _words(key, words))


def _places(leaf: Leaf, words: frozenset[str]) -> Iterator[_Place]:
    """Yields each conflicting name in a string, with its use. `words` are the words of the language in scope."""
    text, form = leaf.text, leaf.form
    if form is Form.OF_PROTOTYPE:
        if re.fullmatch(_NAMES, text):
            yield _Place(text, len(text), "word" if text in words else "declared")
        return
    if form not in (*C_FORMS, *_TYPES, *_DECLARATIONS, Form.MEMBER):
        return
    begin = len(text.partition("[")[0]) if form is Form.MEMBER else 0
    declaration = text.partition("=")[0] if form is Form.PARAMETER else text if form in _DECLARATIONS else ""
    declared = _DECLARED.search(declaration)
    for match in _TOKEN.finditer(text, begin):
        name = match["name"]
        if name is None:
            continue
        before, after = text[: match.start()], text[match.end() :]
        if form in _TYPES:
            use: _Use = "type"
        elif match.start() < len(declaration):
            is_type = _BEGINS_TYPE.match(after) is not None
            is_last = declared is not None and match.start() == declared.start()
            use = "declared" if is_last or not is_type else "type"
            if form is Form.ARGUMENT and is_last and name in DELETER_ROLES:
                use = "word"
        elif is_variable(before, after):
            use = "word" if name in words else "value"
        else:
            use = "called" if re.match(r"\s*\(", after) else "type"
        yield _Place(name, match.end(), use)


def _of_fields(fields: Fields, words: frozenset[str], names: frozenset[str]) -> Fields:
    words = _OF_FUNCTIONS if is_record(fields, FUNCTION) else words
    values = {key: _of_value(value, _words(key, words), names) for key, value in fields.values.items()}
    entry = fields.entry
    if entry is not None:
        entry = _of_leaf(entry[0], words, names), _of_leaf(entry[1], words, names)
    return Fields(fields.record, values, fields.given, entry, fields.span, fields.has_unknown)


def _of_value(value: Value, words: frozenset[str], names: frozenset[str]) -> Value:
    if isinstance(value, Leaf):
        return _of_leaf(value, words, names)
    if isinstance(value, Items):
        return Items(tuple(_of_value(item, words, names) for item in value.items), value.span, value.count)
    if isinstance(value, Table):
        entries = ((_of_leaf(key, words, names), _of_value(item, words, names)) for key, item in value.entries)
        return Table(tuple(entries), value.span, value.broken)
    return _of_fields(value, words, names) if isinstance(value, Fields) else value


def _of_leaf(leaf: Leaf, words: frozenset[str], names: frozenset[str]) -> Leaf:
    pieces, end = [], 0
    for place in _places(leaf, words):
        if place.name in names and place.use != "word":
            pieces += [leaf.text[end : place.end], MARK]
            end = place.end
    return Leaf("".join([*pieces, leaf.text[end:]]), leaf.span, leaf.form) if pieces else leaf
