"""`sync`: waits for pending work on the device."""

from __future__ import annotations

from dlpack_bindgen.hooks.hook import StepsHook
from dlpack_bindgen.language.kinds import Key
from dlpack_bindgen.language.steps import ACTION_FORMS


class SyncHook(StepsHook):
    key = Key(
        "sync", ACTION_FORMS, "Makes the data ready for a consumer's stream. `stream`, an `intptr_t`, is in scope."
    )
    parameters = ("stream",)
    is_of_devices = True
