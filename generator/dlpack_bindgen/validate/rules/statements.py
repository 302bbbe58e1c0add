"""Statements without a call or an assignment. C takes them, and does nothing: nobody frees, locks or waits."""

from __future__ import annotations

import re
from itertools import pairwise

from dlpack_bindgen.c import ctext, declarations
from dlpack_bindgen.c.names import SCOPE_NAMES
from dlpack_bindgen.diagnostics import Diagnostic, shown
from dlpack_bindgen.language.functions import FUNCTION
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.validate.structure import Report
from dlpack_bindgen.validate.values import Fields, Items, Leaf, Table, Value

_NOTHING = frozenset(("NULL", "None", "none", "nothing", "null", "nullptr", "false", "False", "no", "No", "0", "~"))
_SOMETHING = frozenset(("true", "True", "yes", "Yes"))
_VOID = re.compile(r"\(\s*void\s*\)")
"""Said of a name it is C's own way to do nothing: `(void)self`."""
_MEMBERS = re.compile(r"[^\W\d]\w*(?:(?:->|\.)[^\W\d]\w*)*")
_STATEMENTS = frozenset(("break", "continue", "goto", "return", "asm"))
_LEAVING = frozenset(("return", "goto"))
_LOOPS = frozenset(("for", "while", "switch"))
_ARGUMENTS = {"attach": "self, user, deleter", "init": "", "sync": "self, stream", "to_cpu": "self, dst, nbytes"}
"""What is passed by the calls of some keys; elsewhere it is the object."""


def check(value: Value, report: Report, key: str = "", passed: str = "self") -> None:
    """`key`: that of the statements in `value`; `passed`: the arguments of a call there."""
    if isinstance(value, Leaf):
        if value.form is Form.STATEMENT and (word := _leaving(value.text)):
            message = f"'{word}' would leave the emitted function, which has more to do behind this"
            report(Diagnostic("control-flow", value.span, message, "write 'if (...) { ... }', or a function of yours"))
        elif value.form is Form.STATEMENT and _is_lone(value.text):
            hint = _hint(value.text, key, passed)
            report(Diagnostic("without-effect", value.span, f"'{shown(value.text)}' alone does nothing", hint))
    elif isinstance(value, Items):
        for item in value.items:
            check(item, report, key, passed)
    elif isinstance(value, Table):
        for _, item in value.entries:
            check(item, report, key, passed)
    elif isinstance(value, Fields):
        for name, item in value.values.items():
            if name == "do":
                check(item, report, key, passed)
            else:
                check(item, report, name, _passed(value, name))


def _leaving(text: str) -> str | None:
    words = [token.text for token in ctext.tokens(text)]
    away = _LEAVING if _LOOPS.intersection(words) else _LEAVING | {"break", "continue"}
    return next((word for word in words if word in away), None)


def _is_lone(text: str) -> bool:
    """A value: neither a call nor an assignment, nor what only statements have."""
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
    if record.record is FUNCTION or (key == "undo" and "construct" in record.given):
        return "result"
    declaration = record.entry[0] if record.entry else record.leaf("out")
    if key in ("undo", "finally") and declaration:
        variable = declarations.split_output(declaration.text)
        return variable[1] if isinstance(variable, tuple) else "self"
    return _ARGUMENTS.get(key, "self")


def _hint(text: str, key: str, passed: str) -> str:
    if _bare(text) in _NOTHING:
        return "write 'none'" if key == "destroy" else f"leave '{key}' out if there is nothing to do"
    if text in SCOPE_NAMES | _SOMETHING or not _MEMBERS.fullmatch(text):
        return f"write a call, such as 'free({passed.split(',')[0]})'"
    call = f"'{text}({passed})'"
    return f"write {call}" if text.isidentifier() else f"write {call}, or an assignment"
