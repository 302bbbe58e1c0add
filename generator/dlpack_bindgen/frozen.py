"""The base class of records. They behave like frozen dataclasses, but cost little until a class has many objects.

`dataclass` takes a tenth of a millisecond to read a class, and a millisecond to generate and compile its methods. For
about a hundred classes, that was a third of the time for one spec. One run creates objects of half of the classes,
mostly a few each, compares some of them, and prints none. A class therefore becomes a dataclass only when its fields
are read, and gets a generated `__init__` with its hundredth object. mypy checks the arguments of constructors, and that
no object is changed."""

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
    """The descriptor of `__dataclass_fields__`, which `dataclasses` requires. It creates the fields on first access."""

    def __get__(self, _: object, cls: Any) -> dict[str, Field[Any]] | None:
        if cls is Frozen:
            return None  # Frozen itself has no fields
        cls.__doc__ = cls.__doc__ or cls.__name__  # otherwise dataclass() would generate a signature as the docstring
        dataclass(init=False, repr=False, eq=False)(cls)
        known: dict[str, Field[Any]] = vars(cls)["__dataclass_fields__"]
        return known


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen:
    """The base class of records, equivalent to `@dataclass(frozen=True)` except that only mypy prevents changes. A
    record whose fields others inherit has no objects of its own."""

    if TYPE_CHECKING:
        _names: ClassVar[tuple[str, ...]]
        _left: ClassVar[int]
        """The number of further objects until the class gets a generated `__init__`."""
    else:
        __dataclass_fields__ = _Fields()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._names = (*getattr(cls, "_names", ()), *cls.__annotations__)
        cls._left = _MANY
        setattr(cls, "__dataclass_fields__", _Fields())  # noqa: B010 (mypy knows no such attribute)

    def __init__(self, *args: object, **kwargs: object) -> None:
        cls: Any = type(self)
        cls._left -= 1
        if not cls._left:
            known = cls.__dataclass_fields__
            dataclass(repr=False, eq=False)(cls)
            cls.__dataclass_fields__ = known  # the second dataclass() call sees no field() settings
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
