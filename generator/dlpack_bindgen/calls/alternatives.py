"""Functions with one name in Python: the arguments of a call choose one of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from dlpack_bindgen.calls.argument_kind import ARRAY, Argument
from dlpack_bindgen.calls.array import SAME_SIZE_DTYPES
from dlpack_bindgen.calls.call import Call, alternatives
from dlpack_bindgen.calls.emitted_function import emit_function
from dlpack_bindgen.calls.function_docs import GIVEN, docstring, flags, shown_signature
from dlpack_bindgen.calls.function_keys import NAME
from dlpack_bindgen.dlpack import DTYPES
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import IF
from dlpack_bindgen.language.values import Fields, Leaf, text_of
from dlpack_bindgen.tensor.c_names import CNames
from dlpack_bindgen.tensor.dtype import CTypeDType
from dlpack_bindgen.tensor.item import Item, Tensor
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report
from dlpack_bindgen.text.fragments import EmittedFunction
from dlpack_bindgen.text.literals import c_strings
from dlpack_bindgen.text.names import CALLED, called_part, snake
from dlpack_bindgen.text.types import normal

# ---- Rules for alternatives: functions with the same name in Python, which Python must be able to tell apart ----
# For each two of them, the number of arguments differs, or an argument that both require: in class, dtype, rank or
# type.

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


def _required(call: Call) -> list[Argument]:
    return [each for each in call.given if not each.kind.may_be_missing]


def _dtypes(call: Call, argument: Argument) -> frozenset[str] | None:
    """Returns all dtypes that the array may have on some platform; None: any."""
    kind = argument.kind
    if kind.is_bytes:
        return None
    if kind.require.dtypes:
        return frozenset(kind.require.dtypes)
    own = kind.element
    if own is not None:
        return _possible(own, call)
    for each in call.arguments:
        if each.kind.codes and each.kind.described == argument.name:
            dtypes = [dtype for _, dtype in each.kind.codes]
            found = [_possible(one, call) if isinstance(one, CTypeDType) else {one.name} for one in dtypes]
            return frozenset().union(*found)
    return None


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


def check_alternatives(functions: Iterable[Alternative], report: Report) -> None:
    """Reports alternatives that Python cannot tell apart."""
    groups = alternatives(functions, lambda each: each.name.text, lambda each: text_of(each.fields[IF]))
    for group in groups:
        if all(each.call is not None and each.call.is_whole for each in group):
            _pairs([(each, each.call) for each in group if each.call is not None], report)


def _pairs(group: Sequence[tuple[Alternative, Call]], report: Report) -> None:
    reported: list[Alternative] = []
    for (first, one), (second, two) in combinations(group, 2):
        conditions = {text_of(first.fields[IF]), text_of(second.fields[IF])}
        if second in reported or (len(conditions) == 2 and None not in conditions) or _differ(one, two):
            continue
        reported.append(second)
        message = (
            f"Python cannot choose between '{first.key.text}' and '{second.key.text}', which are both "
            f"'{second.name.text}'"
        )
        hint = "give one another 'name', or let a required argument differ in class, dtype, rank or type"
        if conditions != {None}:
            hint = f"{hint}; if the preprocessor chooses, two of the same name have different 'if'"
        report(Diagnostic("duplicate-name", second.name.span, message, hint, (Note(first.name.span, "first here"),)))


def _differ(one: Call, two: Call) -> bool:
    if (one.self_index is None) != (two.self_index is None):
        return False
    if len(_required(one)) > len(two.given) or len(_required(two)) > len(one.given):
        return True
    return (
        _needs_other_name(one, two)
        or _needs_other_name(two, one)
        or any(_differ_in(one, a, two, b) for a, b in _common(one, two))
    )


def _needs_other_name(one: Call, two: Call) -> bool:
    """Returns whether `one` has a required keyword that `two` does not know."""
    known = {each.name for each in two.given}
    return any(each.name in one.at_end and each.name not in known for each in _required(one))


def _common(one: Call, two: Call) -> Iterable[tuple[Argument, Argument]]:
    """Yields the arguments that each call passes to either: those at the same position, and keyword-only ones."""
    by_position = (each.given[: len(each.given) - each.keyword_only] for each in (one, two))
    for a, b in zip(*by_position, strict=False):
        if not a.kind.may_be_missing and not b.kind.may_be_missing:
            yield a, b
    others = {each.name: each for each in _required(two) if each.name in two.at_end}
    for a in _required(one):
        if a.name in one.at_end and a.name in others:
            yield a, others[a.name]


def _differ_in(one: Call, a: Argument, two: Call, b: Argument) -> bool:
    """Returns whether the runtime can choose by this argument."""
    if a.kind.is_operand != b.kind.is_operand:
        return True
    if not a.kind.is_operand:
        return _differ_as_values(a, b)
    if a.kind.is_list != b.kind.is_list or a.kind.class_name != b.kind.class_name:
        return True
    if a.kind.class_name is not None:
        return False
    dtypes, others = _dtypes(one, a), _dtypes(two, b)
    if dtypes is not None and others is not None and not dtypes & others:
        return True
    ranks, other_ranks = (each.kind.requirements(of.measures(each)).ndim for of, each in ((one, a), (two, b)))
    return bool(ranks and other_ranks and (ranks[1] < other_ranks[0] or other_ranks[1] < ranks[0]))


def _differ_as_values(a: Argument, b: Argument) -> bool:
    """Returns whether numbers differ in their type, or a number is not a string."""
    one, other = a.kind.returned_value(), b.kind.returned_value()
    kinds = [value.kind for value in (one, other) if value is not None]
    is_same = (one and one.kind) is (other and other.kind)
    return not is_same and any(kind.number in _NUMBERS for kind in kinds) and not any(kind.is_enum for kind in kinds)


# ---- Alternatives: functions with the same name in Python, of which the arguments choose one ----


def emit_alternatives(
    names: CNames, functions: Sequence[Call], owner: Item | None = None
) -> tuple[EmittedFunction, ...]:
    """Returns the emitted functions of the alternatives, and the function that chooses."""
    first = functions[0]
    condition = first.condition if all(each.condition == first.condition for each in functions) else None
    own = [replace(emit_function(names, each, owner, fast=True), entry="") for each in functions]
    scope = f"{names.prefix}_{snake(owner.name)}" if owner is not None else names.prefix
    c_name = f"{CALLED}{scope}_{called_part(first.name)}_alternatives"
    receiver = "self" if first.self_index is not None else "cls" if owner is not None else "module"
    doc = c_strings("\n\n".join(_documented(functions, names)))
    entry = f'{{"{first.name}", DLB_PY_METHOD({c_name}), {flags(first, owner is not None, fast=True)}, {doc}}}'
    most = max(1, *(len(each.given) for each in functions))
    rows = own if condition is None else [replace(each, condition=None) for each in own]
    choice = Choice(first.name, receiver, rows, most)
    return (*own, EmittedFunction("calls/alternatives", choice, c_name, entry, condition))


class Choice(Frozen):
    """The function that chooses between alternatives, for the template."""

    name: str
    """The name in Python."""
    receiver: str
    alternatives: list[EmittedFunction]
    """The functions. A function with an `#if` condition of its own has it here."""
    most: int
    """The largest number of arguments."""


def _documented(functions: Sequence[Call], names: CNames) -> Iterator[str]:
    """Yields the signature and the description of each alternative. Several signatures have no form that Python's help
    can parse, so they stand in the text."""
    for each in functions:
        yield f"{shown_signature(each)}\n{docstring(each, names.items)}"


# ---- Overloads of alternatives in the stub ----
# Type checkers do not see dtypes: signatures that differ only in them are merged.

Overload = tuple[list[str], str, str | None]
"""Parameters, result and documentation of a `def`."""

_PARAMETER = re.compile(r"(?P<name>\w+): (?P<type>.*?)(?P<default> = .*)?")
_NUMBER_TYPES = ("bool", "int", "float", "complex")


def merged(overloads: Iterable[Overload], names: CNames) -> list[Overload]:
    """Returns the overloads, where one replaces those whose types overlap. It accepts and returns the types of all."""
    found: list[Overload] = []
    for each in overloads:
        index = next((index for index, other in enumerate(found) if _overlap(other[0], each[0], names)), None)
        if index is None:
            found.append(each)
        else:
            found[index] = _union(found[index], each)
    return found


def _overlap(first: list[str], second: list[str], names: CNames) -> bool:
    """Returns whether both have the same names and defaults, and each type of one overlaps that of the other."""
    if len(first) != len(second):
        return False
    return all(a == b or _overlap_in(a, b, names) for a, b in zip(first, second, strict=True))


def _overlap_in(first: str, second: str, names: CNames) -> bool:
    a, b = _PARAMETER.fullmatch(first), _PARAMETER.fullmatch(second)
    if a is None or b is None or (a["name"], a["default"]) != (b["name"], b["default"]):
        return False
    if a["type"] in _NUMBER_TYPES and b["type"] in _NUMBER_TYPES:
        return True
    has_array = any(name in each["type"] for name in (ARRAY, GIVEN) for each in (a, b))
    return has_array and _is_array(a["type"], names) and _is_array(b["type"], names)


def _is_array(text: str, names: CNames) -> bool:
    return ARRAY in text or text == GIVEN or isinstance(names.items.get(text), Tensor)


def _union(first: Overload, second: Overload) -> Overload:
    parameters = [_union_of(a, b) for a, b in zip(first[0], second[0], strict=True)]
    doc = "\n\n".join(dict.fromkeys(filter(None, (first[2], second[2]))))
    return parameters, _types(first[1], second[1]), doc or None


def _union_of(first: str, second: str) -> str:
    a, b = _PARAMETER.fullmatch(first), _PARAMETER.fullmatch(second)
    if a is None or b is None:
        return first
    return f"{a['name']}: {_types(a['type'], b['type'])}{a['default'] or ''}"


def _types(*unions: str) -> str:
    return " | ".join(dict.fromkeys(part for union in unions for part in _parts(union)))


def _parts(union: str) -> Iterator[str]:
    """Yields the types of a union. Those in brackets belong to one type."""
    depth, part = 0, ""
    for word in union.split(" | "):
        part = f"{part} | {word}" if part else word
        depth += word.count("[") - word.count("]")
        if depth == 0:
            yield part
            part = ""
