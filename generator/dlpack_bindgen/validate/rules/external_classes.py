"""Rules for classes of other modules (`from`)."""

from __future__ import annotations

from dlpack_bindgen.language.language import FROM
from dlpack_bindgen.language.values import Fields, Leaf
from dlpack_bindgen.text.diagnostics import Diagnostic, Report

_OWN_KEYS = ("type", "from", "pass", "doc", "if")
"""The keys about the use of the class in this module."""


def check(name: Leaf, fields: Fields, report: Report) -> None:
    """Reports keys that belong to the spec of the other module."""
    origin = fields[FROM]
    if origin is None:
        return
    for key, span in fields.given.items():
        if key not in _OWN_KEYS:
            message = f"'{name.text}' is a class of '{origin.text}', whose spec has its '{key}'"
            report(Diagnostic("without-effect", span, message, "leave it out"))
