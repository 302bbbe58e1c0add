"""Rules for statements without effect: a C compiler accepts a statement without a call or an assignment."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal, NamedTuple

from dlpack_bindgen.c import ctext, declarations, statements
from dlpack_bindgen.c.names import OWN_NAMES
from dlpack_bindgen.diagnostics import Diagnostic, shown
from dlpack_bindgen.hooks.hooks import HOOKS, SCOPE_NAMES
from dlpack_bindgen.language.functions import FunctionFields
from dlpack_bindgen.language.imports import MakingFields
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.language import SpecFields
from dlpack_bindgen.language.steps import ACTION_FORMS, ACTIONS, StepFields, TestedFields
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, Value, text_of
from dlpack_bindgen.load.quoting import in_flow
from dlpack_bindgen.validate.structure import Report

_NOTHING = frozenset(("NULL", "None", "none", "nothing", "null", "nullptr", "false", "False", "no", "No", "0", "~"))
_SOMETHING = frozenset(("true", "True", "yes", "Yes"))
_VOID = re.compile(r"\(\s*void\s*\)")
"""Matches the cast in `(void)self`, the C idiom for no operation."""
_MEMBERS = r"[^\W\d]\w*(?:(?:->|\.)[^\W\d]\w*)*"
_STATEMENTS = frozenset(("break", "continue", "goto", "return", "asm"))
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_ARGUMENTS = {"attach": "self, user, deleter", "init": ""} | {
    hook.key.name: ", ".join(("self", *hook.parameters)) for hook in HOOKS
}
"""The arguments in suggested calls, by key; `self` for other keys."""


class _Place(NamedTuple):
    """The key of a statement, and the arguments and tests that are possible there."""

    key: str = ""
    passed: str = "self"
    """The arguments of a suggested call."""
    test: Literal["none", "in place", "beside", "made"] = "none"
    """How to test the result: `{do, ok}` instead of the statement ("in place"), `ok` beside it ("beside"), or not at
    all ("none"). "made" means that a test exists."""
    by_spec: bool = False
    """Whether the spec has an `ok` for calls without one."""


def check(spec: SpecFields, report: Report) -> None:
    _check(spec, _Place(by_spec=SpecFields.ok in spec), report)


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
                ok = text_of(value.ok) if isinstance(value, TestedFields) else None
                tested = place.by_spec if TestedFields.ok not in value else ok != "none"
                _check(item, place._replace(test="made" if tested else "beside"), report)
            else:
                declared = value.record.key(name)
                in_place = declared is not None and (declared.kind is ACTION_FORMS or declared.kind is ACTIONS)
                _check(
                    item, _Place(name, _passed(value, name), "in place" if in_place else "none", place.by_spec), report
                )


def _statement(leaf: Leaf, place: _Place, report: Report) -> None:
    if found := statements.misplaced(leaf.text):
        report(Diagnostic("control-flow", leaf.span, found.message, found.hint))
    elif _is_lone(leaf.text):
        hint = _hint(leaf.text, place.key, place.passed)
        report(Diagnostic("without-effect", leaf.span, f"'{shown(leaf.text)}' alone does nothing", hint))
    elif declared := declarations.declared_function(leaf.text):
        name, count = declared
        call = f"{name}({place.passed})" if count in (None, 1 + place.passed.count(",")) else f"{name}(...)"
        call = f"{name}()" if count == 0 else call
        message = f"this declares '{name}', and calls nothing"
        report(Diagnostic("without-effect", leaf.span, message, f"write a call: '{call}'"))
    elif place.test != "made" and (tested := _tested(leaf.text)):
        message = f"the result of this '{tested.sign}' is not used, so that a failure is ignored"
        hint = f"write '{tested.call}'"
        if place.test == "beside":
            hint += f", and beside it ok: {in_flow(tested.ok)}"
        elif place.test == "in place":
            hint = f"write {{do: {in_flow(tested.call)}, ok: {in_flow(tested.ok)}}}"
        report(Diagnostic("without-effect", leaf.span, message, hint))


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
        return _bare(text) in _NOTHING
    tokens = ctext.tokens(text)
    calls = any(token.text == "(" and _is_called(before) for before, token in pairwise(tokens))
    others = any(token.text in (";", "{") or token.text in _STATEMENTS for token in tokens)
    return not (calls or others or ctext.change(text))


def _bare(text: str) -> str:
    return _VOID.sub("", text).strip(" ()")


def _is_called(token: ctext.Token) -> bool:
    return token.kind == "name" or token.text in (")", "]")


def _passed(record: Fields, key: str) -> str:
    if isinstance(record, FunctionFields) or (key == "undo" and MakingFields.construct in record):
        return "result"
    declaration = record.entry[0] if record.entry else record.out if isinstance(record, StepFields) else None
    if key in ("undo", "finally") and declaration:
        variable = declarations.split_output(declaration.text)
        return variable[1] if isinstance(variable, tuple) else "self"
    return _ARGUMENTS.get(key, "self")


def _hint(text: str, key: str, passed: str) -> str:
    if _bare(text) in _NOTHING:
        of_nothing = {"destroy": "write 'none'", "release": "write '(void)self' if nothing frees the object"}
        return of_nothing.get(key, f"leave '{key}' out if there is nothing to do")
    if text in SCOPE_NAMES | OWN_NAMES | _SOMETHING or not re.fullmatch(_MEMBERS, text):
        return f"write a call, such as 'free({passed.split(',')[0]})'"
    call = f"'{text}({passed})'"
    return f"write {call}" if text.isidentifier() else f"write {call}, or an assignment"
