"""The sections about objects that Python makes: of arrays (`import`), and with new memory (`allocate`)."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.bind.accepts import accepted, layouts, ranks
from dlpack_bindgen.bind.bind import made_of_arrays
from dlpack_bindgen.bind.doc_comments import axes, empty_summary, from_paragraphs
from dlpack_bindgen.bind.inverse_match import one_way
from dlpack_bindgen.explain.layout import INDENT, listed, wrapped
from dlpack_bindgen.imports.parts import PARTS
from dlpack_bindgen.slots.match import Match
from dlpack_bindgen.slots.order import WORDS as ORDERS
from dlpack_bindgen.spec.spec import Allocate, Import, Item, Tensor, step_in_words
from dlpack_bindgen.text.literals import joined


def imports(item: Item) -> Iterator[str]:
    """Yields the lines about `from_dlpack`."""
    made = item.import_
    if made is None:
        yield from wrapped("There is no import: Python makes no object from an array.", INDENT)
        return
    for text in from_paragraphs(item, made_of_arrays(item)):
        yield from wrapped(text, INDENT)
    if isinstance(item, Tensor):
        found = accepted(item, made.require)
        if found.extents:
            extents = ["any" if extent == "-1" else extent for extent in found.extents]
            yield from wrapped(f"The extents must be [{', '.join(extents)}].", INDENT)
        if found.order in ORDERS and layouts(item, made.require):
            yield from wrapped(f"The axes must be {ORDERS[found.order]}.", INDENT)
    yield from wrapped("Other arrays are refused with a BufferError.", INDENT)
    if isinstance(item, Tensor):
        yield from _arms(item)
    yield from _made(made)


def allocation(tensor: Tensor) -> Iterator[str]:
    """Yields the lines about `empty`."""
    made = tensor.allocate
    if made is None:
        return
    yield from wrapped(empty_summary(tensor), INDENT)
    dtypes = f"Makes {joined(made.require.dtypes)} arrays" if made.require.dtypes else "Makes arrays"
    low, high = ranks(tensor, made.require)
    yield from wrapped(f"{dtypes}{axes(low, high) or ' of any rank'}.", INDENT)
    yield from _made(made)


def _made(made: Import | Allocate) -> Iterator[str]:
    """Yields what C does, in order."""
    for heading, lines in (
        ("Keywords, with their defaults:", [each.in_words for each in made.params]),
        ("Refused unless these conditions hold:", [each.in_words for each in made.require.checks]),
        ("First, C runs:", [*map(step_in_words, made.let)]),
    ):
        if lines:
            yield from wrapped(heading, INDENT)
            yield from listed(lines)
    for part in PARTS:
        for text in part.in_words(made):
            sentence, *items = text.split("\n")
            yield from wrapped(sentence, INDENT)
            yield from listed(items)


def _arms(tensor: Tensor) -> Iterator[str]:
    """Yields the arms of matches that an import prefers, and those that it never chooses."""
    chosen, irreversible = one_way(tensor)
    for match in tensor.matches:
        of = " / ".join(match.of)
        preferred = [arm.in_words for arm in match.arms if arm.imports]
        never = {arm.in_words: None for arm in match.arms if arm.imports is False}
        if match is chosen:
            never |= {_label(match, place): None for place in sorted(irreversible)}
        for key in never:
            preferred = [each for each in preferred if each != key]
        if preferred:
            yield from wrapped(f"If an array fits several choices of {of}, this one is chosen:", INDENT)
            yield from listed(preferred)
        if never:
            yield from wrapped(f"No array becomes an object with these values of {of}:", INDENT)
            yield from listed(never)


def _label(match: Match, place: int) -> str:
    return "any other value" if place < 0 else match.arms[place].in_words
