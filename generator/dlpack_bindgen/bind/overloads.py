"""Overloads of alternatives in the stub.

Type checkers do not see dtypes: signatures that differ only in them are merged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dlpack_bindgen.arguments.kind import ARRAY
from dlpack_bindgen.bind.scope import Names
from dlpack_bindgen.bind.signatures import GIVEN
from dlpack_bindgen.spec.spec import Tensor

Overload = tuple[list[str], str, str | None]
"""Parameters, result and documentation of a `def`."""

_PARAMETER = re.compile(r"(?P<name>\w+): (?P<type>.*?)(?P<default> = .*)?")
_NUMBERS = ("bool", "int", "float", "complex")


def merged(overloads: Iterable[Overload], names: Names) -> list[Overload]:
    """Returns the overloads, where one replaces those whose types overlap. It accepts and returns the types of all."""
    found: list[Overload] = []
    for each in overloads:
        index = next((index for index, other in enumerate(found) if _overlap(other[0], each[0], names)), None)
        if index is None:
            found.append(each)
        else:
            found[index] = _union(found[index], each)
    return found


def _overlap(first: list[str], second: list[str], names: Names) -> bool:
    """Returns whether both have the same names and defaults, and each type of one overlaps that of the other."""
    if len(first) != len(second):
        return False
    return all(a == b or _overlap_in(a, b, names) for a, b in zip(first, second, strict=True))


def _overlap_in(first: str, second: str, names: Names) -> bool:
    a, b = _PARAMETER.fullmatch(first), _PARAMETER.fullmatch(second)
    if a is None or b is None or (a["name"], a["default"]) != (b["name"], b["default"]):
        return False
    if a["type"] in _NUMBERS and b["type"] in _NUMBERS:
        return True
    has_array = any(name in each["type"] for name in (ARRAY, GIVEN) for each in (a, b))
    return has_array and _is_array(a["type"], names) and _is_array(b["type"], names)


def _is_array(text: str, names: Names) -> bool:
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
