"""Detection of lvalues in C code: expressions that C can assign to."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.fragments import is_enclosed, outer_signs

_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def is_place(expression: str) -> bool:
    """Returns whether an expression is a member, an element, a dereferenced pointer, or a name. Only the compiler knows
    whether a name is a constant."""
    tokens = ctext.tokens(expression)
    while is_enclosed(tokens):
        tokens = tokens[1:-1]
    pointed = False
    while tokens and tokens[0].text == "*":
        tokens, pointed = tokens[1:], True
    if pointed:
        return not outer_signs(tokens) - {"->", "."}
    ends_well = bool(tokens) and (tokens[-1].kind == "name" or tokens[-1].text == "]")
    return ends_well and not outer_signs(tokens) - {"->", "."} and not _has_operand_of_word(tokens)


def is_own_member(place: str) -> bool:
    """Returns whether an lvalue lies inside the struct of `self`, not behind a pointer. Elements may lie behind a
    pointer, so they do not count."""
    tokens = [token.text for token in ctext.tokens(place)]
    steps = tokens[1::2]
    names = all(token.isidentifier() for token in tokens[::2])
    return names and tokens[:1] == ["self"] and len(tokens) % 2 == 1 and set(steps[1:]) <= {"."} and bool(steps)


def is_behind_pointer(place: str) -> bool:
    """Returns whether an lvalue is read through a pointer in the struct of `self`. Elements do not count."""
    outer = [token.text for token, _ in _outer_tokens(place)]
    return outer[:1] == ["*"] or "->" in (outer[2:] if outer[:2] == ["self", "->"] else outer)


def arrays_of(place: str) -> list[str]:
    """Returns the expressions whose elements an lvalue reads: for `self->rows[1][0]`, `self->rows` and
    `self->rows[1]`."""
    tokens = [token.text for token in ctext.tokens(place)]
    return [" ".join(tokens[:index]) for token, index in _outer_tokens(place) if token.text == "["]


def _outer_tokens(place: str) -> Iterator[tuple[ctext.Token, int]]:
    """Yields the tokens outside of all brackets and parentheses, and opening brackets there, with their indices."""
    depth = 0
    for index, token in enumerate(ctext.tokens(place)):
        depth -= token.text in _CLOSING
        if depth == 0 and token.text not in _CLOSING:
            yield token, index
        depth += token.text in _OPENING


def _has_operand_of_word(tokens: tuple[ctext.Token, ...]) -> bool:
    """Returns whether a value follows a cast, `sizeof` or another name."""
    depth = 0
    before = ctext.Token("sign", "")
    for token in tokens:
        if depth == 0 and token.kind != "sign" and (before.kind == "name" or before.text == ")"):
            return True
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        before = token
    return False
