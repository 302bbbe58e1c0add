"""Conditions that C reads in another way than they look: it compares once, binds '==' closer than '&', and takes every
constant for true."""

from __future__ import annotations

from collections.abc import Sequence

from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.ctext import Token
from dlpack_bindgen.diagnostics import Diagnostic
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.validate.structure import Report
from dlpack_bindgen.validate.values import Fields, Leaf, c_texts

_ORDER = ("<", "<=", ">", ">=")
_EQUALITY = ("==", "!=")
_COMPARISONS = (*_ORDER, *_EQUALITY)
_BITS = ("&", "|", "^")
_ENDS = (",", ";", "?", ":")
_GROUP = Token("other", "()")
"""Stands for what is in brackets."""


def check(spec: Fields, report: Report) -> None:
    for _, leaf in c_texts(spec, forms=(Form.EXPRESSION, Form.CONDITION)):
        if any(sign in leaf.text for sign in ("<", ">", "==", "!=")):
            _check(leaf, report)


def _check(leaf: Leaf, report: Report) -> None:
    for level in _levels(leaf.text):
        parts, signs = _split(level, ("&&", "||"))
        for part in parts:
            if found := _of_comparison(part, leaf.text):
                report(Diagnostic("c-condition", leaf.span, *found))
                return
        for place, part in enumerate(parts):
            around = signs[max(0, place - 1) : place + 1]
            if place and set(around) == {"||"} and _is_constant(part) and _compares(parts[place - 1]):
                name = part[0].text
                message = f"'{name}' is compared with nothing here: it is true, and so is all of this"
                sides, equal = ctext.split(ctext.split(leaf.text, ("&&", "||"))[0][place - 1], _COMPARISONS)
                hint = f"write {sides[0]} {equal[0]} {name}" if len(sides) == 2 else None
                report(Diagnostic("c-condition", leaf.span, message, hint))
                return


def _levels(text: str) -> list[list[Token]]:
    """What stands between brackets, and between what separates values there; the innermost first."""
    done: list[list[Token]] = []
    levels: list[list[Token]] = [[]]
    for token in ctext.tokens(text):
        if token.kind == "literal" or token.text not in ("(", "[", "{", ")", "]", "}", *_ENDS):
            levels[-1].append(token)
        elif token.text in ("(", "[", "{"):
            levels.append([])
        elif token.text in _ENDS:
            done.append(levels[-1])
            levels[-1] = []
        elif len(levels) > 1:
            done.append(levels.pop())
            levels[-1].append(_GROUP)
    return [*done, *reversed(levels)]


def _split(level: Sequence[Token], signs: Sequence[str]) -> tuple[list[list[Token]], list[str]]:
    parts: list[list[Token]] = [[]]
    found = []
    for token in level:
        if token.kind == "sign" and token.text in signs:
            parts.append([])
            found.append(token.text)
        else:
            parts[-1].append(token)
    return parts, found


def _of_comparison(part: Sequence[Token], text: str) -> tuple[str, str | None] | None:
    """Message and hint."""
    sides, signs = _split(part, _COMPARISONS)
    texts, whole = ctext.split(text, _COMPARISONS)
    is_all = whole == signs and not any(sign in text for sign in ("&&", "||", "?"))
    if sum(sign in _ORDER for sign in signs) > 1:
        hint: str | None = "join two comparisons with '&&'"
        if is_all and len(texts) == 3:
            hint = f"write {texts[0]} {signs[0]} {texts[1]} && {texts[1]} {signs[1]} {texts[2]}"
        return f"C compares what '{signs[0]}' yields, 0 or 1, with the last one", hint
    if len(signs) != 1:
        return None
    for side in sides:
        bits = next((token.text for place, token in enumerate(side) if _is_binary(side, place)), None)
        if bits is not None:
            return f"'{signs[0]}' binds closer than '{bits}' in C", f"put '{bits}' and its two values into ( )"
        if signs[0] in _EQUALITY and len(side) == 1 and side[0].text.startswith('"'):
            hint = f"write strcmp({texts[0]}, {texts[1]}) {signs[0]} 0" if is_all and "%" not in text else None
            return f"'{signs[0]}' compares the addresses of texts", hint
    return None


def _is_binary(side: Sequence[Token], place: int) -> bool:
    token = side[place]
    if token.kind != "sign" or token.text not in _BITS or place == 0:
        return False
    before = side[place - 1]
    return before.kind in ("name", "number", "literal") or before is _GROUP


def _is_constant(part: Sequence[Token]) -> bool:
    if len(part) != 1:
        return False
    text = part[0].text
    return (part[0].kind == "number" and text != "0") or (part[0].kind == "name" and len(text) > 1 and text.isupper())


def _compares(part: Sequence[Token]) -> bool:
    return any(token.text in _COMPARISONS for token in part)
