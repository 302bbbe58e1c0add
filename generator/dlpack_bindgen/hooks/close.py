"""`close`: destroys the object when Python closes it, and can fail."""

from __future__ import annotations

from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.hooks.hook import steps_hook
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Handle, Tensor


def close(scope: Scope, item: Tensor | Handle) -> Piece | None:
    facts = steps_hook(scope, "close", [item.close])
    return Piece("hooks/close", "function", facts) if facts is not None else None
