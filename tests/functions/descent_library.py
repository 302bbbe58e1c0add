"""The module `descent`, and the calls of it that read an array or write to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from support.build import build_extension, import_extension

HERE = Path(__file__).resolve().parent

Call = Callable[[ModuleType, Any], Any]


def build_descent(folder: Path) -> ModuleType:
    spec = (HERE / "descent.yaml").read_text(encoding="utf-8")
    return import_extension("descent", build_extension("descent", spec, folder, flags=[f"-I{HERE}"]))


def ones() -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.ones(3, np.float32)


READS: dict[str, Call] = {
    "numbers": lambda m, x: m.values_sum(x),
    "a struct": lambda m, x: m.sum_of_layer(x),
    "a tensor": lambda m, x: m.tensor_sum(x),
    "an object of it": lambda m, x: m.Layer.from_dlpack(x).sum(),
    "an object that is a copy": lambda m, x: m.values_sum(m.Copied.from_dlpack(x)),
    "beside an output": lambda m, x: m.values_sum(m.values_add(x, x)) / 2,
    "beside an array": lambda m, x: m.values_sum(m.values_add(x, x, ones())) / 2,
}
"""Each gives the sum."""

WRITES: dict[str, Call] = {
    "numbers": lambda m, x: m.values_step(x, 1),
    "numbers that may be copied": lambda m, x: m.values_step_copied(x, 1),
    "without the GIL": lambda m, x: m.values_step_unlocked(x, 1),
    "an output": lambda m, x: m.values_add(ones(), ones(), x),
    "an output beside itself": lambda m, x: m.values_add(x, x, x),
    "a struct": lambda m, x: m.step_of_layer(x, 1),
    "a list of structs": lambda m, x: m.layers_step([ones(), x], 1),
    "a tensor": lambda m, x: m.tensor_step(x, 1),
    "memory": lambda m, x: m.memory_step(x, 1),
    "kept numbers": lambda m, x: m.Net(x).step(1),
    "kept numbers of an object": lambda m, x: m.Net(ones()).attach(x),
    "a writable object": lambda m, x: m.Trained.from_dlpack(x),
}
"""Each is refused."""
