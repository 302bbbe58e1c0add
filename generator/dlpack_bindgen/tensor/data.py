"""The slot `data`: the pointer to the first element."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.slot import Reading, Slot, Statement
from dlpack_bindgen.text.fragments import Within, is_own_member, within
from dlpack_bindgen.text.statements import Piece


class DataSlot(Slot):
    """The address of the first element. `slots/memory` compares the C type with the dtype. The statements depend on the
    layout."""

    name = "data"
    doc = "The address of the first element."
    values = "addresses"
    unless = "match"
    details = (
        "If the data lies in an array that is a member of the struct, this member must hold all elements: "
        "`&self->cells[0][0]`, `self->cells + self->first`. A cast turns this check off.",
    )


_MEMBER = re.compile(r"\w+((->|\.)\w+)+", re.ASCII)


class DataFacts(Frozen):
    """The facts for `templates/slots/data.c.j2`."""

    pointer: str
    """The pointer, or the table of rows, as an argument of a macro."""


class Reach(Frozen):
    """A pointer into an array of the struct, as arguments of macros."""

    member: str
    array: str


class Reaches(Frozen):
    """Pointers into arrays of the struct of which the object chooses one."""

    each: tuple[Reach, ...]


def is_member(data: str) -> bool:
    """Returns whether the expression is a member of a struct.

    A row of an array does not count, because it can stand for all rows.
    """
    return _MEMBER.fullmatch(data) is not None


def statements(data: str, reading: Reading, tables: Sequence[str], is_last: bool) -> list[Statement]:
    """Returns the statements that set the data pointer.

    `tables` holds tables of row pointers that begin with the data. With `is_last`, strides and byte offset are already
    set.
    """
    if tables:
        return [Piece("slots/data", "first_row", DataFacts(reading.argument(tables[0])))]
    if is_last and is_member(data):
        return [Piece("slots/data", "member", DataFacts(reading.argument(data)))]
    found: list[Statement] = [Piece("slots/data", "pointer", DataFacts(reading.argument(data)))]
    pointer = within(data)
    return found if pointer is None or not is_last else [*found, _stays_within(pointer, reading)]


def early(data: str) -> Within | None:
    """Returns the array of the struct that the data must stay within, if its layout is not known yet."""
    found = within(data)
    return found if found is not None and is_own_member(found.member) else None


def last(pointers: Sequence[Within], is_chosen: bool, reading: Reading) -> Iterator[Statement]:
    """Yields the deferred checks that data stays within its array.

    With `is_chosen`, a match chooses the data pointer.
    """
    if is_chosen and pointers:
        yield Piece("slots/data", "reaches", Reaches(tuple(_reach(each, reading) for each in pointers)))
    elif not is_chosen:
        yield from (_stays_within(each, reading) for each in pointers)


def _stays_within(pointer: Within, reading: Reading) -> Statement:
    return Piece("slots/data", "stays_within", _reach(pointer, reading))


def _reach(pointer: Within, reading: Reading) -> Reach:
    return Reach(reading.text(pointer.member), reading.argument(pointer.array))
