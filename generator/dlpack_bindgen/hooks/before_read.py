"""`before_read`: runs in a description, before an export."""

from __future__ import annotations

from dlpack_bindgen.hooks.hook import StatementsHook
from dlpack_bindgen.language.kinds import Key
from dlpack_bindgen.language.steps import STATEMENT
from dlpack_bindgen.language.values import Leaf
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Tensor
from dlpack_bindgen.steps.statements import statements_of
from dlpack_bindgen.text.statements import Piece

BEFORE_READ = Key[Leaf](
    "before_read",
    STATEMENT,
    "Runs at each export, before the struct is read: flush pending changes here.",
    after="match",
)


class BeforeReadHook(StatementsHook):
    key = BEFORE_READ
    moment = "at each export, before the struct is read"
    is_function = False


def before_read(scope: Scope, tensor: Tensor) -> Piece | None:
    if tensor.before_read is None:
        return None
    return Piece("hooks/before_read", "statements", statements_of(scope, "before_read", tensor.before_read))
