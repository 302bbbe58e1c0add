"""The library's codes for dtypes. Python does not pass them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Place, Scope
from dlpack_bindgen.arguments.kind import Kind
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import MAX_ARMS, PARAMETER, Alternatives, Form, Key, Lookup, MapOf, Needs
from dlpack_bindgen.language.names import Mistake
from dlpack_bindgen.language.values import Leaf, Table, is_record, text_of
from dlpack_bindgen.slots.dtype import (
    DECODED_DTYPE,
    DTYPE_FORMS,
    CTypeDType,
    DecodedDType,
    FixedDType,
    NamedDType,
    constant,
)
from dlpack_bindgen.slots.dtype import read as dtype
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType, declared

if TYPE_CHECKING:
    from dlpack_bindgen.validate.functions.calls import Call


class Code(Frozen):
    """A value, and the dtype for which C gets it; empty: all that are left."""

    value: str
    dtype: str


class CodeFacts(Frozen):
    """The facts for `templates/arguments/dtype_code.c.j2`."""

    array: Place
    codes: tuple[Code, ...]


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
    keys = (
        CODE_OF,
        MAP_OF_CODES,
    )

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
            yield from call.key_problems(key, entry.parameter.name, "write the code alone")
        span = (fields[CODE_OF] or fields).span
        if not call.has_shape(of) or of.kind.own_dtype(of.ctype) is not None:
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

    def facts(self, scope: Scope) -> Facts:
        call, accepted = scope.call, scope.call.dtypes(self.of)
        codes = [Code(call.text(value), constant(dtype)) for value, dtype in self.codes if dtype in accepted]
        codes[-1] = Code(codes[-1].value, "")  # other dtypes are refused
        return Facts(
            template="arguments/dtype_code",
            own=CodeFacts(call.place(self.of), tuple(codes)),
            declaration=declared(scope.ctype, scope.variable),
        )

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        yield Piece("arguments/dtype_code", "variable", facts)


def _codes(entry: ParameterEntry) -> Iterator[tuple[str, FixedDType | CTypeDType]]:
    table = entry.fields[MAP_OF_CODES]
    for key, value in table.entries if table else ():
        if is_record(value, DECODED_DTYPE):
            raise Mistake("code-not-invertible", value.span, "a code stands for one dtype, which is known here")
        found = dtype(value)
        assert not isinstance(found, DecodedDType)
        yield key.text, found
