"""Dtypes and devices: those of C types, and those that the names of constants suggest."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dlpack_bindgen.c.types import FAMILIES
from dlpack_bindgen.init.declarations import DeclaredType, Enum, Header, Macro
from dlpack_bindgen.init.names import common_words, words
from dlpack_bindgen.init.yaml_values import flow_map, scalar

_FIXED = {
    **{f"{sign}int{bits}_t": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "float": "float32",
    "double": "float64",
    "unsigned char": "uint8",
    "signed char": "int8",
    "short": "int16",
    "unsigned short": "uint16",
    "int": "int32",
    "unsigned int": "uint32",
    "float _Complex": "complex64",
    "double _Complex": "complex128",
    "_Complex float": "complex64",
    "_Complex double": "complex128",
    "_Bool": "bool",
    "bool": "bool",
}
_BY_NAME = (
    (r"(?:u|uint|unsigned|ui)(8|16|32|64)", r"uint\1"),
    (r"(?:i|int|s|si|sint|signed)(8|16|32|64)", r"int\1"),
    (r"(?:f|float|fp|r|real)(16|32|64)", r"float\1"),
    (r"(?:c|complex|cfloat)(64|128)", r"complex\1"),
    (r"bf16|bfloat16|bfloat", "bfloat16"),
    (r"half|halffloat", "float16"),
    (r"float|single|real", "float32"),
    (r"double|doublereal", "float64"),
    (r"bool|boolean", "bool"),
    (r"uchar|unsignedchar|byte|ubyte|uint8t", "uint8"),
    (r"char|schar|sbyte|signedchar", "int8"),
    (r"short|sint16|shortint", "int16"),
    (r"ushort|unsignedshort", "uint16"),
    (r"int|integer", "int32"),
    (r"uint|unsignedint|unsigned", "uint32"),
    (r"llong|longlong|longlongint", "int64"),
    (r"ullong|ulonglong|unsignedlonglong", "uint64"),
    (r"long|longint", "{c: long}"),
    (r"ulong|unsignedlong", "{c: unsigned long}"),
    (r"cfloat|complexfloat|floatcomplex", "complex64"),
    (r"cdouble|complexdouble|doublecomplex|complex", "complex128"),
)
_DEVICES = (
    (r"cpu|host|hostmemory|mainmemory|ram|system", "cpu"),
    (r"cuda|gpu|nvidia|cudadevice", "cuda"),
    (r"pinned|cudahost|cudapinned", "cuda_host"),
    (r"managed|unified|cudamanaged", "cuda_managed"),
    (r"rocm|hip", "rocm"),
    (r"metal|mps", "metal"),
    (r"opencl|cl", "opencl"),
    (r"vulkan", "vulkan"),
)


_PIXELS = (
    (r"(?:a|l|y|r|g|gray|grey|mono|lum|luma|luminance|alpha|bw)(8|16)", ""),
    (r"(?:gray|grey|mono|luminance|alpha)", ""),
    (r"(?:rgb|bgr)(?:|8|888|(16))", "3"),
    (r"(?:rgb|bgr)48", "3"),
    (r"(?:rgba|argb|bgra|abgr|rgbx|xrgb|bgrx|xbgr)(?:|8|32|8888)", "4"),
)
"""Names of formats of pixels, with the bits of a sample and the samples of a pixel. `RGB24` is missing: libraries store
it in 3 bytes or in 4."""


def dtype_of_type(element: DeclaredType) -> str | None:
    """Returns the dtype of a C type, as a value of YAML; None for types without one. Types whose size depends on the
    machine stay C types."""
    if not element.is_number or element.kind == "char":
        return None
    fixed = _FIXED.get(element.spelling) or _FIXED.get(element.canonical)
    if fixed is not None and (element.spelling in _FIXED or element.canonical != "long"):
        return fixed
    known = element.spelling if element.spelling in FAMILIES else element.canonical
    return flow_map({"c": known}) if element.kind in ("int", "float") else None


def dtype_of_name(name: str) -> str | None:
    """Returns the dtype that the name of a constant suggests, without the words that it shares with others."""
    return _matched("".join(words(name)), _BY_NAME)


def device_of_name(name: str) -> str | None:
    """Returns the device that the name of a constant suggests."""
    return _matched("".join(words(name)), _DEVICES)


def _matched(name: str, table: Sequence[tuple[str, str]]) -> str | None:
    for pattern, value in table:
        found = re.fullmatch(pattern, name)
        if found:
            return found.expand(value) if "\\" in value else value
    return None


def pixels_of_enum(enum: Enum) -> list[tuple[str, str, str]]:
    """Returns the constants of an enum whose names suggest a format of pixels, each with the dtype of a sample, and the
    extent of the last axis, or the empty string if a pixel is one sample."""
    shared = common_words([name for name, _ in enum.values])
    found: dict[int, tuple[str, str, str]] = {}
    for name, value in enum.values:
        parts = (own_part(name, shared).replace(" ", ""), "".join(words(name)[-1:]))
        suggested = next((pixel for part in parts if (pixel := _pixel_of_name(part)) is not None), None)
        if suggested is not None:
            found.setdefault(value, (name, *suggested))
    return list(found.values())


def _pixel_of_name(name: str) -> tuple[str, str] | None:
    for pattern, samples in _PIXELS:
        matched = re.fullmatch(pattern, name)
        if matched:
            bits = next((group for group in matched.groups() if group), "16" if name.endswith("48") else "8")
            return f"uint{bits}", samples
    return None


def own_part(name: str, shared: Sequence[str]) -> str:
    """Returns the words of a constant without those that all constants of its enum share."""
    return " ".join(words(name)[len(shared) :])


def map_of_enum(enum: Enum, by_name: str) -> tuple[dict[str, str], list[str]]:
    """Returns the constants of an enum whose names suggest a dtype (or a device), each with that value, and the names
    of the other constants. Of constants with one value, the first counts."""
    shared = common_words([name for name, _ in enum.values])
    found: dict[str, str] = {}
    other: list[str] = []
    known: set[int] = set()
    for name, value in enum.values:
        part = own_part(name, shared)
        suggested = dtype_of_name(part) if by_name == "dtype" else device_of_name(part)
        if suggested is None and by_name == "dtype":
            suggested = dtype_of_name(" ".join(part.split()[-2:])) or dtype_of_name(" ".join(part.split()[-1:]))
        if value in known:
            continue
        if suggested is None:
            other.append(name)
        else:
            known.add(value)
            found[name] = suggested
    return found, other


def map_of_macros(macros: Sequence[Macro]) -> dict[str, str]:
    """Returns the macros that are numbers of dtypes: the largest group of macros whose names begin alike and end with a
    dtype."""
    groups: dict[str, dict[str, str]] = {}
    for macro in macros:
        own = words(macro.name)
        for size in (2, 1):
            suggested = dtype_of_name(" ".join(own[-size:])) if len(own) > size else None
            if suggested is not None and macro.kind == "int":
                groups.setdefault(" ".join(own[:-size]), {})[macro.name] = suggested
                break
    largest = max(groups.values(), key=len, default={})
    return largest if len(largest) > 1 else {}


def unnamed_enum_map(header: Header) -> dict[str, str]:
    """Returns the dtypes of the enum without a name that has most of them, for fields of type `int`."""
    maps = [map_of_enum(each, "dtype")[0] for each in header.enums.values() if not each.spelling]
    largest = max(maps, key=len, default={})
    return largest if len(largest) > 1 else {}


def choice(of: str, values: dict[str, str]) -> str:
    """Returns a choice `{of, map}` in one line."""
    listed = ", ".join(f"{scalar(key)}: {value}" for key, value in values.items())
    return f"{{of: {scalar(of)}, map: {{{listed}}}}}"
