"""`before_read`: runs in a description, before an export."""

from __future__ import annotations

from dlpack_bindgen.hooks.hook import statements_of
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.slots.statements import Statement
from dlpack_bindgen.spec.spec import Tensor


def before_read(scope: Scope, tensor: Tensor) -> Statement | None:
    if tensor.before_read is None:
        return None
    return Statement("hooks/before_read", "statements", statements_of(scope, "before_read", tensor.before_read))
