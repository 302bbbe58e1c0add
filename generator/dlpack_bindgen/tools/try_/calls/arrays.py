"""Arrays that the script makes without NumPy, and exports that it reads."""

from __future__ import annotations

import ctypes
import itertools
import math
import operator
import random
from typing import TYPE_CHECKING

from .dtypes import DTYPES, RecordDType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from . import Json

# A description has the dtype, the size of an element, shape, strides and offset in bytes, the size of the block,
# `readonly`, the way by which the array is passed ("buffer", "interface" or "dlpack"), and the rule of its values.

FORMATS = frozenset("bBhHiIlLqQfd?")
"""The formats to which Python can cast a memoryview."""


def compact_strides(shape: Sequence[int], size: int, order: str) -> list[int]:
    """Returns the strides of a compact array, in bytes."""
    strides, step = [0] * len(shape), size
    for axis in range(len(shape)) if order == "F" else reversed(range(len(shape))):
        strides[axis] = step
        step *= max(1, shape[axis])
    return strides


def with_layout(layout: str, shape: list[int], size: int, order: str) -> tuple[list[int], int, int]:
    """Returns the strides and the offset in bytes, and the size of the block, of an array with a layout."""
    strides = compact_strides(shape, size, order)
    outer = len(shape) - 1 if order == "F" else 0
    inner = 0 if order == "F" else len(shape) - 1
    offset = 0
    if shape:
        if layout == "gap":
            strides[outer] += 2 * size
        elif layout == "every":
            strides = [2 * each for each in strides]
        elif layout == "inner":
            strides[inner] *= 3
            strides = [each if axis == inner else 3 * each for axis, each in enumerate(strides)]
        elif layout == "column":
            strides = compact_strides(shape, size, "C" if order == "F" else "F")
        elif layout == "negative":
            offset = max(0, shape[outer] - 1) * strides[outer]
            strides[outer] = -strides[outer]
        elif layout == "zero":
            strides[outer] = 0
        elif layout == "offset":
            offset = size
    low, high = offset, offset + size
    for extent, stride in zip(shape, strides):
        if stride < 0:
            low += (extent - 1) * stride if extent else 0
        else:
            high += max(0, extent - 1) * stride
    return strides, offset, max(high, 0) if 0 not in shape else max(offset, 0)


def values_of(fill: str, shape: Sequence[int]) -> Iterator[float]:
    """Yields the values of an array in row-major order. `fill` is a word, perhaps with a seed: `small:17`."""
    count = math.prod(shape)
    word, _, seed = fill.partition(":")
    chance = random.Random(int(seed or 0))
    for index in range(count):
        if word == "range":
            yield index
        elif word == "marks":
            yield 20 + index * 37 % 97
        elif word == "ones":
            yield 1
        elif word == "eye":
            rest, places = index, []
            for extent in reversed(shape):
                places.append(rest % extent)
                rest //= extent
            yield 4 + places[0] if len(set(places[:2])) == 1 else 1
        elif word == "small":
            yield chance.randrange(10)
        elif word == "signed":
            yield chance.randrange(-5, 10)
        elif word == "parts":
            yield chance.randrange(-8, 40) / 4
        else:
            yield 0


_KEPT_BYTES = 64

# The checks for linked libraries, which are preloaded, can forbid the memory of an array after its end.
_fence = getattr(ctypes.CDLL(None), "dlb_memory_fence", bool)


class Block:
    """Memory of an array, at an address that is a multiple of 64, and `description` of the array."""

    def __init__(self, description: Json) -> None:
        dtype, size = DTYPES[description["dtype"]], description["size"]
        content = b"\x11" * (size + _KEPT_BYTES)
        _fence(True)
        self.bytes = bytearray(content)
        _fence(False)
        self.shown = (ctypes.c_char * len(self.bytes)).from_buffer(self.bytes)
        address = ctypes.addressof(self.shown)
        self.start = -address % _KEPT_BYTES
        self.address = address + self.start
        self.description = description
        shape, strides = description["shape"], description["strides"]
        for places, value in zip(itertools.product(*map(range, shape)), values_of(description["fill"], shape)):
            at = self.start + description["offset"] + sum(map(operator.mul, places, strides))
            self.bytes[at : at + dtype.size] = dtype.packed(value)

    def elements(self) -> list[bytes]:
        """Returns the bytes of the elements, in row-major order."""
        own, size = self.description, DTYPES[self.description["dtype"]].size
        found = []
        for places in itertools.product(*map(range, own["shape"])):
            at = self.start + own["offset"] + sum(map(operator.mul, places, own["strides"]))
            found.append(bytes(self.bytes[at : at + size]))
        return found

    def set_last(self, value: float) -> None:
        """Changes the last element."""
        own, dtype = self.description, DTYPES[self.description["dtype"]]
        last = (max(0, extent - 1) * stride for extent, stride in zip(own["shape"], own["strides"]))
        at = self.start + own["offset"] + sum(last)
        self.bytes[at : at + dtype.size] = dtype.packed(value)

    @property
    def interface(self) -> Json:
        own, dtype = self.description, DTYPES[self.description["dtype"]]
        return {
            **({"descr": dtype.descr} if isinstance(dtype, RecordDType) else {}),
            "version": 3,
            "typestr": dtype.typestr,
            "shape": tuple(own["shape"]),
            "strides": tuple(own["strides"]),
            "data": (self.address + own["offset"], own["readonly"]),
        }

    def view(self) -> Any:
        """Returns a memoryview of a compact array."""
        own, dtype = self.description, DTYPES[self.description["dtype"]]
        found: Any = memoryview(self.bytes)[self.start : self.start + own["size"]]
        found = found.cast(dtype.format)
        if len(own["shape"]) > 1:
            found = found.cast("B").cast(dtype.format, own["shape"])
        return found.toreadonly() if own["readonly"] else found


