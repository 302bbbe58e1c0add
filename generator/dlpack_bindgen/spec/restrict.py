"""Arguments whose memory must not overlap, because C declares one of their pointers `restrict`."""

from __future__ import annotations

from collections.abc import Sequence

from dlpack_bindgen.spec.functions import Argument


def must_not_overlap(one: Argument, other: Argument) -> bool:
    """Returns whether one of two arguments is `restrict` and the call writes to one of them."""
    kinds = (one.kind, other.kind)
    is_restrict = all(kind.is_operand for kind in kinds) and (one.restrict or other.restrict)
    return is_restrict and any(kind.writes for kind in kinds)


def has_exclusive_items(argument: Argument) -> bool:
    """Returns whether the objects of a list must not overlap each other: C writes to them, and each pointer is
    `restrict`."""
    return argument.kind.is_list and argument.kind.writes and any(argument.ctype.restrict)


def exclusive(arguments: Sequence[Argument]) -> dict[str, list[str]]:
    """Returns the arguments that must not overlap others, each with the names of those arguments. A list whose objects
    must not overlap each other also names itself."""
    found = {}
    for one in arguments:
        others = [other.name for other in arguments if other is not one and must_not_overlap(one, other)]
        if has_exclusive_items(one):
            others.append(one.name)
        if others:
            found[one.name] = others
    return found
