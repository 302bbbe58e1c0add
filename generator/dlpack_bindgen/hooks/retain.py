"""`retain`: takes a share of the object for a new owner."""

from __future__ import annotations

from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.hooks.hook import statements_hook
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Handle, Tensor


def retain(scope: Scope, item: Tensor | Handle) -> Piece | None:
    facts = statements_hook(scope, "retain", {"retain": item.retain})
    return Piece("hooks/retain", "function", facts) if facts is not None else None
