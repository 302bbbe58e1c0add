"""Values that the preprocessor chooses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Generic, TypeVar

from dlpack_bindgen.frozen import Frozen

T = TypeVar("T")


class Conditional(Frozen, Generic[T]):
    """`[{if: EXPR, value: VALUE}, ..., {value: VALUE}]`: a value chosen by the preprocessor."""

    branches: tuple[tuple[str, T], ...]
    """The condition after `#if` or `#elif`, and the value under that condition."""
    otherwise: T | None = None
    """The value after `#else`; None: there is no `#else`."""


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
