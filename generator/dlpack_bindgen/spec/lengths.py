"""How long a spec says that the arrays of a function are, and the order in which that and values are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dlpack_bindgen.c.fragments import is_number, mentions
from dlpack_bindgen.spec.functions import Argument, Array, Fixed, Measure, Object, Raw


def lengths(argument: Argument) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The extents that it must have, and numbers of elements, as C expressions. An array of so many elements in its C
    type, if that is a number, is counted where it is converted."""
    kind = argument.kind
    if not isinstance(kind, Object | Raw | Array):
        return (), ()
    room = argument.ctype.length if isinstance(kind, Array) else None
    said = room if room and not is_number(room) else None
    return kind.require.shape or (), tuple(count for count in (kind.require.count, said) if count is not None)


class Stage(NamedTuple):
    """What is known at once: `values`, and then that each array of `checked` is as long as it must be."""

    values: list[Argument]
    checked: list[Argument]


def in_order(arguments: Sequence[Argument]) -> tuple[list[Stage], list[Argument]]:
    """Values and lengths, each after those that it reads: `offsets[n]` is there once `n` has its value and `offsets`
    is known to be so long. The values of the first stage read no array. And those of which nothing is ever known."""
    values = [each for each in arguments if isinstance(each.kind, Fixed) and not each.ctype.is_function]
    lengthy = [each for each in arguments if any(lengths(each))]
    late = [each for each in arguments if isinstance(each.kind, Array | Measure)]
    stages = [Stage(_take(values, values, late), _take(lengthy, values, lengthy))]
    while any(stage := Stage(_take(values, values, lengthy), _take(lengthy, values, lengthy))):
        stages.append(stage)
    return stages, [*values, *lengthy]


def _take(left: list[Argument], *unknown: list[Argument]) -> list[Argument]:
    """Removes those that read nothing unknown, one after the other."""
    found: list[Argument] = []
    while ready := [each for each in left if not any(reads(each, others) for others in unknown)]:
        found += ready
        left[:] = [each for each in left if each not in ready]
    return found


def reads(argument: Argument, others: Sequence[Argument]) -> bool:
    """Whether its value or length is made of one of these: values, numbers of an array, or elements."""
    text = (argument.kind.value,) if isinstance(argument.kind, Fixed) else sum(lengths(argument), ())
    return any(
        mentions(text, other.name)
        for other in others
        if isinstance(other.kind, Array | Measure) or (isinstance(other.kind, Fixed) and other is not argument)
    )
