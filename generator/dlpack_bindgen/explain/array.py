"""The section about the array of a tensor: its slots, what chooses them, and its memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from dlpack_bindgen.bind.doc_comments import copies_of_exports, summary
from dlpack_bindgen.bind.slot_values import all_slots
from dlpack_bindgen.explain.layout import INDENT, listed, table, wrapped
from dlpack_bindgen.explain.memory import ArrayLayout, axes_table, drawing
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.conditional import Conditional, alternatives
from dlpack_bindgen.slots.match import Match
from dlpack_bindgen.slots.slots import SLOTS, Slots
from dlpack_bindgen.spec.spec import Tensor, step_in_words

_MOST_DRAWINGS = 4


def array(tensor: Tensor) -> Iterator[str]:
    """Yields the lines about the values of the slots."""
    yield from wrapped(f"The array {summary(tensor)}.", INDENT)
    yield ""
    yield from table([*_fixed(tensor), *_defaults(tensor)])
    for match in tensor.matches:
        yield ""
        yield from _choice(match)
    yield from _remarks(tensor)
    if tensor.let:
        yield ""
        yield from wrapped("Before the slots, at each export and each read of an attribute, C runs:", INDENT)
        yield from listed(map(step_in_words, tensor.let))
    if tensor.require:
        yield ""
        yield from wrapped("A BufferError is raised unless these conditions hold:", INDENT)
        yield from listed(each.in_words for each in tensor.require)


def _fixed(tensor: Tensor) -> Iterator[tuple[str, str]]:
    """Yields the slots that no match chooses, each with its value."""
    for slot in SLOTS:
        value = getattr(tensor.slots, slot.name)
        if value is not None:
            yield slot.name, _in_words(slot.name, value)


def _defaults(tensor: Tensor) -> Iterator[tuple[str, str]]:
    """Yields the slots that the spec leaves out."""
    for slot in SLOTS:
        if slot.default is not None and all(getattr(slots, slot.name) is None for slots in all_slots(tensor)):
            yield slot.name, f"{slot.default.replace('`', '')} (default)"


def _in_words(name: str, value: Any) -> str:
    slot = next(slot for slot in SLOTS if slot.name == name)
    if not isinstance(value, Conditional):
        return slot.in_words(value)
    found = [f"#if {condition}: {slot.in_words(each)}" for condition, each in value.branches]
    return "; ".join([*found, *([f"#else: {slot.in_words(value.otherwise)}"] if value.otherwise is not None else [])])


def _choice(match: Match) -> Iterator[str]:
    """Yields the arms of a match."""
    yield from wrapped(f"Chosen by {' / '.join(match.of)}:", INDENT)
    rows = [(_label(match, place), _slots_in_words(arm.slots)) for place, arm in enumerate(match.arms)]
    other = "BufferError" if match.default is None else _slots_in_words(match.default)
    yield from table([*rows, ("any other value", other)], f"{INDENT}{INDENT}")


def _label(match: Match, place: int) -> str:
    """Returns the values for which an arm is chosen; the place -1 is that of the default."""
    if place < 0:
        return "any other value"
    arm = match.arms[place]
    return f"{arm.in_words}{f' (#if {arm.condition})' if arm.condition else ''}"


def _slots_in_words(slots: Slots) -> str:
    return "; ".join(f"{name}: {_in_words(name, getattr(slots, name))}" for name in slots.names())


def _remarks(tensor: Tensor) -> Iterator[str]:
    """Yields sentences about the memory, once each."""
    found: dict[str, None] = {}
    for slot in SLOTS:
        values = [each for slots in all_slots(tensor) for each in alternatives(getattr(slots, slot.name))]
        found |= dict.fromkeys(remark for value in values for remark in slot.remarks(value))
    found |= dict.fromkeys(copies_of_exports(tensor))
    if found:
        yield ""
        for remark in found:
            yield from wrapped(remark, INDENT)


# ---- Memory ----


class _Choice(Frozen):
    """A way to choose the slots of one layout."""

    label: str
    slots: Slots


def memory(tensor: Tensor) -> Iterator[str]:
    """Yields a drawing for each layout of the array."""
    layouts = _layouts(tensor)
    pointer = _first_element(tensor)
    shown = [(layout, labels, drawing(layout, pointer)) for layout, labels in layouts[:_MOST_DRAWINGS]]
    has_legend = any(lines for _, _, lines in shown)
    if has_legend:
        yield from wrapped(
            "Addresses grow to the right and downwards. -1 is the last index of an axis, and ~ can be a gap.", INDENT
        )
    for number, (layout, labels, lines) in enumerate(shown):
        yield from [""] if number or has_legend else []
        if len(layouts) > 1:
            yield from wrapped(f"For {'; '.join(labels)}:", INDENT)
        if layout.shape.rank is None:
            yield from wrapped(f"There are {layout.shape.expressions[0]} axes; drawn for two:", INDENT)
        yield from lines
        axes = [*axes_table(layout)]
        yield from [""] if lines and axes else []
        yield from axes
    left = len(layouts) - _MOST_DRAWINGS
    if left > 0:
        yield ""
        yield from wrapped(f"{left} more layout{'s are' if left > 1 else ' is'} not drawn.", INDENT)


def _first_element(tensor: Tensor) -> str:
    """Returns the address of the first element as a drawing shows it."""
    data, offset = _only_value(tensor, "data") or "data", _only_value(tensor, "byte_offset")
    return data if offset == "" else f"{data} + {offset or 'byte_offset'} bytes"


def _only_value(tensor: Tensor, name: str) -> str | None:
    """Returns the expression of a slot. None: the slot has several; "": it has none."""
    values = alternatives(getattr(tensor.slots, name))
    if len(values) > 1 or any(name in match.slots for match in tensor.matches):
        return None
    return str(values[0]) if values and values[0] is not None else ""


def _layouts(tensor: Tensor) -> list[tuple[ArrayLayout, list[str]]]:
    """Returns the layouts of the array, each with the values for which it is chosen."""
    found: list[tuple[ArrayLayout, list[str]]] = []
    matches = [match for match in tensor.matches if {"shape", "strides", "order"}.intersection(match.slots)]
    for chosen in product(*map(_choices, matches)):
        label = " and ".join(each.label for each in chosen)
        for layout in _variants([tensor.slots, *(each.slots for each in chosen)]):
            same = next((labels for other, labels in found if other == layout), None)
            if same is None:
                found.append((layout, [label]))
            elif label not in same:
                same.append(label)
    return found


def _choices(match: Match) -> list[_Choice]:
    found = [_Choice(_label(match, place), arm.slots) for place, arm in enumerate(match.arms)]
    return found if match.default is None else [*found, _Choice(_label(match, -1), match.default)]


def _variants(slots: Sequence[Slots]) -> Iterator[ArrayLayout]:
    """Yields the layouts among which the preprocessor chooses. Later slots replace earlier ones."""

    def values(name: str) -> list[Any]:
        given = [value for each in slots if (value := getattr(each, name)) is not None]
        found = alternatives(given[-1]) if given else []
        is_certain = bool(given) and not (isinstance(given[-1], Conditional) and given[-1].otherwise is None)
        return found if is_certain else [*found, None]

    for shape, strides, order in product(values("shape"), values("strides"), values("order")):
        if shape is not None:
            yield ArrayLayout(shape, strides, order or "C")
