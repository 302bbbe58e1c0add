"""The slot `dtype`: the type of the elements."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen import dlpack
from dlpack_bindgen.c.assertion import Assertion
from dlpack_bindgen.c.fragments import dtype_literal
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.conditional import Conditional
from dlpack_bindgen.slots.reading import DTYPE, Reading, SlotValue
from dlpack_bindgen.slots.statements import Statement


class DTypeFacts(Frozen):
    """The facts for `templates/slots/dtype.c.j2`."""

    constant: str
    """A dtype that the compiler knows, as a C expression; empty: the object has its parts."""
    parts: tuple[str, ...] = ()


class NamedDType(SlotValue, Frozen):
    name: str

    @property
    def numbers(self) -> dlpack.DType:
        return dlpack.DTYPES[self.name]

    @property
    def words(self) -> str | None:
        """The dtype in documentation; None: the object has it only at run time."""
        return self.name

    @property
    def required(self) -> str | None:
        """The dtype of imported arrays as a C initialiser; None: the object has it only at run time."""
        return _initialiser(self.numbers)

    @property
    def default(self) -> str | None:
        """The default dtype of `empty()` as Python shows it."""
        return repr(self.name)

    def fragments(self) -> list[str | None]:
        return []


class NumberedDType(SlotValue, Frozen):
    """`dtype: {code: 18, bits: 32}`: constants for a dtype without a name."""

    numbers: dlpack.DType

    @property
    def name(self) -> str:
        return self.numbers.name

    @property
    def words(self) -> str | None:
        return self.name

    @property
    def required(self) -> str | None:
        return _initialiser(self.numbers)

    @property
    def default(self) -> str | None:
        return "..."  # there is no default

    def fragments(self) -> list[str | None]:
        return []


class DecodedDType(SlotValue, Frozen):
    """`dtype: {code: EXPR, bits: EXPR, lanes: EXPR}`: C expressions for the members of the `DLDataType`."""

    code: str
    bits: str
    lanes: str = "1"
    words = required = default = None

    def assertions(self, reading: Reading) -> Iterator[Assertion]:
        for name, part in vars(self).items():
            yield from reading.integers(f"dtype.{name}", part)


class CTypeDType(SlotValue, Frozen):
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

    @property
    def words(self) -> str | None:
        return self.ctype

    @property
    def required(self) -> str | None:
        return f"{{{self.code}, 8 * sizeof({self.ctype}), 1}}"

    @property
    def default(self) -> str | None:
        return "..."  # only the compiler knows the name

    def fragments(self) -> list[str | None]:
        return []

    def assertions(self, reading: Reading) -> Iterator[Assertion]:
        if self.is_complex:
            yield reading.asserted("COMPLEX", "dtype", self.ctype, "a complex number")


FixedDType = NamedDType | NumberedDType
DType = FixedDType | DecodedDType | CTypeDType


def _initialiser(numbers: dlpack.DType) -> str:
    return f"{{{numbers.code}, {numbers.bits}, {numbers.lanes}}}"


def constant(dtype: FixedDType | CTypeDType) -> str:
    """Returns a dtype that the compiler knows, as a C expression."""
    return dtype.value if isinstance(dtype, CTypeDType) else dtype_literal(dtype.numbers)


def known_dtype(dtype: DType | Conditional[DType] | None) -> str:
    """Returns the dtype as a constant for the compiler if it is fixed, or else the dtype of the view."""
    return constant(dtype) if isinstance(dtype, FixedDType | CTypeDType) else DTYPE


def test_of_import(dtype: DType) -> str | None:
    """Returns the condition that an imported array has the dtype. None: the object has the dtype only at run time."""
    return f"dlb_same_dtype(source->dtype, {constant(dtype)})" if not isinstance(dtype, DecodedDType) else None


def statements(dtype: DType, reading: Reading) -> list[Statement]:
    if isinstance(dtype, DecodedDType):
        facts = DTypeFacts("", tuple(map(reading.integer, (dtype.code, dtype.bits, dtype.lanes))))
    else:
        facts = DTypeFacts(constant(dtype))
    return [Piece("slots/dtype", "dtype", facts)]
