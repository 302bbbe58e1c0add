"""Arguments that Python does not pass: lengths, strides, codes, constants, and params of objects."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from dlpack_bindgen.calls.argument_kind import (
    EmittedArgument,
    Kind,
    ParameterEntry,
    initial_value,
    is_checked,
    literal_problems,
)
from dlpack_bindgen.calls.number import type_assertions
from dlpack_bindgen.calls.spec_names import Mistake, declared_params, marked
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language import forms
from dlpack_bindgen.language.keys import (
    EXPRESSION,
    MAX_ARMS,
    MAX_RANK,
    PARAMETER,
    Alternatives,
    Form,
    Integer,
    Key,
    Lookup,
    MapOf,
    Needs,
    Word,
    Words,
    flag,
)
from dlpack_bindgen.language.values import Leaf, Table, is_record, is_true, text_of
from dlpack_bindgen.tensor.dtype import (
    DECODED_DTYPE,
    DTYPE_FORMS,
    CTypeDType,
    DecodedDType,
    FixedDType,
    NamedDType,
    constant,
)
from dlpack_bindgen.tensor.dtype import read as dtype
from dlpack_bindgen.text.diagnostics import Diagnostic, Note
from dlpack_bindgen.text.fragments import Assertion, Piece
from dlpack_bindgen.text.literals import bare_integer, is_floating
from dlpack_bindgen.text.types import CType, becomes, declared, family, holds, is_unknown, is_unsigned

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call


# ---- Lengths, strides and flags of another argument ----

MeasureKind = Literal["count", "size", "extent", "stride", "flags"]
MEASURES: dict[str, MeasureKind] = {
    "count_of": "count",
    "size_of": "size",
    "extent_of": "extent",
    "stride_of": "stride",
    "flags_of": "flags",
}
"""The keys of a measure. An entry has at most one of them."""


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
        (Word("elements", "C counts elements."), Word("bytes", "C counts bytes, as image libraries do between rows."))
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


class Measure(Kind, Frozen):
    """A value derived from another parameter. Python does not pass it."""

    selectors = tuple(MEASURES)
    has_address = True
    keys = (COUNT_OF, SIZE_OF, EXTENT_OF, STRIDE_OF, FLAGS_OF, AXIS, UNIT, NEGATIVE, PLUS)

    what: MeasureKind
    of: str
    axis: int = 0
    plus: int = 0
    """The constant that is added to the derived value."""
    in_bytes: bool = False
    """Whether a stride is in bytes."""
    negative: bool = False
    """Whether a stride may be negative. The pointer still points to the first element."""

    is_passed = False
    outlasts_call = True

    @property
    def measure(self) -> Measure:
        return self

    @property
    def key(self) -> str:
        """Returns the key in `args` that declares the measure."""
        return f"{self.what}_of"

    @property
    def is_length(self) -> bool:
        return self.what in ("count", "size", "extent")

    def in_python(self) -> str | None:
        """Returns the Python expression of the value; None: Python counts in another unit."""
        values = {"count": f"{self.of}.size", "size": f"{self.of}.nbytes", "extent": f"{self.of}.shape[{self.axis}]"}
        text = values.get(self.what)
        return f"({text} {'-' if self.plus < 0 else '+'} {abs(self.plus)})" if text and self.plus else text

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
    def by_keys(cls, entry: ParameterEntry) -> Measure | None:
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
        if most is not None and self.axis >= most and not (self.is_length and call.one_struct(of)):
            message = f"axis {self.axis} of '{self.of}', which has {most} {'axis' if most == 1 else 'axes'} at most"
            yield Diagnostic("index-out-of-rank", entry.fields.place(AXIS, span), message)

    @property
    def added(self) -> int:
        """Returns the constant that is added, or 0."""
        return max(self.plus, 0)

    @property
    def subtracted(self) -> int:
        """Returns the constant that is subtracted, or 0."""
        return max(-self.plus, 0)

    def late_pieces(self, emitted: EmittedArgument) -> Iterator[Piece]:
        yield Piece("calls/derived_arguments", "measured", emitted)
        if self.in_bytes:
            yield Piece("calls/derived_arguments", "has_part_of_byte", emitted, is_condition=True)
        if self.what == "stride" and not self.negative and emitted.body.has_negative_strides(self.of):
            yield Piece("calls/derived_arguments", "runs_backwards", emitted, is_condition=True)
        if self.plus < 0 and self.what != "stride":
            yield Piece("calls/derived_arguments", "is_too_short", emitted, is_condition=True)
        yield Piece("calls/derived_arguments", "does_not_fit", emitted, is_condition=True)


def _checked(derived: Measure, entry: ParameterEntry, key: str) -> Measure:
    """Returns the kind. Raises Mistake if its type or another key of the entry contradicts `key`."""
    if not holds(entry.ctype, "int") or family(entry.ctype.base) == "char":
        hint = f"'{key}' belongs to the number, and names the array"
        raise entry.mistake("argument-type", f"'{key}' is an integer, and this type is not", hint)
    if derived.negative and is_unsigned(entry.ctype.base):
        raise Mistake("without-effect", entry.place(NEGATIVE), f"'{entry.ctype.base}' is never negative")
    unit, counted = text_of(entry.fields[UNIT]), "bytes" if derived.what == "size" else "elements"
    if derived.is_length and unit not in (None, counted):
        other = "size_of" if unit == "bytes" else "count_of"
        raise Mistake("without-effect", entry.place(UNIT), f"'{key}' counts {counted}", f"'{other}' counts {unit}")
    return entry.with_keys((key, "axis", "unit", "plus", "negative"), derived)


# ---- The library's codes for dtypes ----


class Code(Frozen):
    """A value, and the dtype for which C gets it; empty: all other dtypes."""

    value: str
    dtype: str


CODE_OF = Key[Leaf](
    "code_of",
    PARAMETER,
    "The library's code for the dtype of another argument; Python does not pass it.",
    needs=Needs(("map",), "it lists the codes"),
    details=("A `void *` with a `code_of` is an array.",),
    after="flags_of",
)
MAP_OF_CODES = Key[Table](
    "map",
    Lookup(MapOf(Form.KEY, Alternatives(DTYPE_FORMS), "a mapping from codes to dtypes", MAX_ARMS)),
    "Codes and the dtype of each, or the name of such a mapping in `maps`.",
    needs=Needs(("code_of",), "it lists the codes for that key"),
    details=("An array of another dtype is refused.",),
    after="code_of",
)


class DTypeCode(Kind, Frozen):
    """The library's code for the dtype of another parameter. Python does not pass it."""

    selectors = ("code_of",)
    has_address = True
    keys = (CODE_OF, MAP_OF_CODES)

    of: str
    codes: tuple[tuple[str, FixedDType | CTypeDType], ...]

    is_passed = False
    outlasts_call = True

    @property
    def described(self) -> str:
        return self.of

    def origin(self, name: str) -> str:
        codes = ", ".join(f"{code} for {dtype.in_words}" for code, dtype in self.codes)
        return f"`{name}` is the code for the dtype of `{self.of}`: {codes}."

    @classmethod
    def by_keys(cls, entry: ParameterEntry) -> DTypeCode | None:
        of = text_of(entry.fields[CODE_OF])
        return entry.with_keys(("code_of", "map"), cls(of, tuple(_codes(entry)))) if of else None

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        fields, of = entry.fields, call.find(self.of)
        if of is None:
            return
        for key, _ in codes.entries if (codes := fields[MAP_OF_CODES]) else ():
            yield from forms.compared(key, entry.parameter.name, otherwise="write the code alone")
        span = (fields[CODE_OF] or fields).span
        if not call.has_shape(of) or of.kind.element is not None:
            hint = "it is about a 'void *' that is an 'array', a 'DLTensor *', or a tensor"
            if of.ctype.base == "void" and of.kind.is_pointer:
                hint = "leave 'dtype' out of its 'require': 'map' lists them"
            yield Diagnostic("code-of", span, f"'{self.of}' is not an array of different dtypes", hint)
        elif of.kind.may_be_missing:
            yield Diagnostic("code-of", span, f"'{self.of}' is not always there, and 'code_of' needs it")
        elif MAP_OF_CODES in fields and not self._common_dtypes(call, of.kind.require.dtypes):
            message = f"no dtype of '{self.of}' is in all its maps, and in its 'require'"
            yield Diagnostic("code-of", fields.place(MAP_OF_CODES), message)

    def _common_dtypes(self, call: Call, required: Sequence[str]) -> set[FixedDType | CTypeDType]:
        """Returns the dtypes for which all maps of the array have a code, of those that are required."""
        kinds = [each.kind for each in call.arguments]
        coded = [
            {dtype for _, dtype in kind.codes} for kind in kinds if isinstance(kind, DTypeCode) if kind.of == self.of
        ]
        return set.intersection(*coded, *([{NamedDType(name) for name in required}] if required else []))

    def accepted(self, emitted: EmittedArgument) -> list[Code]:
        """Returns the codes of the accepted dtypes. The last one needs no test: other dtypes are refused."""
        body, accepted = emitted.body, emitted.body.dtypes(self.of)
        codes = [Code(body.text(value), constant(dtype)) for value, dtype in self.codes if dtype in accepted]
        return [*codes[:-1], Code(codes[-1].value, "")]

    def late_pieces(self, emitted: EmittedArgument) -> Iterator[Piece]:
        yield Piece("calls/derived_arguments", "code", emitted)


