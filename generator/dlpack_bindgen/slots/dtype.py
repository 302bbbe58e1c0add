"""The slot `dtype`: the type of the elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from dlpack_bindgen import dlpack
from dlpack_bindgen.c.assertion import Assertion
from dlpack_bindgen.c.fragments import dtype_literal
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import EXPRESSION, Form, Key, Option, Record, Single
from dlpack_bindgen.language.values import Fields, Leaf, Value, leaf, needed, text_of
from dlpack_bindgen.slots.conditional import Conditional
from dlpack_bindgen.slots.key import SlotKey
from dlpack_bindgen.slots.reading import DTYPE, Reading, SlotValue
from dlpack_bindgen.slots.statements import Statement


class DTypeFields(Fields):
    code = leaf()
    bits = leaf()
    lanes = leaf()


class CTypeFields(Fields):
    c = leaf()


DTYPE_FORMS = (
    Option(Single(Form.DTYPE), "A name: `float32`, `uint8`, `bool`, `complex64`, `bfloat16`, ..."),
    Option(
        Record(
            what="a decoded dtype",
            fields=DTypeFields,
            doc="The fields of a `DLDataType`, for structs that store these numbers and for dtypes without a name. "
            "Constant fields declare a fixed dtype, as a name does.",
            keys=(
                Key(
                    "code",
                    EXPRESSION,
                    "The type code: `kDLInt`, `kDLFloat`, ... Write a code that `dlpack.h` 1.3 lacks as a number.",
                    required=True,
                ),
                Key("bits", EXPRESSION, "The size of one lane in bits.", required=True),
                Key("lanes", EXPRESSION, "The number of lanes of one element.", default="1"),
            ),
        ),
        "The fields of a `DLDataType`, which can be C expressions.",
        tag="code",
    ),
    Option(
        Record(
            what="the dtype of a C type",
            fields=CTypeFields,
            doc="The dtype of an arithmetic C type, which the C compiler determines.",
            keys=(Key("c", Single(Form.CTYPE), "The C type, such as `long` or `index_t`.", required=True),),
        ),
        "The dtype of an arithmetic C type.",
        tag="c",
    ),
)
KEY = SlotKey("dtype", "The type of the elements.", DTYPE_FORMS, "dtypes", unless="match")


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


def read(value: Value) -> DType:
    """Returns the dtype of a valid spec."""
    if isinstance(value, CTypeFields):
        return CTypeDType(needed(text_of(value.c)))
    if not isinstance(value, DTypeFields):
        return NamedDType(cast(Leaf, value).text)
    parts = needed(text_of(value.code)), needed(text_of(value.bits)), text_of(value.lanes) or "1"
    fixed = dlpack.fixed_dtype(*parts)
    if fixed is None:
        return DecodedDType(*parts)
    return NamedDType(fixed.name) if fixed.name in dlpack.DTYPES else NumberedDType(fixed)


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
