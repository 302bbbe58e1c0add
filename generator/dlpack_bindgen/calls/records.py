"""The records of calls: arguments, results, properties and constants."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

from dlpack_bindgen.frozen import Frozen

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call
    from dlpack_bindgen.calls.result_kind import ResultKind


# ---- Functions with the same name in Python, which Python calls as one ----

T = TypeVar("T")


def alternatives(
    functions: Iterable[T], name: Callable[[T], str], condition: Callable[[T], str | None]
) -> list[tuple[T, ...]]:
    """Returns groups of functions. Python calls the functions of a group by one name, and the arguments choose.

    Two functions with the same name are in different groups if their `if` differ: the preprocessor chooses one of
    them. If a function of the name has no `if`, all functions of the name form one group.
    """
    named: dict[str, list[T]] = {}
    for each in functions:
        named.setdefault(name(each), []).append(each)
    groups: list[tuple[T, ...]] = []
    for same in named.values():
        by_condition: dict[str | None, list[T]] = {}
        for each in same:
            by_condition.setdefault(condition(each), []).append(each)
        groups += [tuple(same)] if None in by_condition else [tuple(each) for each in by_condition.values()]
    return groups


IS_OBJECT = "DLB_IS_OBJECT(%)"
"""The test of an object by value, if the spec does not specify success. The object may be a pointer."""


# ---- Properties ----


class Property(Frozen):
    name: str
    get: str
    """A C expression with `self` in scope."""
    kind: ResultKind
    of: str | None = None
    """The enumeration, or the class of the object."""
    set: Call | None = None
    """The setter, which takes the object and the value. It has the name of the property."""
    stored: bool = False
    """Whether assignment stores the value in `get`."""
    doc: str | None = None
    condition: str | None = None

    def shows(self, name: str) -> bool:
        """Returns whether the value is the object itself, as an object of the class with that name."""
        return self.kind.is_object and self.of == name and self.get == "self"


# ---- Constants ----


class Constant(Frozen):
    """An entry `NAME: EXPR` of `constants`."""

    name: str
    value: str
    kind: ResultKind


class Enumeration(Frozen):
    """An entry `NAME: {MEMBER: EXPR, ...}` of `constants`: an `enum.IntEnum`, or an `enum.IntFlag` for flags."""

    name: str
    members: tuple[tuple[str, str], ...]
    flags: bool
