"""What a valid spec says, every default filled in: the output of `validate`, the input of `bind`.

C text is kept exactly as the spec has it (YAML quoting removed, line breaks folded to one space). Names of dtypes and
devices are known to exist (`dlpack.py`); identifiers are valid C.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

T = TypeVar("T")

Order = Literal["C", "F", "reversed"]
Unit = Literal["elements", "bytes"]


@dataclass(frozen=True)
class Choice(Generic[T]):
    """`{of: EXPR, map: {KEY: VALUE, ...}, default: VALUE}`: the value of one slot, chosen at run time (rule 2)."""

    of: str
    cases: tuple[tuple[str, T], ...]
    default: T | None = None


@dataclass(frozen=True)
class Check:
    """`{expr, message}`, or a plain expression (then `message` is None): what must hold at every reading."""

    expr: str
    message: str | None = None


@dataclass(frozen=True)
class ListedShape:
    """`shape: [EXPR, ...]`: the rank is the length of the list."""

    extents: tuple[str, ...]


@dataclass(frozen=True)
class EachShape:
    """`shape: {ndim: EXPR, each: EXPR}`: the rank is known at run time; `axis` is in scope in `each`."""

    ndim: str
    each: str


@dataclass(frozen=True)
class ListedStrides:
    """`strides: [EXPR, ...]` or `{list: [...], unit: ...}`."""

    items: tuple[str, ...]
    unit: Unit = "elements"


@dataclass(frozen=True)
class EachStrides:
    """`strides: {each: EXPR, unit: ...}`; `axis` is in scope."""

    each: str
    unit: Unit = "elements"


@dataclass(frozen=True)
class OuterStride:
    """`strides: {outer: EXPR, unit: ...}`: the outermost axis steps that far, the others are compact."""

    outer: str
    unit: Unit = "elements"


Shape = ListedShape | EachShape
Strides = ListedStrides | EachStrides | OuterStride


@dataclass(frozen=True)
class Device:
    """A device type by name (`cpu`, `cuda`, ...) or chosen at run time, and the expression of its id (None: 0)."""

    type: str | Choice[str]
    id: str | None = None


@dataclass(frozen=True)
class Requirements:
    """What an import (or `allocate`) accepts, read from its `require` list; checked in the order of the fields."""

    ndim: tuple[int, int] | None = None
    dtype: str | None = None
    writable: bool = False
    compact: bool = False
    inner_compact: bool = False
    no_overlap: bool = False
    nonnegative_strides: bool = False
    align: int | None = None
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True)
class Let:
    """`{T name: EXPR}`: a C variable, range-checked where T is an integer type."""

    ctype: str
    name: str
    value: str


@dataclass(frozen=True)
class SetFields:
    """`set: {FIELD: EXPR, ...}`: the struct lives in a generated box; FIELD is what follows `self->`."""

    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Construct:
    """`construct: CALL`: a call of the library that yields the object; `ok` is normalised to an expression with `%`."""

    call: str
    ok: str | None = None
    error: str | None = None


@dataclass(frozen=True)
class Import:
    build: SetFields | Construct
    let: tuple[Let, ...] = ()
    require: Requirements = Requirements()
    destroy: str | None = None
    """How a constructed object goes away; the tensor's `release` by default, None for `destroy: none` and for `set`."""


@dataclass(frozen=True)
class Allocate:
    build: Construct
    let: tuple[Let, ...] = ()
    require: Requirements = Requirements()


@dataclass(frozen=True)
class Tensor:
    name: str
    type: str
    data: str
    dtype: str | Choice[str]
    shape: Shape
    doc: str | None = None
    strides: Strides | None = None
    """None: compact in `order`."""
    order: Order = "C"
    device: Device = Device("cpu")
    readonly: str | None = None
    """None: read-only exactly when `data` points to const."""
    require: tuple[Check, ...] = ()
    retain: str | None = None
    release: str | None = None
    """None: a borrow."""
    allocate: Allocate | None = None
    import_: Import | None = None


@dataclass(frozen=True)
class Spec:
    file: str
    """The base name of the spec file, which the output mentions."""
    module: str
    prefix: str
    license: str
    doc: str | None
    includes: tuple[str, ...]
    """As C writes them: `"image.h"` or `<gsl/gsl_matrix.h>`."""
    tensors: tuple[Tensor, ...]
