"""Gives an object an array to keep, and tells if the array is alive."""

from __future__ import annotations

import weakref
from typing import Any

import pytest

np = pytest.importorskip("numpy")


class Given:
    """An array that only the given function can keep alive."""

    def __init__(self, give: Any, value: float = 1) -> None:
        array = np.full(1000, float(value))
        self._alive = weakref.ref(array)
        self.made = give(array)

    @property
    def is_alive(self) -> bool:
        return self._alive() is not None
