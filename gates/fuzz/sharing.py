# SPDX-License-Identifier: MIT
"""The models of memories, and the state machine that checks who shares them."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

STEPS: Counter[str] = Counter()
"""How often each rule ran."""
MODULES: dict[str, ModuleType] = {}
INDEX = st.integers(0, 1000)


class Memory:
    """The model of one memory."""

    def __init__(self, elements: np.ndarray[Any, Any], owner: Any = None, readonly: bool = False) -> None:
        self.elements = elements.copy()
        self.owner = weakref.ref(owner) if owner is not None else None
        """The array of NumPy whose memory it is; None if the library or a copy owns it."""
        self.readonly = readonly


class Holder:
    """A Python object that shares a memory."""

    def __init__(self, what: Any, memory: Memory, kind: str, imported: bool) -> None:
        self.what, self.memory, self.kind = what, memory, kind
        self.imported = imported
        """It was made of the memory of another object."""
        self.closed = False


def expect(kind: type[BaseException] | tuple[type[BaseException], ...], call: Callable[[], Any]) -> None:
    """Checks that the call raises."""
    try:
        result = call()
    except kind:
        return
    raise AssertionError(f"no {kind}, but {result!r}")


class Sharing(RuleBasedStateMachine):
    """Holders of memories, and the check of all of them after each step."""

    def __init__(self) -> None:
        super().__init__()
        self.holders: list[Holder] = []
        self.memories: list[Memory] = []

    def hold(self, what: Any, memory: Memory, kind: str, imported: bool = True) -> None:
        STEPS[kind] += 1
        if all(memory is not known for known in self.memories):
            self.memories.append(memory)
        self.holders.append(Holder(what, memory, kind, imported))

    def pick(self, index: int, *kinds: str, closed: bool = False) -> Holder | None:
        """Returns one of the holders of these kinds that are closed or not."""
        found = [each for each in self.holders if each.kind in kinds and each.closed == closed]
        return found[index % len(found)] if found else None

    def array_of(self, holder: Holder) -> np.ndarray[Any, Any]:
        """Returns an array that shares the memory of the holder for a moment."""
        if holder.kind == "object":
            array: np.ndarray[Any, Any] = np.from_dlpack(holder.what)
            return array
        return np.asarray(holder.what)

    @rule(index=INDEX)
    def to_numpy(self, index: int) -> None:
        if holder := self.pick(index, "object"):
            self.hold(np.from_dlpack(holder.what), holder.memory, "array")

    @rule(index=INDEX)
    def buffer(self, index: int) -> None:
        if holder := self.pick(index, "object"):
            self.hold(memoryview(holder.what), holder.memory, "buffer")

    @precondition(lambda self: self.holders)
    @rule(index=INDEX)
    def delete(self, index: int) -> None:
        STEPS["delete"] += 1
        del self.holders[index % len(self.holders)]

    @invariant()
    def elements_are_those_of_the_model(self) -> None:
        for holder in self.holders:
            if not holder.closed and holder.kind != "capsule":
                array = self.array_of(holder)
                np.testing.assert_array_equal(array, holder.memory.elements)
                if holder.memory.readonly:
                    assert not array.flags.writeable, f"{holder.kind} of read-only memory is writable"

    @invariant()
    def memory_lives_as_long_as_it_is_shared(self) -> None:
        for memory in self.memories:
            if memory.owner is not None:
                shared = any(each.memory is memory and not each.closed for each in self.holders)
                if not shared:
                    gc.collect()
                assert (memory.owner() is not None) == shared, "memory lives too long or has been freed too early"
        living = [each.memory for each in self.holders]
        self.memories = [memory for memory in self.memories if any(memory is each for each in living)]

    def teardown(self) -> None:
        self.holders.clear()
        gc.collect()
        for memory in self.memories:
            assert memory.owner is None or memory.owner() is None, "memory lives longer than all that share it"
