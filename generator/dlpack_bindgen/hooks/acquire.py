"""`acquire`: runs when the first export starts, and can fail."""

from __future__ import annotations

from dlpack_bindgen.c.fragments import mentions
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.hooks.hook import steps_hook
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Tensor


def acquire(scope: Scope, tensor: Tensor) -> Piece | None:
    held = [each.name for each in tensor.hold]
    # Requirements on held values are omitted, because `acquire` can assign these values.
    checks = [each for each in tensor.require if not any(mentions([each.expr, each.error], name) for name in held)]
    facts = steps_hook(scope, "acquire", tensor.acquire, checks)
    return Piece("hooks/acquire", "function", facts) if facts is not None else None
