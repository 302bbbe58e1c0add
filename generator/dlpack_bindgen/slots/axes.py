"""The distances between neighbours in memory, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.layout import Order


class AxisStep(Frozen):
    """The distance from an element to its neighbour along an axis."""

    distance: str
    """The distance with its unit, in words."""
    factors: tuple[str, ...] = ()
    """The factors of the distance, as C expressions."""
    has_gaps: bool = False
    """Whether the neighbours may not follow each other without unused memory."""
    is_unit: bool = False
    """Whether the neighbour is the next element in memory."""
    is_backward: bool = False
    """Whether the neighbour surely has a lower address."""


def counted(number: str, unit: str) -> str:
    """Returns a number of things in words. `unit` is a plural."""
    return f"{number} {unit.removesuffix('s') if number == '1' else unit}"


def inner_to_outer(count: int, order: Order) -> list[int]:
    """Returns the axes of a compact array, the innermost first."""
    return list(range(count)) if order == "F" else list(range(count))[::-1]


def compact_numbers(extents: Sequence[str], order: Order) -> list[str]:
    """Returns the number of elements from one neighbour to the next, as a C expression for each axis."""
    found = [""] * len(extents)
    inner: list[str] = []
    for axis in inner_to_outer(len(extents), order):
        others = [extent for extent in inner if extent != "1"]
        found[axis] = " * ".join(map(_factor, others) if len(others) > 1 else others) or "1"
        inner.insert(0, extents[axis])
    return found


def compact_steps(extents: Sequence[str], order: Order) -> list[AxisStep]:
    """Returns the steps of a compact array."""
    numbers = compact_numbers(extents, order)
    return [AxisStep(counted(number, "elements"), factors(number), is_unit=number == "1") for number in numbers]


def factors(number: str) -> tuple[str, ...]:
    """Returns the factors of a product without brackets. Another expression is one factor."""
    return (number,) if set(number).intersection("()[]+") else tuple(map(str.strip, number.split("*")))


def _factor(extent: str) -> str:
    return extent if re.fullmatch(r"(\w|\.|->|\[[^][]*\]|\([^()]*\)$)+", extent) else f"({extent})"
