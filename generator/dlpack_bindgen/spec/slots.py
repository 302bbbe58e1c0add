"""The slots of a tensor in a valid spec: what and where its array is, and what chooses between them."""

from __future__ import annotations

from functools import cached_property
from typing import Generic, Literal, TypeVar

from dlpack_bindgen import dlpack
from dlpack_bindgen.frozen import Frozen

T = TypeVar("T")

Order = Literal["C", "F", "reversed"]


class Conditional(Frozen, Generic[T]):
    """`[{if: EXPR, value: VALUE}, ..., {value: VALUE}]`: a value chosen by the preprocessor."""

    branches: tuple[tuple[str, T], ...]
    """What follows `#if` or `#elif`, and the value there."""
    otherwise: T | None = None
    """The value behind `#else`; None: there is none."""


# ---- Slots ----


class ListedShape(Frozen):
    """`shape: [EXPR, ...]`: the rank is the length of the list."""

    extents: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        return self.extents


class EachShape(Frozen):
    """`shape: {ndim: EXPR, each: EXPR}`: the rank is known at run time; `axis` is in scope in `each`."""

    ndim: str
    each: str

    @property
    def texts(self) -> tuple[str, ...]:
        return self.ndim, self.each


class ListedStrides(Frozen):
    """`strides: [EXPR, ...]` or `{list: [...], unit: ...}`."""

    items: tuple[str, ...]
    unit: str = "elements"
    """`elements`, `bytes`, `bits`, or a C expression: the bytes of one step."""
    compact_when: str | None = None
    """The condition under which the strides are not read, because the array is compact in `order`."""


class EachStrides(Frozen):
    """`strides: {each: EXPR, unit: ...}`; `axis` is in scope."""

    each: str
    unit: str = "elements"
    compact_when: str | None = None


class OuterStride(Frozen):
    """`strides: {outer: EXPR, unit: ...}`: the outermost axis steps that far, the others are compact."""

    outer: str
    unit: str = "elements"
    compact_when: str | None = None


class RowPointers(Frozen):
    """`strides: {rows: EXPR}`: a table of pointers to the rows, whose distance must be constant (or is gathered)."""

    rows: str
    compact_when: str | None = None


class NamedDType(Frozen):
    name: str

    @property
    def numbers(self) -> dlpack.DType:
        return dlpack.DTYPES[self.name]


class NumberedDType(Frozen):
    """`dtype: {code: 18, bits: 32}`: constants for which there is no name."""

    numbers: dlpack.DType

    @property
    def name(self) -> str:
        return self.numbers.name


class DecodedDType(Frozen):
    """`dtype: {code: EXPR, bits: EXPR, lanes: EXPR}`, in the numbers of `DLDataType` that the struct has."""

    code: str
    bits: str
    lanes: str = "1"


class CTypeDType(Frozen):
    """`dtype: {c: TYPE}`: the dtype of an arithmetic C type."""

    ctype: str
    is_complex: bool = False
    """`numbers` says that it is a complex number, which may be a struct."""

    @property
    def code(self) -> str:
        """Its type code, in C."""
        return f"DLB_{'COMPLEX_' if self.is_complex else ''}CODE_OF({self.ctype})"

    @property
    def value(self) -> str:
        """The dtype itself, in C."""
        return f"DLB_{'COMPLEX_' if self.is_complex else ''}DTYPE_OF({self.ctype})"


class Device(Frozen):
    """A device type by name (`cpu`, `cuda`, ...) or number, and the expression of its id (None: 0)."""

    type: str
    id: str | None = None


Shape = ListedShape | EachShape
Strides = ListedStrides | EachStrides | OuterStride | RowPointers
FixedDType = NamedDType | NumberedDType
DType = FixedDType | DecodedDType | CTypeDType


class Slots(Frozen):
    """What a tensor sets beside its matches, or one arm of a match; None: not set here."""

    dtype: DType | Conditional[DType] | None = None
    device: Device | Conditional[Device] | None = None
    shape: Shape | Conditional[Shape] | None = None
    order: Order | Conditional[Order] | None = None
    strides: Strides | Conditional[Strides] | None = None
    data: str | Conditional[str] | None = None
    byte_offset: str | Conditional[str] | None = None
    readonly: str | Conditional[str] | None = None

    def names(self) -> tuple[str, ...]:
        """The slots that are set."""
        return tuple([name for name, value in vars(self).items() if value is not None])


class Arm(Frozen):
    """`{when: KEY, slot: ..., import: true}`."""

    when: tuple[tuple[str, ...] | None, ...]
    """For each value of `of` the keys that fit (several: `{any: [...]}`); None: `_`, whatever the value is."""
    slots: Slots
    imports: bool | None = None
    """Whether imports prefer the arm, or never take it; None: if it fits."""
    condition: str | None = None
    """What follows `#if` around the arm."""


class Match(Frozen):
    """`match: {of, arms, default}`, or a slot `{of, map, default}`. Keys are compared with `==`, string
    literals with `strcmp`."""

    of: tuple[str, ...]
    arms: tuple[Arm, ...]
    default: Slots | None = None
    """None: a value that fits no arm is a BufferError."""

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The slots that any arm sets, in the order of `Slots`; no other match sets them."""
        every = [arm.slots for arm in self.arms] + ([self.default] if self.default else [])
        named = {name for slots in every for name in slots.names()}
        return tuple([name for name in Slots.__annotations__ if name in named])
