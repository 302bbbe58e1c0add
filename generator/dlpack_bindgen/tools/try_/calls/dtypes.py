"""Dtypes of arrays, and of the records of a module."""

from __future__ import annotations

import ctypes
import math
import struct
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class DType:
    """A dtype: the name, the size of an element in bytes, the code of DLPack, and the format of `struct`."""

    def __init__(self, name: str, size: int, code: int, format: str = "", typestr: str = "") -> None:
        self.name, self.size, self.code, self.format, self.typestr = name, size, code, format, typestr

    def packed(self, value: float) -> bytes:
        """Returns an element with a value, which wraps around if an integer type cannot hold it."""
        if self.code == 5:
            part = "f" if self.size == 8 else "d" if self.size == 16 else "e"
            return struct.pack("=2" + part, float(value), float(value) / 2)
        if self.code == 4:
            return (
                struct.pack("=f", float(value))[2:]
                if sys.byteorder == "little"
                else struct.pack("=f", float(value))[:2]
            )
        if self.code == 2:
            return struct.pack("=" + self.format, float(value))
        if self.code == 6:
            return bytes([int(value) & 1])
        if self.code in (0, 1):
            return (int(value) & ((1 << 8 * self.size) - 1)).to_bytes(self.size, sys.byteorder)
        return bytes([int(abs(value)) & 0x3F] * self.size)


_ORDER = "<" if sys.byteorder == "little" else ">"


def _dtypes() -> dict[str, DType]:
    found = [DType("bool", 1, 6, "?", "|b1")]
    for size, format in ((1, "b"), (2, "h"), (4, "i"), (8, "q")):
        mark = "|" if size == 1 else _ORDER
        found.append(DType(f"int{8 * size}", size, 0, format, f"{mark}i{size}"))
        found.append(DType(f"uint{8 * size}", size, 1, format.upper(), f"{mark}u{size}"))
    for size, format in ((2, "e"), (4, "f"), (8, "d")):
        found.append(DType(f"float{8 * size}", size, 2, format, f"{_ORDER}f{size}"))
    found.append(DType("bfloat16", 2, 4))
    for size in (4, 8, 16):
        found.append(DType(f"complex{8 * size}", size, 5, "", f"{_ORDER}c{size}" if size > 4 else ""))
    names = ("e3m4", "e4m3", "e4m3b11fnuz", "e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz", "e8m0fnu")
    found += [DType("float8_" + name, 1, 7 + index) for index, name in enumerate(names)]
    return {each.name: each for each in found}


DTYPES = _dtypes()
COMMON = (
    "float64",
    "int32",
    "uint8",
    "float32",
    "int64",
    "uint16",
    "int16",
    "uint32",
    "uint64",
    "int8",
    "complex128",
    "bool",
)
_OF_NUMBER = {
    "int": ("int32", "int64", "uint32", "uint64", "uint8", "int16", "uint16", "int8"),
    "float": ("float64", "float32"),
    "complex": ("complex128", "complex64"),
    "bool": ("bool",),
}
_C_TYPES: dict[str, Any] = {
    "char": ctypes.c_char,
    "signed char": ctypes.c_byte,
    "unsigned char": ctypes.c_ubyte,
    "short": ctypes.c_short,
    "unsigned short": ctypes.c_ushort,
    "int": ctypes.c_int,
    "unsigned": ctypes.c_uint,
    "unsigned int": ctypes.c_uint,
    "long": ctypes.c_long,
    "unsigned long": ctypes.c_ulong,
    "long long": ctypes.c_longlong,
    "unsigned long long": ctypes.c_ulonglong,
    "size_t": ctypes.c_size_t,
    "ssize_t": ctypes.c_ssize_t,
    "ptrdiff_t": ctypes.c_ssize_t,
    "intptr_t": ctypes.c_ssize_t,
    "uintptr_t": ctypes.c_size_t,
    "intmax_t": ctypes.c_longlong,
    "uintmax_t": ctypes.c_ulonglong,
}
_C_NAMES = {
    "float": "float32",
    "double": "float64",
    "float _Complex": "complex64",
    "double _Complex": "complex128",
    "float complex": "complex64",
    "double complex": "complex128",
    "bool": "bool",
    "_Bool": "bool",
}
for _bits in (8, 16, 32, 64):
    _C_NAMES[f"int{_bits}_t"] = f"int{_bits}"
    _C_NAMES[f"uint{_bits}_t"] = f"uint{_bits}"


COMPILED: dict[str, str] = {}
"""The dtypes of C types that only the headers define, as the modules have compiled them."""


def is_defined_by_headers(name: str) -> bool:
    """Returns whether only the headers know the dtype of a C type."""
    return name not in _C_NAMES and name not in _C_TYPES


