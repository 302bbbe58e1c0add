"""What a test gives an object to keep."""

from __future__ import annotations

import weakref
from typing import Any

import pytest

np = pytest.importorskip("numpy")


class Given:
    """An array that is known only to whoever was given it."""

    def __init__(self, give: Any, value: float = 1) -> None:
        array = np.full(1000, float(value))
        self._alive = weakref.ref(array)
        self.made = give(array)

    @property
    def is_alive(self) -> bool:
        return self._alive() is not None
