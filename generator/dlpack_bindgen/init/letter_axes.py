"""Arrays with an extent for each letter of an axis: `nx`, `ny`, `nz`. An extent of 0 is an axis that is not used."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.init.declarations import DeclaredType

_LETTERS = "xyzw"
_UNUSED = re.compile(r"\b(?:zero|0) (?:for|if|when) unused\b|\bunused[^.;]*\b(?:zero|0)\b")
_COMPACT = re.compile(r"\b(?:zero|0) (?:for|if|when) (?:a )?(?:contiguous|compact)\b")


class Named(Frozen):
    """A member of a struct, with its expression."""

    name: str
    expression: str
    type: DeclaredType
    comment: str


class LetterAxes(Frozen):
    """The shape and the strides of such an array."""

    rank: str
    extent: str
    """The expression of the extent of `axis`."""
    stride: str
    """The expression of the stride of `axis`; empty without strides."""
    is_contiguous: str
    """The condition that all strides are 0, which stands for a contiguous array."""


def letter_axes(members: Sequence[Named]) -> LetterAxes | None:
    """Returns the axes of a struct with at least two such members, whose comments say that 0 means no axis."""
    extents = _of_axes("n", members)
    if len(extents) < 2 or not all(_UNUSED.search(each.comment.lower()) for each in extents):
        return None
    strides = _of_axes("s", members)[: len(extents)]
    if len(strides) != len(extents) or not all(_COMPACT.search(each.comment.lower()) for each in strides):
        strides = []
    rank = " + ".join(f"({each.expression} != 0)" for each in extents)
    zero = " && ".join(f"{each.expression} == 0" for each in strides)
    return LetterAxes(rank, _chosen(extents), _chosen(strides) if strides else "", zero)


def _of_axes(start: str, members: Sequence[Named]) -> list[Named]:
    """Returns the integers `nx`, `ny` and so on, without a gap."""
    named = {each.name.lower(): each for each in members if each.type.kind == "int"}
    found: list[Named] = []
    for letter in _LETTERS:
        if f"{start}{letter}" not in named:
            break
        found.append(named[f"{start}{letter}"])
    return found


def _chosen(extents: Sequence[Named]) -> str:
    *first, last = extents
    tests = "".join(f"axis == {index} ? {each.expression} : " for index, each in enumerate(first))
    return f"{tests}{last.expression}"
