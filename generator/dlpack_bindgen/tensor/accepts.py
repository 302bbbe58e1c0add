"""The arrays that a class or an argument accepts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from dlpack_bindgen.dlpack import MAX_NDIM, WITHOUT_STREAMS, device_type
from dlpack_bindgen.language.values import Fields, Items, Leaf, Value, is_record, items_of, leaf_of
from dlpack_bindgen.tensor.dtype import DECODED_DTYPE, CTypeDType, NamedDType, constant_dtype
from dlpack_bindgen.tensor.import_parts import REQUIRE_OF_MAKING
from dlpack_bindgen.tensor.item import Allocate, Import, Tensor
from dlpack_bindgen.tensor.match_arms import branches, is_conditional, matches, plain
from dlpack_bindgen.tensor.match_rules import shapes
from dlpack_bindgen.tensor.requirements import DTYPE_OF_REQUIREMENT, PROPERTIES, Required, Requirements, required_rank
from dlpack_bindgen.tensor.shape import WORDS as ORDERS
from dlpack_bindgen.tensor.shape import ListedShape, Order, rank_of
from dlpack_bindgen.tensor.slot import Conditional, alternatives
from dlpack_bindgen.tensor.slots import BY_NAME, DTYPE, Slots
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, Span
from dlpack_bindgen.text.names import MARK
from dlpack_bindgen.text.types import RecordType

# ---- The slots of a tensor and of its matches, and their C source ----


def fixed_rank(tensor: Tensor) -> int | None:
    """Returns the number of axes if it is equal for all states of the object."""
    found = [rank_of(slots.shape) for slots in all_slots(tensor) if slots.shape is not None]
    return found[0] if len(set(found)) == 1 else None


def least_rank(tensor: Tensor) -> int:
    """Returns the smallest literal number of axes. It is 0 if only the run time knows one of them."""
    shapes = [shape for slots in all_slots(tensor) for shape in alternatives(slots.shape)]
    return min((shape.rank or 0 for shape in shapes), default=0)


def all_slots(tensor: Tensor, certain: bool = False) -> Iterator[Slots]:
    """Yields the slots outside of matches, and those of every arm.

    With `certain`, it omits slots that the preprocessor can leave out.
    """
    yield _certain(tensor.slots) if certain else tensor.slots
    for match in tensor.matches:
        for arm in match.arms:
            if not certain or arm.condition is None:
                yield _certain(arm.slots) if certain else arm.slots
        if match.default is not None:
            yield _certain(match.default) if certain else match.default


def outcomes(tensor: Tensor, slot: str, default: object = None) -> list[Any]:
    """Returns all possible values of a slot.

    An arm overrides the slot outside of matches, which overrides `default`, or else the default value of the slot.
    """
    default = default if default is not None else BY_NAME[slot].default_value
    beside = getattr(tensor.slots, slot)
    match = next((match for match in tensor.matches if slot in match.slots), None)
    values = [beside]
    if match is not None:
        default_arm = [match.default] if match.default is not None else []
        values = [getattr(arm, slot) or beside for arm in [*(arm.slots for arm in match.arms), *default_arm]]
    found: list[Any] = []
    for value in values:
        found += alternatives(value)
        if default is not None and (value is None or (isinstance(value, Conditional) and value.otherwise is None)):
            found.append(default)
    return found


def declares_readonly(tensor: Tensor) -> bool:
    """Returns whether `readonly` is specified for every state. If so, `const` in a prototype does not decide."""
    return all(outcomes(tensor, "readonly", ""))


def steps_freely(tensor: Tensor) -> bool:
    """Returns whether valid objects can have strides other than row-major with padding of the outermost axis."""
    if any(order != "C" for order in outcomes(tensor, "order")):
        return True
    return any(strides.are_any for strides in outcomes(tensor, "strides"))


def _certain(slots: Slots) -> Slots:
    conditional = [name for name in slots.names() if isinstance(getattr(slots, name), Conditional)]
    return replace(slots, **dict.fromkeys(conditional))


def reading_fragments(tensor: Tensor, certain: bool = False) -> list[str | None]:
    """Returns all C source of the slots and of the matches."""
    fragments = [text for slots in all_slots(tensor, certain) for text in slots.fragments()]
    fragments += [of for match in tensor.matches for of in match.of]
    arms = [arm for match in tensor.matches for arm in match.arms if not certain or arm.condition is None]
    return [*fragments, *(key for arm in arms for keys in arm.when for key in keys or ())]


def record_of(tensor: Tensor) -> RecordType | None:
    """Returns the record that each element is, or None for numbers."""
    dtype = tensor.slots.dtype
    return dtype.record if isinstance(dtype, CTypeDType) else None


# ---- Requirements on arrays: those of the spec, and those of the struct ----


def required_of(tensor: Tensor, made: Import | Allocate) -> Required:
    """Returns the requirements on an imported array, or on the prototype of a new object."""
    require = made.require
    found = Required(
        order=_order(tensor),
        alignment=require.align,
        elements=record_of(tensor),
        dtypes=_dtypes(tensor, require),
        extents=_extents(tensor),
    )
    if isinstance(made, Allocate):
        return found
    devices = [device_type(name) for name in _devices(tensor)]
    return replace(found, layout=layouts(tensor, require), devices=devices, copy=made.copy, cast=made.cast)


def rank_members(tensor: Tensor, require: Requirements, lengths: Sequence[str]) -> list[str]:
    """Returns the members of `dlb_requirements` about the rank.

    `lengths` are those of arrays that are filled by axis. They limit the rank if nothing else does.
    """
    low, high = ranks(tensor, require)
    most = "DLB_MAX_NDIM" if high == MAX_NDIM else str(high)
    if lengths and high == MAX_NDIM:
        most = reduce(lambda a, b: f"DLB_LEAST({a}, {b})", lengths)
    return [*([f".min_ndim = {low}"] if low > 0 else []), f".max_ndim = {most}"]


def ranks(tensor: Tensor, require: Requirements) -> tuple[int, int]:
    shapes = [shape for slots in all_slots(tensor) for shape in alternatives(slots.shape)]
    low, high = require.ndim or (0, MAX_NDIM)
    known = [shape.known_rank for shape in shapes]
    written = [rank for rank in known if rank is not None]
    if len(written) < len(known):
        return low, high
    return max(low, min(written)), min(high, max(written))


def _order(tensor: Tensor) -> Order:
    orders: set[Order] = set(outcomes(tensor, "order"))
    return orders.pop() if len(orders) == 1 else "C"


def _dtypes(tensor: Tensor, require: Requirements) -> list[str]:
    """Returns the dtypes that the slot can have, or an empty list if only the run time knows them.

    Defaults of matches do not count, because no key leads back to them.
    """
    if require.dtypes:
        return [*filter(None, (NamedDType(name).required for name in require.dtypes))]
    match = next((match for match in tensor.matches if "dtype" in match.slots), None)
    if match is not None and any(arm.condition is not None for arm in match.arms):
        return []  # only the compiler knows which arms exist
    if match is not None:
        arms = [arm.slots.dtype or tensor.slots.dtype for arm in match.arms if arm.imports is not False]
        dtypes = [dtype for value in arms for dtype in alternatives(value)]
    else:
        dtypes = alternatives(tensor.slots.dtype)
    required = dict.fromkeys(dtype.required for dtype in dtypes)
    return [] if None in required else [*filter(None, required)]


def _devices(tensor: Tensor) -> list[str]:
    return list(dict.fromkeys(device.type for device in outcomes(tensor, "device")))


def with_stream(tensor: Tensor, stub: str, shown: str) -> tuple[str, str]:
    """Returns the keywords of `from_dlpack`, in the stub and in Python's help, with `stream` for the caller's stream.

    The keyword is left out if the objects are never on a device with streams, if the spec names the stream, or if a
    parameter has this name.
    """
    made = tensor.import_
    is_named = (
        made is None or made.stream is not None or any(each.name.removesuffix(MARK) == "stream" for each in made.params)
    )
    if is_named or WITHOUT_STREAMS.issuperset(_devices(tensor)):
        return stub, shown
    return f"{stub}, stream: int | None = None", f"{shown}, stream=None"


def _extents(tensor: Tensor) -> tuple[str, ...]:
    """Returns the literal extents of the struct, which an array must have too. It is empty without literal extents."""
    shape = tensor.slots.shape
    if any("shape" in match.slots for match in tensor.matches) or not isinstance(shape, ListedShape):
        return ()
    return tuple(reversed(shape.required)) if _order(tensor) == "reversed" else tuple(shape.required)


def layouts(tensor: Tensor, require: Requirements) -> list[str]:
    """Returns the layout flags that the spec requires, and those that a struct without stored strides needs."""
    strides = [each for slots in all_slots(tensor) for each in alternatives(slots.strides)]
    mixed = any("strides" in match.slots for match in tensor.matches)
    outer = bool(strides) and not mixed and all(each.has_compact_rows for each in strides)
    compact, inner = require.compact or not strides, require.inner_compact or outer
    leading = not mixed and any(each.is_leading for each in strides)
    positive = require.nonnegative_strides or leading
    return replace(require, compact=compact, inner_compact=inner, nonnegative_strides=positive).layout


def axes(low: int, high: int) -> str:
    if low == high:
        return f" of {low} {'axis' if low == 1 else 'axes'}"
    if high == MAX_NDIM:
        return f" of {low} or more axes" if low > 0 else ""
    return f" of {low} {'or' if high == low + 1 else 'to'} {high} axes"


def layout_words(require: Requirements) -> list[str]:
    """Returns the requirements on the memory of an argument, in words."""
    words = words_of_layout(require.layout, require.align)
    if require.strided:
        words.insert(0, f"compact but for {' and '.join(f'axis {axis}' for axis in require.strided)}")
    return [ORDERS[require.order], *words] if words and require.order in ORDERS else words


def words_of_layout(layout: Sequence[str], align: int | None) -> list[str]:
    names = ["DLB_COMPACT"] if "DLB_COMPACT" in layout else layout
    words = [each.words for each in PROPERTIES if each.flag in names and each.words]
    return [*words, *([f"aligned to {align} bytes"] if align is not None else [])]


# ---- Rules for `require` of arrays: no duplicates, and no contradiction to the tensor ----

_ONCE = ("ndim", "dtype", "align", "device", "shape", "count")
_RANKS = ("ndim", "shape")


def check_requirements(require: Items | None, tensor: Fields | None, report: Report) -> None:
    """Checks the requirements. `tensor` is the class of the array, or None for an array without a class."""
    seen: dict[str, Span] = {}
    ranks: list[tuple[tuple[int, int], Span]] = []
    for item in require.items if require else ():
        named = item.values if isinstance(item, Fields) else {}
        name = item.text if isinstance(item, Leaf) else next((name for name in _ONCE if name in named), None)
        if name is None:
            continue
        if name in seen:
            notes = (Note(seen[name], "first here"),)
            report(Diagnostic("duplicate-requirement", item.span, f"'{name}' is required twice", notes=notes))
        seen.setdefault(name, item.span)
        if isinstance(item, Fields) and name in _RANKS and (bounds := _bounds(item, name, tensor, report)):
            ranks.append((bounds, item.values[name].span))
        if isinstance(item, Fields) and name == "dtype" and tensor is not None:
            _dtype(tensor, item, report)
    if {"ndim", "shape"} <= seen.keys() and len(ranks) == 2:
        _agree(ranks[0], ranks[1], report)


def _bounds(record: Fields, key: str, tensor: Fields | None, report: Report) -> tuple[int, int] | None:
    """Returns the lowest and the highest required rank; None if there is none, or after a report."""
    bounds = required_rank(Items((record,), record.span, 1))
    if bounds is None:
        return None
    place = record.values[key].span
    if bounds[0] > bounds[1]:
        message = f"no rank is at least {bounds[0]} and at most {bounds[1]}"
        report(Diagnostic("rank-contradiction", place, message))
        return None
    known = list(shapes(tensor)) if tensor is not None else []
    ranks = sorted({shape.count for shape in known if isinstance(shape, Items)})
    is_allowed = any(bounds[0] <= rank <= bounds[1] for rank in ranks)
    if ranks and all(isinstance(shape, Items) for shape in known) and not is_allowed:
        axes = " or ".join(str(rank) for rank in ranks)
        message = f"the required rank does not allow the {axes} axes of the shape"
        report(Diagnostic("rank-contradiction", place, message, notes=(Note(known[0].span, "the shape"),)))
        return None
    return bounds


def _agree(first: tuple[tuple[int, int], Span], second: tuple[tuple[int, int], Span], report: Report) -> None:
    """Reports `ndim` and `shape` with different ranks."""
    (low, high), (other_low, other_high) = first[0], second[0]
    if high < other_low or other_high < low:
        notes = (Note(first[1], "the other one"),)
        report(Diagnostic("rank-contradiction", second[1], "'ndim' and 'shape' require different ranks", notes=notes))


def _dtype(tensor: Fields, record: Fields, report: Report) -> None:
    known = _written_dtypes(tensor)
    names = [dtype.name for value in known if (dtype := constant_dtype(value))]
    for leaf in _required_dtypes(record):
        if known and len(names) == len(known) and leaf.text not in names:
            message = f"'{leaf.text}' is required, which the dtype of the tensor can never be"
            notes = (Note(tensor.place(DTYPE, known[0].span), "the dtype"),)
            report(Diagnostic("dtype-contradiction", leaf.span, message, notes=notes))


def _required_dtypes(record: Fields) -> tuple[Leaf, ...]:
    one, several = leaf_of(record[DTYPE_OF_REQUIREMENT]), items_of(record[DTYPE_OF_REQUIREMENT])
    return (one,) if one else several.leaves() if several else ()


def _written_dtypes(tensor: Fields) -> list[Value]:
    """Returns every dtype that the spec gives for the tensor, or nothing after a mistake in a match."""
    owners = [match for match in matches(tensor) if "dtype" in match.sets]
    known = list(branches(plain(tensor, "dtype")))
    known += [value for match in owners for arm in match.outcomes() for value in branches(arm.slots.get("dtype"))]
    return known if all(match.is_sound() for match in owners) else []


def lists_dtypes(tensor: Fields, making: Fields) -> bool:
    """Returns whether an import accepts certain dtypes only. Otherwise the run time knows them, or the preprocessor."""
    records = required.records() if (required := making[REQUIRE_OF_MAKING]) else ()
    if any(_required_dtypes(record) for record in records):
        return True
    owner = next((match for match in matches(tensor) if "dtype" in match.sets), None)
    known = [plain(tensor, "dtype")]
    if owner is not None:
        known = [arm.slots.get("dtype", known[0]) for arm in owner.arms if arm.imports is not False]
    is_certain = owner is None or all(arm.condition is None for arm in owner.arms)
    return is_certain and all(value is not None and _is_listed(value) for value in known)


def _is_listed(dtype: Value) -> bool:
    is_decoded = is_record(dtype, DECODED_DTYPE) and constant_dtype(dtype) is None
    return not is_decoded and not is_conditional(dtype)


def possible_dtypes(tensor: Fields, making: Fields | None) -> set[str | None]:
    """Returns the dtypes of the objects that an import or an allocation makes. None stands for dtypes that only the
    run time knows."""
    records = required.records() if making is not None and (required := making[REQUIRE_OF_MAKING]) else ()
    if dtypes := {leaf.text for record in records for leaf in _required_dtypes(record)}:
        return {*dtypes}
    constants = map(constant_dtype, _written_dtypes(tensor))
    return {None if dtype is None else dtype.name for dtype in constants}
