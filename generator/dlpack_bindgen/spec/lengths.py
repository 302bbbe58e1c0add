"""How long a spec says that the arrays of a function are, and the order in which that is known."""

from __future__ import annotations

from collections.abc import Sequence

from dlpack_bindgen.c.fragments import is_number, mentions
from dlpack_bindgen.spec.functions import Argument, Array, Object, Raw


def lengths(argument: Argument) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The extents that it must have, and numbers of elements, as C expressions. An array of so many elements in its C
    type, if that is a number, is counted where it is converted."""
    kind = argument.kind
    if not isinstance(kind, Object | Raw | Array):
        return (), ()
    room = argument.ctype.length if isinstance(kind, Array) else None
    said = room if room and not is_number(room) else None
    return kind.require.shape or (), tuple(count for count in (kind.require.count, said) if count is not None)


def by_lengths(arguments: Sequence[Argument]) -> tuple[list[Argument], list[Argument]]:
    """Those with lengths, each after the arrays whose elements these read: `offsets[n]` is there once `offsets` is
    known to be so long. And those of which that is never known."""
    left = [argument for argument in arguments if any(lengths(argument))]
    found: list[Argument] = []
    while left:
        ready = [each for each in left if not any(_reads(each, other) for other in left)]
        if not ready:
            break
        found += ready
        left = [each for each in left if each not in ready]
    return found, left


def _reads(argument: Argument, other: Argument) -> bool:
    shape, counts = lengths(argument)
    return isinstance(other.kind, Array) and mentions((*shape, *counts), other.name)
