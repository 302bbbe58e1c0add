"""`sync`: waits for pending work on the device."""

from __future__ import annotations

from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.hooks.hook import steps_hook
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Tensor


def sync(scope: Scope, tensor: Tensor) -> Piece | None:
    facts = steps_hook(scope, "sync", [tensor.sync], parameters=["stream"])
    return Piece("hooks/sync", "function", facts) if facts is not None else None
