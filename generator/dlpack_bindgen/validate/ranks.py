"""Possible ranks of a tensor, and accepted ranks of an import."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.arguments.requirements import required_rank
from dlpack_bindgen.imports.part import REQUIRE_OF_MAKING
from dlpack_bindgen.language.kinds import MAX_RANK
from dlpack_bindgen.language.values import Fields, Items, Value, is_whole
from dlpack_bindgen.slots.shape import written_rank
from dlpack_bindgen.text import ctext
from dlpack_bindgen.validate.arms import matches, slot_values


def shapes(tensor: Fields) -> Iterator[Value]:
    """Yields every shape that the spec gives for the tensor."""
    return slot_values(tensor, matches(tensor), "shape")


def rank_bounds(tensor: Fields) -> tuple[int, int] | None:
    """Returns the least and the greatest rank of the tensor. Returns None if the rank of a shape is unknown."""
    ranks = [written_rank(shape) for shape in shapes(tensor)]
    known = [rank for rank in ranks if rank is not None]
    return (min(known), max(known)) if known and len(known) == len(ranks) else None


def has_constant_shape(tensor: Fields) -> bool:
    """Returns whether all extents of the tensor are constants. Names of constants have no lower-case letters."""
    written = list(shapes(tensor))
    extents = [leaf.text for shape in written if isinstance(shape, Items) for leaf in shape.leaves()]
    is_known = bool(extents) and all(isinstance(shape, Items) and is_whole(shape) for shape in written)
    return is_known and all(name.isupper() for text in extents for name in ctext.names(text))


def accepted_ranks(tensor: Fields, making: Fields) -> tuple[int, int]:
    """Returns the least and the greatest rank that an import or an allocation of the tensor accepts."""
    required = required_rank(making[REQUIRE_OF_MAKING]) or (0, MAX_RANK)
    known = rank_bounds(tensor) or (0, MAX_RANK)
    return max(required[0], known[0]), min(required[1], known[1])
