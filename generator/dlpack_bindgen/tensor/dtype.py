"""The slot `dtype`: the type of the elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from dlpack_bindgen import dlpack
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import EXPRESSION, Form, Key, Option, Record, Single
from dlpack_bindgen.language.values import Leaf, Value, is_record, needed, text_of
from dlpack_bindgen.tensor.shape import counted
from dlpack_bindgen.tensor.slot import DTYPE, Conditional, Reading, RecordSlot, SlotValue, Statement
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import Assertion, Piece, dtype_literal
from dlpack_bindgen.text.types import NumberKind, RecordType

CODE = Key[Leaf](
    "code",
    EXPRESSION,
    "The type code: `kDLInt`, `kDLFloat`, ... Write a code that `dlpack.h` 1.3 lacks as a number.",
    required=True,
)
BITS = Key[Leaf]("bits", EXPRESSION, "The size of one lane in bits.", required=True)
LANES = Key[Leaf]("lanes", EXPRESSION, "The number of lanes of one element.", default="1")
C_OF_DTYPE = Key[Leaf]("c", Single(Form.CTYPE), "The C type, such as `long`, `index_t`, or a struct.", required=True)
DECODED_DTYPE = Record(
    what="a decoded dtype",
    doc="The fields of a `DLDataType`, for structs that store these numbers and for dtypes without a name. "
    "Constant fields declare a fixed dtype, as a name does.",
    keys=(CODE, BITS, LANES),
)
DTYPE_OF_C_TYPE = Record(
    what="the dtype of a C type",
    doc="The dtype of an arithmetic C type, which the C compiler determines, or of a struct in `records`.",
    keys=(C_OF_DTYPE,),
)
DTYPE_FORMS = (
    Option(Single(Form.DTYPE), "A name: `float32`, `uint8`, `bool`, `complex64`, `bfloat16`, ..."),
    Option(DECODED_DTYPE, "The fields of a `DLDataType`, which can be C expressions.", tag="code"),
    Option(DTYPE_OF_C_TYPE, "The dtype of an arithmetic C type, or a struct in `records`.", tag="c"),
)


class NamedDType(SlotValue, Frozen):
    name: str

    record_table = ""

    @property
    def in_words(self) -> str:
        return self.name

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

    record_table = ""

    @property
    def in_words(self) -> str:
        return self.name

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

    @property
    def in_words(self) -> str:
        lanes = f", lanes {self.lanes}" if self.lanes != "1" else ""
        return f"the DLPack dtype with the code {self.code}, bits {self.bits}{lanes}"

    def assertions(self, reading: Reading) -> Iterator[Assertion]:
        for name, part in vars(self).items():
            yield from reading.integers(f"dtype.{name}", part)


class CTypeDType(SlotValue, Frozen):
    """`dtype: {c: TYPE}`: the dtype of an arithmetic C type, or of a struct in `records`. It stands for the elements of
    an array that have this C type."""

    ctype: str
    number: NumberKind | None = None
    """The kind of number that `numbers` declares for the type. A complex number may be a struct."""
    record: RecordType | None = None
    """The fields of a struct. DLPack has no dtype for records: the runtime uses a vector of bytes."""

    @property
    def is_complex(self) -> bool:
        return self.number == "complex"

    @property
    def record_table(self) -> str:
        """The C name of the `dlb_record` of a struct; empty: the elements are numbers."""
        return self.record.table if self.record is not None else ""

    @property
    def in_words(self) -> str:
        if self.record is not None:
            return f"{self.record.words.replace('`', '')} (C's {self.ctype})"
        return f"the dtype of C's {self.ctype}{', a complex number' if self.is_complex else ''}"

    @property
    def code(self) -> str:
        """The type code, as a C expression."""
        if self.record is not None:
            return "kDLOpaqueHandle"
        return f"DLB_{'COMPLEX_' if self.is_complex else ''}CODE_OF({self.ctype})"

    @property
    def value(self) -> str:
        """The dtype, as a C expression."""
        if self.record is not None:
            return f"DLB_DTYPE_OF_RECORD({self.ctype})"
        return f"DLB_{'COMPLEX_' if self.is_complex else ''}DTYPE_OF({self.ctype})"

    @property
    def words(self) -> str | None:
        return self.ctype

    @property
    def required(self) -> str | None:
        if self.record is not None:
            return f"{{{self.code}, 8, sizeof({self.ctype})}}"
        return f"{{{self.code}, 8 * sizeof({self.ctype}), 1}}"

    @property
    def default(self) -> str | None:
        return "..."  # only the compiler knows the name

    def fragments(self) -> list[str | None]:
        return []

    def assertions(self, reading: Reading) -> Iterator[Assertion]:
        if self.is_complex:
            message = f"{reading.scope.name}.dtype: {self.ctype} must be a complex number"
            yield Assertion("COMPLEX", (reading.argument(self.ctype),), message)


FixedDType = NamedDType | NumberedDType
DType = FixedDType | DecodedDType | CTypeDType


def read(value: Value) -> DType:
    """Returns the dtype of a valid spec."""
    if is_record(value, DTYPE_OF_C_TYPE):
        return CTypeDType(needed(text_of(value[C_OF_DTYPE])))
    if not is_record(value, DECODED_DTYPE):
        return NamedDType(cast(Leaf, value).text)
    parts = needed(text_of(value[CODE])), needed(text_of(value[BITS])), text_of(value[LANES]) or "1"
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


_C_TYPES = {
    "int": "kDLInt",
    "uint": "kDLUInt",
    "unsigned": "kDLUInt",
    "float": "kDLFloat",
    "double": "kDLFloat",
    "bool": "kDLBool",
    "complex": "kDLComplex",
}


class DTypeSlot(RecordSlot):
    """The dtype. DLPack must have a dtype with the constant numbers of the spec."""

    name = "dtype"
    doc = "The type of the elements."
    forms = DTYPE_FORMS
    values = "dtypes"
    unless = "match"

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        if not is_record(value, DECODED_DTYPE):
            return
        code, bits, lanes = value[CODE], value[BITS], value[LANES]
        found = _code_problem(code) if code else None
        if found is not None:
            yield found
        known = dlpack.code_of(code.text) if code and found is None else None
        if bits:
            yield from _bits_problems(bits, known)
        if lanes and not _is_within(lanes, 65535):
            yield Diagnostic("bad-dtype", lanes.span, "there are 1 to 65535 lanes")

    def read(self, value: Value, further: str | None) -> DType:
        return read(value)

    def identity(self, value: Value) -> str | None:
        if is_record(value, DTYPE_OF_C_TYPE):
            return f"{{c: {text_of(value[C_OF_DTYPE])}}}"
        fixed = constant_dtype(value) if is_record(value, DECODED_DTYPE) else None
        return fixed.name if fixed is not None else text_of(value)

    def statements(self, value: DType, reading: Reading) -> list[Statement]:
        if isinstance(value, DecodedDType):
            return [
                Piece("tensor/slots", "decoded_dtype", [*map(reading.integer, (value.code, value.bits, value.lanes))])
            ]
        return [Piece("tensor/slots", "dtype", constant(value))]

    def remarks(self, value: DType) -> list[str]:
        """Returns a sentence about elements that share bytes, or about records."""
        if isinstance(value, CTypeDType) and value.record is not None:
            return [
                "DLPack has no records: __dlpack__() raises a BufferError. np.asarray(x) and memoryview(x) show them."
            ]
        if not isinstance(value, FixedDType):
            return []
        bits = value.numbers.bits * value.numbers.lanes
        return [f"Elements of {counted(str(bits), 'bits')} share bytes, without gaps."] if bits % 8 else []


def constant_dtype(value: Value) -> dlpack.DType | None:
    """Returns the dtype of a value in the spec if it is constant, or None."""
    if isinstance(value, Leaf):
        return dlpack.DTYPES.get(value.text)
    if not is_record(value, DECODED_DTYPE):
        return None
    code, bits = text_of(value[CODE]), text_of(value[BITS])
    return dlpack.fixed_dtype(code, bits, text_of(value[LANES]) or "1") if code and bits else None


def _code_problem(code: Leaf) -> Diagnostic | None:
    later, ctype = dlpack.LATER_CODES.get(code.text), _C_TYPES.get(code.text)
    if later is not None:
        return Diagnostic("bad-dtype", code.span, f"DLPack 1.3 has no {code.text}", f"write {later}")
    if ctype is not None:
        message = f"'{code.text}' is a type of C, and not a code of a dtype"
        return Diagnostic("bad-dtype", code.span, message, f"write {ctype}")
    value = dlpack.number(code.text)
    if value is not None and not 0 <= value <= dlpack.GREATEST_CODE:
        return Diagnostic("bad-dtype", code.span, f"a dtype code is 0 to {dlpack.GREATEST_CODE}")
    return None


def _bits_problems(bits: Leaf, code: str | None) -> Iterator[Diagnostic]:
    known, value = dlpack.widths(code) if code else None, dlpack.number(bits.text)
    if code and not known and value is None:
        message = f"the widths of the dtype code {code} are unknown: write a number of bits"
        yield Diagnostic("bad-dtype", bits.span, message)
    elif not _is_within(bits, 255):
        yield Diagnostic("bad-dtype", bits.span, "the bits of a lane are 1 to 255")
    elif known and value is not None and value not in known:
        allowed = " or ".join(", ".join(map(str, known)).rsplit(", ", 1))
        yield Diagnostic("bad-dtype", bits.span, f"elements of the dtype code {code} have {allowed} bits")


def _is_within(leaf: Leaf, most: int) -> bool:
    """Returns whether the number is between 1 and `most`. Other C text is accepted."""
    value = dlpack.number(leaf.text)
    return value is None or 1 <= value <= most
