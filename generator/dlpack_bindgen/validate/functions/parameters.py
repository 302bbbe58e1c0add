"""Reader for the parameters of a function, with their entries in `args`."""

from __future__ import annotations

from collections.abc import Sequence

from dlpack_bindgen.arguments.derived import COUNT_OF
from dlpack_bindgen.arguments.dtype_code import CODE_OF
from dlpack_bindgen.arguments.entry import OUT, ParameterEntry
from dlpack_bindgen.language.arguments import ARGUMENT
from dlpack_bindgen.language.functions import ARGS, FINALLY, REQUIRE, RETURNS, C
from dlpack_bindgen.language.names import Names
from dlpack_bindgen.language.results import RESULT
from dlpack_bindgen.language.steps import CHECK, EXPR
from dlpack_bindgen.language.values import Fields, Items, Leaf, c_fragments, is_record, is_true, is_whole, text_of
from dlpack_bindgen.results.array import SHAPE_OF_RESULT, is_shape
from dlpack_bindgen.results.kind import OF
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Span, within
from dlpack_bindgen.text.types import Prototype, place_of

_ORDERS = ("<", "<=", "==", ">", ">=", "!=")


def parameters(function: Fields, prototype: Prototype, names: Names) -> tuple[ParameterEntry, ...]:
    args = function[ARGS]
    unread = ARGS in function and args is None
    entries = {key.text: (key, value) for key, value in (args.entries if args else ())}
    ending = text_of(function[FINALLY]) or ""
    bounded = _bounded(function[REQUIRE])
    records = [record for _, record in args.records()] if args else []
    coded = {text_of(record[CODE_OF]) for record in records}
    counted = {text_of(record[COUNT_OF]) for record in records}
    shapes = _shapes(function, records)
    found = []
    for parameter in prototype.parameters:
        name, entry = parameter.name, entries.get(parameter.name)
        place, value = (entry[0].span, entry[1]) if entry else (span_of(function, name), None)
        is_broken = unread or (args is not None and name in args.broken) or (value is not None and not is_whole(value))
        has_entry = isinstance(value, Fields)
        span = place if value is None or has_entry else value.span
        fields = value if isinstance(value, Fields) else Fields(ARGUMENT, {}, {}, None, span, False)
        of = value if isinstance(value, Leaf) else fields[OF]
        found.append(
            ParameterEntry(
                parameter,
                of,
                fields,
                has_entry,
                span,
                names,
                is_bounded=name in bounded,
                is_in_finally=ctext.mentions(ending, name),
                is_coded=name in coded,
                is_counted=name in counted,
                is_extent=shapes is None or name in shapes,
                is_broken=is_broken,
            )
        )
    return tuple(found)


def _shapes(function: Fields, entries: Sequence[Fields]) -> set[str] | None:
    """Returns the names in the shapes of returned arrays, or None if a shape has mistakes."""
    records: list[Fields] = [entry for entry in entries if is_true(entry[OUT])]
    if is_record(returns := function[RETURNS], RESULT):
        records.append(returns)
    shapes = [record[SHAPE_OF_RESULT] for record in records if SHAPE_OF_RESULT in record]
    if not all(map(is_shape, shapes)):
        return None
    return {name for shape in shapes if shape for _, leaf in c_fragments(shape) for name in ctext.names(leaf.text)}


def _bounded(conditions: Items | None) -> set[str]:
    """Returns the names that the conditions limit from above, alone or as part of an expression."""
    expressions = [leaf.text for leaf in conditions.leaves()] if conditions else []
    expressions += [text_of(fields[EXPR]) or "" for fields in conditions.records(CHECK)] if conditions else []
    found: set[str] = set()
    for text in expressions:
        for part in ctext.split(text, ("&&",))[0]:
            sides, signs = ctext.split(part, _ORDERS)
            for sign, less, more in zip(signs, sides, sides[1:], strict=False):
                found.update(ctext.names(less) if sign in ("<", "<=", "==") else ())
                found.update(ctext.names(more) if sign in (">", ">=", "==") else ())
            if not signs:
                found.update(ctext.names(part))  # a macro or a function of the library may limit them
    return found


def span_of(function: Fields, name: str) -> Span:
    """Returns the place of a parameter in the prototype."""
    written = function[C]
    return within(written.span, written.text, place_of(written.text, name)) if written else function.span


def written_at(function: Fields) -> Span:
    """Returns the place of the prototype."""
    written = function[C]
    return written.span if written else function.span
