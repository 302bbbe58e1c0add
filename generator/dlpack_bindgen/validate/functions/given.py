"""Parameters of a function with their entries in `args`."""

from __future__ import annotations

from typing import cast

from dlpack_bindgen.arguments.requirements import Copy, Requirements
from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.prototype import place_of
from dlpack_bindgen.c.types import Parameter, Prototype
from dlpack_bindgen.diagnostics import Span, within
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, c_fragments, is_whole
from dlpack_bindgen.validate.build.imports import requirements
from dlpack_bindgen.validate.functions.sizes import is_shape

_ORDERS = ("<", "<=", "==", ">", ">=", "!=")


class Given(Frozen):
    """A parameter with its entry in `args` and its role in the rest of the function."""

    parameter: Parameter
    name: Leaf | None
    record: Fields | None
    span: Span
    """The place for messages."""
    is_bounded: bool
    """Whether a condition of the function limits its value."""
    is_ended: bool
    """Whether `finally` mentions it."""
    is_coded: bool
    """Whether another parameter is the code of its dtype, by `code_of`."""
    is_counted: bool
    """Whether another parameter is the number of its elements, by `count_of`."""
    is_extent: bool
    """Whether the shape of a returned array mentions it. True if a shape has mistakes."""
    is_broken: bool
    """Whether its entry in `args` has a mistake. The mistake is reported already."""

    @property
    def is_misread(self) -> bool:
        """Whether the entry has an unknown key, or a key for results only. This key may declare the type."""
        if self.record is None:
            return False
        of_results = not self.record.given.keys().isdisjoint(("shape", "dtype"))
        return self.record.has_unknown or (of_results and not self.says("out"))

    def text(self, key: str) -> str | None:
        return self.record.text(key) if self.record else None

    def says(self, key: str) -> bool:
        return self.text(key) == "true"

    @property
    def requires_nothing(self) -> bool:
        """Whether `require` is an empty list. It declares that the function knows the length."""
        listed = self.record.items("require") if self.record else None
        return listed is not None and listed.count == 0

    def require(self) -> Requirements:
        return requirements(self.record.items("require") if self.record else None, None)

    @property
    def copy(self) -> Copy:
        return cast(Copy, self.text("copy") or "never")


def kept(record: Fields | None) -> tuple[Leaf, ...]:
    """Returns the names in `keeps`."""
    listed = record.items("keeps") if record else None
    return tuple(listed.leaves()) if listed else ()


def parameters(function: Fields, prototype: Prototype) -> tuple[Given, ...]:
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
        facts = (name in bounded, is_ended, name in coded, name in counted, is_extent, is_broken)
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
