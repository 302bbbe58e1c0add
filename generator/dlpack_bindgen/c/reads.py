"""Reads through pointers that may be NULL, in C code."""

from __future__ import annotations

from dlpack_bindgen.c import ctext

_FOLLOWS = ("->", "[")
_TESTS = ("?", "&&", "||", "!=", "==")
_ASKS = ("if", "while")


def reads_unasked(text: str, name: str) -> bool:
    """Returns whether C code dereferences `name` but never compares it with NULL. Operands of `sizeof` do not count."""
    if name not in ctext.evaluated_names(text):
        return False
    signs = ["", *(token.text for token in ctext.evaluated(text)), "", ""]
    places = [place for place, sign in enumerate(signs) if sign == name and signs[place - 1] not in (".", "->")]
    return any(_follows(signs, place) for place in places) and not any(_is_asked(signs, place) for place in places)


def excludes_null(condition: str, name: str) -> bool:
    """Returns whether a condition clearly excludes NULL for `name`, which may be `%`."""
    parts, signs = ctext.split(condition, ("&&", "||", "?", ","))
    tests = [[name], [name, "!=", "NULL"], [name, "!=", "0"], ["NULL", "!=", name]]
    return not {"||", "?", ","}.intersection(signs) and any(
        [token.text for token in ctext.tokens(part)] in tests for part in parts
    )


def _follows(signs: list[str], place: int) -> bool:
    while signs[place - 1] == "(" and signs[place + 1] == ")" and place > 1 and not signs[place - 2].isidentifier():
        signs = [*signs[: place - 1], signs[place], *signs[place + 2 :]]
        place -= 1
    before = signs[place - 2]
    is_product = before.isalnum() or before.isidentifier() or before in (")", "]")
    return signs[place + 1] in _FOLLOWS or (signs[place - 1] == "*" and not is_product)


def _is_asked(signs: list[str], place: int) -> bool:
    before, behind = signs[place - 1], signs[place + 1]
    is_condition = before == "(" and behind == ")" and signs[place - 2] in _ASKS
    ends_condition = before in ("&&", "||") and behind == ")"
    return behind in _TESTS or before in ("!", "!=", "==") or is_condition or ends_condition
