"""`restore`: runs when the last export ends."""

from __future__ import annotations

from dlpack_bindgen.hooks.hook import StatementsHook
from dlpack_bindgen.language.kinds import Key
from dlpack_bindgen.language.steps import STATEMENT


class RestoreHook(StatementsHook):
    key = Key("restore", STATEMENT, "Runs after the last export is released: unlock or unmap the memory here.")
    is_of_exports = True
