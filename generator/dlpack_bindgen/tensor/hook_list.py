"""The list of the hooks. Hooks that only run code of the spec are declared here, others in their modules."""

from __future__ import annotations

from dlpack_bindgen.language.kinds import Key, Needs
from dlpack_bindgen.language.values import Fields, Leaf
from dlpack_bindgen.tensor.clone import CloneHook, DefaultsHook
from dlpack_bindgen.tensor.hooks import (
    NEEDS_RELEASE,
    AcquireHook,
    BeforeReadHook,
    HoldHook,
    Hook,
    ReleaseHook,
    StatementsHook,
    StepsHook,
)
from dlpack_bindgen.tensor.steps import ACTION_FORMS, STATEMENT
from dlpack_bindgen.text.names import WORDS_OF_CLASSES, WORDS_OF_MAKING

RETAIN = Key[Leaf](
    "retain",
    STATEMENT,
    "Takes one reference to the object when the owner is created.",
    needs=NEEDS_RELEASE,
    after="to_cpu",
)
CLOSE = Key[Leaf | Fields](
    "close",
    ACTION_FORMS,
    "Runs instead of `release` for `close()` and at the end of a `with` block.",
    default="`release`, after the last use of the object",
    needs=Needs(("release",), "objects that are not closed must be freed, too"),
    details=(
        "A failure raises an exception, but also closes the object, and `release` does not run. The code must "
        "therefore free everything that `release` frees.",
        "Closing is refused while exports or parts are alive.",
    ),
    after="new",
)
RESTORE = Key[Leaf](
    "restore", STATEMENT, "Runs after the last export is released: unlock or unmap the memory here.", after="acquire"
)
AFTER_WRITE = Key[Leaf](
    "after_write",
    STATEMENT,
    "Runs after the last writable export is released: mark the data as changed here.",
    after="before_read",
)
SYNC = Key[Leaf | Fields](
    "sync",
    ACTION_FORMS,
    "Makes the data ready for a consumer's stream. `stream`, an `intptr_t`, is in scope.",
    after="after_write",
)
TO_CPU = Key[Leaf | Fields](
    "to_cpu",
    ACTION_FORMS,
    "Copies the data, in compact order, to `dst`: CPU memory of `nbytes` bytes.",
    default="copies to the CPU are refused",
    after="sync",
)
HOOKS: tuple[Hook, ...] = (
    DefaultsHook(),
    HoldHook(),
    StatementsHook(
        key=RETAIN,
        moment="for an object that its caller or the library still owns, and not for a new object from a function",
        is_of_handles=True,
    ),
    CloneHook(),
    ReleaseHook(),
    StepsHook(
        key=CLOSE,
        moment="instead of `release`, for close() and at the end of a with block",
        is_of_handles=True,
    ),
    AcquireHook(),
    StatementsHook(
        key=RESTORE,
        moment="after the last export is released",
        is_of_exports=True,
    ),
    BeforeReadHook(),
    StatementsHook(
        key=AFTER_WRITE,
        moment="after the last writable export is released",
        is_of_exports=True,
    ),
    StepsHook(
        key=SYNC,
        moment="at each export, to make the data ready for the `stream` of the consumer",
        parameters={"stream": "intptr_t stream"},
        is_of_devices=True,
    ),
    StepsHook(
        key=TO_CPU,
        moment="when a consumer asks for a copy on the CPU: copies `nbytes` bytes to `dst`",
        parameters={"dst": "void *dst", "nbytes": "int64_t nbytes"},
        is_of_devices=True,
    ),
)
"""The hooks in the order of their functions in C."""
WORDS_OF_HOOKS = {hook.key.name: frozenset(hook.parameters) for hook in HOOKS if hook.parameters}
"""Further names in scope for the code of these keys."""
SCOPE_NAMES = WORDS_OF_CLASSES.union(WORDS_OF_MAKING, *WORDS_OF_HOOKS.values())
