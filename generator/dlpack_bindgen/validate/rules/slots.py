"""Asks each slot for its mistakes. Rules between slots: axes, ranks, strides, item sizes and devices."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.hooks.hooks import HOOKS
from dlpack_bindgen.imports.set import SET_OF_IMPORT
from dlpack_bindgen.imports.stream import STREAM_OF_IMPORT
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.language import MATCHES
from dlpack_bindgen.language.making import IMPORT_OF_CLASS
from dlpack_bindgen.language.slots import DEVICE
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, Value, c_fragments, is_record
from dlpack_bindgen.slots.dtype import constant_dtype
from dlpack_bindgen.slots.slots import BY_NAME, SLOTS
from dlpack_bindgen.slots.strides import LIST, MAPPING_OF_STRIDES, OUTER, ROWS, UNIT_OF_STRIDES, is_misspelt
from dlpack_bindgen.text import fragments
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, Span
from dlpack_bindgen.validate.arms import Match, branches, plain, slot_values
from dlpack_bindgen.validate.rules import units

_BEFORE_DTYPE = (
    *("params", "hold", "require", "acquire", "restore", "let", "dtype"),
    *("before_read", "after_write", "retain", "clone", "release"),
)
_CALLED = ("methods", "properties", "new")

Values = list[Value]


def check(tensor: Fields, matches: tuple[Match, ...], report: Report) -> None:
    for slot in SLOTS:
        for value in slot_values(tensor, matches, slot.name):
            for problem in slot.problems(value):
                report(problem)
    for match in matches:
        if match.slot is not None and match.further is not None:
            for problem in BY_NAME[match.slot].further_problems(match.further):
                report(problem)
    axis(tensor, report)
    _itemsize(tensor, report)
    reported: set[Span] = set()
    for extents, strides in _pairs(tensor, matches, "shape", "strides"):
        for value in strides:
            if value.span not in reported and (found := _misfit(value, extents)):
                reported.add(value.span)
                report(found)
    for dtypes, strides in _pairs(tensor, matches, "dtype", "strides"):
        for value in strides:
            if value.span not in reported and (found := _unit(value, dtypes)):
                reported.add(value.span)
                report(found)
    for span, found in units.undeclared(tensor, matches):
        if span not in reported:
            report(found)
    _device(tensor, matches, report)


def axis(tensor: Fields, report: Report) -> None:
    """Reports `axis` outside of `each` in a tensor or a handle. Parameters of functions may be called `axis`."""
    made = tensor[IMPORT_OF_CLASS]
    members = made[SET_OF_IMPORT] if made else None
    each = _set_per_axis(members) if members else set()
    own = [(name, value) for name, value in tensor.values.items() if name not in _CALLED]
    for key, leaf in [text for name, value in own for text in c_fragments(value, name)]:
        if key != "each" and fragments.mentions_variable(leaf.text, "axis") and leaf not in each:
            hint = "a member that is set for each axis has 'axis' in its index" if key == "set" else None
            message = f"'axis' is known in 'each' only, not in '{key}'"
            report(Diagnostic("axis-outside-each", leaf.span, message, hint))


def _set_per_axis(members: Table) -> set[Leaf]:
    return {value for member, value in members.leaves() if fragments.mentions_variable(member.text, "axis")}


def _itemsize(tensor: Fields, report: Report) -> None:
    early = [
        (key, leaf) for key in _BEFORE_DTYPE if key in tensor.values for _, leaf in c_fragments(tensor.values[key], key)
    ]
    listed = tensor[MATCHES]
    for match in listed.records() if listed else ():
        early += [(key, leaf) for key, leaf in c_fragments(match) if key in ("of", "dtype")]
    for key, leaf in early:
        if fragments.mentions_variable(leaf.text, "itemsize"):
            message = f"'itemsize' follows from the dtype, so '{key}' comes too early for it"
            report(Diagnostic("itemsize-too-early", leaf.span, message))


def _pairs(tensor: Fields, matches: tuple[Match, ...], one: str, other: str) -> Iterator[tuple[Values, Values]]:
    """Yields values of two slots that occur together. If they cannot be paired, yields all values of both."""
    owners = [match for match in matches if one in match.sets or other in match.sets]
    if not all(match.complete for match in owners):
        return
    beside = {slot: list(branches(plain(tensor, slot))) for slot in (one, other)}
    if len(owners) > 1:
        for slot in (one, other):
            beside[slot] += [
                value for match in owners for arm in match.outcomes() for value in branches(arm.slots.get(slot))
            ]
        yield beside[one], beside[other]
    elif not owners:
        yield beside[one], beside[other]
    for arm in owners[0].outcomes() if len(owners) == 1 else ():
        if arm.complete:
            yield (
                list(branches(arm.slots.get(one))) or beside[one],
                list(branches(arm.slots.get(other))) or beside[other],
            )


def _misfit(strides: Value, extents: Values) -> Diagnostic | None:
    """Returns the mistake in the strides if they fit none of the shapes, or None."""
    if not extents:
        return None
    ranks = [shape.count for shape in extents if isinstance(shape, Items)]
    free = len(ranks) < len(extents)
    notes = (Note(extents[0].span, "the shape"),)
    listed = strides[LIST] if is_record(strides, MAPPING_OF_STRIDES) else strides
    if isinstance(listed, Items) and listed.count not in ranks:
        if not ranks:
            message = "a list of strides needs a list of extents: this rank is known at run time only"
            return Diagnostic("strides-need-each", listed.span, message, "write strides: {each: ...}", notes)
        strides_given = "1 stride" if listed.count == 1 else f"{listed.count} strides"
        message = f"{strides_given} for {ranks[0]} {'axis' if ranks[0] == 1 else 'axes'}"
        return Diagnostic("strides-rank", listed.span, message, notes=notes)
    outer = strides[OUTER] if is_record(strides, MAPPING_OF_STRIDES) else None
    if outer and not free and max(ranks) == 0:
        message = "an outer stride needs an axis, and the shape has none"
        return Diagnostic("strides-rank", outer.span, message, notes=notes)
    rows = strides[ROWS] if is_record(strides, MAPPING_OF_STRIDES) else None
    if rows and not free and max(ranks) < 2:
        message = f"a table of rows needs two axes at least, and the shape has {max(ranks)}"
        return Diagnostic("strides-rank", rows.span, message, notes=notes)
    return None


def _unit(strides: Value, dtypes: Values) -> Diagnostic | None:
    unit = strides[UNIT_OF_STRIDES] if is_record(strides, MAPPING_OF_STRIDES) else None
    if unit is None or is_misspelt(unit):
        return None
    known = [(dtype, facts) for dtype in dtypes if (facts := constant_dtype(dtype))]
    small, facts = next(((dtype, facts) for dtype, facts in known if facts.bits * facts.lanes % 8), (None, None))
    if small and facts and (unit.form is Form.EXPRESSION or unit.text == "bytes"):
        message = f"elements of '{facts.name}' are smaller than a byte, so bytes cannot count them"
        return Diagnostic("sub-byte-strides", unit.span, message, "write unit: bits", (Note(small.span, "the dtype"),))
    return None


def _device(tensor: Fields, matches: tuple[Match, ...], report: Report) -> None:
    """Reports hooks and streams of other devices if the device is always the CPU."""
    owners = [match for match in matches if "device" in match.sets]
    values = list(slot_values(tensor, matches, "device"))
    known = all(match.is_sound() for match in owners) and (DEVICE not in tensor or values)
    if known and all(BY_NAME["device"].identity(value) == "cpu" for value in values):
        notes = (Note(values[0].span, "the device"),) if values else ()
        hint = "declare where else it can be"
        for key in (hook.key.name for hook in HOOKS if hook.is_of_devices):
            if key in tensor.given:
                message = f"'{key}' is never called: the device is always 'cpu'"
                report(Diagnostic("never-called", tensor.given[key], message, hint, notes))
        stream = made[STREAM_OF_IMPORT] if (made := tensor[IMPORT_OF_CLASS]) else None
        if stream:
            message = "'stream' is never used: the device is always 'cpu', which has no streams"
            report(Diagnostic("never-called", stream.span, message, hint, notes))
