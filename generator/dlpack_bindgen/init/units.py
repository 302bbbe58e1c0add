"""The unit in which a stride counts, by the comment of the header."""

from __future__ import annotations

import re
from typing import Literal

_SAYS_NO_UNIT = re.compile(
    r"\b(?:align\w*|padded|round\w*|multiples?)\b(?: \w+){0,3}? \d+[- ]?bytes?\b|\b\d+[- ]bytes? (?:align|bound)\w*"
)
"""The length of the gap behind a row: `aligned to 16 bytes`."""
_DENIES_BYTES = re.compile(r"\bnot (?:in )?bytes?\b")
_SEVERAL_BYTES = re.compile(r"\b(?:\d+|two|four|eight)[- ]?bytes?\b")
"""A unit of several bytes: `units of 4 bytes`."""
_SURE_BYTES = re.compile(r"\bin bytes\b|\bbytes? (?:per|between|from|to)\b")
_ELEMENTS = re.compile(r"elements?(?![a-z])|\bin items\b")
_PIXELS = re.compile(r"\b(?:in|number of) (?:pixel|sample)s?\b|\b(?:pixel|sample)s (?:per|between|from|to)\b")


def unit_in_comment(comment: str, pixels_are_elements: bool) -> Literal["bytes", "elements", "other", ""]:
    """Returns the unit of a stride; `other`: the comment is about several units, or about one that is neither bytes nor
    elements. The result is empty if the comment has no unit."""
    plain = _SAYS_NO_UNIT.sub("", comment.lower())
    rest = _DENIES_BYTES.sub("", plain)
    has_bytes, in_pixels = "byte" in rest, _PIXELS.search(rest) is not None
    has_elements = _ELEMENTS.search(rest) is not None or (in_pixels and pixels_are_elements)
    if _SEVERAL_BYTES.search(rest):
        return "other"
    if rest != plain:
        return "elements" if has_elements and not has_bytes else "other"
    if has_bytes:
        return "other" if (has_elements or in_pixels) and not _is_sure(rest) else "bytes"
    return "elements" if has_elements else "other" if in_pixels else ""


def _is_sure(comment: str) -> bool:
    """Returns whether a comment is surely about bytes: `bytes to the next element`, but not `in bytes or elements`."""
    return _SURE_BYTES.search(comment) is not None and not re.search(r"\bor\b", comment)
