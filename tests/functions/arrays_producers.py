"""Producers for arguments: what they do when they are asked, and what happens when their memory is let go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Act = Callable[[], object]


def nothing() -> None:
    pass


class Called:
    """An array that is exported by its call, after it has done something."""

    def __init__(self, array: np.ndarray, act: Act = nothing) -> None:
        self.array, self.act = array, act

    def __dlpack__(self, **keywords: Any) -> Any:
        self.act()
        return self.array.__dlpack__(**keywords)


class Old(Called):
    """From before DLPack 1.0."""

    def __dlpack__(self) -> Any:
        self.act()
        return self.array.__dlpack__()


class Answering:
    """Whose call returns whatever it is told."""

    def __init__(self, answer: Callable[[], Any]) -> None:
        self.answer = answer

    def __dlpack__(self, **keywords: Any) -> Any:
        return self.answer()


class _Mourned(np.ndarray):
    act: Act = staticmethod(nothing)

    def __del__(self) -> None:
        self.act()


class Ending:
    """An array that does something when whoever was given its memory lets it go."""

    def __init__(self, array: np.ndarray, act: Act) -> None:
        self.array, self.act = array, act

    def __dlpack__(self, **keywords: Any) -> Any:
        view = self.array.view(_Mourned)
        view.act = self.act
        return np.ndarray.__dlpack__(view, **keywords)


class Number:
    """That does something when it is converted."""

    def __init__(self, act: Act) -> None:
        self.act = act

    def __float__(self) -> float:
        self.act()
        return 1.0

    def __index__(self) -> int:
        self.act()
        return 1
