"""Rules for strides without a unit: if they may count bytes, the spec must declare the unit.

With strides in bytes that are read as elements, an array would lead beyond the end of its memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from math import prod

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.language import LET_OF_TENSOR
from dlpack_bindgen.language.slots import ORDER
from dlpack_bindgen.language.steps import OUT_OF_STEP
from dlpack_bindgen.language.values import Fields, Items, Leaf, Value, is_record, text_of
from dlpack_bindgen.slots.conditional import IF_OF_CASE, VALUE_OF_CASE
from dlpack_bindgen.slots.shape import EACH_OF_SHAPE, SHAPE_AT_RUN_TIME
from dlpack_bindgen.slots.strides import EACH_OF_STRIDES, LIST, MAPPING_OF_STRIDES, OUTER, UNIT_OF_STRIDES
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Span
from dlpack_bindgen.text.expressions import Product, product
from dlpack_bindgen.text.names import suggests
from dlpack_bindgen.text.types import split_declaration
from dlpack_bindgen.validate.arms import Arm, Match, branches, is_conditional, plain
from dlpack_bindgen.validate.rules.sizes import Size, size_of

_DIVIDES = frozenset(("/", ">>"))
_LONGEST = 1000
"""The greatest length of C text after substitution. Each variable can double the length."""
_OF_IMPORTS = frozenset(("shape", "strides", "byte_strides"))
"""Names of imports that slots cannot use; another rule reports them."""
_HINT = "write 'unit: bytes', in a mapping such as {outer: ..., unit: bytes}; 'unit: elements' if not"


class _Extents(Frozen):
    """The extents of the axes that strides belong to."""

    factors: frozenset[str]
    """The factors of all extents, without constants."""
    listed: tuple[Product, ...] | None
    """The extents of the only shape, if it is a list; None otherwise."""


class _Elements(Frozen):
    """The elements that strides step over."""

    dtype: Value
    """One of the dtypes, for notes."""
    sizes: tuple[Size, ...]
    """The sizes, without duplicates."""
    extents: _Extents

    @cached_property
    def bytes(self) -> frozenset[int]:
        """Returns the possible sizes of an element in bytes, without 1."""
        return frozenset(size for each in self.sizes for size in each.bytes if size > 1)

    @cached_property
    def are_bytes(self) -> bool:
        return all(size.bits == 8 for size in self.sizes)

    @cached_property
    def may_be_wide(self) -> bool:
        return any(size.may_be_wide for size in self.sizes)

    @cached_property
    def are_several(self) -> bool:
        return len({size.key for size in self.sizes}) > 1 or any(size.varies for size in self.sizes)

    @cached_property
    def shown(self) -> str:
        """Returns the sizes for messages, such as `1, 2 and 4 bytes`, or the dtypes if sizes are unknown."""
        known = sorted({size.bits // 8 for size in self.sizes if size.bits and size.bits % 8 == 0})
        if all(size.bits and size.bits % 8 == 0 for size in self.sizes):
            return f"{', '.join(map(str, known[:-1]))} and {known[-1]} bytes"
        if any(size.varies for size in self.sizes):
            return "a size that the struct has"
        return f"several sizes ({', '.join(list(dict.fromkeys(size.shown for size in self.sizes))[:3])})"


class _Stride(Frozen):
    """One expression of `strides`."""

    leaf: Leaf
    text: str
    """The expression, with variables of `let` replaced by their values."""
    product: Product
    inner: Product | None
    """The product of the extents of the inner axes; None if it is unknown."""


class _Strides(Frozen):
    """Strides without a unit."""

    strides: tuple[_Stride, ...]
    elements: _Elements
    several: dict[str, str]
    """For each stride that serves elements of several sizes, the sizes as text."""
    filled: frozenset[str]
    """The variables of `let` that a call sets."""


def undeclared(tensor: Fields, matches: tuple[Match, ...]) -> Iterator[tuple[Span, Diagnostic]]:
    """Yields the place of each value of `strides` that needs a unit, with the diagnostic."""
    owners = [match for match in matches if {"dtype", "strides", "shape"} & match.sets.keys()]
    if not all(match.complete for match in owners):
        return
    lets, filled = _lets(tensor)
    is_fortran = text_of(tensor[ORDER]) == "F"
    found = [
        (value, elements, tuple(_listed(value, elements, lets, is_fortran)))
        for value, elements in _together(tensor, matches)
        if isinstance(value, Items) or (is_record(value, MAPPING_OF_STRIDES) and UNIT_OF_STRIDES not in value)
    ]
    several = _several(found)
    reported: set[Span] = set()
    for value, elements, strides in found:
        asked = _Strides(strides, elements, several, filled)
        names = {name for stride in strides for name in ctext.names(stride.leaf.text)}
        if value.span in reported or names & _OF_IMPORTS or elements.are_bytes:
            continue
        for question in QUESTIONS:
            if answer := question(asked):
                leaf, message = answer
                reported.add(value.span)
                note = (Note(elements.dtype.span, "the dtype"),)
                yield value.span, Diagnostic("stride-unit", leaf.span, message, _HINT, note)
                break


# ---- Questions ----

_Answer = tuple[Leaf, str] | None


def _named_bytes(asked: _Strides) -> _Answer:
    """Finds a stride with a name that is common for numbers of bytes, or with the size of an element."""
    if not asked.elements.may_be_wide:
        return None
    for stride in asked.strides:
        words = [token.text for text in (stride.leaf.text, stride.text) for token in ctext.tokens(text)]
        found = next((word for word in words if suggests(word, "stride in bytes")), None)
        if found is None and {"sizeof", "itemsize"} & set(words):
            found = stride.leaf.text  # multiplied by the size of an element
        if found and not _DIVIDES & set(words):
            return stride.leaf, f"'{found}' may count bytes: strides count elements unless 'unit' is declared"
    return None


def _accessor(asked: _Strides) -> _Answer:
    """Finds a stride from a function whose name suggests a stride: it probably counts bytes."""
    if not asked.elements.may_be_wide:
        return None
    for stride in asked.strides:
        seen = ctext.tokens(stride.text)
        called = [token.text for token, behind in pairwise(seen) if behind.text == "("]
        found = next((name for name in called if suggests(name, "function for a stride")), None)
        if found and not _DIVIDES & {token.text for token in seen}:
            return stride.leaf, f"'{found}()' may count bytes: strides count elements unless 'unit' is declared"
        variables = [name for name in ctext.names(stride.leaf.text) if name in asked.filled]
        filled = next((name for name in variables if suggests(name, "function for a stride")), None)
        if filled and not _DIVIDES & {token.text for token in seen}:
            return stride.leaf, f"'{filled}' may count bytes: strides count elements unless 'unit' is declared"
    return None


def _size_of_an_element(asked: _Strides) -> _Answer:
    """Finds strides that are multiples of the size of an element, such as `[8 * self->columns, 8]` of float64."""
    sizes = asked.elements.bytes
    constants = [abs(each.product.constant) for each in asked.strides if each.product.constant]
    for stride in asked.strides:
        inner = stride.inner or Product(1)
        found = [size for size in sizes if abs(stride.product.coefficient) == size * inner.coefficient]
        if not found:
            continue
        is_compact = inner != Product(1) and stride.product.factors == inner.factors
        if any(constant % found[0] for constant in constants) and not is_compact:
            continue  # not a number of bytes
        if stride.product.factors or not inner.factors or len(asked.strides) > 1:
            size = next(each for each in asked.elements.sizes if found[0] in each.bytes)
            element = f"an element of {size.shown} {'has' if size.bits else 'may have'} {found[0]}"
            return stride.leaf, f"'{stride.leaf.text}' may count bytes: {element}, and the unit is not declared"
    return None


def _several_sizes(asked: _Strides) -> _Answer:
    """Finds a stride that serves elements of several sizes."""
    for stride in asked.strides:
        several = asked.several.get(stride.text)
        if several and not _divides_by_size(stride.text) and not _is_in_elements(stride, asked):
            return stride.leaf, f"'{stride.leaf.text}' may count bytes: it serves elements of {several}"
    return None


QUESTIONS: tuple[Callable[[_Strides], _Answer], ...] = (_named_bytes, _accessor, _size_of_an_element, _several_sizes)
"""The reasons to require a unit, in the order of their test."""


def _divides_by_size(text: str) -> bool:
    """Returns whether C text divides by a variable. The division turns bytes into elements."""
    seen = [token for token in ctext.tokens(text) if token.text != "("]
    return any(sign.text in _DIVIDES and behind.kind != "number" for sign, behind in pairwise(seen))


def _is_in_elements(stride: _Stride, asked: _Strides) -> bool:
    """Returns whether the stride is a product of extents, and therefore counts elements."""
    if stride.product.factors:
        return asked.elements.extents.factors.issuperset(stride.product.factors)
    constant = abs(stride.product.coefficient)
    inner = stride.inner.constant if stride.inner else None
    return constant in (0, 1, inner) or any(abs(each.product.constant or 0) == 1 for each in asked.strides)


# ---- Sizes ----


def _several(found: list[tuple[Items | Fields, _Elements, tuple[_Stride, ...]]]) -> dict[str, str]:
    """Returns the sizes of elements for each stride that serves several sizes."""
    served: dict[str, dict[int, _Elements]] = {}
    for _, elements, strides in found:
        for stride in strides:
            served.setdefault(stride.text, {})[id(elements)] = elements
    return {
        text: _sizes_shown(*group.values())
        for text, group in served.items()
        if any(each.are_several for each in group.values()) or len({each.sizes[0].key for each in group.values()}) > 1
    }


def _sizes_shown(first: _Elements, *others: _Elements) -> str:
    """Returns the sizes of all elements for messages."""
    if not others:
        return first.shown
    sizes = dict.fromkeys(size for each in (first, *others) for size in each.sizes)
    return _Elements(first.dtype, tuple(sizes), first.extents).shown


# ---- Values that occur together ----


def _together(tensor: Fields, matches: tuple[Match, ...]) -> Iterator[tuple[Value, _Elements]]:
    """Yields each value of `strides` with its elements."""
    owners = {slot: next((m for m in matches if slot in m.sets), None) for slot in ("dtype", "shape", "strides")}
    owner = owners["strides"]
    beside = {slot: plain(tensor, slot) for slot in owners}
    extents = _extents(_every(owners["shape"], "shape", beside["shape"]))
    dtypes = _every(owners["dtype"], "dtype", beside["dtype"])
    if not dtypes:
        return
    elements = _Elements(dtypes[0], _sizes(dtypes), extents)
    if owner is None:
        yield from _of_one(beside["strides"], None if owners["dtype"] else beside["dtype"], elements)
        return
    alike = {slot: _by_key(owners[slot], owner) for slot in ("dtype", "shape")}
    for arm in owner.outcomes():
        found = {
            slot: arms[_key(arm)].slots.get(slot) or beside[slot] for slot, arms in alike.items() if _key(arm) in arms
        }
        own, shape = found.get("dtype"), found.get("shape")
        served = elements
        if own is not None or shape is not None:
            values = list(branches(own))
            served = _Elements(
                values[0] if values else dtypes[0],
                _sizes(values) if values else elements.sizes,
                extents if shape is None else _extents(list(branches(shape))),
            )
        yield from _of_one(arm.slots.get("strides") or beside["strides"], own, served)


def _every(match: Match | None, slot: str, beside: Value | None) -> list[Value]:
    """Returns all values that a slot can have."""
    outcomes = match.outcomes() if match else ()
    chosen = [value for arm in outcomes for value in branches(arm.slots.get(slot))]
    return chosen + (list(branches(beside)) if not outcomes or any(slot not in arm.slots for arm in outcomes) else [])


def _of_one(strides: Value | None, dtype: Value | None, elements: _Elements) -> Iterator[tuple[Value, _Elements]]:
    """Yields each branch of the strides with its elements. Branches of the dtype with equal conditions are paired."""
    cases, others = _cases(strides), _cases(dtype)
    if cases and cases.keys() == others.keys():
        for condition, value in cases.items():
            yield value, _Elements(others[condition], _sizes([others[condition]]), elements.extents)
    else:
        yield from ((value, elements) for value in branches(strides))


def _cases(value: Value | None) -> dict[str | None, Value]:
    """Returns the values of `[{if, value}]` by their conditions."""
    if value is None or not is_conditional(value):
        return {}
    return {text_of(case[IF_OF_CASE]): inner for case in value.records() if (inner := case[VALUE_OF_CASE]) is not None}


def _by_key(match: Match | None, other: Match) -> dict[tuple[object, ...], Arm]:
    """Returns the arms by their keys if both matches look up the same expressions; otherwise nothing."""
    if match is None or [leaf.text for leaf in match.of] != [leaf.text for leaf in other.of]:
        return {}
    return {_key(arm): arm for arm in match.outcomes()}


def _key(arm: Arm) -> tuple[object, ...]:
    condition = arm.condition.text if arm.condition else None
    return (condition, *(tuple(leaf.text for leaf in pattern.keys) for pattern in arm.when))


def _sizes(dtypes: list[Value]) -> tuple[Size, ...]:
    return tuple(dict.fromkeys(map(size_of, dtypes)))


def _extents(shapes: list[Value]) -> _Extents:
    listed = [shape.leaves() for shape in shapes if isinstance(shape, Items)]
    each = [leaf for shape in shapes if is_record(shape, SHAPE_AT_RUN_TIME) and (leaf := shape[EACH_OF_SHAPE])]
    products = [tuple(product(leaf.text) for leaf in leaves) for leaves in (*listed, each)]
    factors = frozenset(factor for extents in products for extent in extents for factor in extent.factors)
    return _Extents(factors, products[0] if len(shapes) == len(listed) == 1 else None)


def _listed(value: Items | Fields, elements: _Elements, lets: dict[str, str], is_fortran: bool) -> Iterator[_Stride]:
    items = value if isinstance(value, Items) else value[LIST]
    extents = elements.extents.listed
    if items is not None:
        known = extents if extents and len(extents) == items.count == len(items.items) else None
        for axis, leaf in enumerate(items.leaves()):
            within = None if known is None else known[:axis] if is_fortran else known[axis + 1 :]
            yield _stride(leaf, within, lets)
    elif isinstance(value, Fields):
        outer, each = value[OUTER], value[EACH_OF_STRIDES]
        if outer:
            yield _stride(outer, None if extents is None else extents[:-1] if is_fortran else extents[1:], lets)
        if each:
            yield _stride(each, (), lets)


def _stride(leaf: Leaf, within: tuple[Product, ...] | None, lets: dict[str, str]) -> _Stride:
    text = _resolved(leaf.text, lets)
    return _Stride(leaf, text, product(text), None if within is None else _multiplied(within))


def _multiplied(extents: tuple[Product, ...]) -> Product:
    factors = sorted(factor for extent in extents for factor in extent.factors)
    return Product(prod(extent.coefficient for extent in extents), tuple(factors))


def _lets(tensor: Fields) -> tuple[dict[str, str], frozenset[str]]:
    """Returns the values of the variables of `let` in terms of the struct, and the variables that calls set."""
    values: dict[str, str] = {}
    filled: set[str] = set()
    listed = tensor[LET_OF_TENSOR]
    for step in listed.records() if listed else ():
        out = step[OUT_OF_STEP]
        if out:
            filled.add([token.text for token in ctext.tokens(out.text) if token.kind == "name"][-1])
        elif step.entry and isinstance(split := split_declaration(step.entry[0].text), tuple):
            values[split[1]] = _resolved(step.entry[1].text, values)
    return values, frozenset(filled)


def _resolved(text: str, lets: dict[str, str]) -> str:
    """Returns C text with variables replaced by their values, unless it becomes too long."""
    used = [name for name in dict.fromkeys(ctext.names(text)) if lets.get(name)]
    if not used:
        return text
    pattern = re.compile(rf"(?<![\w.>])(?:{'|'.join(map(re.escape, used))})\b", re.ASCII)
    if len(text) + sum(len(lets[name]) for name in pattern.findall(text)) > _LONGEST:
        return text
    return pattern.sub(lambda match: f"({lets[match.group()]})", text)