def _codes(entry: ParameterEntry) -> Iterator[tuple[str, FixedDType | CTypeDType]]:
    table = entry.fields[MAP_OF_CODES]
    for key, value in table.entries if table else ():
        if is_record(value, DECODED_DTYPE):
            raise Mistake("code-not-invertible", value.span, "a code stands for one dtype, which is known here")
        found = marked(dtype(value), entry.names)
        assert not isinstance(found, DecodedDType)
        yield key.text, found


# ---- Values that the spec gives: `value: EXPR` ----

VALUE_OF_ARGUMENT = Key[Leaf](
    "value",
    EXPRESSION,
    "The value of the parameter. Python does not pass it.",
    details=(
        "With `of: int`, C gets the address of a number that it may change. `size_t *size` is then the "
        "capacity before the call, and the size after it.",
    ),
    after="plus",
)


class Fixed(Kind, Frozen):
    """`value: EXPR`: a C expression. Python does not pass it."""

    selectors = ("value",)
    keys = (VALUE_OF_ARGUMENT,)

    value: str

    is_passed = False
    outlasts_call = True

    def origin(self, name: str) -> str:
        return f"`{name}` is always {self.value}."

    @classmethod
    def by_keys(cls, entry: ParameterEntry) -> Fixed | None:
        if value := text_of(entry.fields[VALUE_OF_ARGUMENT]):
            return entry.with_keys(("of", "value") if entry.by_address else ("value",), cls(value))
        if entry.ctype.is_function:
            is_null = entry.name is not None and entry.name.text == "NULL"
            hint = "write {value: NULL}" if is_null else "pass a C function by 'value: NAME'"
            message = "callbacks are out of scope: C cannot call Python's functions here"
            raise entry.mistake("callback", message, hint)
        return None

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        value, base = entry.fields[VALUE_OF_ARGUMENT], ctype.base
        yield from literal_problems(value, ctype, family(base))
        is_number = value is not None and (bare_integer(value.text) is not None or is_floating(value.text))
        if value is None or not is_number or not ctype.depth:
            return
        hint = "write NULL for no address"
        if ctype.depth == 1 and base not in ("void", "char") and not entry.names.objects(ctype):
            hint += f', "&({base}){{{value.text}}}" for the address of such a number'
        # The C compiler turns 0 into NULL, which is rarely meant.
        message = f"'{value.text}' is a number, and '{entry.parameter.name}' a pointer"
        yield Diagnostic("argument-type", value.span, message, hint)

    def initial(self, emitted: EmittedArgument) -> str:
        return emitted.body.text(initial_value(emitted.ctype, self.value))

    def is_strict(self, emitted: EmittedArgument) -> bool:
        return is_checked(emitted.ctype, family(emitted.ctype.base), self.value)

    def assertions(self, emitted: EmittedArgument) -> tuple[Assertion, ...]:
        ctype = emitted.ctype
        needs_real = ctype.depth == 0 and is_unknown(ctype) and is_floating(self.value)
        return type_assertions(emitted.label, ctype.base, "float") if needs_real else ()

    def passed_piece(self, emitted: EmittedArgument) -> Piece | None:
        return Piece("calls/derived_arguments", "function", emitted) if emitted.ctype.is_function else None

    def late_pieces(self, emitted: EmittedArgument) -> Iterator[Piece]:
        if not emitted.ctype.is_function:  # C gets the function itself
            yield Piece("calls/number", "strict", emitted)


