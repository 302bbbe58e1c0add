"""Records as frozen dataclasses make them, which cost next to nothing until their first object.

`dataclass` writes and compiles six methods for each class, a millisecond in all: for the hundred classes here a third
of what one spec took. One run makes objects of half of them, most of them few, compares some and shows none. So a class
becomes a dataclass with its first object, and gets only an `__init__` of its own, with its sixteenth. That objects are
made of what they need, and not changed, is what mypy checks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")

_MANY = 16
_made: Counter[type] = Counter()

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[T], T]:
        return lambda cls: cls


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen:
    """The base of a class as `@dataclass(frozen=True)` would make it, but that only mypy refuses to change its objects;
    such a class has none below it."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        cls: Any = type(self)
        _made[cls] += 1
        if _made[cls] == 1:
            cls.__doc__ = cls.__doc__ or cls.__name__  # without one, dataclass() would write a signature
            dataclass(init=False, repr=False, eq=False)(cls)
        if _made[cls] == _MANY:
            known = cls.__dataclass_fields__
            dataclass(repr=False, eq=False)(cls)
            cls.__dataclass_fields__ = known  # what field() says is there the first time only
            cls.__init__(self, *args, **kwargs)
            return
        if len(args) > len(cls.__match_args__):
            raise TypeError(f"{cls.__name__}() takes at most {len(cls.__match_args__)} values, not {len(args)}")
        given = {**dict(zip(cls.__match_args__, args, strict=False)), **kwargs}
        for name in cls.__match_args__:
            vars(self)[name] = given[name] if name in given else getattr(cls, name)

    def __repr__(self) -> str:
        shown = (f"{each.name}={getattr(self, each.name)!r}" for each in _fields(self) if each.repr)
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def __eq__(self, other: object) -> bool:
        return _compared(self) == _compared(other) if type(self) is type(other) else NotImplemented

    def __hash__(self) -> int:
        return hash(_compared(self))


def _compared(of: Frozen) -> tuple[object, ...]:
    return tuple([getattr(of, each.name) for each in _fields(of) if each.compare])


def _fields(of: Any) -> tuple[Field[Any], ...]:
    return fields(of)
