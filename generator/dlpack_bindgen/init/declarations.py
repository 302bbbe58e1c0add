"""The declarations of a C header, as records. `header` reads them, and all other modules derive a spec from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from dlpack_bindgen.frozen import Frozen

Kind = Literal["void", "bool", "char", "int", "float", "complex", "enum", "struct", "pointer", "array", "other"]


class DeclaredType(Frozen):
    """A C type as the header spells it."""

    kind: Kind
    """The kind behind all typedefs. `char` is plain `char` alone; a union is a `struct`; functions are `other`."""
    spelling: str
    """The type in the words of the header, without its own `const`: `const double *`, `image_t`."""
    canonical: str = ""
    """The type without typedefs, such as `unsigned char`."""
    is_const: bool = False
    bits: int = 0
    """The size of a number on this machine; 0 for other types."""
    target: DeclaredType | None = None
    """The type behind a pointer, or of the elements of an array."""
    length: int | None = None
    """The number of elements of an array, if it is constant."""
    declaration: str = ""
    """The key of the struct or enum, behind all typedefs, in `Header`."""

    @property
    def is_integer(self) -> bool:
        return self.kind in ("int", "char", "enum", "bool")

    @property
    def is_number(self) -> bool:
        return self.kind in ("int", "char", "bool", "float", "complex")

    @property
    def pointed(self) -> DeclaredType | None:
        """The type behind a pointer or an array parameter, else None."""
        return self.target if self.kind in ("pointer", "array") else None


class Member(Frozen):
    """A field of a struct. Fields of an anonymous struct count as fields of the struct that contains it."""

    name: str
    """The path to the field, such as `size` or `dims.n`."""
    type: DeclaredType
    comment: str = ""
    is_bit_field: bool = False
    in_union: bool = False


class Struct(Frozen):
    key: str
    spelling: str
    """The type as a spec names it: `image_t` or `struct image`."""
    members: tuple[Member, ...] = ()
    is_complete: bool = False
    """Whether the header has the fields of the struct. If not, the struct is opaque."""
    pointer_typedef: str = ""
    """The typedef of a pointer to the struct, such as `fftw_plan`; empty if there is none."""
    comment: str = ""
    names: frozenset[str] = frozenset()
    """The typedefs of the struct and of pointers to it, and its tag: `image_t`, `struct image`."""
    size: int = 0
    """The size in bytes on this machine; 0 for an opaque struct."""
    is_copied: bool = False
    """Whether a function takes or returns the struct by value. A copy has no memory behind the struct."""

    @property
    def member_names(self) -> frozenset[str]:
        return frozenset(each.name for each in self.members)

    @property
    def flexible(self) -> Member | None:
        """The array at the end of the struct, `x[]` or `x[1]`, whose memory can go on behind the struct."""
        own = [each for each in self.members if "[" not in each.name]
        last = own[-1] if own else None
        if last is None or self.is_copied or "." in last.name or last.in_union or last.type.kind != "array":
            return None
        return last if last.type.length in (None, 0, 1) else None

    def shares_memory(self, member: Member) -> bool:
        """Returns whether a member of a union has its memory in common with other types. If the union is an array of
        numbers, and all others have numbers of the same type, the array is the whole union."""
        if not member.in_union:
            return False
        element = member.type.target
        if member.type.kind != "array" or element is None or not element.is_number:
            return True
        numbers = {each.type.canonical for each in self.members if each.type.is_number}
        others = [each for each in self.members if each is not member and each.type.kind != "struct"]
        return not (all(each.type.is_number and each.in_union for each in others) and numbers <= {element.canonical})


class Enum(Frozen):
    key: str
    spelling: str
    """The typedef or `enum tag`; empty for an enum without a name."""
    values: tuple[tuple[str, int], ...]
    comments: Mapping[str, str] = field(default_factory=dict)
    """The comments of the constants that have one."""


class Parameter(Frozen):
    name: str
    type: DeclaredType


class Function(Frozen):
    name: str
    result: DeclaredType
    parameters: tuple[Parameter, ...]
    comment: str = ""
    is_variadic: bool = False
    has_unknown_parameters: bool = False
    """Whether the header has `()`, which does not tell the parameters in C before C23."""


class Macro(Frozen):
    """A macro that stands for one literal."""

    name: str
    kind: Literal["int", "float", "str", "char"]
    value: str


class Header(Frozen):
    """The declarations of one library: those of a header, and of the headers of the same library that it includes."""

    path: str
    include: str
    """The header as `include` of a spec names it: `image.h` or `<gsl/gsl_matrix.h>`."""
    before: tuple[str, ...]
    """Headers that must be included first, because the header lacks them, as `include` of a spec names them."""
    structs: Mapping[str, Struct]
    enums: Mapping[str, Enum]
    functions: tuple[Function, ...]
    macros: tuple[Macro, ...]
    columns: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Macros that read an element of a column-major matrix, by the member with the data and that with the rows."""
    has_objects_of_glib: bool = False
    """Whether the header includes GLib's reference-counted objects."""
