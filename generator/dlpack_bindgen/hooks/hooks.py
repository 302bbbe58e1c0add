"""The list of the hooks."""

from __future__ import annotations

from dlpack_bindgen.c.names import WORDS_OF_CLASSES, WORDS_OF_MAKING
from dlpack_bindgen.hooks.acquire import AcquireHook
from dlpack_bindgen.hooks.after_write import AfterWriteHook
from dlpack_bindgen.hooks.before_read import BeforeReadHook
from dlpack_bindgen.hooks.clone import CloneHook
from dlpack_bindgen.hooks.close import CloseHook
from dlpack_bindgen.hooks.defaults import DefaultsHook
from dlpack_bindgen.hooks.hold import HoldHook
from dlpack_bindgen.hooks.hook import Hook
from dlpack_bindgen.hooks.release import ReleaseHook
from dlpack_bindgen.hooks.restore import RestoreHook
from dlpack_bindgen.hooks.retain import RetainHook
from dlpack_bindgen.hooks.sync import SyncHook
from dlpack_bindgen.hooks.to_cpu import ToCpuHook

HOOKS: tuple[Hook, ...] = (
    DefaultsHook(),
    HoldHook(),
    RetainHook(),
    CloneHook(),
    ReleaseHook(),
    CloseHook(),
    AcquireHook(),
    RestoreHook(),
    BeforeReadHook(),
    AfterWriteHook(),
    SyncHook(),
    ToCpuHook(),
)
"""The hooks in the order of their functions in C."""
WORDS_OF_HOOKS = {hook.key.name: frozenset(hook.parameters) for hook in HOOKS if hook.parameters}
"""Further names in scope for the code of these keys."""
SCOPE_NAMES = WORDS_OF_CLASSES.union(WORDS_OF_MAKING, *WORDS_OF_HOOKS.values())
