"""Checks for the ownership of returned objects."""

from __future__ import annotations

from dlpack_bindgen.arguments.output import Out
from dlpack_bindgen.c.types import CType
from dlpack_bindgen.diagnostics import Span
from dlpack_bindgen.language.values import Fields
from dlpack_bindgen.spec.functions import Result
from dlpack_bindgen.validate.functions.classes import Mistake


def refuse_unowned(found: Result | Out, ctype: CType, span: Span, entry: Fields | None, borrowing: str | None) -> None:
    """Raises Mistake if the owner of a returned object is missing or contradictory.

    `borrowing` is the entry that would borrow it from another object, for hints.
    """
    owned = entry.given.get("owned") if entry is not None else None
    if owned is not None and found.borrow is not None:
        raise Mistake("without-effect", owned, "it stays the library's, as 'borrow' declares", "leave out one of them")
    is_owned = entry is not None and entry.text("owned") == "true"
    if found.twin is not None and ctype.depth == 0 and (is_owned or owned is None):
        return  # the typedef may hide a const, which emitted C checks
    if owned is not None and not is_owned and found.borrow is None:
        lives = borrowing or "borrow: static"
        raise Mistake(
            "result-owner", owned, f"the owner of this '{found.of}' is not declared", f"declare where it lives: {lives}"
        )
    if owned is not None and not ctype.reads:
        raise Mistake("without-effect", owned, "it is the caller's anyway, since it is not 'const'", "leave it out")
    if ctype.reads and found.borrow is None and not is_owned:
        lives = (
            f"write {borrowing}, or 'borrow: static'" if borrowing else "write 'borrow: static' if it lives for good"
        )
        hint = f"{lives}; 'owned: true' if its 'release' must free it"
        raise Mistake(
            "result-owner",
            span,
            f"the owner of this '{found.of}' is not declared: the caller seldom owns a 'const' object",
            hint,
        )
