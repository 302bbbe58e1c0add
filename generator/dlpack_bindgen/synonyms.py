"""What people write out of habit, from other tools and languages, where the spec language has another word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

KEYS = {
    **dict.fromkeys(("header", "headers", "#include"), ("include",)),
    **dict.fromkeys(
        ("free", "delete", "dealloc", "deallocate", "destroy", "destructor", "dispose"), ("release", "destroy")
    ),
}
"""Of each key those that may be meant: the first that the record has."""

_YES, _NO = ("true", "allowed"), ("false", "never")
WORDS = {
    **dict.fromkeys(("yes", "on", "true", "1"), _YES),
    **dict.fromkeys(("no", "off", "false", "0"), _NO),
    **dict.fromkeys(("row-major", "row_major", "rowmajor"), ("C",)),
    **dict.fromkeys(("column-major", "column_major", "col-major", "col_major", "colmajor", "fortran"), ("F",)),
}

DTYPES = {
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"s{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
    **{f"c{bits}": f"complex{bits}" for bits in (64, 128)},
    **{f"{sign}int{bits}_t": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "bf16": "bfloat16",
    "byte": "uint8",
    "char": "int8",
    "double": "float64",
    "double complex": "complex128",
    "float": "float32",
    "float complex": "complex64",
    "half": "float16",
    "int": "int32",
    "short": "int16",
    "signed char": "int8",
    "single": "float32",
    "uchar": "uint8",
    "uint": "uint32",
    "unsigned": "uint32",
    "unsigned char": "uint8",
    "unsigned int": "uint32",
    "unsigned short": "uint16",
    "ushort": "uint16",
}


def meant(text: str, synonyms: Mapping[str, tuple[str, ...]], known: Iterable[str]) -> str | None:
    """The known word that `text` is a synonym of."""
    names = tuple(known)
    return next((word for word in synonyms.get(text.lower(), ()) if word in names), None)
