"""`restore`: runs when the last export ends."""

from __future__ import annotations

from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.hooks.hook import statements_hook
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Tensor


def restore(scope: Scope, tensor: Tensor) -> Piece | None:
    facts = statements_hook(scope, "restore", {"restore": tensor.restore})
    return Piece("hooks/restore", "function", facts) if facts is not None else None
