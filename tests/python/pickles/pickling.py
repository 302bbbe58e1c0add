# SPDX-License-Identifier: MIT
"""Pickles and unpickles objects with every protocol."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

PROTOCOLS = [2, 3, 4, 5]


def there_and_back(made: Any, protocol: int) -> Any:
    return pickle.loads(pickle.dumps(made, protocol))


def out_of_band(made: Any, turn: Callable[[pickle.PickleBuffer], Any] = lambda buffer: buffer) -> tuple[Any, list[Any]]:
    """Pickles and unpickles an object with buffers outside the pickle. Returns the copy and the buffers."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(made, 5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=[turn(buffer) for buffer in buffers]), buffers
