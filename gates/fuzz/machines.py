# SPDX-License-Identifier: MIT
"""State machines that drive objects of generated modules, and compare them with models in NumPy.

`Images` exports, imports, pickles, changes and closes pictures of `specs/imaging.yaml`; `Tapes` resizes objects whose
memory moves; `Nets` gives objects other objects and arrays to keep. A model knows for each memory its elements, and who
shares it: memory that Python owns must live as long as somebody shares it, and no longer.
"""

from __future__ import annotations

import ctypes
import gc
import pickle
import weakref
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from protocol.table import api_of
from sharing import INDEX, MODULES, STEPS, Memory, Sharing, expect

SIDES = st.integers(1, 5)
CHANNELS = st.sampled_from([1, 3, 4])
VERSIONS = st.sampled_from([None, (0, 8), (1, 0), (1, 3), (2, 0)])


class Images(Sharing):
    """Pictures: uint8[height, width, channels]."""

    @property
    def cls(self) -> Any:
        return MODULES["imaging"].Image

    @rule(height=SIDES, width=SIDES, channels=CHANNELS)
    def new(self, height: int, width: int, channels: int) -> None:
        made = self.cls(width, height, channels)
        self.hold(made, Memory(np.zeros((height, width, channels), np.uint8)), "object")

    @rule(height=SIDES, width=SIDES, channels=CHANNELS, padding=st.integers(0, 3), seed=st.integers(0, 255))
    def from_numpy(self, height: int, width: int, channels: int, padding: int, seed: int) -> None:
        owner = np.zeros((height, width + padding, channels), np.uint8)
        array = owner[:, :width]
        array[...] = (np.arange(array.size) * 7 + seed).reshape(array.shape) % 256
        self.hold(self.cls.from_dlpack(array), Memory(array, owner), "object")

    @rule(height=SIDES, width=SIDES)
    def refuse_what_cannot_be_shared(self, height: int, width: int) -> None:
        STEPS["refuse"] += 1
        array = np.zeros((height, width, 3), np.uint8)
        array.flags.writeable = False
        expect((BufferError, ValueError, TypeError), lambda: self.cls.from_dlpack(array))
        expect(BufferError, lambda: self.cls.from_dlpack(np.zeros((height, width, 3), np.int16)))
        expect(BufferError, lambda: self.cls.from_dlpack(np.zeros((height, width), np.uint8)))
        expect(TypeError, lambda: self.cls.from_dlpack(height))

    @rule(index=INDEX, version=VERSIONS)
    def capsule(self, index: int, version: Any) -> None:
        if holder := self.pick(index, "object"):
            self.hold(holder.what.__dlpack__(max_version=version), holder.memory, "capsule")

    @rule(index=INDEX)
    def consume(self, index: int) -> None:
        if holder := self.pick(index, "capsule"):
            made = self.cls.from_dlpack(holder.what)
            expect(ValueError, lambda: self.cls.from_dlpack(holder.what))
            self.holders.remove(holder)
            self.hold(made, holder.memory, "object")

    @rule(index=INDEX)
    def import_again(self, index: int) -> None:
        if holder := self.pick(index, "object", "array", "buffer"):
            self.hold(self.cls.from_dlpack(holder.what), holder.memory, "object")

    @rule(index=INDEX)
    def through_the_table(self, index: int) -> None:
        if holder := self.pick(index, "object"):
            api = api_of(self.cls)
            give = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))
            take = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.py_object))
            tensor, made = ctypes.c_void_p(), ctypes.py_object()
            assert give(api.managed_tensor_from_py_object_no_sync)(holder.what, tensor) == 0
            assert take(api.managed_tensor_to_py_object_no_sync)(tensor, made) == 0
            value = made.value
            ctypes.pythonapi.Py_DecRef(made)  # the reference of the table; `value` has one of its own
            self.hold(value, holder.memory, "object")

    @rule(index=INDEX, protocol=st.integers(2, 5))
    def pickle(self, index: int, protocol: int) -> None:
        if holder := self.pick(index, "object"):
            made = pickle.loads(pickle.dumps(holder.what, protocol))
            self.hold(made, Memory(holder.memory.elements), "object")

    @rule(index=INDEX, way=st.sampled_from(["method", "keyword"]))
    def copy(self, index: int, way: str) -> None:
        if holder := self.pick(index, "object"):
            memory = Memory(holder.memory.elements)
            if way == "method":
                self.hold(holder.what.copy(), memory, "object")
            else:
                self.hold(np.from_dlpack(holder.what, copy=True), memory, "array")

    @rule(index=INDEX)
    def flip(self, index: int) -> None:
        if holder := self.pick(index, "object"):
            STEPS["flip"] += 1
            holder.what.flip()
            holder.memory.elements[...] = holder.memory.elements[::-1].copy()

    @rule(index=INDEX, value=st.integers(0, 255))
    def write(self, index: int, value: int) -> None:
        if holder := self.pick(index, "object", "array", "buffer"):
            STEPS["write"] += 1
            array = self.array_of(holder)
            array[0, 0, 0] = value
            holder.memory.elements[0, 0, 0] = value

    @rule(index=INDEX)
    def close(self, index: int) -> None:
        if holder := self.pick(index, "object"):
            STEPS["close"] += 1
            holder.what.close()
            holder.closed = True

    @rule(index=INDEX)
    def use_after_close(self, index: int) -> None:
        if holder := self.pick(index, "object", closed=True):
            STEPS["use after close"] += 1
            for call in (
                holder.what.flip,
                holder.what.__dlpack__,
                lambda: self.cls.from_dlpack(holder.what),
                lambda: pickle.dumps(holder.what),
                lambda: holder.what.shape,
            ):
                expect(ValueError, call)
            expect((ValueError, BufferError), lambda: memoryview(holder.what))
            holder.what.close()


