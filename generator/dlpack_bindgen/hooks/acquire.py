"""`acquire`: runs when the first export starts, and can fail."""

from __future__ import annotations

from dlpack_bindgen.arguments.requirements import Check
from dlpack_bindgen.hooks.hook import StepsHook
from dlpack_bindgen.language.kinds import Key
from dlpack_bindgen.language.steps import ACTIONS
from dlpack_bindgen.language.values import Items, Value, items_of
from dlpack_bindgen.spec.spec import Action, Item, Tensor
from dlpack_bindgen.steps.reading import actions
from dlpack_bindgen.text.fragments import mentions

ACQUIRE = Key[Items](
    "acquire",
    ACTIONS,
    "Runs before an export if no other export is alive: lock or map the memory here.",
    after="require",
)


class AcquireHook(StepsHook):
    key = ACQUIRE
    moment = "before an export, if no other export is alive"
    is_of_exports = True

    def read(self, value: Value | None, ok: str | None) -> tuple[Action, ...]:
        return actions(items_of(value), ok)

    def checks(self, item: Item) -> list[Check]:
        """Returns the requirements, without those on held values, because `acquire` can assign these values."""
        if not isinstance(item, Tensor):
            return []
        held = [each.name for each in item.hold]
        return [each for each in item.require if not any(mentions([each.expr, each.error], name) for name in held)]
