"""Statements of emitted functions, as records for templates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.conditional import Conditional
from dlpack_bindgen.text.fragments import ALWAYS
from dlpack_bindgen.text.statements import Piece


class Branch(Frozen):
    """Statements under a condition."""

    condition: str
    """A C expression, or the condition after `#if` and `#elif`."""
    statements: tuple[Statement, ...]
    guard: str = ""
    """The condition of an `#if` around a branch in C; empty: it is always compiled."""


class Block(Frozen):
    """Statements that are chosen or repeated."""

    form: str
    """The macro of the driver's template: `preprocessed`, `chain`, `chosen` or `loop_over_axes`."""
    branches: tuple[Branch, ...] = ()
    otherwise: tuple[Statement, ...] = ()
    """The statements after the last `else`, or those of a loop."""
    label: str = ""

    @property
    def template(self) -> str:
        """Returns an empty string: a block is no macro of a feature."""
        return ""


Statement = Piece | Block
"""A statement of a slot."""


def preprocessed(
    value: Any, statements: Callable[[Any], list[Statement]], otherwise: Sequence[Statement] = ()
) -> list[Statement]:
    """Returns the statements of a slot, between `#if` and `#endif` if the slot is conditional.

    Without an `else` branch in the spec, `otherwise` is used.
    """
    if value is None:
        return []
    if not isinstance(value, Conditional):
        return statements(value)
    branches = [Branch(condition, tuple(statements(branch))) for condition, branch in value.branches]
    last = tuple(otherwise if value.otherwise is None else statements(value.otherwise))
    return conditioned(branches, last)


def conditioned(branches: Sequence[Branch], otherwise: tuple[Statement, ...] = ()) -> list[Statement]:
    """Returns the branches of an `#if`, without empty ones at the end."""
    found = [*branches]
    while not otherwise and found and not found[-1].statements:
        found.pop()
    return [Block("preprocessed", tuple(found), otherwise)] if found else []


def chain(branches: Sequence[Branch], otherwise: Sequence[Statement], label: str = "") -> list[Statement]:
    """Returns an if-chain in the order of the spec: the first branch that fits applies."""
    found: list[Branch] = []
    for branch in branches:
        if branch.condition == ALWAYS and not branch.guard:
            otherwise = branch.statements
            break
        found.append(branch)
    return [Block("chain", tuple(found), tuple(otherwise), label)] if found else [*otherwise]


def chosen(condition: str, statements: Sequence[Statement]) -> Block:
    """Returns statements under a condition in C."""
    return Block("chosen", (Branch(condition, tuple(statements)),))


def loop(statements: Sequence[Statement]) -> Block:
    """Returns statements that run for each `axis`."""
    return Block("loop_over_axes", otherwise=tuple(statements))
