"""Reader for the parameters of a function, with their entries in `args`."""

from __future__ import annotations

from dlpack_bindgen.arguments.entry import Given
from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.prototype import place_of
from dlpack_bindgen.c.types import Prototype
from dlpack_bindgen.diagnostics import Span, within
from dlpack_bindgen.language.names import Names
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, c_fragments, is_whole
from dlpack_bindgen.results.array import is_shape

_ORDERS = ("<", "<=", "==", ">", ">=", "!=")


def parameters(function: Fields, prototype: Prototype, names: Names) -> tuple[Given, ...]:
    args = function.table("args")
    unread = "args" in function.given and args is None
    entries = {key.text: (key, value) for key, value in (args.entries if args else ())}
    ending = function.text("finally") or ""
    bounded = _bounded(function.items("require"))
    coded = {record.text("code_of") for _, record in (args.records() if args else ())}
    counted = {record.text("count_of") for _, record in (args.records() if args else ())}
    shapes = _shapes(function, args)
    found = []
    for parameter in prototype.parameters:
        name, entry = parameter.name, entries.get(parameter.name)
        place, value = (entry[0].span, entry[1]) if entry else (span_of(function, name), None)
        is_broken = unread or (args is not None and name in args.broken) or (value is not None and not is_whole(value))
        record = value if isinstance(value, Fields) else None
        of = record.leaf("of") if record else value if isinstance(value, Leaf) else None
        span = place if value is None or record else value.span
        is_ended, is_extent = ctext.mentions(ending, name), shapes is None or name in shapes
        facts = (names, name in bounded, is_ended, name in coded, name in counted, is_extent, is_broken)
        found.append(Given(parameter, of, record, span, *facts))
    return tuple(found)


def _shapes(function: Fields, args: Table | None) -> set[str] | None:
    """Returns the names in the shapes of returned arrays, or None if a shape has mistakes."""
    made = [record for _, record in (args.records() if args else ()) if record.text("out") == "true"]
    returned = function.fields("returns")
    records = [record for record in (*made, *([returned] if returned else ())) if "shape" in record.given]
    shapes = [record.values.get("shape") for record in records]
    if not all(map(is_shape, shapes)):
        return None
    return {name for shape in shapes if shape for _, leaf in c_fragments(shape) for name in ctext.names(leaf.text)}


def _bounded(conditions: Items | None) -> set[str]:
    """Returns the names that the conditions limit from above, alone or as part of an expression."""
    expressions = [leaf.text for leaf in conditions.leaves()] if conditions else []
    expressions += [fields.text("expr") or "" for fields in conditions.records()] if conditions else []
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
    written = function.leaf("c")
    return within(written.span, written.text, place_of(written.text, name)) if written else function.span


def written_at(function: Fields) -> Span:
    """Returns the place of the prototype."""
    written = function.leaf("c")
    return written.span if written else function.span