class Tapes(Sharing):
    """Rows of float64 that a resize moves: refused while somebody else shares them."""

    @property
    def cls(self) -> Any:
        return MODULES["shifting"].Tape

    @rule(n=st.integers(1, 40))
    def new(self, n: int) -> None:
        self.hold(self.cls(n), Memory(np.zeros(n)), "object", imported=False)

    @rule(n=st.integers(1, 40), readonly=st.booleans())
    def from_numpy(self, n: int, readonly: bool) -> None:
        owner = np.arange(float(n))
        owner.flags.writeable = not readonly
        self.hold(self.cls.from_dlpack(owner), Memory(owner, owner, readonly), "object")

    @rule(index=INDEX)
    def import_again(self, index: int) -> None:
        if holder := self.pick(index, "object", "array"):
            self.hold(self.cls.from_dlpack(holder.what), holder.memory, "object")

    @rule(index=INDEX, protocol=st.integers(2, 5))
    def pickle(self, index: int, protocol: int) -> None:
        if holder := self.pick(index, "object"):
            made = pickle.loads(pickle.dumps(holder.what, protocol))
            self.hold(made, Memory(holder.memory.elements), "object")

    @rule(index=INDEX, n=st.integers(1, 60))
    def resize(self, index: int, n: int) -> None:
        if holder := self.pick(index, "object"):
            shared = [each for each in self.holders if each.memory is holder.memory and not each.closed]
            if len(shared) > 1 or holder.imported:  # the library must not move the memory of others
                STEPS["refused resize"] += 1
                expect(BufferError, lambda: holder.what.resize(n))
                return
            STEPS["resize"] += 1
            holder.what.resize(n)
            before = holder.memory.elements
            array = np.from_dlpack(holder.what)
            array[len(before) :] = 0.5  # of realloc()
            holder.memory.elements = np.concatenate([before[:n], np.full(max(0, n - len(before)), 0.5)])

    @rule(index=INDEX)
    def close(self, index: int) -> None:
        if holder := self.pick(index, "object"):
            STEPS["close"] += 1
            holder.what.close()
            holder.closed = True
            expect(ValueError, lambda: holder.what.resize(3))


