"""Rules for `require` of arrays: no duplicates, and no contradiction to the tensor."""

from __future__ import annotations

from dlpack_bindgen.arguments.requirements import required_rank
from dlpack_bindgen.imports.part import REQUIRE_OF_MAKING
from dlpack_bindgen.language.requirements import DTYPE_OF_REQUIREMENT
from dlpack_bindgen.language.slots import DTYPE
from dlpack_bindgen.language.values import Fields, Items, Leaf, Value, is_record, items_of, leaf_of
from dlpack_bindgen.slots.dtype import DECODED_DTYPE, constant_dtype
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, Span
from dlpack_bindgen.validate.arms import branches, is_conditional, matches, plain
from dlpack_bindgen.validate.ranks import shapes

_ONCE = ("ndim", "dtype", "align", "device", "shape", "count")
_RANKS = ("ndim", "shape")


def check(require: Items | None, tensor: Fields | None, report: Report) -> None:
    """Checks the requirements. `tensor` is the class of the array, or None for an array without a class."""
    seen: dict[str, Span] = {}
    ranks: list[tuple[tuple[int, int], Span]] = []
    for item in require.items if require else ():
        name = item.text if isinstance(item, Leaf) else _tag(item)
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


def _tag(item: Value) -> str | None:
    """Returns the name of a requirement that can occur only once, or None."""
    return next((name for name in _ONCE if name in item.values), None) if isinstance(item, Fields) else None


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
