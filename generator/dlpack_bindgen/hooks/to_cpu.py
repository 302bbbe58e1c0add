"""`to_cpu`: copies the elements from the device to memory of the CPU."""

from __future__ import annotations

from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.hooks.hook import steps_hook
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Tensor


def to_cpu(scope: Scope, tensor: Tensor) -> Piece | None:
    facts = steps_hook(scope, "to_cpu", [tensor.to_cpu], parameters=["dst", "nbytes"])
    return Piece("hooks/to_cpu", "function", facts) if facts is not None else None
