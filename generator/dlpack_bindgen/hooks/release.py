"""`release`: gives back the share of an owner, or frees the object."""

from __future__ import annotations

from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.hooks.hook import statements_hook
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Handle, Tensor


def release(scope: Scope, item: Tensor | Handle) -> Piece | None:
    facts = statements_hook(scope, "release", {"release": item.release})
    return Piece("hooks/release", "function", facts) if facts is not None else None
