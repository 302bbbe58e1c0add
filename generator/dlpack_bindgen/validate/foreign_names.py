"""Names in a spec that equal names of variables in emitted functions.

They are types and constants of headers, or variables that the spec declares. The module marks them in all C code of
the spec. The emitter can then distinguish them from its own variables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple, get_args

from dlpack_bindgen.hooks.hooks import SCOPE_NAMES, WORDS_OF_HOOKS
from dlpack_bindgen.language.functions import FUNCTION
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.values import C_FORMS, Fields, Items, Leaf, Table, Value, is_record
from dlpack_bindgen.text.fragments import LITERAL, is_variable
from dlpack_bindgen.text.names import (
    DELETER_ROLES,
    MARK,
    NAMES_BESIDE_TEXT,
    OWN_NAMES,
    WORDS_OF_CLASSES,
    WORDS_OF_MAKING,
)

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
    for leaf, words in _leaves(fields, WORDS_OF_CLASSES):
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


def _leaves(value: Value, words: frozenset[str]) -> Iterator[tuple[Leaf, frozenset[str]]]:
    """Yields all strings outside of functions, each with the words of the language in its scope.

    Functions are skipped, because their variables are renamed when they conflict.
    """
    if isinstance(value, Leaf):
        yield value, words
    elif isinstance(value, Items):
        for item in value.items:
            yield from _leaves(item, words)
    elif isinstance(value, Table):
        for name, item in value.entries:
            yield name, words
            yield from _leaves(item, words)
    elif isinstance(value, Fields) and not is_record(value, FUNCTION):
        for key, item in value.values.items():
            yield from _leaves(item, _words(key, words))
        for leaf in value.entry or ():
            yield leaf, words


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
