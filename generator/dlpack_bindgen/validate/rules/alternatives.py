"""Rules for alternatives: functions with the same name in Python, which Python must be able to tell apart.

For each two of them, the number of arguments differs, or an argument that both require: in class, dtype, rank or type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations

from dlpack_bindgen.arguments.array import SAME_SIZE_DTYPES
from dlpack_bindgen.dlpack import DTYPES
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.functions import NAME
from dlpack_bindgen.language.shared import IF
from dlpack_bindgen.language.values import Fields, Leaf, text_of
from dlpack_bindgen.slots.dtype import CTypeDType
from dlpack_bindgen.spec.alternatives import alternatives
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report
from dlpack_bindgen.text.types import normal
from dlpack_bindgen.validate.functions.calls import Call

_SAME_SIZE = {
    **SAME_SIZE_DTYPES,
    "signed char": "int8",
    "unsigned char": "uint8",
    "short": "int16",
    "unsigned short": "uint16",
    "int": "int32",
    "unsigned int": "uint32",
    "long long": "int64",
    "unsigned long long": "uint64",
}
"""The dtypes of the C types that have one dtype on every supported platform."""
_SIGNED, _UNSIGNED = ("int32", "int64"), ("uint32", "uint64")
_OF_PLATFORM = {
    "char": ("int8", "uint8"),
    **dict.fromkeys(("long", "ssize_t", "ptrdiff_t", "intptr_t"), _SIGNED),
    **dict.fromkeys(("unsigned long", "size_t", "uintptr_t"), _UNSIGNED),
    "intmax_t": ("int64",),
    "uintmax_t": ("uint64",),
}
"""The possible dtypes of the other C types."""
_NUMBERS = ("int", "float", "bool")
"""The numbers whose type the runtime compares before it chooses."""


class Alternative(Frozen):
    """A function or method, with the name that Python has for it."""

    key: Leaf
    fields: Fields
    call: Call | None
    """The call; None: it has mistakes."""

    @property
    def name(self) -> Leaf:
        return self.fields[NAME] or self.key

    @cached_property
    def given(self) -> tuple[Argument, ...]:
        """The arguments that Python passes, in its order."""
        assert self.call is not None
        return tuple(sorted(self.call.from_python(), key=lambda each: each.name in self.at_end))

    @cached_property
    def at_end(self) -> tuple[str, ...]:
        assert self.call is not None
        return self.call.at_end

    @property
    def by_position(self) -> tuple[Argument, ...]:
        return self.given[: len(self.given) - len(self.at_end)]

    @property
    def required(self) -> list[Argument]:
        return [each for each in self.given if not each.kind.may_be_missing]

    def dtypes(self, argument: Argument) -> frozenset[str] | None:
        """Returns all dtypes that the array may have on some platform; None: any."""
        assert self.call is not None
        kind = argument.kind
        if kind.is_bytes:
            return None
        if kind.require.dtypes:
            return frozenset(kind.require.dtypes)
        own = kind.own_dtype(argument.ctype)
        if own is not None:
            return _possible(own, self.call)
        for each in self.call.arguments:
            if each.kind.codes and each.kind.described == argument.name:
                dtypes = [dtype for _, dtype in each.kind.codes]
                found = [_possible(one, self.call) if isinstance(one, CTypeDType) else {one.name} for one in dtypes]
                return frozenset().union(*found)
        return None

    def ranks(self, argument: Argument) -> tuple[int, int] | None:
        assert self.call is not None
        return argument.kind.requirements(self.call.measures(argument.name)).ndim


def _possible(dtype: CTypeDType, call: Call) -> frozenset[str]:
    """Returns the dtypes that a C type may have. A type from a header may be any number of its kind."""
    if dtype.record is not None:
        return frozenset({dtype.ctype})
    base = normal(dtype.ctype.split())
    if base in _SAME_SIZE:
        return frozenset({_SAME_SIZE[base]})
    if base in _OF_PLATFORM:
        return frozenset(_OF_PLATFORM[base])
    kind = call.names.number(dtype.ctype)
    words = {"int": ("int", "uint"), "float": ("float", "bfloat"), "complex": ("complex",), "bool": ("bool",)}
    return frozenset(name for name in DTYPES if name.startswith(words.get(kind or "", ("",))))


def check(functions: Iterable[Alternative], report: Report) -> None:
    """Reports alternatives that Python cannot tell apart."""
    groups = alternatives(functions, lambda each: each.name.text, lambda each: text_of(each.fields[IF]))
    for group in groups:
        if all(each.call is not None and each.call.is_whole for each in group):
            _pairs(group, report)


def _pairs(group: Sequence[Alternative], report: Report) -> None:
    reported: set[int] = set()
    for (_, first), (index, second) in combinations(enumerate(group), 2):
        conditions = {text_of(first.fields[IF]), text_of(second.fields[IF])}
        if index in reported or (len(conditions) == 2 and None not in conditions) or _differ(first, second):
            continue
        reported.add(index)
        message = (
            f"Python cannot choose between '{first.key.text}' and '{second.key.text}', which are both "
            f"'{second.name.text}'"
        )
        hint = "give one another 'name', or let a required argument differ in class, dtype, rank or type"
        if conditions != {None}:
            hint = f"{hint}; if the preprocessor chooses, two of the same name have different 'if'"
        report(Diagnostic("duplicate-name", second.name.span, message, hint, (Note(first.name.span, "first here"),)))


def _differ(one: Alternative, two: Alternative) -> bool:
    if _is_static(one) != _is_static(two):
        return False
    if len(one.required) > len(two.given) or len(two.required) > len(one.given):
        return True
    return (
        _needs_other_name(one, two)
        or _needs_other_name(two, one)
        or any(_differ_in(one, a, two, b) for a, b in _common(one, two))
    )


def _is_static(one: Alternative) -> bool:
    return one.call is not None and one.call.self_index is None


def _needs_other_name(one: Alternative, two: Alternative) -> bool:
    """Returns whether `one` has a required keyword that `two` does not know."""
    known = {each.name for each in two.given}
    return any(each.name in one.at_end and each.name not in known for each in one.required)


def _common(one: Alternative, two: Alternative) -> Iterable[tuple[Argument, Argument]]:
    """Yields the arguments that each call passes to either: those at the same position, and keyword-only ones."""
    for a, b in zip(one.by_position, two.by_position, strict=False):
        if not a.kind.may_be_missing and not b.kind.may_be_missing:
            yield a, b
    others = {each.name: each for each in two.required if each.name in two.at_end}
    for a in one.required:
        if a.name in one.at_end and a.name in others:
            yield a, others[a.name]


def _differ_in(one: Alternative, a: Argument, two: Alternative, b: Argument) -> bool:
    """Returns whether the runtime can choose by this argument."""
    if a.kind.is_operand != b.kind.is_operand:
        return True
    if not a.kind.is_operand:
        return _differ_as_values(a, b)
    if a.kind.is_list != b.kind.is_list or a.kind.class_name != b.kind.class_name:
        return True
    if a.kind.class_name is not None:
        return False
    dtypes, others = one.dtypes(a), two.dtypes(b)
    if dtypes is not None and others is not None and not dtypes & others:
        return True
    ranks, other_ranks = one.ranks(a), two.ranks(b)
    return bool(ranks and other_ranks and (ranks[1] < other_ranks[0] or other_ranks[1] < ranks[0]))


def _differ_as_values(a: Argument, b: Argument) -> bool:
    """Returns whether numbers differ in their type, or a number is not a string."""
    first, second = _type_of(a), _type_of(b)
    return first != second and (first in _NUMBERS or second in _NUMBERS) and "enum" not in (first, second)


def _type_of(argument: Argument) -> str | None:
    value = argument.kind.returned_value()
    return value[0] if value is not None else None
