"""Requirements on arrays and objects, and new outputs: several kinds of arguments have them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.requirements import (
    ALIGN,
    COUNT_OF_REQUIREMENT,
    DEVICE_OF_REQUIREMENT,
    DTYPE_OF_REQUIREMENT,
    NDIM_OF_REQUIREMENT,
    SHAPE_OF_REQUIREMENT,
)
from dlpack_bindgen.language.steps import CHECK, ERROR, EXPR, MESSAGE
from dlpack_bindgen.language.values import Fields, Items, Leaf, is_record, items_of, leaf_of, needed, strings, text_of
from dlpack_bindgen.text import ctext

Copy = Literal["never", "allowed", "always"]
Cast = Literal["safe", "same_kind"]


def converted(cast: Cast) -> str:
    """Returns the arrays that are converted, for a docstring."""
    return f"arrays of other dtypes are converted, as numpy.can_cast(..., '{cast}') allows it"


class Check(Frozen):
    """A required condition: `{expr, message, error}`, or an expression alone. `error` is a C expression for the
    message."""

    expr: str
    message: str | None = None
    error: str | None = None

    @property
    def in_words(self) -> str:
        return f"{self.expr}{f' ({self.message})' if self.message else ''}"


class Requirements(Frozen):
    """The requirements of an import, of `allocate` or of an argument, from its `require` list. They are checked in the
    order of the fields."""

    ndim: tuple[int, int] | None = None
    dtypes: tuple[str, ...] = ()
    """The accepted dtypes; empty: any."""
    writable: bool = False
    compact: bool = False
    inner_compact: bool = False
    no_overlap: bool = False
    nonnegative_strides: bool = False
    align: int | None = None
    checks: tuple[Check, ...] = ()
    devices: tuple[str, ...] | None = None
    """For an argument: the names of the device types that the function supports; None: any."""
    shape: tuple[str, ...] | None = None
    """For an argument: the required extents, as C expressions of the parameters."""
    count: str | None = None
    """For an argument: the required number of elements, as a C expression of the parameters."""
    order: Literal["C", "F"] = "C"
    """For an argument that is `compact` or `inner_compact`: C means that the last axis is the innermost, F the first.
    """
    strided: tuple[int, ...] = ()
    """For an argument: the axes with any stride. All other axes are compact over the axes inside them."""


NOTHING = Requirements()


class NewOutput(Frozen):
    """A new array or object that the call allocates if Python passes none. C writes it, and the call returns it."""

    like: str | None = None
    """The parameter that gives the shape, and the dtype unless only one is possible; None: the requirements give the
    shape."""


def requirements(items: Items | None, ranks: tuple[int, int] | None) -> Requirements:
    """Returns the requirements of a `require` list. `ranks` are the possible ranks if the list gives none."""
    words = {leaf.text for leaf in items.leaves()} if items else set()
    records = items.records() if items else ()
    conditions = items.records(CHECK) if items else ()
    align = next((text for record in records if (text := text_of(record[ALIGN]))), None)
    return Requirements(
        ndim=required_rank(items) or ranks,
        dtypes=next((found for record in records if (found := _dtypes(record))), ()),
        writable="writable" in words,
        compact=not words.isdisjoint(("compact", "column_major")),
        inner_compact="inner_compact" in words,
        no_overlap="no_overlap" in words,
        nonnegative_strides="nonnegative_strides" in words,
        align=int(align) if align else None,
        checks=tuple(check(each[EXPR], each) for each in conditions),
        devices=_devices(records),
        shape=next((strings(extents) for record in records if (extents := record[SHAPE_OF_REQUIREMENT])), None),
        count=next((text for record in records if (text := text_of(record[COUNT_OF_REQUIREMENT]))), None),
        order="F" if "column_major" in words else "C",
    )


def _dtypes(record: Fields) -> tuple[str, ...]:
    one = text_of(record[DTYPE_OF_REQUIREMENT])
    several = items_of(record[DTYPE_OF_REQUIREMENT])
    return (one,) if one else strings(several) if several else ()


def _devices(records: Iterable[Fields]) -> tuple[str, ...] | None:
    """Returns the devices that an argument accepts. Returns None for any device, or if none is declared."""
    for record in records:
        if several := items_of(record[DEVICE_OF_REQUIREMENT]):
            return strings(several)
        if one := text_of(record[DEVICE_OF_REQUIREMENT]):
            return None if one == "any" else (one,)
    return None


def checks(items: Items | None) -> tuple[Check, ...]:
    found: list[Check] = []
    for item in items.items if items else ():
        if isinstance(item, Leaf):
            found.append(Check(item.text))
        elif is_record(item, CHECK):
            found.append(check(item[EXPR], item))
    return tuple(found)


def check(condition: Leaf | None, fields: Fields) -> Check:
    message = ctext.fold(text_of(fields[MESSAGE]) or "")
    return Check(needed(condition).text, message or None, text_of(fields[ERROR]))


def required_rank(require: Items | None) -> tuple[int, int] | None:
    records = require.records() if require else ()
    for record in records:
        if shape := record[SHAPE_OF_REQUIREMENT]:
            return shape.count, shape.count
    for record in records:
        if exact := leaf_of(record[NDIM_OF_REQUIREMENT]):
            return int(exact.text), int(exact.text)
        span = items_of(record[NDIM_OF_REQUIREMENT])
        if span and len(span.leaves()) == 2:
            least, greatest = span.leaves()
            return int(least.text), int(greatest.text)
    return None
