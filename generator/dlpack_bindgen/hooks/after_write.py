"""`after_write`: runs when the last writable export ends."""

from __future__ import annotations

from dlpack_bindgen.hooks.hook import StatementsHook
from dlpack_bindgen.language.kinds import Key
from dlpack_bindgen.language.steps import STATEMENT


class AfterWriteHook(StatementsHook):
    key = Key(
        "after_write", STATEMENT, "Runs after the last writable export is released: mark the data as changed here."
    )
    is_of_exports = True
