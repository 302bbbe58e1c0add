"""Rules for expressions: they have no side effects, because they can be evaluated several times."""

from __future__ import annotations

from dlpack_bindgen.language.arguments import ARGUMENT
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, Value, is_record
from dlpack_bindgen.text import ctext, fragments
from dlpack_bindgen.text.diagnostics import Diagnostic, Report, shown
from dlpack_bindgen.validate.facts import UnquotedString

_FORMS = (Form.EXPRESSION, Form.KEY, Form.CONDITION, Form.OUTCOME, Form.DIRECTIVE)
_CONDITIONS = ("require", "expr", "compact_when", "readonly", "ok", "if")
_STEPS = frozenset(("do", "set", "construct", "init", "clone", "error"))
"""Keys with C text that is evaluated once, and may have side effects."""
_OF_NUMBERS = frozenset("% / ^ | && || << >> == != < > <= >= ~".split())
"""Operators whose result is never a string."""
_HANDED = frozenset(("default", "value"))
"""Keys of an argument with C text that is evaluated once."""


def check(value: Value, report: Report, key: str = "") -> None:
    """Reports expressions in `value` with side effects. `key` is the key of `value`."""
    if isinstance(value, Leaf):
        if value.form in _FORMS and (sign := ctext.change(value.text)):
            _report(value, sign, key, report)
    elif isinstance(value, Items):
        for item in value.items:
            check(item, report, key)
    elif isinstance(value, Table):
        for name, item in value.entries:
            check(name, report, key)
            check(item, report, key)
    elif isinstance(value, Fields):
        skipped = _STEPS | _HANDED if is_record(value, ARGUMENT) else _STEPS
        for name_of_field, item in value.values.items():
            if name_of_field == "error" and isinstance(item, Leaf):
                _check_message(item, report)
            if name_of_field not in skipped or isinstance(item, Fields):
                check(item, report, name_of_field)


def _check_message(leaf: Leaf, report: Report) -> None:
    """Reports an `error` that is clearly not a string: a number, characters, a product, or words."""
    seen = ctext.tokens(leaf.text)
    is_single = len(seen) == 1 and (seen[0].kind == "number" or seen[0].text.endswith("'"))
    are_words = len(seen) > 1 and all(each.kind == "name" or each.text == "-" for each in seen)
    signs = fragments.outer_signs(seen)
    if is_single or are_words or (signs & _OF_NUMBERS and "?" not in signs):
        message = f"'error' is a string of C, and '{shown(leaf.text)}' is not"
        report(Diagnostic("c-quotes", leaf.span, message, facts=UnquotedString(leaf.text)))


def _report(leaf: Leaf, sign: str, key: str, report: Report) -> None:
    if leaf.form in (Form.CONDITION, Form.OUTCOME) and sign == "%=":
        sign = "="  # The result is compared with a value.
    message = f"'{sign}' would change something, and an expression only reads"
    hint = None
    if key in _CONDITIONS:
        message = f"a condition is expected, and this '{sign}' would change something"
        hint = "C compares with '=='" if sign.endswith("=") else None
    elif key in ("get", "properties"):
        hint = "'set' declares how it is set"
    report(Diagnostic("c-assignment", leaf.span, message, hint))
