"""The advisor of the commands: it derives hints from the facts of diagnostics, for unknown keys and for C code."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

from dlpack_bindgen.calls.features import FUNCTION
from dlpack_bindgen.calls.spec_names import UnknownType
from dlpack_bindgen.dlpack import DEVICES
from dlpack_bindgen.language.forms import ComparedKey
from dlpack_bindgen.language.keys import Form, records
from dlpack_bindgen.language.reader import UnknownKey, UnknownOption, UnknownWord, WrongEntry, WrongType, WrongValue
from dlpack_bindgen.language.values import is_record
from dlpack_bindgen.spec.all_keys import SPEC
from dlpack_bindgen.spec.c_code_rules import (
    ChainedComparison,
    CodePlace,
    ComparedString,
    DeclaredFunction,
    LoneValue,
    UncomparedConstant,
    UnquotedString,
    UnusedResult,
)
from dlpack_bindgen.tensor.import_calls import CONSTRUCT
from dlpack_bindgen.tensor.lifetime_hooks import HOOKS, SCOPE_NAMES
from dlpack_bindgen.tensor.steps import ACTION_FORMS, ACTIONS, OUT_OF_STEP
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.c_checks import (
    Digraph,
    ForeignCharacter,
    MissingOperand,
    MissingOperator,
    MisspeltTest,
    NotNumber,
    OpenQuote,
)
from dlpack_bindgen.text.diagnostics import Advisor, Diagnostic, Mend, UnknownName, closest, shown
from dlpack_bindgen.text.names import EXCEPTIONS, OWN_NAMES
from dlpack_bindgen.text.types import family, split_output
from dlpack_bindgen.text.yaml import Mapping, Scalar, in_flow
from dlpack_bindgen.text.yaml_errors import NoSpace, Unquoted
from dlpack_bindgen.tools import advice_forms
from dlpack_bindgen.tools.advice_forms import (
    TYPE_HABITS,
    WORDS,
    NameIndex,
    compared_key_hint,
    did_you_mean,
    meant,
    quoted_string,
    value_hint,
    with_numbers,
)

# ---- Hints for unknown keys: words of other tools and languages, and keys of other records ----

_RECORD_KEYS = {
    ("include",): "header headers #include includes",
    (
        "release",
        "destroy",
        "finally",
    ): "free delete dealloc deallocate destroy destructor dtor dispose drop unref decref",
    ("retain",): "ref incref addref add_ref acquire_ref",
    ("clone",): "dup duplicate",
    ("strides",): "pitch step steps stride row_stride ld leading_dimension",
    ("shape",): "size sizes dim dims dimension dimensions extent extents cols columns width height",
    ("order",): "layout",
    ("readonly",): "const read_only immutable",
    ("data",): "ptr pointer buffer pixels storage memory address",
    ("byte_offset",): "offset",
    ("dtype",): "format element_type elem_type scalar_type typestr",
    ("require", "expr"): "assert asserts requires check checks precondition preconditions",
    ("construct", "new"): "constructor ctor create make __init__ __new__",
    ("type", "tensors"): "struct ctype c_type",
    ("tensors",): "structs class classes types",
    ("handles",): "objects",
    ("functions",): "funcs procedures",
    ("constants",): "enum enums enumerations macros",
    ("module",): "name",
    ("args",): "arguments parameters params param",
    ("params",): "context ctx",
    ("cast",): "convert conversion astype coerce",
    ("properties",): "fields attributes attrs getters",
    ("returns",): "result output restype rtype",
    ("finally",): "cleanup",
    ("out",): "intent direction",
    ("extent_of",): "shape_of",
    ("c",): "prototype proto signature declaration decl",
    ("doc",): "description docstring docs comment help",
    ("raises",): "exception exceptions",
    ("ok",): "okay success status",
    ("error",): "error_message",
    ("name",): "alias python_name",
    ("release_gil",): "allow_threads",
    ("raises", "error"): "throws",
    ("import",): "from_dlpack from_array from_numpy",
    ("arms",): "map cases",
    ("of",): "type",
    ("type", "code", "of"): "kind",
    ("default",): "else otherwise",
    ("id",): "index device_index idx",
    ("takes",): "steals consumes transfer",
    ("count_of",): "length len len_of length_of",
    ("optional",): "nullable maybe_null may_be_none null_ok null none",
    ("do", "c", "construct"): "call",
    ("expr", "require", "if"): "condition",
    ("message", "error"): "msg text reason",
    ("ndim",): "rank",
}
KEYS = {word: keys for keys, words in _RECORD_KEYS.items() for word in words.split()}
"""For each synonym the keys that it can mean. The first key that the record has is the suggestion."""

_FOLLOWS = "it follows from"
_COMPACT = (("strides", "arrays without 'strides' are compact"), ("require", "write 'require: [compact]'"))
_WRITABLE = (
    ("writes", "write 'writes: true'"),
    ("readonly", "did you mean 'readonly', its opposite?"),
    ("require", "write 'require: [writable]'"),
)
_BY_COLUMN = ("count_of", "write 'require: [column_major]'")
_FORTRAN = (("order", "write 'order: F'"), _BY_COLUMN)
_RANK = (("shape", f"{_FOLLOWS} 'shape'"), ("require", "write 'require: [{ndim: ...}]'"))
_EXPORTED = (("data", "leave it out: every tensor can be exported"),)
_DEFAULT = (("args", "write 'args: {PARAM: {default: ...}}'"),)
_REQUIRED = ("shape", "dtype", "ndim", "align", "device")
_BYTE_STRIDES = (("strides", "write 'strides: {list: [...], unit: bytes}'"),)
_OF_ARGUMENTS = ("out", "default", "optional", "writes", "invalidates", "takes", "count_of", "extent_of", "value")
ADVICE = {
    **dict.fromkeys(("contiguous", "compact", "c_contiguous"), _COMPACT),
    **dict.fromkeys(("writable", "writeable", "mutable"), _WRITABLE),
    **dict.fromkeys(("fortran", "column_major", "col_major", "f_contiguous"), _FORTRAN),
    **dict.fromkeys(("rank", "ndims"), _RANK),
    **dict.fromkeys(("itemsize", "item_size", "elemsize", "elem_size"), (("dtype", f"{_FOLLOWS} 'dtype'"),)),
    "nbytes": (("shape", f"{_FOLLOWS} 'shape' and 'dtype'"),),
    **dict.fromkeys(("export", "exports", "to_dlpack", "to_numpy"), _EXPORTED),
    **dict.fromkeys(("byte_strides", "strides_bytes"), _BYTE_STRIDES),
    "bytes": (
        ("outer", "write {each: ..., unit: bytes}, or {list: [...], unit: bytes}"),
        ("writes", "write 'of: bytes'"),
    ),
    "new": (("writes", "write 'default: new'"),),
    "like": (("writes", "write 'default: like PARAM'"),),
    **{word: (("writes", f"write 'of: {word}'"),) for word in ("rows", "array", "str", "strings", "path", "char")},
    "init": (("new", "'new', 'import' and 'allocate' each have an 'init'"),),
    **{key: (("returns", f"write 'returns: {{of: ..., {key}: ...}}'"),) for key in ("borrow", "size")},
    "keeps": (
        ("returns", "write 'returns: {of: ..., keeps: ...}'; for an object argument: 'args: {OBJECT: {keeps: ...}}'"),
    ),
    **dict.fromkeys(
        ("kept_by", "stored_in", "stores", "holds"),
        (("writes", "write for the object that stores it: 'keeps: PARAM'"),),
    ),
    **{key: (("args", f"write 'args: {{PARAM: {{{key}: ...}}}}'"),) for key in _OF_ARGUMENTS},
    **dict.fromkeys(("inout", "in_out"), (("writes", "leave it out: memory that is not 'const' is read and written"),)),
    **{
        key: (
            ("count_of", f"write 'require: [{{{key}: ...}}]'"),
            ("expr", "it is required of arrays: in the 'require' of an 'import', or of an argument"),
        )
        for key in _REQUIRED
    },
    "stream": (
        ("count_of", "it belongs to the whole call, and stands beside 'c'"),
        ("tensors", "it is a key of a function, and of an import"),
    ),
    "cast": (("data", "write it in the 'import', with 'copy: allowed'"),),
    "order": (("count_of", "for Fortran order write 'require: [column_major]'; C order needs nothing"),),
    "count": (("count_of", "write 'count_of: ARRAY' of the number, or 'require: [{count: ...}]' of the array"),),
    "finally": (("borrow", "it stands beside 'c'"),),
    "readonly": (("get", "leave it out: without 'set' it is"), ("writes", "write 'writes: false'")),
    "minus": (("plus", "write 'plus: -1'"),),
    "c": (("get", "write 'get: FUNCTION(self)': an expression"),),
    **dict.fromkeys(
        ("else", "otherwise", "default"), (("when", "'default' beside 'arms' covers the remaining values"), *_DEFAULT)
    ),
    **dict.fromkeys(("nogil", "no_gil", "gil", "threads"), (("release_gil", "write 'release_gil: true'"),)),
}
"""Hints for features without a key of their own: for each word, pairs of a key of the record and a hint."""


def key_advice(key: str, known: Iterable[str]) -> tuple[str, str] | tuple[None, None]:
    """Returns the key of the record that replaces `key`, and a hint, or two None."""
    names = tuple(known)
    name, colon, value = key.partition(":")
    if colon and value and name in names:
        return name, f"write {name}: {shown(value)}"
    found = next(((beside, text) for beside, text in ADVICE.get(key.lower(), ()) if beside in names), None)
    if found is None and set(names) == {"of", "map", "default"} and not _is_other(key):
        found = "map", f"write map: {{{shown(key)}: ...}}"
    return found or (None, None)


def key_hint(key: str, known: Iterable[str]) -> str | None:
    """Returns a hint for an unknown key of a record, or None."""
    names = tuple(known)
    meant = meant_key(key, names)
    if meant:
        return f"did you mean '{meant}'?"
    record = records_of_keys().get(key)
    return key_advice(key, names)[1] or (f"it is a key of {record}" if record else None)


def meant_key(key: str, known: Iterable[str]) -> str | None:
    """Returns the known key that is a synonym of `key`, or spelled similarly. The spelling does not count if there is a
    hint for `key`, or another record has it."""
    names = tuple(known)
    found = meant(key, KEYS, names)
    if found or key_advice(key, names)[1] or key in records_of_keys() or _is_other(key):
        return found
    return closest(key, names)


def option_hint(node: Mapping, tags: tuple[str, ...]) -> str | None:
    """Returns a hint for a mapping that fits none of several records: `{cuda: 0}`, `{LIB_F32: float32}`."""
    keys = [key.text for key, _ in node.entries]
    found = next((found for key in keys if (found := meant(key, KEYS, tags))), None)
    found = found or next((found for key in keys if (found := closest(key, tags))), None)
    if found:
        return f"did you mean '{found}'?"
    key, value = node.entries[0]
    if key.text == "of" and "map" in keys and isinstance(value, Scalar):
        return f"one 'match' can choose by several values: of: [..., {shown(value.text)}]"
    if record := records_of_keys().get(key.text):
        return f"that is a key of {record}"
    if key.text in DEVICES and isinstance(value, Scalar):
        return f"write {{type: {key.text}, id: {value.text}}}"
    if "of" in tags and isinstance(value, Mapping) and value.entries:
        return f"write {{of: {shown(key.text)}, map: {{{shown(value.entries[0][0].text)}: ...}}}}"
    if "enum" in tags:
        return f"write {{enum: {{{shown(key.text)}: ...}}}}"
    chosen = "..." if key.text in ("switch", "select", "case") else f"{shown(key.text)}: ..."
    return f"write a choice by a value as {{of: ..., map: {{{chosen}}}}}" if "of" in tags else None


def swapped_hint(key: str, value: str) -> str | None:
    """Returns a hint for an exchanged key and value, such as `{ValueError: CODE}`, or None."""
    return f"write {{{shown(value)}: {key}}}" if key in EXCEPTIONS else None


def _is_other(key: str) -> bool:
    """Returns whether the key is a known synonym. Then it is not a misspelling of another key."""
    return key.lower() in KEYS or key.lower() in ADVICE


@cache
def records_of_keys() -> dict[str, str]:
    """Returns for each key the outermost record that has it. Hints for misplaced keys use it."""
    return {key.name: record.what for record in reversed(records(SPEC)) for key in record.keys}


# ---- Hints for C code: habits of other languages, and code that misses its quotes, its test or its call ----

_PLAIN = {
    **dict.fromkeys("\u201c\u201d\u201e", '"'),
    **dict.fromkeys("\u2018\u2019", "'"),
    **dict.fromkeys("\u2010\u2013\u2014\u2212", "-"),
    "\u00d7": "*",
    "\u2264": "<=",
    "\u2265": ">=",
    "\u2260": "!=",
}
"""The ASCII equivalents of typographic quotes, dashes and mathematical signs."""
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_APOSTROPHE = "'"
_SOMETHING = frozenset(("true", "True", "yes", "Yes"))
_MEMBERS = r"[^\W\d]\w*(?:(?:->|\.)[^\W\d]\w*)*"
_ARGUMENTS = {"attach": "self, user, deleter", "init": ""} | {
    hook.key.name: ", ".join(("self", *hook.parameters)) for hook in HOOKS
}
"""The arguments in suggested calls, by key; `self` for other keys."""


def code_hint(facts: object) -> str | None:
    """Returns a hint for a problem in C code, or None."""
    derive = _HINTS.get(type(facts))
    return derive(facts) if derive else None


# ---- Expressions ----


def _open_quote(_: OpenQuote) -> str:
    return "YAML removed the outer quotes; a C literal needs its own: '\"text\"'"


def _digraph(facts: Digraph) -> str:
    first, second = facts.text[0], facts.text[1]
    if facts.tested and "%" in facts.text:
        return f"write '{first} {second}': the '%' stands for the result"
    if facts.text == ":>":
        return "write '->' before a member, or ']'"
    return f"write '{first} {second}'" if facts.sign == "#" else f"write '{facts.sign}'"


def _foreign_character(facts: ForeignCharacter) -> str | None:
    plain = _PLAIN.get(facts.character)
    return f"write {plain}" if plain else None


def _not_number(facts: NotNumber) -> str | None:
    if re.fullmatch(r"[0-9]+(?:_[0-9]+)+", facts.text):
        return f"write {facts.text.replace('_', '')}"
    if octal := re.fullmatch(r"0[oO]([0-7]+)", facts.text):
        return f"write 0{octal[1]}"
    return None if "." in facts.text else "a name begins with a letter"


def _missing_operator(facts: MissingOperator) -> str:
    return _string_hint(facts.code) or "items of a list have a ',' between them"


def _missing_operand(facts: MissingOperand) -> str | None:
    if facts.is_left and not facts.tested and facts.operator == "%":
        return "'ok' alone writes the result as '%'; elsewhere it is 'result'"
    if facts.is_left and facts.tested and not facts.is_first and facts.operator in _COMPARISONS:
        return "'%' stands for the result"
    return _string_hint(facts.code)


def _unquoted_string(facts: UnquotedString) -> str:
    text = facts.text
    return f"write {quoted_string(text[1:-1] if text.startswith(_APOSTROPHE) else text)}"


def _string_hint(code: str) -> str | None:
    """Returns a hint for code that looks like words, for example a string whose quotes YAML has removed."""
    seen = ctext.tokens(code)
    are_words = all(each.kind == "name" or each.text in ".!" for each in seen)
    is_prose = are_words and any(before.kind == token.kind == "name" for before, token in pairwise(seen))
    return f"a string is written {quoted_string(code)}" if is_prose else None


def _misspelt_test(facts: MisspeltTest) -> str:
    return f"write '{facts.sign or '=='} {facts.value}'"


# ---- Conditions ----


def _chained(facts: ChainedComparison) -> str | None:
    if len(facts.signs) != 2:
        return None
    first, middle, last = facts.operands
    one, other = facts.signs
    return f"write {first} {one} {middle} && {middle} {other} {last}"


def _compared_string(facts: ComparedString) -> str | None:
    if facts.is_element:
        return "one character is written 'a'"
    return None if "%" in facts.operands else f"write strcmp({', '.join(facts.operands)}) {facts.sign} 0"


def _uncompared(facts: UncomparedConstant) -> str:
    return f"write {facts.compared} == {facts.constant}"


# ---- Statements ----


def _lone_value(facts: LoneValue) -> str:
    code, key = facts.code, facts.place.key
    if facts.is_nothing:
        of_nothing = {"destroy": "write 'none'", "release": "write '(void)self' if nothing frees the object"}
        return of_nothing.get(key, f"leave '{key}' out if there is nothing to do")
    arguments = _arguments(facts.place)
    if code in SCOPE_NAMES | OWN_NAMES | _SOMETHING or not re.fullmatch(_MEMBERS, code):
        return f"write a call, such as 'free({arguments.split(',')[0]})'"
    call = f"'{code}({arguments})'"
    return f"write {call}" if code.isidentifier() else f"write {call}, or an assignment"


def _declared_function(facts: DeclaredFunction) -> str:
    arguments = _arguments(facts.place)
    if facts.parameters == 0:
        arguments = ""
    elif facts.parameters not in (None, 1 + arguments.count(",")):
        arguments = "..."
    return f"write a call: '{facts.name}({arguments})'"


def _unused_result(facts: UnusedResult) -> str:
    declared = facts.place.record.record.key(facts.place.key)
    if facts.is_beside_ok:
        return f"write '{facts.call}', and beside it ok: {in_flow(facts.ok)}"
    if declared is not None and (declared.kind is ACTION_FORMS or declared.kind is ACTIONS):
        return f"write {{do: {in_flow(facts.call)}, ok: {in_flow(facts.ok)}}}"
    return f"write '{facts.call}'"


def _arguments(place: CodePlace) -> str:
    """Returns the arguments of a suggested call."""
    record, key = place.record, place.key
    if is_record(record, FUNCTION) or (key == "undo" and CONSTRUCT in record):
        return "result"
    declaration = record.entry[0] if record.entry else record[OUT_OF_STEP]
    if key in ("undo", "finally") and declaration:
        variable = split_output(declaration.text)
        return variable[1] if isinstance(variable, tuple) else "self"
    return _ARGUMENTS.get(key, "self")


_HINTS: dict[type, Callable[[Any], str | None]] = {
    OpenQuote: _open_quote,
    Digraph: _digraph,
    ForeignCharacter: _foreign_character,
    NotNumber: _not_number,
    UnquotedString: _unquoted_string,
    MissingOperator: _missing_operator,
    MissingOperand: _missing_operand,
    MisspeltTest: _misspelt_test,
    ChainedComparison: _chained,
    ComparedString: _compared_string,
    UncomparedConstant: _uncompared,
    LoneValue: _lone_value,
    DeclaredFunction: _declared_function,
    UnusedResult: _unused_result,
}


class GuessingAdvisor(Advisor):
    def __init__(self) -> None:
        self._indexes: dict[int, tuple[Collection[str], NameIndex]] = {}

    def advised(self, diagnostic: Diagnostic) -> Diagnostic:
        hint = self._hint(diagnostic) or diagnostic.hint
        return replace(diagnostic, hint=with_numbers(hint) if hint else None, facts=None)

    def meant_key(self, key: str, known: Sequence[str]) -> str | None:
        name, colon, _ = key.partition(":")
        return meant_key(key, known) or (name if colon and name in known else key_advice(key, known)[0])

    def mends(self, problems: Sequence[Diagnostic], lines: Sequence[str]) -> list[Mend] | None:
        return advice_forms.mend(problems, lines)

    def _hint(self, diagnostic: Diagnostic) -> str | None:
        facts = diagnostic.facts
        if isinstance(facts, UnknownName):
            return did_you_mean(facts.name, self._near(facts.name, facts.known))
        if isinstance(facts, UnknownType):
            return self._type(facts)
        if isinstance(facts, UnknownKey):
            return key_hint(facts.key, facts.known)
        if isinstance(facts, UnknownOption):
            return option_hint(facts.node, facts.tags)
        if isinstance(facts, UnknownWord):
            return _word(facts, diagnostic.hint)
        if isinstance(facts, WrongValue):
            return _value(facts, diagnostic)
        if isinstance(facts, WrongType):
            return advice_forms.instead(facts)
        if isinstance(facts, ComparedKey):
            return compared_key_hint(facts)
        if isinstance(facts, Unquoted):
            return advice_forms.unquoted_hint(facts)
        if isinstance(facts, NoSpace):
            return advice_forms.no_space_hint(facts)
        if isinstance(facts, WrongEntry):
            return advice_forms.declaration(facts.entries)
        return code_hint(facts)

    def _near(self, name: str, known: Collection[str]) -> list[str]:
        """Returns the known names with a similar spelling. The index of all known names is built once."""
        if id(known) not in self._indexes:
            self._indexes[id(known)] = known, NameIndex(known)
        return self._indexes[id(known)][1].near(name)

    def _type(self, facts: UnknownType) -> str | None:
        names = facts.names
        if facts.name in names.values:
            return None
        of = [each.name.text for each in names.of_type(facts.name) if "bytes" in facts.words]
        similar = of[0] if len(of) == 1 else family(facts.name)
        if similar:
            return f"write {similar}"
        habit = TYPE_HABITS[facts.role].get(facts.name.lower())
        return habit or did_you_mean(facts.name, (*self._near(facts.name, names.known), *facts.words))


def _word(facts: UnknownWord, otherwise: str | None) -> str | None:
    word = meant(facts.text, WORDS, facts.words) or closest(facts.text, facts.words)
    hints = (f"did you mean '{word}'?" if word else None, otherwise)
    return advice_forms.as_record(facts.text, facts.among) or " ".join(hint for hint in hints if hint) or None


def _value(facts: WrongValue, diagnostic: Diagnostic) -> str | None:
    if facts.form in (Form.KIND, Form.VALUE) and "*" in facts.text:
        pointed_to = advice_forms.pointed_to(facts.text, facts.root if facts.form is Form.KIND else None)
        if pointed_to:
            return pointed_to
    if facts.form is Form.EXCEPTION and facts.key is not None and (swapped := swapped_hint(facts.key, facts.text)):
        return swapped
    return (
        advice_forms.as_record(facts.text, facts.among) or value_hint(diagnostic.code, facts) or code_hint(facts.cause)
    )