class Interface:
    """An array that has `__array_interface__`."""

    def __init__(self, block: Block) -> None:
        self._block = block

    @property
    def __array_interface__(self) -> Json:
        return self._block.interface


class DLDevice(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class DLDataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", DLDevice),
        ("ndim", ctypes.c_int32),
        ("dtype", DLDataType),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class DLManagedTensor(ctypes.Structure):
    _fields_ = [("dl_tensor", DLTensor), ("manager_ctx", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class DLManagedTensorVersioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("dl_tensor", DLTensor),
    ]


_api = ctypes.pythonapi
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", _api)
)
_capsule_is = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_IsValid", _api))
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))
_VERSIONED, _LEGACY = b"dltensor_versioned", b"dltensor"
_living_exports: dict[int | None, Any] = {}
"""The exports of `Capsules` that no deleter has freed, by their addresses."""


def _free_export(address: int) -> None:
    _living_exports.pop(address, None)


_delete = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_free_export)


_valid_at = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _api))
_pointer_at = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _api))


def _free_unconsumed(capsule: int) -> None:
    if _valid_at(capsule, _VERSIONED):
        _living_exports.pop(_pointer_at(capsule, _VERSIONED), None)


_destroy_capsule = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(_free_unconsumed)


class Capsules:
    """An array that has `__dlpack__`, for dtypes that no other interface can describe."""

    def __init__(self, block: Block) -> None:
        self._block = block

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None
    ) -> object:
        own, dtype = self._block.description, DTYPES[self._block.description["dtype"]]
        if max_version is None or max_version[0] < 1 or copy:
            raise BufferError("this array needs DLPack 1.0, and makes no copies")
        if any(stride % dtype.size for stride in own["strides"]):
            raise BufferError("strides must be multiples of the size of an element")
        axes = ctypes.c_int64 * max(1, len(own["shape"]))
        shape, strides = axes(*own["shape"]), axes(*(each // dtype.size for each in own["strides"]))
        managed = DLManagedTensorVersioned()
        managed.major, managed.minor, managed.flags = 1, 0, 1 if own["readonly"] else 0
        managed.deleter = ctypes.cast(_delete, ctypes.c_void_p).value
        tensor = managed.dl_tensor
        tensor.data, tensor.ndim, tensor.byte_offset = self._block.address, len(own["shape"]), own["offset"]
        tensor.device.type, tensor.device.id = 1, 0
        tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes = dtype.code, 8 * dtype.size, 1
        tensor.shape, tensor.strides = shape, strides
        address = ctypes.addressof(managed)
        _living_exports[address] = (managed, shape, strides, self._block)
        return _new_capsule(address, _VERSIONED, ctypes.cast(_destroy_capsule, ctypes.c_void_p))


def is_castable(description: Json) -> bool:
    """Returns whether a memoryview can show an array."""
    own, dtype = description, DTYPES[description["dtype"]]
    shape = own["shape"]
    is_compact = own["strides"] == compact_strides(shape, dtype.size, "C") and not own["offset"]
    return (
        is_compact and dtype.format in FORMATS and dtype.format != "" and shape and (len(shape) == 1 or 0 not in shape)
    )


def made_array(description: Json) -> object:
    """Returns an array with a description."""
    return array_of(Block(description))


def array_of(block: Block) -> object:
    """Returns an array with a block."""
    own, dtype = block.description, DTYPES[block.description["dtype"]]
    if own["way"] == "buffer" and is_castable(own):
        return block.view()
    if (own["way"] == "dlpack" and not isinstance(dtype, RecordDType)) or not dtype.typestr:
        return Capsules(block)
    return Interface(block)


# ---- Exports, and how they are read ----

_MOST_READ = 1 << 20


def exported(of: Any, way: str) -> Any:
    """Returns an export of an object: a memoryview or a capsule."""
    if way == "buffer":
        return memoryview(of)
    if way == "legacy":
        return of.__dlpack__()
    return of.__dlpack__(max_version=(1, 0))


def read_export(export: Any) -> int:
    """Reads all elements of an export on the CPU, and returns the number of bytes."""
    if isinstance(export, memoryview):
        return len(export.tobytes())
    for name, struct_type in ((_VERSIONED, DLManagedTensorVersioned), (_LEGACY, DLManagedTensor)):
        if _capsule_is(export, name):
            return _read_tensor(struct_type.from_address(_capsule_pointer(export, name)).dl_tensor)
    return 0


def _read_tensor(tensor: DLTensor) -> int:
    rank = tensor.ndim
    shape = [tensor.shape[axis] for axis in range(rank)]
    item = (tensor.dtype.bits * tensor.dtype.lanes + 7) // 8
    if tensor.device.type != 1 or 0 in shape or not tensor.data:
        return 0
    elements = [tensor.strides[axis] for axis in range(rank)] if tensor.strides else compact_strides(shape, 1, "C")
    inner, run = rank, item
    while inner and elements[inner - 1] * item == run:
        inner -= 1
        run *= shape[inner]
    start, read = tensor.data + tensor.byte_offset, 0
    for places in itertools.product(*map(range, shape[:inner])):
        at = start + item * sum(map(operator.mul, places, elements))
        read += len(ctypes.string_at(at, min(run, _MOST_READ)))
        if read > _MOST_READ:
            break
    return read
