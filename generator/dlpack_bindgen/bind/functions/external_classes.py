"""Calls that return objects of classes of other modules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dlpack_bindgen.c.names import snake
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.results.kind import ResultScope
from dlpack_bindgen.spec.spec import Item


class ExternalClassFacts(Frozen):
    """A class of another module that a call needs, for `templates/functions/external_classes.c.j2`."""

    of: str
    """The C name of the class."""
    is_owned: int
    """1: the class must be able to release the object."""


def missing_classes(scopes: Iterable[ResultScope], items: Mapping[str, Item], prefix: str) -> tuple[Piece, ...]:
    """Returns, for each class of another module whose objects the call returns, the condition that it is missing."""
    wanted: dict[str, bool] = {}
    for scope in scopes:
        of = scope.value.of or ""
        if scope.value.kind in ("object", "objects") and items[of].external is not None:
            wanted[of] = wanted.get(of, False) or scope.value.borrow is None
    found = [ExternalClassFacts(f"{prefix}_{snake(of)}", int(is_owned)) for of, is_owned in wanted.items()]
    return tuple(Piece("functions/external_classes", "is_missing", facts, is_condition=True) for facts in found)
