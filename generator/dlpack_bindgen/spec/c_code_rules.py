"""Rules about C code in all places of a spec: side effects, statements without effect, divisors, and conditions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from dlpack_bindgen.calls.argument_kinds import ARGUMENT
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import Form
from dlpack_bindgen.language.values import Fields, Leaf, Value, c_fragments, inside, is_record, text_of
from dlpack_bindgen.tensor.match_arms import LET_OF_TENSOR, MATCHES, REQUIRE_OF_TENSOR
from dlpack_bindgen.tensor.slots import DTYPE, SLOT_NAMES
from dlpack_bindgen.tensor.steps import OK, OK_OF_SPEC
from dlpack_bindgen.text import c_checks, ctext, fragments
from dlpack_bindgen.text.ctext import Token
from dlpack_bindgen.text.diagnostics import Diagnostic, Report, shown, within
from dlpack_bindgen.text.types import declared_function

# ---- Records of the facts about mistakes: `advice` derives hints from them ----


class UnquotedString(Frozen):
    """Code in the place of a string of C."""

    text: str


class ChainedComparison(Frozen):
    """Comparisons in a row, such as `a < b < c`."""

    operands: tuple[str, ...]
    signs: tuple[str, ...]


class ComparedString(Frozen):
    """A comparison of a string literal by its address."""

    operands: tuple[str, ...]
    sign: str
    is_element: bool
    """Whether the other operand is an element of an array."""


class UncomparedConstant(Frozen):
    """A constant that `||` combines with a comparison by `==`: `a == ONE || OTHER`."""

    compared: str
    constant: str


class CodePlace(Frozen):
    """The place of a statement: the record, and the key of the record that has the statement."""

    record: Fields
    key: str


class LoneValue(Frozen):
    """A statement that is only a value."""

    code: str
    is_nothing: bool
    """Whether the value is a word for no action, such as `none` or `NULL`."""
    place: CodePlace


class DeclaredFunction(Frozen):
    """A statement that declares a function. `parameters`: their number, or None if they are not declared."""

    name: str
    parameters: int | None
    place: CodePlace


class UnusedResult(Frozen):
    """A statement that only compares the result of a call."""

    call: str
    ok: str
    """The comparison as a value of `ok`."""
    is_beside_ok: bool
    """Whether an `ok` can stand beside the statement."""
    place: CodePlace


# ---- Rules for expressions: they have no side effects, because they can be evaluated several times ----

_FORMS = (Form.EXPRESSION, Form.KEY, Form.CONDITION, Form.OUTCOME, Form.DIRECTIVE)
_CONDITIONS = ("require", "expr", "compact_when", "readonly", "ok", "if")
_STEPS = frozenset(("do", "set", "construct", "init", "clone", "error"))
"""Keys with C text that is evaluated once, and may have side effects."""
_OF_NUMBERS = frozenset("% / ^ | && || << >> == != < > <= >= ~".split())
"""Operators whose result is never a string."""
_HANDED = frozenset(("default", "value"))
"""Keys of an argument with C text that is evaluated once."""


def check_expressions(value: Value, report: Report, key: str = "") -> None:
    """Reports expressions in `value` with side effects. `key` is the key of `value`."""
    if isinstance(value, Leaf):
        if value.form in _FORMS and (sign := ctext.change(value.text)):
            _report(value, sign, key, report)
    elif isinstance(value, Fields):
        skipped = _STEPS | _HANDED if is_record(value, ARGUMENT) else _STEPS
        for name_of_field, item in value.values.items():
            if name_of_field == "error" and isinstance(item, Leaf):
                _check_message(item, report)
            if name_of_field not in skipped or isinstance(item, Fields):
                check_expressions(item, report, name_of_field)
    else:
        for _, item in inside(value):
            check_expressions(item, report, key)


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


# ---- Rules for statements without effect: a C compiler accepts a statement without a call or an assignment ----

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


def check_statements(spec: Fields, report: Report) -> None:
    _check(spec, _Place(spec, "", OK_OF_SPEC in spec), report)


def _check(value: Value, place: _Place, report: Report) -> None:
    if isinstance(value, Leaf):
        if value.form is Form.STATEMENT:
            _statement(value, place, report)
    elif isinstance(value, Fields):
        for name, item in value.values.items():
            if name == "do":
                ok = text_of(value[OK])
                has_test = place.by_spec if OK not in value else ok != "none"
                _check(item, place._replace(in_do=True, has_test=has_test), report)
            else:
                _check(item, _Place(value, name, place.by_spec), report)
    else:
        for _, item in inside(value):
            _check(item, place, report)


def _statement(leaf: Leaf, place: _Place, report: Report) -> None:
    where = CodePlace(place.record, place.key)
    if found := c_checks.misplaced(leaf.text):
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


# ---- Rules for divisors of slots: a member may be 0, which crashes in C ----
# Only single members are checked.

_DIVISOR = re.compile(
    r"(?a)[/%]\s*(?:\(\s*[\w\s]+\)\s*)?(?P<member>self(?:\s*(?:->|\.)\s*\w+)+)(?!\s*(?:->|\.|\[|\(|\w))"
)
"""Matches a division by a member of `self`, with or without a cast."""
_FLOATING = re.compile(r"(?a)\d\.|\.\d")


def check_divisions(tensor: Fields, report: Report) -> None:
    asked = (tensor[REQUIRE_OF_TENSOR], tensor[LET_OF_TENSOR], tensor[MATCHES], tensor[DTYPE])
    conditions = [
        leaf for value in asked if value for key, leaf in c_fragments(value) if key in ("require", "expr", "of", "if")
    ]
    conditions += [leaf for _, leaf in c_fragments(required)] if (required := tensor[REQUIRE_OF_TENSOR]) else []
    for key in (*SLOT_NAMES, "match"):
        value = tensor.value_of(key)
        for _, leaf in c_fragments(value, key, (Form.EXPRESSION,)) if value else ():
            if ("/" in leaf.text or "%" in leaf.text) and not _FLOATING.search(leaf.text):
                _divisors(leaf, conditions, report)


def _divisors(leaf: Leaf, conditions: list[Leaf], report: Report) -> None:
    for match in _DIVISOR.finditer(leaf.text):
        member, (start, end) = match["member"], match.span("member")
        others = [*(each.text for each in conditions), leaf.text[:start], leaf.text[end:]]
        if any(_has(text, member) for text in others):
            continue
        message = f"'{member}' may be 0, and C cannot divide by that"
        place = within(leaf.span, leaf.text, (start, end - start))
        report(Diagnostic("divided", place, message, f"require: [{member} > 0]"))
        return


def _has(text: str, member: str) -> bool:
    """Returns whether C text contains exactly this member. A longer name that begins with it does not count."""
    words, wanted = ([token.text for token in ctext.tokens(each)] for each in (text, member))
    return any(words[at : at + len(wanted)] == wanted for at in range(len(words)))


# ---- Rules for conditions with a surprising meaning in C, such as `a < b < c`, `a & b == c` and `a == B || C` ----

_ORDER = ("<", "<=", ">", ">=")
_EQUALITY = ("==", "!=")
_COMPARISON_SIGNS = (*_ORDER, *_EQUALITY)
_BITS = ("&", "|", "^")
_ENDS = (",", ";", "?", ":")


class _Found(NamedTuple):
    message: str
    hint: str | None = None
    facts: object = None


def check_suspicious_conditions(spec: Fields, report: Report) -> None:
    for _, leaf in c_fragments(spec, forms=(Form.EXPRESSION, Form.CONDITION, Form.OUTCOME)):
        if any(sign in leaf.text for sign in ("<", ">", "==", "!=")):
            _check_condition(leaf, report)


def _check_condition(leaf: Leaf, report: Report) -> None:
    for level in _levels(leaf.text):
        parts, signs = _split(level, ("&&", "||"))
        found = next((found for part in parts if (found := _of_comparison(part))), None) or _of_constants(parts, signs)
        if found:
            report(Diagnostic("c-condition", leaf.span, found.message, found.hint, facts=found.facts))
            return


def _levels(text: str) -> list[list[Token]]:
    """Returns the token lists between brackets and separators, innermost first. A bracket with its content is one token
    of the outer list."""
    done: list[list[Token]] = []
    levels: list[list[Token]] = [[]]
    inside: list[list[Token]] = [[]]
    """For each open bracket, the tokens since that bracket."""
    for token in ctext.tokens(text):
        is_sign = token.kind == "sign"
        if is_sign and token.text in ("(", "[", "{"):
            levels.append([])
            inside.append([token])
            continue
        if is_sign and token.text in (")", "]", "}") and len(levels) > 1:
            done.append(levels.pop())
            token = Token("other", _written([*inside.pop(), token]))
        inside[-1].append(token)
        if is_sign and token.text in _ENDS:
            done.append(levels[-1])
            levels[-1] = []
        else:
            levels[-1].append(token)
    return [*done, *reversed(levels)]


_WORDS = ("and", "or", "not")


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


def _written(side: Sequence[Token]) -> str:
    text = ""
    for before, token in pairwise([Token("other", ""), *side]):
        words = before.kind in ("name", "number") and token.kind in ("name", "number")
        text += f" {token.text}" if words or before.text == "," else token.text
    return text


def _of_comparison(part: Sequence[Token]) -> _Found | None:
    """Returns the problem of a comparison, or None."""
    sides, signs = _split(part, _COMPARISON_SIGNS)
    if any(token.text in _WORDS for token in part):
        return None  # another rule reports these words
    for place, (one, other) in enumerate(pairwise(signs)):
        if one in _ORDER and other in _ORDER and not any(token.text in _BITS for token in sides[place + 1]):
            message = f"C compares the result of '{one}', 0 or 1, with the last value"
            return _Found(message, facts=ChainedComparison(tuple(map(_written, sides)), tuple(signs)))
    if len(signs) != 1:
        return None
    for side in sides:
        bits = next((token.text for place, token in enumerate(side) if _is_binary(side, place)), None)
        if bits is not None:
            hint = f"put '{bits}' and its two values into ( )"
            return _Found(f"'{signs[0]}' binds closer than '{bits}' in C", hint)
        if signs[0] in _EQUALITY and len(side) == 1 and side[0].text.startswith('"'):
            is_element = any(token.text.startswith("[") for other in sides for token in other)
            compared = "an element with the address of a string" if is_element else "the addresses of strings"
            facts = ComparedString(tuple(map(_written, sides)), signs[0], is_element)
            return _Found(f"'{signs[0]}' compares {compared}", facts=facts)
    return None


def _of_constants(parts: Sequence[Sequence[Token]], signs: Sequence[str]) -> _Found | None:
    """Returns the problem of a constant beside `||` that is not compared, or None."""
    for place, part in enumerate(parts):
        around = signs[max(0, place - 1) : place + 1]
        sides, equal = _split(parts[place - 1], _COMPARISON_SIGNS) if place else ([], [])
        if equal == ["=="] and set(around) == {"||"} and _is_constant(part):
            name = part[0].text
            message = f"'{name}' is not compared with anything here: the whole condition is always true"
            return _Found(message, facts=UncomparedConstant(_written(sides[0]), name))
    return None


def _is_binary(side: Sequence[Token], place: int) -> bool:
    token = side[place]
    if token.kind != "sign" or token.text not in _BITS or place == 0:
        return False
    before = side[place - 1]
    is_cast = before.text.endswith("*)")
    is_result = place == 1 and before.text == "%"
    return (before.kind in ("name", "number", "literal", "other") and not is_cast) or is_result


def _is_constant(part: Sequence[Token]) -> bool:
    if len(part) != 1:
        return False
    text = part[0].text
    return (part[0].kind == "number" and text != "0") or (part[0].kind == "name" and len(text) > 1 and text.isupper())
