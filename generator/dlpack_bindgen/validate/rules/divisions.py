"""Rules for divisors of slots: a member may be 0, which crashes in C. Only single members are checked."""

from __future__ import annotations

import re

from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.language import LET_OF_TENSOR, MATCHES, REQUIRE_OF_TENSOR
from dlpack_bindgen.language.slots import DTYPE, SLOT_NAMES
from dlpack_bindgen.language.values import Fields, Leaf, c_fragments
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Report, within

_DIVISOR = re.compile(
    r"(?a)[/%]\s*(?:\(\s*[\w\s]+\)\s*)?(?P<member>self(?:\s*(?:->|\.)\s*\w+)+)(?!\s*(?:->|\.|\[|\(|\w))"
)
"""Matches a division by a member of `self`, with or without a cast."""
_FLOATING = re.compile(r"(?a)\d\.|\.\d")


def check(tensor: Fields, report: Report) -> None:
    asked = (tensor[REQUIRE_OF_TENSOR], tensor[LET_OF_TENSOR], tensor[MATCHES], tensor[DTYPE])
    conditions = [
        leaf for value in asked if value for key, leaf in c_fragments(value) if key in ("require", "expr", "of", "if")
    ]
    conditions += [leaf for _, leaf in c_fragments(required)] if (required := tensor[REQUIRE_OF_TENSOR]) else []
    for key in (*SLOT_NAMES, "match"):
        value = tensor.value_of(key)
        for _, leaf in c_fragments(value, key, (Form.EXPRESSION,)) if value else ():
            if ("/" in leaf.text or "%" in leaf.text) and not _FLOATING.search(leaf.text):
                _divisors(leaf, conditions, report)


def _divisors(leaf: Leaf, conditions: list[Leaf], report: Report) -> None:
    for match in _DIVISOR.finditer(leaf.text):
        member, (start, end) = match["member"], match.span("member")
        others = [*(each.text for each in conditions), leaf.text[:start], leaf.text[end:]]
        if any(_has(text, member) for text in others):
            continue
        message = f"'{member}' may be 0, and C cannot divide by that"
        place = within(leaf.span, leaf.text, (start, end - start))
        report(Diagnostic("divided", place, message, f"require: [{member} > 0]"))
        return


def _has(text: str, member: str) -> bool:
    """Returns whether C text contains exactly this member. A longer name that begins with it does not count."""
    words, wanted = ([token.text for token in ctext.tokens(each)] for each in (text, member))
    return any(words[at : at + len(wanted)] == wanted for at in range(len(words)))
