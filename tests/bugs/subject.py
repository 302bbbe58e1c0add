# SPDX-License-Identifier: MIT
"""One implementation under test: classes that show probes (tests/python/probe.h) to Python."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from python.tensors import Managed, Probe

BOOL, INT32, FLOAT32, COMPLEX64, NO_DTYPE = 1, 4, 11, 13, 99
"""Of `probe_dtype`."""

OURS = {"owned": "Moved", "borrowed": "Borrowed", "rows": "Rows"}

DELETED_ONCE, NOT_DELETED = (1, 0, 0), (0, 0, 0)
"""How many tensors of the producer were deleted; of those, with an exception pending, without the GIL."""


class Subject:
    """Ours, the classes of the `lab` module, or a generation of the `naive` one."""

    def __init__(self, generation: str | None) -> None:
        self.generation = generation
        self.module = importlib.import_module("naive" if generation else "lab")
        self.producer = importlib.import_module("producer")
        self._kind = {kind: generation or name for kind, name in OURS.items()}
        self.cls = getattr(self.module, self._kind["owned"])
        self._borrowed: list[int] = []

    def make(self, shape: Sequence[int] = (2, 3), parent: object = None, padded: bool = False, **fields: Any) -> Any:
        """Makes an object of a new probe, whose dtype is float32 unless `fields` of its struct set another.

        `parent`, if given, owns the probe, and the object keeps it alive. `padded` gives rows that are `row_bytes`
        apart."""
        address = self.module.new(1024)
        struct = Probe.from_address(address)
        struct.dtype = FLOAT32
        struct.set_axes(shape)
        for name, value in fields.items():
            setattr(struct, name, value)
        kind = "rows" if padded else "owned" if parent is None else "borrowed"
        if kind != "owned":
            self._borrowed.append(address)
        return self.module.wrap(self._kind[kind], address, parent)

    def end(self) -> None:
        """Frees the probes that nobody else does: our objects borrowed them."""
        for address in self._borrowed:
            self.module.unref(address)

    def take(self, source: object) -> Any:
        return self.cls.from_dlpack(source)

    def struct(self, made: object) -> Probe:
        """Returns the probe of an object that owns it."""
        return Probe.from_address(self.module.unwrap(self._kind["owned"], made))

    def axes(self, made: object) -> tuple[list[int], list[int]]:
        struct = self.struct(made)
        return struct.shape[: struct.ndim], struct.strides[: struct.ndim]

    @property
    def living(self) -> int:
        """Returns the number of probes that exist."""
        return self.module.counts()[2]

    def foreign(self, versioned: bool = True, **fields: Any) -> Managed:
        """Makes a managed tensor of the producer."""
        return Managed(self.producer, versioned, **fields)

    def deleted(self) -> tuple[int, int, int]:
        """Returns the counts of deleted tensors since the last call, in the form of DELETED_ONCE."""
        return self.producer.record()

    def exported(self, made: Any, versioned: bool = True) -> tuple[int, bool]:
        """Exports a tensor. Returns its address and whether it is versioned; the caller deletes it."""
        return self.producer.consume(made.__dlpack__(max_version=(1, 3)) if versioned else made.__dlpack__())

    def delete(self, tensor: tuple[int, bool], where: str = "here") -> None:
        self.producer.delete(*tensor, where)


class Producer:
    """A modern producer in Python of one capsule."""

    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __dlpack__(self, **_: Any) -> object:
        capsule, self._capsule = self._capsule, None
        return capsule
