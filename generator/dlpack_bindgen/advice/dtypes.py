"""Hints for unknown dtypes: names of C, NumPy and PyTorch."""

from __future__ import annotations

import re

from dlpack_bindgen.advice.names import did_you_mean
from dlpack_bindgen.dlpack import DTYPES

_NAMES_OF_OTHERS = {
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"s{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    **{f"{name}{bits}": f"float{bits}" for name in ("f", "fp") for bits in (16, 32, 64)},
    **{f"c{bits}": f"complex{bits}" for bits in (64, 128)},
    **{f"{sign}int{bits}_t": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    # The codes of NumPy. Codes with another meaning above are omitted.
    **{f"{sign}{size}": f"{name}{8 * size}" for sign, name in (("i", "int"), ("u", "uint")) for size in (1, 2, 4)},
    "f2": "float16",
    "f4": "float32",
    "f8": "float64",
    "c8": "complex64",
    "c16": "complex128",
    "b1": "bool",
    "_Bool": "bool",
    "bf16": "bfloat16",
    "bfloat": "bfloat16",
    "bool_": "bool",
    "byte": "uint8",
    "char": "int8",
    "double": "float64",
    "complex": "complex128",
    "double complex": "complex128",
    "float": "float32",
    "float complex": "complex64",
    "half": "float16",
    "int": "int32",
    "long long": "int64",
    "short": "int16",
    "signed char": "int8",
    "single": "float32",
    "uchar": "uint8",
    "uint": "uint32",
    "unsigned": "uint32",
    "unsigned char": "uint8",
    "unsigned int": "uint32",
    "unsigned long long": "uint64",
    "unsigned short": "uint16",
    "ushort": "uint16",
}


_CODES = frozenset("kDLInt kDLUInt kDLFloat kDLBfloat kDLComplex kDLBool kDLOpaqueHandle".split())
_SIZES_OF_C = frozenset(
    ("long", "unsigned long", "size_t", "ssize_t", "ptrdiff_t", "intptr_t", "uintptr_t", "long double", "time_t")
)
"""C types whose size depends on the platform."""
_NUMPY_CODES = {"i": "int", "u": "uint", "f": "float", "c": "complex", "b": "bool"}


def hint(text: str) -> str | None:
    """Returns a hint for an unknown dtype, such as a name of C, NumPy or PyTorch."""
    if text in _CODES:
        return f"write {{code: {text}, bits: ...}}"
    plain = re.sub(r"^(?:np|numpy|torch|jnp|tf)\.|^const |[ *]+$", "", text)
    if plain in _SIZES_OF_C:
        return f"write {{c: {plain}}}"
    code = re.fullmatch(r"[<=|](?P<kind>[biufc])(?P<size>[0-9]{1,2})", plain)
    if code:
        bits = str(8 * int(code["size"])) if code["kind"] != "b" else ""
        plain = _NUMPY_CODES[code["kind"]] + bits
    plain = _NAMES_OF_OTHERS.get(plain, plain)
    if plain in DTYPES:
        return f"did you mean '{plain}'?"
    longer = [name for name in DTYPES if name.startswith(f"{plain}_")]
    if longer:
        return f"one of {', '.join(longer)}"
    if plain in ("float80", "float96", "float128"):
        return f"write {{code: kDLFloat, bits: {plain.removeprefix('float')}}}"
    return did_you_mean(text, DTYPES)
