"""Rules for matches: each arm can be reached, and all arms together set the required slots."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from dlpack_bindgen.language.language import MATCHES
from dlpack_bindgen.language.slots import REQUIRED_SLOTS
from dlpack_bindgen.language.values import Fields, Items, Leaf, Value
from dlpack_bindgen.slots.conditional import IF_OF_CASE
from dlpack_bindgen.slots.match import DEFAULT_BESIDE
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, Span, shown
from dlpack_bindgen.text.literals import integer_value
from dlpack_bindgen.validate import conditions
from dlpack_bindgen.validate.arms import ANY_VALUE, Arm, Match, Pattern

_MAX_KEYS = 64
"""The most key combinations of one arm. The search for unreachable arms ignores arms with more."""
_MAX_WIDTH = 6

Keys = tuple[str | None, ...]
"""The keys of one arm, one for each expression of `of`. None stands for `_`."""


def check(tensor: Fields, matches: tuple[Match, ...], report: Report) -> None:
    _cases(tensor, report)
    _owners(matches, report)
    _completeness(tensor, matches, report)
    for match in matches:
        for arm in match.arms:
            _when(match, arm, report)
            _conditions(match, arm, report)
        _kinds(match, report)
        _reach(match, report)


def _cases(value: Value, report: Report) -> None:
    """Reports cases without `if` in `[{if, value}, ...]`, except for the last one."""
    if isinstance(value, Items):
        for case in [each for each in value.records() if each.record.has(IF_OF_CASE)][:-1]:
            if IF_OF_CASE not in case:
                message = "only the last case can do without 'if': a case behind this one would never be chosen"
                report(Diagnostic("case-order", case.span, message))
        for item in value.items:
            _cases(item, report)
    elif isinstance(value, Fields):
        for inner in value.values.values():
            _cases(inner, report)


def _owners(matches: tuple[Match, ...], report: Report) -> None:
    first: dict[str, Span] = {}
    for match in matches:
        for slot, span in match.sets.items():
            if slot in first:
                notes = (Note(first[slot], "the other one"),)
                report(Diagnostic("slot-set-twice", span, f"two matches set '{slot}'", notes=notes))
            first.setdefault(slot, span)
    if "order" in first and "strides" in first and not any({"order", "strides"} <= set(m.sets) for m in matches):
        message = "one match sets 'order' and another one 'strides', which mean nothing without each other"
        notes = (Note(first["strides"], "the strides"),)
        report(Diagnostic("slot-set-twice", first["order"], message, "set both in one match", notes))


def _completeness(tensor: Fields, matches: tuple[Match, ...], report: Report) -> None:
    for slot in REQUIRED_SLOTS:
        if slot in tensor.given:
            continue
        setting = [match for match in matches if slot in match.sets]
        if not setting and tensor[MATCHES] is not None and all(match.complete for match in matches):
            message = f"a tensor needs the key '{slot}', which its matches do not set either"
            report(Diagnostic("missing-key", tensor.span, message))
        for match in setting[:1]:
            for arm in match.outcomes():
                if arm.complete and slot not in arm.slots:
                    message = f"'{slot}' is set neither here nor beside 'match'"
                    notes = (Note(match.sets[slot], "another arm sets it"),)
                    cause = f"{slot} beside the match of {match.sets[slot].line}:{match.sets[slot].column}"
                    report(Diagnostic("arm-incomplete", arm.span, message, notes=notes, cause=cause))


def _when(match: Match, arm: Arm, report: Report) -> None:
    if arm.when and match.width and len(arm.when) != match.width:
        expressions = f"{match.width} expression{'s' if match.width > 1 else ''}"
        message = f"'when' has {len(arm.when)} key{'s' if len(arm.when) > 1 else ''} for the {expressions} of 'of'"
        hint = "several keys for one value are {any: [...]}" if match.width == 1 else None
        report(Diagnostic("when-length", arm.span, message, hint))
    for pattern in arm.when:
        for key in pattern.keys:
            if key.text == ANY_VALUE:
                message, hint = "'_' fits every value by itself, so that the other keys mean nothing", None
                if match.slot is not None:
                    message, hint = "'_' is for 'when', and means nothing in a map", DEFAULT_BESIDE
                report(Diagnostic("when-any", key.span, message, hint))
        code = pattern.code
        if code and code.text not in [key.text for key in pattern.keys]:
            message = f"'{shown(code.text)}' is not one of the keys of this arm"
            report(Diagnostic("code-without-key", code.span, message, "write one of the keys behind 'any'"))


def _conditions(match: Match, arm: Arm, report: Report) -> None:
    for of, pattern in zip(match.of, arm.when if len(match.of) == match.width else (), strict=False):
        for key in pattern.keys if not conditions.is_truth(of.text) else ():
            conditions.compared(key, of.text, report, alone=match.slot is None and pattern.span is key.span)


def _kinds(match: Match, report: Report) -> None:
    for position in range(match.width):
        keys = [key for arm in match.arms for pattern in arm.when[position : position + 1] for key in pattern.keys]
        keys = [key for key in keys if key.text != ANY_VALUE]
        strings = [key for key in keys if _is_string(key)]
        others = [key for key in keys if not _is_string(key)]
        if strings and others:
            first, odd = sorted((strings[0], others[0]), key=lambda key: (key.span.line, key.span.column))
            message = "string literals are compared with strcmp, everything else with ==: keys are of one kind"
            hint = (
                f"a string is written '\"{others[0].text}\"'"
                if others[0].text.islower() and len(strings) >= len(others)
                else None
            )
            report(Diagnostic("mixed-keys", odd.span, message, hint, (Note(first.span, "the other kind"),)))


def _is_string(key: Leaf) -> bool:
    return [token.kind for token in ctext.tokens(key.text)] == ["literal"] and key.text.endswith('"')


def _reach(match: Match, report: Report) -> None:
    """Reports arms whose keys earlier arms match. Arms under an `#if` are not counted as earlier arms."""
    if match.width > _MAX_WIDTH:
        return
    taken: dict[Keys, Span] = {}
    for arm in match.arms:
        if len(arm.when) != match.width:
            continue
        combinations = list(itertools.islice(_combinations(arm.when), _MAX_KEYS + 1))
        if len(combinations) > _MAX_KEYS:
            continue
        takers = [_taker(keys, taken) for keys in combinations]
        first = takers[0]
        if first is not None and all(takers):
            notes = (Note(first, "it is taken here"),)
            message = f"this arm is never reached: {_shown(combinations[0])} is matched before"
            report(Diagnostic("unreachable-arm", arm.span, message, notes=notes))
        elif match.width == 1:
            _repeated(arm.when[0], taken, report)
        if arm.condition is None:
            for keys in combinations:
                taken.setdefault(keys, arm.span)
    always = taken.get((None,) * match.width)
    if always is not None and match.default is not None and match.slot is None:
        notes = (Note(always, "this arm fits every value"),)
        report(Diagnostic("unreachable-arm", match.default.span, "this default is never reached", notes=notes))


def _repeated(pattern: Pattern, taken: dict[Keys, Span], report: Report) -> None:
    for key in pattern.keys:
        if (first := taken.get((meaning(key.text),))) is not None:
            notes = (Note(first, "first here"),)
            report(Diagnostic("unreachable-arm", key.span, f"'{shown(key.text)}' is matched before", notes=notes))


def _combinations(when: tuple[Pattern, ...]) -> Iterator[Keys]:
    keys: list[list[str | None]] = [[meaning(key.text) for key in pattern.keys] or [None] for pattern in when]
    return itertools.product(*keys)


def meaning(key: str) -> str:
    """Returns equal strings for keys that are equal in C. Literals become their value; other keys lose their outer
    parentheses."""
    number = integer_value(key)
    if number is not None:
        return str(number)
    seen = [token.text for token in ctext.tokens(key)]
    while seen[:1] == ["("] and _enclosed(seen):
        seen = seen[1:-1]
    return " ".join(seen)


def _enclosed(seen: list[str]) -> bool:
    """Returns whether the last parenthesis closes the first one."""
    depth = 0
    for place, text in enumerate(seen):
        depth += {"(": 1, ")": -1}.get(text, 0)
        if depth == 0:
            return place == len(seen) - 1
    return False


def _taker(keys: Keys, taken: dict[Keys, Span]) -> Span | None:
    """Returns the place of an earlier arm that matches all values of `keys`, or None."""
    wider = itertools.product(*((key,) if key is None else (key, None) for key in keys))
    return next((taken[pattern] for pattern in wider if pattern in taken), None)


def _shown(keys: Keys) -> str:
    return "'" + shown(", ".join(ANY_VALUE if key is None else key for key in keys)) + "'"