class Nets(RuleBasedStateMachine):
    """Objects that keep what C stores in them."""

    def __init__(self) -> None:
        super().__init__()
        self.nets: list[dict[str, Any]] = []
        self.layers: list[Any] = []
        self.arrays: list[np.ndarray[Any, Any]] = []
        self.known: list[tuple[weakref.ref[Any], int]] = []

    @initialize()
    def begin(self) -> None:
        self.new_net()

    @rule()
    def new_net(self) -> None:
        STEPS["net"] += 1
        self.nets.append({"net": MODULES["netted"].Net(), "input": None, "bounds": None, "factors": []})

    @rule(factor=st.integers(-3, 3))
    def new_layer(self, factor: int) -> None:
        STEPS["layer"] += 1
        self.layers.append(MODULES["netted"].Layer(factor))

    @rule(values=st.lists(st.integers(-9, 9), min_size=1, max_size=6))
    def new_array(self, values: list[int]) -> None:
        self.arrays.append(np.array(values, float))
        self.known.append((weakref.ref(self.arrays[-1]), id(self.arrays[-1])))

    def _net(self, index: int) -> dict[str, Any]:
        return self.nets[index % len(self.nets)]

    @precondition(lambda self: self.nets and self.arrays)
    @rule(net=INDEX, array=INDEX)
    def set_input(self, net: int, array: int) -> None:
        STEPS["keep an array"] += 1
        given = self.arrays[array % len(self.arrays)]
        self._net(net)["net"].set_input(given)
        self._net(net)["input"] = (given.copy(), id(given))

    @precondition(lambda self: self.nets)
    @rule(net=INDEX)
    def no_input(self, net: int) -> None:
        self._net(net)["net"].set_input(None)
        self._net(net)["input"] = None

    @precondition(lambda self: self.nets)
    @rule(net=INDEX, low=st.integers(-5, 5), high=st.integers(-5, 5))
    def set_bounds(self, net: int, low: int, high: int) -> None:
        STEPS["keep bounds"] += 1
        self._net(net)["net"].set_bounds(np.array([float(low), 0.0]), np.array([0.0, float(high)]))
        self._net(net)["bounds"] = low + high

    @precondition(lambda self: self.nets and self.layers)
    @rule(net=INDEX, layer=INDEX, slowly=st.booleans())
    def add(self, net: int, layer: int, slowly: bool) -> None:
        STEPS["keep an object"] += 1
        model, given = self._net(net), self.layers[layer % len(self.layers)]
        add = model["net"].add_slowly if slowly else model["net"].add
        if len(model["factors"]) == 8:
            expect(RuntimeError, lambda: add(given))
        else:
            add(given)
            model["factors"].append(given.factor)

    @precondition(lambda self: self.nets)
    @rule(index=INDEX, close=st.booleans())
    def delete_net(self, index: int, close: bool) -> None:
        STEPS["delete"] += 1
        net = self.nets.pop(index % len(self.nets))["net"]
        if close:
            net.close()
            expect(ValueError, net.run)

    @precondition(lambda self: self.layers)
    @rule(index=INDEX)
    def delete_layer(self, index: int) -> None:
        STEPS["delete"] += 1
        self.layers.pop(index % len(self.layers))

    @precondition(lambda self: self.arrays)
    @rule(index=INDEX)
    def delete_array(self, index: int) -> None:
        STEPS["delete"] += 1
        self.arrays.pop(index % len(self.arrays))

    @invariant()
    def results_are_those_of_the_model(self) -> None:
        for model in self.nets:
            wanted = 0.0 if model["input"] is None else float(model["input"][0].sum())
            for factor in model["factors"]:
                wanted *= factor
            assert model["net"].run() == wanted + (model["bounds"] or 0)

    @invariant()
    def arrays_live_as_long_as_they_are_kept(self) -> None:
        kept = {model["input"][1] for model in self.nets if model["input"]} | {id(each) for each in self.arrays}
        if any((known() is not None) != (number in kept) for known, number in self.known):
            gc.collect()
        for known, number in self.known:
            assert (known() is not None) == (number in kept), "an array lives too long or has been freed too early"
        self.known = [each for each in self.known if each[1] in kept]


MACHINES = {"imaging": Images, "shifting": Tapes, "netted": Nets}
