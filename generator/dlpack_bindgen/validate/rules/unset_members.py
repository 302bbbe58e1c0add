"""Rules for members that describe the dtype or the device, and that `set` of an import leaves out.

The struct of `set` is filled with zeros. A member that is left out is 0, so that imports of all dtypes but one fail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.imports.part import REQUIRE_OF_MAKING
from dlpack_bindgen.imports.set import SET_OF_IMPORT
from dlpack_bindgen.language.making import IMPORT_OF_CLASS
from dlpack_bindgen.language.values import Fields, Leaf, c_fragments, is_record, is_whole
from dlpack_bindgen.slots.dtype import BITS, CODE, DECODED_DTYPE
from dlpack_bindgen.text import fragments
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, shown
from dlpack_bindgen.validate.arms import Match, plain
from dlpack_bindgen.validate.rules.inverse_match import SLOTS, importable

_MEMBER = re.compile(r"self\s*(?:->|\.)\s*(\w+(?:\.\w+)*(?:\[(?:axis|\d+)\])?)")


class _Read(Frozen):
    """A C expression that the description reads, and the value of `set` that restores it."""

    leaf: Leaf
    what: str
    value: str | None


def check(tensor: Fields, matches: tuple[Match, ...], report: Report) -> None:
    """Reports members that select the dtype or the device, and that `set` does not set."""
    made = tensor[IMPORT_OF_CLASS]
    members = made[SET_OF_IMPORT] if made is not None else None
    if made is None or members is None or not (is_whole(tensor) and is_whole(made)) or _sets_elsewhere(made):
        return
    stored = [member.text for member, _ in members.entries]
    reported: set[str] = set()
    for read in (*_selectors(tensor, matches, made), *_numbers(tensor)):
        found = _MEMBER.fullmatch(read.leaf.text.strip())
        if found is None or found[1] in reported or any(_is_set(found[1], member) for member in stored):
            continue
        reported.add(found[1])
        message = f"'set' leaves out '{shown(found[1])}', {read.what}: it is 0 in each new object"
        hint = f"write '{shown(found[1])}: {read.value}'" if read.value is not None else f"set '{shown(found[1])}', too"
        notes = (Note(read.leaf.span, "read here"),)
        report(Diagnostic("import-incomplete", made.place(SET_OF_IMPORT), message, hint, notes))


def _sets_elsewhere(made: Fields) -> bool:
    """Returns whether C code other than `set` may set members of the new object."""
    others = [value for key, value in made.values.items() if key != "set"]
    return any(fragments.mentions_variable(leaf.text, "self") for value in others for _, leaf in c_fragments(value))


def _is_set(member: str, stored: str) -> bool:
    """Returns whether `set` sets the member, a part of it, or a struct that contains it. Indices are not compared."""
    one, other = (re.split(r"\.|->", re.sub(r"\[[^]]*\]", "", text)) for text in (member, stored))
    count = min(len(one), len(other))
    return one[:count] == other[:count]


def _selectors(tensor: Fields, matches: tuple[Match, ...], made: Fields) -> Iterator[_Read]:
    """Yields the expressions that choose the dtype or the device, if the import accepts several."""
    records = required.records() if (required := made[REQUIRE_OF_MAKING]) else ()
    for word, (slot, *_) in SLOTS.items():
        match = next((match for match in matches if slot in match.sets), None)
        is_limited = any(slot in record.given for record in records)
        if match is None or is_limited or len(importable(tensor, matches, match, made, slot)) < 2:
            continue
        for place, of in enumerate(match.of):
            yield _Read(of, f"which selects the {slot}", word if match.width == 1 else f"{word}[{place}]")


def _numbers(tensor: Fields) -> Iterator[_Read]:
    """Yields the numbers from which the dtype is decoded."""
    dtype = plain(tensor, "dtype")
    for leaf in (dtype[CODE], dtype[BITS]) if is_record(dtype, DECODED_DTYPE) else ():
        if leaf is not None:
            yield _Read(leaf, "a number of the dtype", None)
