"""The slots of a tensor in a valid spec: its data, shape, strides, dtype and device, and the matches that choose
between slots."""

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
    """The condition after `#if` or `#elif`, and the value under that condition."""
    otherwise: T | None = None
    """The value after `#else`; None: there is no `#else`."""


# ---- Slots ----


class ListedShape(Frozen):
    """`shape: [EXPR, ...]`: the length of the list is the rank."""

    extents: tuple[str, ...]

    @property
    def expressions(self) -> tuple[str, ...]:
        return self.extents


class EachShape(Frozen):
    """`shape: {ndim: EXPR, each: EXPR}`: the rank is known at run time; `axis` is in scope in `each`."""

    ndim: str
    each: str

    @property
    def expressions(self) -> tuple[str, ...]:
        return self.ndim, self.each


class ListedStrides(Frozen):
    """`strides: [EXPR, ...]` or `{list: [...], unit: ...}`."""

    items: tuple[str, ...]
    unit: str = "elements"
    """`elements`, `bytes`, `bits`, or a C expression for the number of bytes in one step."""
    compact_when: str | None = None
    """A condition. If it holds, the array is compact in `order` and the strides are not read."""


class EachStrides(Frozen):
    """`strides: {each: EXPR, unit: ...}`; `axis` is in scope."""

    each: str
    unit: str = "elements"
    compact_when: str | None = None


class OuterStride(Frozen):
    """`strides: {outer: EXPR, unit: ...}`: the stride of the outermost axis. The other axes are compact."""

    outer: str
    unit: str = "elements"
    compact_when: str | None = None


class RowPointers(Frozen):
    """`strides: {rows: EXPR}`: a table of pointers to the rows. Rows at a varying distance are copied, or refused."""

    rows: str
    compact_when: str | None = None


class NamedDType(Frozen):
    name: str

    @property
    def numbers(self) -> dlpack.DType:
        return dlpack.DTYPES[self.name]


class NumberedDType(Frozen):
    """`dtype: {code: 18, bits: 32}`: constants for a dtype without a name."""

    numbers: dlpack.DType

    @property
    def name(self) -> str:
        return self.numbers.name


class DecodedDType(Frozen):
    """`dtype: {code: EXPR, bits: EXPR, lanes: EXPR}`: C expressions for the members of the `DLDataType`."""

    code: str
    bits: str
    lanes: str = "1"


class CTypeDType(Frozen):
    """`dtype: {c: TYPE}`: the dtype of an arithmetic C type."""

    ctype: str
    is_complex: bool = False
    """Whether `numbers` declares the type as complex; it may be a struct."""

    @property
    def code(self) -> str:
        """The type code, as a C expression."""
        return f"DLB_{'COMPLEX_' if self.is_complex else ''}CODE_OF({self.ctype})"

    @property
    def value(self) -> str:
        """The dtype, as a C expression."""
        return f"DLB_{'COMPLEX_' if self.is_complex else ''}DTYPE_OF({self.ctype})"


class Device(Frozen):
    """A device type, given by name (`cpu`, `cuda`, ...) or number, and a C expression for the device id (None: 0)."""

    type: str
    id: str | None = None


Shape = ListedShape | EachShape
Strides = ListedStrides | EachStrides | OuterStride | RowPointers
FixedDType = NamedDType | NumberedDType
DType = FixedDType | DecodedDType | CTypeDType


class Slots(Frozen):
    """The slots of a tensor outside its matches, or of one arm of a match; None: not set here."""

    dtype: DType | Conditional[DType] | None = None
    device: Device | Conditional[Device] | None = None
    shape: Shape | Conditional[Shape] | None = None
    order: Order | Conditional[Order] | None = None
    strides: Strides | Conditional[Strides] | None = None
    data: str | Conditional[str] | None = None
    byte_offset: str | Conditional[str] | None = None
    readonly: str | Conditional[str] | None = None

    def names(self) -> tuple[str, ...]:
        """Returns the names of the slots that are set."""
        return tuple([name for name, value in vars(self).items() if value is not None])


class Arm(Frozen):
    """An arm of a match: `{when: KEY, slot: ..., import: true}`."""

    when: tuple[tuple[str, ...] | None, ...]
    """The accepted keys for each value of `of` (several keys: `{any: [...]}`); None: `_`, which accepts every value."""
    slots: Slots
    imports: bool | None = None
    """True: imports prefer the arm. False: imports never use it. None: imports use it if it fits."""
    condition: str | None = None
    """The condition of the `#if` around the arm."""


class Match(Frozen):
    """`match: {of, arms, default}`, or a slot `{of, map, default}`. C code compares keys with `==`, and string literals
    with `strcmp`."""

    of: tuple[str, ...]
    arms: tuple[Arm, ...]
    default: Slots | None = None
    """The slots for values without an arm; None: such a value raises BufferError."""

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The slots that any arm sets, in the order of `Slots`. No other match sets them."""
        every = [arm.slots for arm in self.arms] + ([self.default] if self.default else [])
        named = {name for slots in every for name in slots.names()}
        return tuple([name for name in Slots.__annotations__ if name in named])
