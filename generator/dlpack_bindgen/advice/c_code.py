"""Hints for C code: habits of other languages, and code that misses its quotes, its test or its call."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from dlpack_bindgen.advice.yaml_mends import quoted_string
from dlpack_bindgen.hooks.hooks import HOOKS, SCOPE_NAMES
from dlpack_bindgen.imports.construct import CONSTRUCT
from dlpack_bindgen.language.functions import FUNCTION
from dlpack_bindgen.language.steps import ACTION_FORMS, ACTIONS, OUT_OF_STEP
from dlpack_bindgen.language.values import is_record
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.ctext import (
    Digraph,
    ForeignCharacter,
    MissingOperand,
    MissingOperator,
    MisspeltTest,
    NotNumber,
    OpenQuote,
)
from dlpack_bindgen.text.names import OWN_NAMES
from dlpack_bindgen.text.types import split_output
from dlpack_bindgen.text.yaml import in_flow
from dlpack_bindgen.validate.facts import (
    ChainedComparison,
    CodePlace,
    ComparedString,
    DeclaredFunction,
    LoneValue,
    UncomparedConstant,
    UnquotedString,
    UnusedResult,
)

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


def hint(facts: object) -> str | None:
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
