"""`after_write`: runs when the last writable export ends."""

from __future__ import annotations

from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.hooks.hook import statements_hook
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Tensor


def after_write(scope: Scope, tensor: Tensor) -> Piece | None:
    facts = statements_hook(scope, "after_write", {"after_write": tensor.after_write})
    return Piece("hooks/after_write", "function", facts) if facts is not None else None
