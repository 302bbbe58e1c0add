"""Rules for dtypes with constant numbers: DLPack must have such a dtype."""

from __future__ import annotations

from dlpack_bindgen.diagnostics import Diagnostic
from dlpack_bindgen.dlpack import (
    DTYPES,
    GREATEST_CODE,
    LATER_CODES,
    DType,
    code_of,
    fixed_dtype,
    number,
    widths,
)
from dlpack_bindgen.language.language import ClassFields
from dlpack_bindgen.language.slots import DTypeFields
from dlpack_bindgen.language.values import Leaf, Value, text_of
from dlpack_bindgen.validate.arms import Match, branches, plain
from dlpack_bindgen.validate.structure import Report

_KINDS = {
    "int": "kDLInt",
    "uint": "kDLUInt",
    "unsigned": "kDLUInt",
    "float": "kDLFloat",
    "double": "kDLFloat",
    "bool": "kDLBool",
    "complex": "kDLComplex",
}


def constant_dtype(value: Value) -> DType | None:
    """Returns the dtype of a value without conditions if it is constant, or None."""
    if isinstance(value, Leaf):
        return DTYPES.get(value.text)
    if not isinstance(value, DTypeFields):
        return None
    code, bits = text_of(value.code), text_of(value.bits)
    return fixed_dtype(code, bits, text_of(value.lanes) or "1") if code and bits else None


def check(tensor: ClassFields, matches: tuple[Match, ...], report: Report) -> None:
    values = [plain(tensor, "dtype"), *(arm.slots.get("dtype") for match in matches for arm in match.outcomes())]
    for value in values:
        for dtype in branches(value):
            if isinstance(dtype, DTypeFields):
                _numbers(dtype, report)


def _numbers(dtype: DTypeFields, report: Report) -> None:
    code, bits, lanes = dtype.code, dtype.bits, dtype.lanes
    known = _code(code, report) if code else None
    if bits:
        _bits(bits, known, report)
    if lanes and not _within(lanes, 65535):
        report(Diagnostic("bad-dtype", lanes.span, "there are 1 to 65535 lanes"))


def _code(code: Leaf, report: Report) -> str | None:
    """Reports an invalid dtype code; returns the code if it is known, or None."""
    if code.text in LATER_CODES:
        hint = f"write {LATER_CODES[code.text]}"
        report(Diagnostic("bad-dtype", code.span, f"DLPack 1.3 has no {code.text}", hint))
        return None
    if code.text in _KINDS:
        message = f"'{code.text}' is a type of C, and not a code of a dtype"
        report(Diagnostic("bad-dtype", code.span, message, f"write {_KINDS[code.text]}"))
        return None
    value = number(code.text)
    if value is not None and not 0 <= value <= GREATEST_CODE:
        report(Diagnostic("bad-dtype", code.span, f"a dtype code is 0 to {GREATEST_CODE}"))
        return None
    return code_of(code.text)


def _bits(bits: Leaf, code: str | None, report: Report) -> None:
    known = widths(code) if code else None
    if code and not known and number(bits.text) is None:
        message = f"the widths of the dtype code {code} are unknown: write a number of bits"
        report(Diagnostic("bad-dtype", bits.span, message))
    elif not _within(bits, 255):
        report(Diagnostic("bad-dtype", bits.span, "the bits of a lane are 1 to 255"))
    elif code and known and (value := number(bits.text)) is not None and value not in known:
        allowed = " or ".join(", ".join(map(str, known)).rsplit(", ", 1))
        report(Diagnostic("bad-dtype", bits.span, f"elements of the dtype code {code} have {allowed} bits"))


def _within(leaf: Leaf, most: int) -> bool:
    """Returns whether the number is between 1 and `most`. Other C text is accepted."""
    value = number(leaf.text)
    return value is None or 1 <= value <= most
