"""Rules for statements without effect: a C compiler accepts a statement without a call or an assignment."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.language import OK_OF_SPEC
from dlpack_bindgen.language.steps import OK
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, Value, text_of
from dlpack_bindgen.text import ctext, statements
from dlpack_bindgen.text.diagnostics import Diagnostic, Report, shown
from dlpack_bindgen.text.types import declared_function
from dlpack_bindgen.validate.facts import CodePlace, DeclaredFunction, LoneValue, UnusedResult

_NOTHING = frozenset(("NULL", "None", "none", "nothing", "null", "nullptr", "false", "False", "no", "No", "0", "~"))
_VOID = re.compile(r"\(\s*void\s*\)")
"""Matches the cast in `(void)self`, the C idiom for no operation."""
_STATEMENTS = frozenset(("break", "continue", "goto", "return", "asm"))
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class _Place(NamedTuple):
    record: Fields
    key: str
    by_spec: bool
    """Whether the spec has an `ok` for calls without one."""
    in_do: bool = False
    """Whether the statement is the value of `do`, which can have an `ok` beside it."""
    has_test: bool = False


def check(spec: Fields, report: Report) -> None:
    _check(spec, _Place(spec, "", OK_OF_SPEC in spec), report)


def _check(value: Value, place: _Place, report: Report) -> None:
    if isinstance(value, Leaf):
        if value.form is Form.STATEMENT:
            _statement(value, place, report)
    elif isinstance(value, Items):
        for item in value.items:
            _check(item, place, report)
    elif isinstance(value, Table):
        for _, item in value.entries:
            _check(item, place, report)
    elif isinstance(value, Fields):
        for name, item in value.values.items():
            if name == "do":
                ok = text_of(value[OK])
                has_test = place.by_spec if OK not in value else ok != "none"
                _check(item, place._replace(in_do=True, has_test=has_test), report)
            else:
                _check(item, _Place(value, name, place.by_spec), report)


def _statement(leaf: Leaf, place: _Place, report: Report) -> None:
    where = CodePlace(place.record, place.key)
    if found := statements.misplaced(leaf.text):
        report(Diagnostic("control-flow", leaf.span, found.message, found.hint))
    elif _is_lone(leaf.text):
        message = f"'{shown(leaf.text)}' alone does nothing"
        lone = LoneValue(leaf.text, _is_nothing(leaf.text), where)
        report(Diagnostic("without-effect", leaf.span, message, facts=lone))
    elif declared := declared_function(leaf.text):
        message = f"this declares '{declared[0]}', and calls nothing"
        report(Diagnostic("without-effect", leaf.span, message, facts=DeclaredFunction(*declared, where)))
    elif not place.has_test and (tested := _tested(leaf.text)):
        message = f"the result of this '{tested.sign}' is not used, so that a failure is ignored"
        unused = UnusedResult(tested.call, tested.ok, place.in_do, where)
        report(Diagnostic("without-effect", leaf.span, message, facts=unused))


class _Tested(NamedTuple):
    call: str
    sign: str
    ok: str


def _tested(text: str) -> _Tested | None:
    """Returns the parts of a statement that only compares the result of a call, or None."""
    if ";" in text or "{" in text or ctext.change(text):
        return None
    sides, signs = ctext.split(text, (*_COMPARISONS, "&&", "||", "?"))
    if len(signs) != 1 or signs[0] not in _COMPARISONS:
        return None
    call, other = sides
    if call.endswith(")") and not other.endswith(")"):
        return _Tested(call, signs[0], f"{signs[0]} {other}")
    return _Tested(other, signs[0], f"{call} {signs[0]} %") if other.endswith(")") else None


def _is_lone(text: str) -> bool:
    """Returns whether the text is only a value: no call, no assignment, no other statement."""
    if _VOID.search(text):
        return _is_nothing(text)
    tokens = ctext.tokens(text)
    calls = any(token.text == "(" and _is_called(before) for before, token in pairwise(tokens))
    others = any(token.text in (";", "{") or token.text in _STATEMENTS for token in tokens)
    return not (calls or others or ctext.change(text))


def _is_nothing(text: str) -> bool:
    """Returns whether the text is a word for no action, with or without a cast to `void`."""
    return _VOID.sub("", text).strip(" ()") in _NOTHING


def _is_called(token: ctext.Token) -> bool:
    return token.kind == "name" or token.text in (")", "]")
