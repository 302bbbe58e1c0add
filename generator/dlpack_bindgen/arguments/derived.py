"""Lengths, strides and flags of another argument. Python does not pass them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Scope
from dlpack_bindgen.arguments.kind import Kind
from dlpack_bindgen.arguments.measure import Measure, MeasureKind
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import MAX_RANK, PARAMETER, Integer, Key, Needs, Word, Words, flag
from dlpack_bindgen.language.names import Mistake
from dlpack_bindgen.language.values import Leaf, is_true, text_of
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType, declared, family, holds, is_unsigned

if TYPE_CHECKING:
    from dlpack_bindgen.validate.functions.calls import Call

MEASURES: dict[str, MeasureKind] = {
    "count_of": "count",
    "size_of": "size",
    "extent_of": "extent",
    "stride_of": "stride",
    "flags_of": "flags",
}
"""The keys of which an entry has at most one."""


class DerivedFacts(Frozen):
    """The facts for `templates/arguments/derived.c.j2`."""

    function: str
    """The name of the `dlb_py_function` constant."""
    measure: str
    """The macro of the template that prints the value before the sum."""
    of: str
    argument: str
    """The other argument: an array or object, or the variable of a table of strings."""
    axis: int
    added: int
    """The constant that is added, or 0."""
    subtracted: int
    """The constant that is subtracted, or 0."""


COUNT_OF = Key[Leaf](
    "count_of",
    PARAMETER,
    "The number of elements, or of objects, of another argument. Python does not pass it.",
    details=(
        "A `vec *` whose class has a constant `shape` is one object: it has no count.",
        "Beside the `T *` of another class, the number may count an array of structs. `unit: elements` "
        "declares that C has one object, and counts its elements.",
        "An element of `bytes` is one byte, and C must have a pointer to bytes.",
    ),
    after="cast",
)
SIZE_OF = Key[Leaf](
    "size_of",
    PARAMETER,
    "The size of another argument in bytes, from its first element to its last, with gaps between rows. Python "
    "does not pass it.",
    after="count_of",
)
EXTENT_OF = Key[Leaf](
    "extent_of",
    PARAMETER,
    "The extent of one axis of another argument, in elements. Python does not pass it.",
    details=(
        "The array has the axes that such parameters name with `axis`, and no more, unless its `require` has `ndim`.",
    ),
    after="size_of",
)
STRIDE_OF = Key[Leaf](
    "stride_of",
    PARAMETER,
    "The stride of one axis of another argument, in the given `unit`. Python does not pass it.",
    details=(
        "All other axes are compact. Their order is column-major, as in Fortran, if the last axis has a "
        "`stride_of` and the first axis does not.",
        "In an array that C only reads, the stride can be 0: one element in memory then stands for all "
        "elements of the axis. If 0 has another meaning in C, such as compact rows, add `require: "
        "[no_overlap]`.",
    ),
    after="extent_of",
)
FLAGS_OF = Key[Leaf](
    "flags_of", PARAMETER, "The DLPack flags of another argument. Python does not pass them.", after="stride_of"
)
AXIS = Key[Leaf](
    "axis",
    Integer(0, MAX_RANK - 1),
    "The index of the axis.",
    default="0",
    needs=Needs(("extent_of", "stride_of"), "it selects the axis for that key"),
    after="param_of",
)
UNIT = Key[Leaf](
    "unit",
    Words(
        (
            Word("elements", "C counts elements."),
            Word("bytes", "C counts bytes, as image libraries do between rows."),
        )
    ),
    "The unit that C counts in.",
    default="`elements`; sometimes required, see below",
    needs=Needs(("stride_of", "count_of", "size_of", "extent_of"), "it is the unit of that number"),
    details=(
        "For a length: C counts the elements of the single object behind a `T *`, or its bytes with "
        "`size_of`. `unit` is required if the number may count an array of structs.",
        "For a stride, it is required if elements can be larger than a byte and the name of the parameter "
        "suggests bytes (`pitch`). It is also required if the array may have dtypes of several sizes.",
    ),
    after="axis",
)
NEGATIVE = flag(
    "negative",
    "The stride can be negative. The pointer refers to the first element, not to the lowest address.",
    "An array with a negative stride is refused. BLAS and other libraries expect the lowest address for a "
    "negative stride.",
    "Whether the stride may be negative: the array then runs backwards from its pointer along the axis.",
    needs=Needs(("stride_of",), "it describes a stride"),
    after="unit",
)
PLUS = Key[Leaf](
    "plus",
    Integer(-16, 16),
    "A number that is added to the value: -1 if n + 1 offsets describe n rows.",
    default="0",
    needs=Needs(("count_of", "size_of", "extent_of", "stride_of"), "it is added to that number"),
    after="negative",
)


class Derived(Measure, Kind):
    """A value derived from another parameter. Python does not pass it."""

    selectors = tuple(MEASURES)
    has_address = True
    keys = (
        COUNT_OF,
        SIZE_OF,
        EXTENT_OF,
        STRIDE_OF,
        FLAGS_OF,
        AXIS,
        UNIT,
        NEGATIVE,
        PLUS,
    )

    is_passed = False
    outlasts_call = True

    @property
    def measure(self) -> Measure:
        return self

    @property
    def described(self) -> str:
        return self.of

    def origin(self, name: str) -> str:
        values = {
            "count": "the number of elements",
            "size": "the number of bytes",
            "extent": f"the extent of axis {self.axis}",
            "stride": f"the stride of axis {self.axis}, in {'bytes' if self.in_bytes else 'elements'},",
            "flags": "the DLPack flags",
        }
        added = f", {'plus' if self.plus > 0 else 'minus'} {abs(self.plus)}" if self.plus else ""
        return f"`{name}` is {values[self.what]} of `{self.of}`{added}."

    @classmethod
    def by_keys(cls, entry: ParameterEntry) -> Derived | None:
        for key, what in MEASURES.items():
            if of := text_of(entry.fields.value_of(key)):
                in_bytes = key == "stride_of" and text_of(entry.fields[UNIT]) == "bytes"
                axis, plus = int(text_of(entry.fields[AXIS]) or 0), int(text_of(entry.fields[PLUS]) or 0)
                return _checked(cls(what, of, axis, plus, in_bytes, is_true(entry.fields[NEGATIVE])), entry, key)
        return None

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        of = call.find(self.of)
        is_counted = self.what == "count" and of is not None and (of.kind.is_list or of.kind.is_table_of_strings)
        written = entry.fields.value_of(self.key)
        if of is None or written is None or is_counted:
            return
        span = written.span
        if not call.has_shape(of):
            what = "objects, strings or an array" if self.what == "count" else "an array"
            shown = [f"'{other.name}'" for other in call.arguments if call.has_shape(other)]
            hint = f"did you mean {shown[0]}?" if len(shown) == 1 else None
            if length := of.kind.length(self.of, ctype):
                hint = f"write {{{entry.parameter.name}: {{value: {length}}}}}"
            yield Diagnostic("measure-of", span, f"'{self.of}' is not {what}, which '{self.key}' needs", hint)
            return
        most = call.highest_rank(of)
        if most is not None and self.axis >= most and not (self.is_length and call.is_one_struct(of)):
            message = f"axis {self.axis} of '{self.of}', which has {most} {'axis' if most == 1 else 'axes'} at most"
            yield Diagnostic("index-out-of-rank", entry.fields.place(AXIS, span), message)

    def facts(self, scope: Scope) -> Facts:
        call = scope.call
        if call.is_table_of_strings(self.of):
            measure, argument = "strings", call.variable(self.of)
        else:
            measure, argument = "byte_stride" if self.in_bytes else self.what, call.place(self.of).argument
        added, subtracted = max(self.plus, 0), max(-self.plus, 0)
        return Facts(
            template="arguments/derived",
            own=DerivedFacts(call.table, measure, self.of, argument, self.axis, added, subtracted),
            declaration=declared(scope.ctype, scope.variable),
        )

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        yield Piece("arguments/derived", "variable", facts)
        if self.in_bytes:
            yield Piece("arguments/derived", "has_part_of_byte", facts, is_condition=True)
        if self.what == "stride" and not self.negative and scope.call.has_negative_strides(self.of):
            yield Piece("arguments/derived", "runs_backwards", facts, is_condition=True)
        if self.plus < 0 and self.what != "stride":
            yield Piece("arguments/derived", "is_too_short", facts, is_condition=True)
        yield Piece("arguments/derived", "does_not_fit", facts, is_condition=True)


def _checked(derived: Derived, entry: ParameterEntry, key: str) -> Derived:
    """Returns the kind. Raises Mistake if its type or another key of the entry contradicts `key`."""
    if not holds(entry.ctype, "int") or family(entry.ctype.base) == "char":
        hint = f"'{key}' belongs to the number, and names the array"
        raise entry.mistake("argument-type", f"'{key}' is an integer, and this type is not", hint)
    if derived.negative and is_unsigned(entry.ctype.base):
        raise Mistake("without-effect", entry.place(NEGATIVE), f"'{entry.ctype.base}' is never negative")
    unit, counted = text_of(entry.fields[UNIT]), "bytes" if derived.what == "size" else "elements"
    if derived.what in ("count", "size", "extent") and unit not in (None, counted):
        other = "size_of" if unit == "bytes" else "count_of"
        raise Mistake("without-effect", entry.place(UNIT), f"'{key}' counts {counted}", f"'{other}' counts {unit}")
    return entry.with_keys((key, "axis", "unit", "plus", "negative"), derived)
