"""The contestants: for each its object of the subject, and what it offers to do with it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy
import torch
import tvm_ffi

import builds

Pure = tuple[int, int]
"""Function and argument of the driver's make_delete()."""


@dataclass(frozen=True)
class Side:
    x: Any
    take: Callable[[Any], Any] | None = None
    """from_dlpack()."""
    make: Callable[[int, int, int], Any] | None = None
    """The class, which makes an object of the library."""
    f: Callable[[Any], int] | None = None
    f3: Callable[[Any, Any, Any], int] | None = None
    first: Pure | None = None
    again: Pure | None = None


def load(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def of_module(module: ModuleType, x: Any, **pure: Pure) -> Side:
    return Side(x, module.Picture.from_dlpack, module.Picture, module.f, module.f3, **pure)


@dataclass(frozen=True)
class Field:
    """All of them, and what they could not be compared with."""

    sides: dict[str, Side]
    failed: dict[str, str]
    subject: ModuleType
    driver: ModuleType
    floor: ModuleType
    volume: dict[str, Pure]


def gather(shape: tuple[int, int, int], *, peers: bool = True) -> Field:
    """Builds and loads everything; `shape` is that of every picture."""
    subject = load("subject", builds.ours("full", abi3=False))
    abi3 = load("subject", builds.ours("abi3", abi3=True))
    pure = load("pure", builds.pure())
    baseline = load("baseline", builds.baseline())
    by_hand = baseline.Picture(*shape)
    sides = {
        "ours": of_module(subject, subject.Picture(*shape), **pure.picture(*shape)),
        "abi3": of_module(abi3, abi3.Picture(*shape)),
        "baseline": of_module(baseline, by_hand, **by_hand.pure()),
        "numpy": Side(numpy.zeros(shape, numpy.uint8), numpy.from_dlpack),
        "torch": Side(torch.zeros(shape, dtype=torch.uint8), torch.from_dlpack),
    }
    built, failed = builds.peers() if peers else ({}, {})
    for name in ("pyo3", "dlpark", "nanobind"):
        if name in built:
            module = load(f"peer_{name}", built[name])
            x = module.Picture(*shape)
            sides[name] = of_module(module, x, **({"first": x.pure()} if name == "dlpark" else {}))
    if "nanobind" in built:
        sides["kept"] = Side(sides["nanobind"].x.kept())
    x = tvm_ffi.from_dlpack(numpy.zeros(shape, numpy.uint8))
    if "tvm_ffi" in built:
        functions = tvm_ffi.load_module(str(built["tvm_ffi"]))
        sides["tvm_ffi"] = Side(x, tvm_ffi.from_dlpack, f=functions.f, f3=functions.f3)
    else:
        sides["tvm_ffi"] = Side(x, tvm_ffi.from_dlpack)
    driver, floor = load("driver", builds.driver()), load("floor", builds.floor())
    return Field(sides, failed, subject, driver, floor, pure.volume())
