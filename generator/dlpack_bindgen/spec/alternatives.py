"""Functions with the same name in Python, which Python calls as one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

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
