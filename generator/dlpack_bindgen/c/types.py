"""The C types in prototypes, and their Python equivalents."""

from __future__ import annotations

from typing import Literal, cast

from dlpack_bindgen.frozen import Frozen

NumberKind = Literal["int", "float", "bool", "complex", "char"]
PYTHON = {"int": "int", "float": "float", "bool": "bool", "complex": "complex", "char": "str"}
"""The Python types of the kinds of numbers."""

FAMILIES: dict[str, NumberKind] = {
    **dict.fromkeys(("signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int"), "int"),
    **dict.fromkeys(("long", "unsigned long", "long long", "unsigned long long"), "int"),
    **dict.fromkeys((f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64, "ptr", "max")), "int"),
    **dict.fromkeys(("size_t", "ssize_t", "ptrdiff_t"), "int"),
    **dict.fromkeys(("float", "double", "long double"), "float"),
    **dict.fromkeys(("float _Complex", "double _Complex", "long double _Complex"), "complex"),
    **dict.fromkeys(("bool", "_Bool"), "bool"),
    "char": "char",
}
"""The kinds of the arithmetic C types in Python."""


_LETTERS = frozenset({"char", "signed char", "unsigned char", "int8_t", "uint8_t"})
BYTES = frozenset({"void", *_LETTERS})
"""The types whose elements are bytes for every compiler. Pointers to `void` count bytes, too."""
_UNSIGNED = frozenset({"size_t", "uintptr_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"})


class CType(Frozen):
    """The type of a parameter or a result."""

    base: str
    """The type without pointers, `const` and `restrict`: `image_t`, `unsigned long`, `double _Complex`, `struct image`,
    `void`. A callback has its full type: `int (*)(void *)`."""
    pointers: tuple[bool, ...] = ()
    """For each `*`, starting at the base: whether it points to const. `const char **` is (True, False)."""
    length: str | None = None
    """The content of the brackets of an array parameter: `3`, or an empty string; None: no brackets. The array is the
    last pointer."""
    extents: tuple[str, ...] = ()
    """The lengths in an array of arrays or a pointer to an array, which counts as one pointer. `double x[][3]` and
    `double (*x)[3]` have '' and '3'."""
    restrict: tuple[bool, ...] = ()
    """For each `*`, starting at the base: whether that pointer is `restrict`; empty if none is. `Parameter` has the
    flag of the parameter itself, which does not change the type of the function."""

    @property
    def depth(self) -> int:
        return len(self.pointers)

    @property
    def is_function(self) -> bool:
        """Whether the type is a callback."""
        return "(" in self.base

    @property
    def reads(self) -> bool:
        """Whether the innermost pointer points to const."""
        return bool(self.pointers) and self.pointers[0]


def becomes(given: CType, wanted: CType) -> bool:
    """Returns whether C accepts `given` for `wanted` without a cast: they are equal, or `wanted` only adds const."""
    if given.depth != 1 or wanted.depth != 1:
        return given == wanted
    same = (given.base, given.length, given.extents) == (wanted.base, wanted.length, wanted.extents)
    return same and (wanted.reads or not given.reads)


def declared(ctype: CType, name: str) -> str:
    """Returns a declaration, such as `const char *name`. An array parameter is declared as a pointer."""
    text = f"const {ctype.base}" if ctype.pointers and ctype.pointers[0] else ctype.base
    if ctype.extents:
        return f"{text} (*{name}){''.join(f'[{extent}]' for extent in ctype.extents[1:])}"
    restricted = ctype.restrict or (False,) * ctype.depth
    for is_const, is_restrict in zip(ctype.pointers[1:], restricted, strict=False):
        text += f"{'' if text.endswith(('*', ' ')) else ' '}*"
        text += f"{'restrict ' if is_restrict else ''}{'const ' if is_const else ''}"
    if ctype.pointers:
        text += f"{'' if text.endswith(('*', ' ')) else ' '}*"
    return f"{text}{'' if text.endswith('*') or not name else ' '}{name}"


def pointed_to(ctype: CType) -> CType:
    """Returns the type behind the outermost pointer, without its qualifier."""
    inner = ctype.restrict[:-2]
    return CType(ctype.base, ctype.pointers[:-1], restrict=(*inner, False) if any(inner) else ())


class Parameter(Frozen):
    name: str
    ctype: CType
    restrict: bool = False
    """Whether the pointer itself is `restrict`."""


class Prototype(Frozen):
    name: str
    result: CType
    parameters: tuple[Parameter, ...]


def family(base: str) -> NumberKind | None:
    """Returns the kind of an arithmetic type, or None for a type that only the headers define."""
    return FAMILIES.get(base)


def is_unsigned(base: str) -> bool:
    return "unsigned" in base.split() or base in _UNSIGNED


def is_address(ctype: str) -> bool:
    """Returns whether a type is a pointer to anything but characters. Python objects cannot become such types."""
    words = [word for word in ctype.replace("*", " * ").split() if word != "const"]
    return "*" in words and words != ["char", "*"]


def is_unknown(ctype: CType) -> bool:
    """Returns whether a type is a name from the headers. It may be a number, such as an `enum`."""
    return ctype.base not in FAMILIES and ctype.base.split()[0] not in ("void", "struct", "union", "volatile")


def is_letter(ctype: CType) -> bool:
    """Returns whether a value of the type may be a character. For a name from the headers (`xmlChar`), only the
    compiler knows."""
    return not ctype.depth and (ctype.base in _LETTERS or is_unknown(ctype))


def is_typedef(ctype: CType) -> bool:
    """Returns whether a type is a name from the headers, by value. It may be a pointer type."""
    return ctype == CType(ctype.base) and is_unknown(ctype) and " " not in ctype.base


def holds(ctype: CType, kind: str) -> bool:
    """Returns whether a variable of this type can hold a number of that kind."""
    if ctype.depth or ctype.is_function:
        return False
    known = family(ctype.base)
    return is_unknown(ctype) or known == kind or (known, kind) in (("int", "bool"), ("char", "int"), ("char", "bool"))


def as_number(word: str) -> NumberKind | None:
    return cast(NumberKind, word) if word in ("int", "float", "bool", "complex", "char") else None
