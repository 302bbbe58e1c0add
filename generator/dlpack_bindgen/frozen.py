"""Records as frozen dataclasses make them, which cost next to nothing until there are many objects of one.

`dataclass` reads each class for a tenth of a millisecond, and writes and compiles methods for a whole one: for the
hundred classes here a third of what one spec took. One run makes objects of half of them, most of them few, compares
some and shows none. So a class gets an `__init__` of its own with its hundredth object, and becomes a dataclass then or
when something asks for its fields. That objects are made of what they need, and not changed, is what mypy checks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

T = TypeVar("T")

_MANY = 100

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[T], T]:
        return lambda cls: cls


class _Fields:
    """`__dataclass_fields__`, by which `dataclasses` knows its classes, made when it is asked for."""

    def __get__(self, _: object, cls: Any) -> dict[str, Field[Any]] | None:
        if cls is Frozen:
            return None  # no class has fields from there
        cls.__doc__ = cls.__doc__ or cls.__name__  # without one, dataclass() would write a signature
        dataclass(init=False, repr=False, eq=False)(cls)
        known: dict[str, Field[Any]] = vars(cls)["__dataclass_fields__"]
        return known


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen:
    """The base of a class as `@dataclass(frozen=True)` would make it, but that only mypy refuses to change its objects;
    such a class has none below it."""

    if TYPE_CHECKING:
        _names: ClassVar[tuple[str, ...]]
        _left: ClassVar[int]
        """How many objects are to come before the class gets its `__init__`."""
    else:
        __dataclass_fields__ = _Fields()

    def __init_subclass__(cls) -> None:
        cls._names = tuple(cls.__annotations__)
        cls._left = _MANY

    def __init__(self, *args: object, **kwargs: object) -> None:
        cls: Any = type(self)
        cls._left -= 1
        if not cls._left:
            known = cls.__dataclass_fields__
            dataclass(repr=False, eq=False)(cls)
            cls.__dataclass_fields__ = known  # what field() says is there the first time only
            cls.__init__(self, *args, **kwargs)
            return
        names = cls._names
        if len(args) > len(names):
            raise TypeError(f"{cls.__name__}() takes at most {len(names)} values, not {len(args)}")
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        own = vars(self)
        for name in names:
            if name in given:
                own[name] = given[name]
            else:
                default = getattr(cls, name)
                own[name] = default.default if isinstance(default, Field) else default

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
