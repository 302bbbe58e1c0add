"""The statements that fill the slots of a view, in the order of their stages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dlpack_bindgen.slots import data, dtype
from dlpack_bindgen.slots.conditional import alternatives, with_default
from dlpack_bindgen.slots.description import MissingSlot
from dlpack_bindgen.slots.layout import Layout, Order, reversals
from dlpack_bindgen.slots.reading import RANK, Reading
from dlpack_bindgen.slots.shape import EachShape, rank_of
from dlpack_bindgen.slots.slots import BY_NAME, Slots
from dlpack_bindgen.slots.statements import Statement, loop, preprocessed
from dlpack_bindgen.slots.strides import EachStrides, allowed_overlap
from dlpack_bindgen.text.fragments import Within
from dlpack_bindgen.text.statements import Piece


class SlotStatements:
    """The driver of the slots. It asks the slot of each stage."""

    def __init__(self, reading: Reading, without_itemsize: Reading) -> None:
        self._early: dict[Within, None] = {}
        """Data pointers into arrays of the struct that are set before the layout is known."""
        self._reading = reading
        self._without_itemsize = without_itemsize
        """The reading before the variable `itemsize` is declared."""

    def of(
        self, slots: Slots, run: Sequence[str], pending: Sequence[str], is_optional: bool = False
    ) -> list[Statement]:
        """Returns the statements of the stages in `run`.

        `pending` holds these stages and all later ones. With `is_optional`, the preprocessor can leave the statements
        out.
        """
        reading = self._without_itemsize if "dtype" in run and len(run) > 1 else self._reading
        later = [stage for stage in pending if stage not in run]
        is_last = not {"dtype", "shape", "layout"} & {*later} and "byte_offset" not in pending
        if "data" in run and not is_last and not is_optional and isinstance(slots.data, str):
            pointer = data.early(slots.data)
            self._early |= {} if pointer is None else {pointer: None}
        in_one_loop = "shape" in run and "layout" in run and _in_one_loop(slots)
        found: list[Statement] = []
        for stage in run:
            if in_one_loop and stage in ("shape", "layout"):
                found += _loop(slots, reading) if stage == "shape" else ()
            elif stage == "data":
                found += self._data(slots, reading, is_last)
            elif stage in _RELATED:
                found += _RELATED[stage](slots, reading)
            else:
                found += _slot(stage, slots, reading)
        return found

    def _data(self, slots: Slots, reading: Reading, is_last: bool) -> list[Statement]:
        def statements(pointer: str) -> list[Statement]:
            first = [table for each in alternatives(slots.strides) if (table := each.first_row(pointer)) is not None]
            return data.statements(pointer, reading, first, is_last)

        return preprocessed(slots.data, statements, _missing("data", reading))

    def last(self, is_chosen: bool) -> list[Statement]:
        """Returns the deferred checks that data stays within its array.

        With `is_chosen`, a match chooses the data pointer.
        """
        return [*data.last([*self._early], is_chosen, self._reading)]


def _missing(slot: str, reading: Reading) -> list[Statement]:
    return [Piece("slots/description", "missing", MissingSlot(f"{reading.scope.name}.{slot}"))]


def _slot(stage: str, slots: Slots, reading: Reading) -> list[Statement]:
    """Returns the statements of a stage that sets one slot."""
    slot = BY_NAME[stage]
    value = with_default(getattr(slots, stage), slot.default_value)
    otherwise = _missing(stage, reading) if slot.unless is not None else ()
    return preprocessed(value, lambda each: slot.statements(each, reading), otherwise)


# ---- Layout ----


def _in_one_loop(slots: Slots) -> bool:
    strides = slots.strides
    return isinstance(slots.shape, EachShape) and isinstance(strides, EachStrides) and strides.compact_when is None


def _loop(slots: Slots, reading: Reading) -> list[Statement]:
    """Returns the statements that set extents and strides in one loop over the axes."""
    shape, strides = slots.shape, slots.strides
    assert isinstance(shape, EachShape) and isinstance(strides, EachStrides)
    stride = strides.stride(reading, dtype.known_dtype(slots.dtype))
    both = loop([shape.extent(reading), stride])
    reversed_ = reversals(slots.order, has_strides=True)
    return [shape.ranks(reading, strides.each), both, *reversed_, *allowed_overlap(strides)]


def _layout(slots: Slots, reading: Reading) -> list[Statement]:
    return preprocessed(with_default(slots.order, "C"), lambda order: _ordered(slots, order, reading))


def _ordered(slots: Slots, order: Order, reading: Reading) -> list[Statement]:
    axes = rank_of(slots.shape) if slots.shape is not None else reading.rank
    ranks = slots.shape if isinstance(slots.shape, EachShape) else None
    rank = reading.integer(ranks.ndim if ranks else RANK)
    layout = Layout(order, axes, rank, ranks.arrays if ranks else (), dtype.known_dtype(slots.dtype))
    if slots.strides is None:
        return layout.compact()
    return preprocessed(slots.strides, lambda each: each.statements(reading, layout), layout.compact())


def _rows(slots: Slots, reading: Reading) -> list[Statement]:
    def ordered(order: Order) -> list[Statement]:
        return preprocessed(slots.strides, lambda strides: strides.row_statements(reading, order))

    return preprocessed(with_default(slots.order, "C"), ordered)


_RELATED: dict[str, Callable[[Slots, Reading], list[Statement]]] = {"layout": _layout, "rows": _rows}
"""Stages that read several slots."""
