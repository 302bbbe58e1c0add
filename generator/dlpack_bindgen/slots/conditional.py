"""Values that the preprocessor chooses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Generic, TypeVar

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import Alternatives, Anything, Key, ListOf, Option, Record
from dlpack_bindgen.language.shared import IF
from dlpack_bindgen.language.values import Value

T = TypeVar("T")


class Conditional(Frozen, Generic[T]):
    """`[{if: EXPR, value: VALUE}, ..., {value: VALUE}]`: a value chosen by the preprocessor."""

    branches: tuple[tuple[str, T], ...]
    """The condition after `#if` or `#elif`, and the value under that condition."""
    otherwise: T | None = None
    """The value after `#else`; None: there is no `#else`."""


IF_OF_CASE = replace(IF, doc="The condition, as written after `#if`.")
VALUE_OF_CASE = Key[Value]("value", Anything("the value of a slot"), "The value of the slot.", required=True)


def cases(plain: tuple[Option, ...]) -> ListOf:
    """Returns the form of a value that the preprocessor chooses among values of the forms `plain`."""
    return ListOf(
        Record(
            what="a case {if, value}",
            doc="A value for one condition of the preprocessor. The last case may omit the condition.",
            keys=(
                IF_OF_CASE,
                replace(VALUE_OF_CASE, kind=Alternatives(plain)),
            ),
        ),
        "a list of {if, value}",
        least=1,
    )


def alternatives(value: object) -> list[Any]:
    """Returns the values that the preprocessor chooses from, or the only value."""
    if isinstance(value, Conditional):
        return [*(branch for _, branch in value.branches), *([value.otherwise] if value.otherwise is not None else [])]
    return [] if value is None else [value]


def with_default(value: Any, default: object) -> Any:
    """Returns the value of a slot with a default. The default also applies if no branch of a condition holds."""
    if isinstance(value, Conditional):
        return value if value.otherwise is not None else replace(value, otherwise=default)
    return default if value is None else value