# ---- Params of the object in another argument ----

PARAM_OF = Key[Leaf](
    "param_of",
    PARAMETER,
    "The param with the name and type of this parameter, from the object in another argument. Python does not pass it.",
    after="map",
)


class ParamOf(Kind, Frozen):
    """A param of another parameter's object, by the name of this argument. Its value was given when the object was
    created. Python does not pass it."""

    selectors = ("param_of",)
    keys = (PARAM_OF,)

    param_owner: str

    is_passed = False
    can_be_kept = True

    def is_valid_after_call(self, name: str, kept: Container[str], is_object: bool) -> bool:
        return not is_object or name in kept or self.param_owner in kept

    def may_be_returned(self, own: CType, returned: CType, of: str, in_storage: bool) -> bool:
        return own.base == returned.base and own.depth == returned.depth and not in_storage

    def origin(self, name: str) -> str:
        return f"`{name}` is the param of that name of `{self.param_owner}`."

    @classmethod
    def by_keys(cls, entry: ParameterEntry) -> ParamOf | None:
        of = text_of(entry.fields[PARAM_OF])
        return entry.with_keys(("param_of",), cls(of)) if of else None

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        name, of = entry.parameter.name, call.find(self.param_owner)
        if of is None:
            return
        span, owner = (entry.fields[PARAM_OF] or entry).span, of.kind.object_class
        if owner is None:
            yield Diagnostic("param-of", span, f"'{self.param_owner}' is not an object, which 'param_of' needs")
            return
        owner_class = entry.names.classes[owner]
        params = {each.name: each.ctype for each in declared_params(owner_class)}
        notes = (Note(owner_class.name.span, "the class"),)
        if of.kind.may_be_missing:
            yield Diagnostic("param-of", span, f"'{self.param_owner}' is not always there, and 'param_of' needs it")
        elif name not in params:
            hint = f"it has {', '.join(params)}" if params else "declare it there with 'params'"
            yield Diagnostic("param-of", span, f"'{owner}' has no param '{name}'", hint, notes)
        elif not becomes(params[name], ctype):
            has, wants = declared(params[name], ""), declared(ctype, "")
            message = f"the param '{name}' of '{owner}' is '{has}', and this is '{wants}'"
            yield Diagnostic("param-of", span, message, notes=notes)

    def initial(self, emitted: EmittedArgument) -> str:
        return emitted.body.param(self.param_owner, emitted.name)

    def late_pieces(self, emitted: EmittedArgument) -> Iterator[Piece]:
        yield Piece("calls/derived_arguments", "param", emitted)