def dtypes_of_c(name: str, number: str | None) -> list[str]:
    """Returns the dtypes that a C type may have: one, unless only the headers know it, and no module has a table."""
    if name in COMPILED:
        return [COMPILED[name]]
    if name in _C_NAMES:
        return [_C_NAMES[name]]
    if name == "char":
        return ["int8", "uint8"]
    if name in _C_TYPES:
        size = ctypes.sizeof(_C_TYPES[name])
        is_unsigned = name.startswith(("unsigned", "u", "size_t"))
        return [f"{'u' if is_unsigned else ''}int{8 * size}"]
    return list(_OF_NUMBER.get(number or "", COMMON))


def accepted_dtypes(names: Sequence[str]) -> list[str]:
    """Returns the dtypes that a plan lists, by their names."""
    found = []
    for name in names or COMMON:
        if name == "bytes":
            found.append("uint8")
        elif name.startswith("c:"):
            ctype, _, number = name[2:].partition(":")
            found += dtypes_of_c(ctype, number)
        elif name.replace("record:", "") in DTYPES:
            found.append(name.replace("record:", ""))
    return list(dict.fromkeys(found))


# ---- C types that only the compiler knows ----

DTYPE_TABLE = "dlb_try_dtypes_"
"""The name of the table of a module, before that of the module. `plan.py` writes it, and `NULL` ends it."""


class DTypeEntry(ctypes.Structure):
    """The name of a C type, and its dtype."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
    ]


def read_dtype_table(library: ctypes.CDLL, module: str) -> None:
    """Adds the dtypes of the C types in the table of a module. Raises a ValueError if it has no table."""
    address = ctypes.addressof(DTypeEntry.in_dll(library, DTYPE_TABLE + module.replace(".", "_")))
    entry = DTypeEntry.from_address(address)
    while entry.name:
        name = next(
            (each.name for each in DTYPES.values() if (each.code, 8 * each.size) == (entry.code, entry.bits)), None
        )
        if name is not None:
            COMPILED[entry.name.decode()] = name
        address += ctypes.sizeof(DTypeEntry)
        entry = DTypeEntry.from_address(address)


# ---- Records: structs that are elements of arrays, whose fields only the C compiler knows ----
# The tables of a module describe them (`runtime/dlb_records.h`). They can be read if the module exports its symbols.


class RecordTable(ctypes.Structure):
    """The `dlb_record` of a struct."""


class FieldTable(ctypes.Structure):
    """The `dlb_field` of a member."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("offset", ctypes.c_size_t),
        ("record", ctypes.POINTER(RecordTable)),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("is_char", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("extents", ctypes.c_int64 * 3),
    ]


RecordTable._fields_ = [
    ("name", ctypes.c_char_p),
    ("size", ctypes.c_size_t),
    ("fields", ctypes.POINTER(FieldTable)),
    ("field_count", ctypes.c_int),
]


class RecordDType(DType):
    """The dtype of records, with the `descr` of an `__array_interface__`."""

    def __init__(self, name: str, table: RecordTable) -> None:
        super().__init__(name, table.size, 3, "", f"|V{table.size}")
        self.leaves: list[tuple[int, DType]] = []
        """The numbers in a record, each with its offset."""
        self.descr = self._described(table, 0)

    def _described(self, table: RecordTable, start: int) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = []
        end = 0
        for field in table.fields[: table.field_count]:
            found += [("", f"|V{field.offset - end}")] if field.offset > end else []
            shape = tuple(field.extents[: field.ndim])
            count = math.prod(shape)
            at = start + field.offset
            if field.record:
                size = field.record.contents.size
                of: Any = self._described(field.record.contents, at)
                more = [
                    (at + index * size + place - at, each)
                    for index in range(1, count)
                    for place, each in self._in(at, size)
                ]
                self.leaves += more
            else:
                size = field.bits // 8
                number = next(each for each in DTYPES.values() if (each.code, each.size) == (field.code, size))
                of = number.typestr
                self.leaves += [(at + index * size, number) for index in range(count)]
            found.append((field.name.decode(), of, *([shape] if shape else [])))
            end = field.offset + size * count
        return found + ([("", f"|V{table.size - end}")] if table.size > end else [])

    def _in(self, start: int, size: int) -> list[tuple[int, DType]]:
        """Returns the numbers in a part of the record."""
        return [(at, each) for at, each in self.leaves if start <= at < start + size]

    def packed(self, value: float) -> bytes:
        found = bytearray(self.size)
        for at, each in self.leaves:
            found[at : at + each.size] = each.packed(value)
        return bytes(found)
