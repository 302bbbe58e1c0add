"""`to_cpu`: copies the elements from the device to memory of the CPU."""

from __future__ import annotations

from dlpack_bindgen.hooks.hook import StepsHook
from dlpack_bindgen.language.kinds import Key
from dlpack_bindgen.language.steps import ACTION_FORMS


class ToCpuHook(StepsHook):
    key = Key(
        "to_cpu",
        ACTION_FORMS,
        "Copies the data, in compact order, to `dst`: CPU memory of `nbytes` bytes.",
        default="copies to the CPU are refused",
    )
    parameters = ("dst", "nbytes")
    is_of_devices = True
