"""Rules about slots: their matches, ranks, units and memory."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from math import prod

from dlpack_bindgen.dlpack import number
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language import forms
from dlpack_bindgen.language.keys import MAX_RANK, Form
from dlpack_bindgen.language.values import Fields, Items, Leaf, Value, c_fragments, is_record, is_whole, text_of
from dlpack_bindgen.tensor.dtype import BITS, C_OF_DTYPE, DECODED_DTYPE, DTYPE_OF_C_TYPE, LANES, constant_dtype
from dlpack_bindgen.tensor.import_calls import ATTACH, DELETER, DESTROY, DETACH, INIT_OF_MAKING
from dlpack_bindgen.tensor.import_parts import REQUIRE_OF_MAKING
from dlpack_bindgen.tensor.import_set import SET_OF_IMPORT
from dlpack_bindgen.tensor.imports import IMPORT_OF_CLASS, STREAM_OF_IMPORT
from dlpack_bindgen.tensor.lifetime_hooks import HOOKS, RELEASE
from dlpack_bindgen.tensor.match_arms import (
    ANY_VALUE,
    LET_OF_TENSOR,
    MATCHES,
    Arm,
    Match,
    Pattern,
    branches,
    is_conditional,
    matches,
    plain,
    slot_values,
)
from dlpack_bindgen.tensor.requirements import required_rank
from dlpack_bindgen.tensor.shape import EACH_OF_SHAPE, SHAPE_AT_RUN_TIME, written_rank
from dlpack_bindgen.tensor.slot import IF_OF_CASE, VALUE_OF_CASE
from dlpack_bindgen.tensor.slots import BY_NAME, DEFAULT_BESIDE, DEVICE, ORDER, REQUIRED_SLOTS, SLOTS
from dlpack_bindgen.tensor.steps import OUT_OF_STEP
from dlpack_bindgen.tensor.strides import (
    EACH_OF_STRIDES,
    LIST,
    MAPPING_OF_STRIDES,
    OUTER,
    ROWS,
    UNIT_OF_STRIDES,
    is_misspelt,
)
from dlpack_bindgen.text import ctext, fragments
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, Span, shown
from dlpack_bindgen.text.expressions import Product, product
from dlpack_bindgen.text.literals import integer_value
from dlpack_bindgen.text.names import suggests
from dlpack_bindgen.text.types import split_declaration

# ---- Rules for matches: each arm can be reached, and all arms together set the required slots ----

_MAX_KEYS = 64
"""The most key combinations of one arm. The search for unreachable arms ignores arms with more."""
_MAX_WIDTH = 6

Keys = tuple[str | None, ...]
"""The keys of one arm, one for each expression of `of`. None stands for `_`."""


def check_match(tensor: Fields, matches: tuple[Match, ...], report: Report) -> None:
    """Checks the matches of a tensor, and the conditions of the preprocessor in its values."""
    _cases(tensor, report)
    _owners(matches, report)
    _completeness(tensor, matches, report)
    for match in matches:
        for arm in match.arms:
            _when(match, arm, report)
            _conditions(match, arm, report)
        _kinds(match, report)
        _reach(match, report)


def _cases(value: Value, report: Report) -> None:
    """Reports cases without `if` in `[{if, value}, ...]`, except for the last one."""
    if isinstance(value, Items):
        for case in [each for each in value.records() if each.record.has(IF_OF_CASE)][:-1]:
            if IF_OF_CASE not in case:
                message = "only the last case can do without 'if': a case behind this one would never be chosen"
                report(Diagnostic("case-order", case.span, message))
        for item in value.items:
            _cases(item, report)
    elif isinstance(value, Fields):
        for inner in value.values.values():
            _cases(inner, report)


def _owners(matches: tuple[Match, ...], report: Report) -> None:
    first: dict[str, Span] = {}
    for match in matches:
        for slot, span in match.sets.items():
            if slot in first:
                notes = (Note(first[slot], "the other one"),)
                report(Diagnostic("slot-set-twice", span, f"two matches set '{slot}'", notes=notes))
            first.setdefault(slot, span)
    if "order" in first and "strides" in first and not any({"order", "strides"} <= set(m.sets) for m in matches):
        message = "one match sets 'order' and another one 'strides', which mean nothing without each other"
        notes = (Note(first["strides"], "the strides"),)
        report(Diagnostic("slot-set-twice", first["order"], message, "set both in one match", notes))


def _completeness(tensor: Fields, matches: tuple[Match, ...], report: Report) -> None:
    for slot in REQUIRED_SLOTS:
        if slot in tensor.given:
            continue
        setting = [match for match in matches if slot in match.sets]
        if not setting and tensor[MATCHES] is not None and all(match.complete for match in matches):
            message = f"a tensor needs the key '{slot}', which its matches do not set either"
            report(Diagnostic("missing-key", tensor.span, message))
        for match in setting[:1]:
            for arm in match.outcomes():
                if arm.complete and slot not in arm.slots:
                    message = f"'{slot}' is set neither here nor beside 'match'"
                    notes = (Note(match.sets[slot], "another arm sets it"),)
                    cause = f"{slot} beside the match of {match.sets[slot].line}:{match.sets[slot].column}"
                    report(Diagnostic("arm-incomplete", arm.span, message, notes=notes, cause=cause))


def _when(match: Match, arm: Arm, report: Report) -> None:
    if arm.when and match.width and len(arm.when) != match.width:
        expressions = f"{match.width} expression{'s' if match.width > 1 else ''}"
        message = f"'when' has {len(arm.when)} key{'s' if len(arm.when) > 1 else ''} for the {expressions} of 'of'"
        hint = "several keys for one value are {any: [...]}" if match.width == 1 else None
        report(Diagnostic("when-length", arm.span, message, hint))
    for pattern in arm.when:
        for key in pattern.keys:
            if key.text == ANY_VALUE:
                message, hint = "'_' fits every value by itself, so that the other keys mean nothing", None
                if match.slot is not None:
                    message, hint = "'_' is for 'when', and means nothing in a map", DEFAULT_BESIDE
                report(Diagnostic("when-any", key.span, message, hint))
        code = pattern.code
        if code and code.text not in [key.text for key in pattern.keys]:
            message = f"'{shown(code.text)}' is not one of the keys of this arm"
            report(Diagnostic("code-without-key", code.span, message, "write one of the keys behind 'any'"))


def _conditions(match: Match, arm: Arm, report: Report) -> None:
    for of, pattern in zip(match.of, arm.when if len(match.of) == match.width else (), strict=False):
        for key in pattern.keys if not forms.is_truth(of.text) else ():
            is_alone = match.slot is None and pattern.span is key.span
            for each in forms.compared(key, of.text, is_alone):
                report(each)


def _kinds(match: Match, report: Report) -> None:
    for position in range(match.width):
        keys = [key for arm in match.arms for pattern in arm.when[position : position + 1] for key in pattern.keys]
        keys = [key for key in keys if key.text != ANY_VALUE]
        strings = [key for key in keys if _is_string(key)]
        others = [key for key in keys if not _is_string(key)]
        if strings and others:
            first, odd = sorted((strings[0], others[0]), key=lambda key: (key.span.line, key.span.column))
            message = "string literals are compared with strcmp, everything else with ==: keys are of one kind"
            hint = (
                f"a string is written '\"{others[0].text}\"'"
                if others[0].text.islower() and len(strings) >= len(others)
                else None
            )
            report(Diagnostic("mixed-keys", odd.span, message, hint, (Note(first.span, "the other kind"),)))


def _is_string(key: Leaf) -> bool:
    return [token.kind for token in ctext.tokens(key.text)] == ["literal"] and key.text.endswith('"')


def _reach(match: Match, report: Report) -> None:
    """Reports arms whose keys earlier arms match. Arms under an `#if` are not counted as earlier arms."""
    if match.width > _MAX_WIDTH:
        return
    taken: dict[Keys, Span] = {}
    for arm in match.arms:
        if len(arm.when) != match.width:
            continue
        combinations = list(itertools.islice(_combinations(arm.when), _MAX_KEYS + 1))
        if len(combinations) > _MAX_KEYS:
            continue
        takers = [_taker(keys, taken) for keys in combinations]
        first = takers[0]
        if first is not None and all(takers):
            notes = (Note(first, "it is taken here"),)
            message = f"this arm is never reached: {_shown(combinations[0])} is matched before"
            report(Diagnostic("unreachable-arm", arm.span, message, notes=notes))
        elif match.width == 1:
            _repeated(arm.when[0], taken, report)
        if arm.condition is None:
            for keys in combinations:
                taken.setdefault(keys, arm.span)
    always = taken.get((None,) * match.width)
    if always is not None and match.default is not None and match.slot is None:
        notes = (Note(always, "this arm fits every value"),)
        report(Diagnostic("unreachable-arm", match.default.span, "this default is never reached", notes=notes))


def _repeated(pattern: Pattern, taken: dict[Keys, Span], report: Report) -> None:
    for key in pattern.keys:
        if (first := taken.get((meaning(key.text),))) is not None:
            notes = (Note(first, "first here"),)
            report(Diagnostic("unreachable-arm", key.span, f"'{shown(key.text)}' is matched before", notes=notes))


def _combinations(when: tuple[Pattern, ...]) -> Iterator[Keys]:
    keys: list[list[str | None]] = [[meaning(key.text) for key in pattern.keys] or [None] for pattern in when]
    return itertools.product(*keys)


def meaning(key: str) -> str:
    """Returns equal strings for keys that are equal in C. Literals become their value; other keys lose their outer
    parentheses."""
    number = integer_value(key)
    if number is not None:
        return str(number)
    seen = [token.text for token in ctext.tokens(key)]
    while seen[:1] == ["("] and _enclosed(seen):
        seen = seen[1:-1]
    return " ".join(seen)


def _enclosed(seen: list[str]) -> bool:
    """Returns whether the last parenthesis closes the first one."""
    depth = 0
    for place, text in enumerate(seen):
        depth += {"(": 1, ")": -1}.get(text, 0)
        if depth == 0:
            return place == len(seen) - 1
    return False


def _taker(keys: Keys, taken: dict[Keys, Span]) -> Span | None:
    """Returns the place of an earlier arm that matches all values of `keys`, or None."""
    wider = itertools.product(*((key,) if key is None else (key, None) for key in keys))
    return next((taken[pattern] for pattern in wider if pattern in taken), None)


def _shown(keys: Keys) -> str:
    return "'" + shown(", ".join(ANY_VALUE if key is None else key for key in keys)) + "'"


# ---- Possible ranks of a tensor, and accepted ranks of an import ----


def shapes(tensor: Fields) -> Iterator[Value]:
    """Yields every shape that the spec gives for the tensor."""
    return slot_values(tensor, matches(tensor), "shape")


def rank_bounds(tensor: Fields) -> tuple[int, int] | None:
    """Returns the least and the greatest rank of the tensor. Returns None if the rank of a shape is unknown."""
    ranks = [written_rank(shape) for shape in shapes(tensor)]
    known = [rank for rank in ranks if rank is not None]
    return (min(known), max(known)) if known and len(known) == len(ranks) else None


def has_constant_shape(tensor: Fields) -> bool:
    """Returns whether all extents of the tensor are constants. Names of constants have no lower-case letters."""
    written = list(shapes(tensor))
    extents = [leaf.text for shape in written if isinstance(shape, Items) for leaf in shape.leaves()]
    is_known = bool(extents) and all(isinstance(shape, Items) and is_whole(shape) for shape in written)
    return is_known and all(name.isupper() for text in extents for name in ctext.names(text))


def accepted_ranks(tensor: Fields, making: Fields) -> tuple[int, int]:
    """Returns the least and the greatest rank that an import or an allocation of the tensor accepts."""
    required = required_rank(making[REQUIRE_OF_MAKING]) or (0, MAX_RANK)
    known = rank_bounds(tensor) or (0, MAX_RANK)
    return max(required[0], known[0]), min(required[1], known[1])


# ---- The rules of each slot, and rules between slots: axes, ranks, strides, item sizes and devices ----

_BEFORE_DTYPE = (
    *("params", "hold", "require", "acquire", "restore", "let", "dtype"),
    *("before_read", "after_write", "retain", "clone", "release"),
)
_CALLED = ("methods", "properties", "new")

Values = list[Value]


def check_slots(tensor: Fields, matches: tuple[Match, ...], report: Report) -> None:
    """Checks the values of slots, each by itself and with the values of other slots."""
    for slot in SLOTS:
        for value in slot_values(tensor, matches, slot.name):
            for problem in slot.problems(value):
                report(problem)
    for match in matches:
        if match.slot is not None and match.further is not None:
            for problem in BY_NAME[match.slot].further_problems(match.further):
                report(problem)
    check_axis(tensor, report)
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
    for span, found in undeclared(tensor, matches):
        if span not in reported:
            report(found)
    _device(tensor, matches, report)


def check_axis(tensor: Fields, report: Report) -> None:
    """Reports `axis` outside of `each` in a tensor or a handle. Parameters of functions may be called `axis`."""
    made = tensor[IMPORT_OF_CLASS]
    members = made[SET_OF_IMPORT] if made else None
    assigned = members.leaves() if members else ()
    each = {value for member, value in assigned if fragments.mentions_variable(member.text, "axis")}
    own = [(name, value) for name, value in tensor.values.items() if name not in _CALLED]
    for key, leaf in [text for name, value in own for text in c_fragments(value, name)]:
        if key != "each" and fragments.mentions_variable(leaf.text, "axis") and leaf not in each:
            hint = "a member that is set for each axis has 'axis' in its index" if key == "set" else None
            message = f"'axis' is known in 'each' only, not in '{key}'"
            report(Diagnostic("axis-outside-each", leaf.span, message, hint))


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
    known = [(dtype, found) for dtype in dtypes if (found := constant_dtype(dtype))]
    small, found = next(((dtype, found) for dtype, found in known if found.bits * found.lanes % 8), (None, None))
    if small and found and (unit.form is Form.EXPRESSION or unit.text == "bytes"):
        message = f"elements of '{found.name}' are smaller than a byte, so bytes cannot count them"
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


# ---- Sizes of elements, as far as a spec declares them ----

_C_BITS = {
    **dict.fromkeys(("char", "bool", "_Bool"), (8,)),
    "short": (16,),
    **dict.fromkeys(("int", "float"), (32,)),
    **dict.fromkeys(("long long", "double", "float _Complex", "_Complex float"), (64,)),
    **dict.fromkeys(("double _Complex", "_Complex double"), (128,)),
    **{f"int{bits}_t": (bits,) for bits in (8, 16, 32, 64)},
    **dict.fromkeys(("long", "size_t", "ssize_t", "ptrdiff_t", "intptr_t"), (32, 64)),
}
"""The possible numbers of bits of C types without `unsigned` or `signed`, over all platforms."""
_ANY = (8, 16, 32, 64, 128)


class Size(Frozen):
    """The size of an element."""

    key: str
    """A key for comparisons: equal keys mean equal sizes."""
    possible: tuple[int, ...]
    """The possible numbers of bits."""
    shown: str
    """The dtype, for messages."""
    varies: bool = False
    """Whether the struct has the size at run time."""

    @property
    def bits(self) -> int | None:
        return self.possible[0] if len(self.possible) == 1 else None

    @property
    def bytes(self) -> tuple[int, ...]:
        return tuple(bits // 8 for bits in self.possible if bits % 8 == 0)

    @property
    def may_be_wide(self) -> bool:
        return max(self.possible) > 8


def size_of(dtype: Value) -> Size:
    """Returns the size of the elements of a dtype without conditions."""
    known = constant_dtype(dtype)
    if known is not None:
        return _fixed(known.bits * known.lanes, known.name)
    if is_record(dtype, DTYPE_OF_C_TYPE) and (ctype := text_of(dtype[C_OF_DTYPE])):
        return _of_c_type(ctype)
    bits, lanes = (
        (text_of(dtype[BITS]), text_of(dtype[LANES]) or "1") if is_record(dtype, DECODED_DTYPE) else (None, "1")
    )
    width, count = number(bits or ""), number(lanes)
    if width is not None and count is not None:
        return _fixed(width * count, f"{width * count} bits")
    shown = dtype.text if isinstance(dtype, Leaf) else "a dtype that the struct has"
    return Size("at run time", _ANY, shown, varies=True)


def _fixed(bits: int, shown: str) -> Size:
    return Size(str(bits), (bits,), shown)


def _of_c_type(ctype: str) -> Size:
    words = [word for word in ctype.split() if word not in ("signed", "unsigned", "const")]
    if words and words[-1] == "int" and len(words) > 1:
        words.pop()
    name = " ".join(words) or "int"
    plain = name[1:] if name.startswith("uint") else name
    possible = _C_BITS.get(plain, _ANY)
    if len(possible) == 1:
        return _fixed(possible[0], ctype)
    return Size("address" if plain in _C_BITS and plain != "long" else plain, possible, ctype)


# ---- Rules for strides without a unit: if they may count bytes, the spec must declare the unit ----
# With strides in bytes that are read as elements, an array would lead beyond the end of its memory.

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
    cases, others = _cases_of_slot(strides), _cases_of_slot(dtype)
    if cases and cases.keys() == others.keys():
        for condition, value in cases.items():
            yield value, _Elements(others[condition], _sizes([others[condition]]), elements.extents)
    else:
        yield from ((value, elements) for value in branches(strides))


def _cases_of_slot(value: Value | None) -> dict[str | None, Value]:
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


# ---- Rules for imported objects that use the memory of an array and do not free it ----

_MAKING = ("let", "set", "init", "construct", "ok", "attach", "require")


def check_imported_memory(tensor: Fields, report: Report) -> None:
    made = tensor[IMPORT_OF_CLASS]
    if made is None or not is_whole(made):
        return
    _address(made, report)
    if SET_OF_IMPORT in made:
        _end(tensor, made, report)
        _data(made, report)


def _address(made: Fields, report: Report) -> None:
    """Reports imports whose C text never uses the address of the data."""
    fragments = [leaf.text for key in _MAKING if key in made.values for _, leaf in c_fragments(made.values[key])]
    build = next((key for key in ("set", "init", "construct") if key in made.given), None)
    if build and not any(ctext.mentions(text, name) for text in fragments for name in ("data", "rows")):
        message = "no key uses 'data', the address of the memory of the array"
        hint = "set the member that points to it to 'data'" if build == "set" else "hand 'data' to the call"
        report(Diagnostic("import-incomplete", made.given[build], message, hint))


def _end(tensor: Fields, made: Fields, report: Report) -> None:
    """Reports a `destroy` equal to `release`: it would free the data, which the array owns."""
    end, release = made[DESTROY], tensor[RELEASE]
    others = made.has_any(INIT_OF_MAKING, DETACH, DELETER, ATTACH)
    if end is None or release is None or others:
        return
    if end.text.strip(" ;") == release.text.strip(" ;") and "(" in end.text and ctext.mentions(end.text, "self"):
        message = "this may free the data as well, as it does for the library's objects: here the array owns the data"
        notes = (Note(release.span, "the same"),)
        hint = "leave 'destroy' out, or let go of the data first: 'detach: self->... = NULL'"
        report(Diagnostic("frees-our-memory", end.span, message, hint, notes))


def _data(made: Fields, report: Report) -> None:
    """Reports a `destroy` that frees the member with the data, which the array owns."""
    end, members = made[DESTROY], made[SET_OF_IMPORT]
    if end is None or members is None or DETACH in made:
        return
    for member in [member.text for member, value in members.leaves() if value.text == "data"]:
        if re.search(rf"\b(?:\w+_)?(?:free|delete|dealloc)\(\s*self\s*->\s*{re.escape(member)}\s*\)", end.text):
            message = f"'{member}' has the memory of the array, which is freed with its owner: this would free it too"
            report(Diagnostic("frees-our-memory", end.span, message, "leave that out"))
