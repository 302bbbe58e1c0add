"""`retain`: takes a share of the object for a new owner."""

from __future__ import annotations

from dlpack_bindgen.hooks.hook import NEEDS_RELEASE, StatementsHook
from dlpack_bindgen.language.kinds import Key
from dlpack_bindgen.language.steps import STATEMENT


class RetainHook(StatementsHook):
    key = Key(
        "retain",
        STATEMENT,
        "Takes one reference to the object when the owner is created.",
        needs=NEEDS_RELEASE,
    )
    is_of_handles = True
