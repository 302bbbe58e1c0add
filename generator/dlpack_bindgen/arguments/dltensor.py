"""Arrays that C gets as a `DLTensor *`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Scope
from dlpack_bindgen.arguments.kind import ARRAY, Kind, PythonScope
from dlpack_bindgen.arguments.memory import KEYS_OF_ARRAYS, cast_of, new_output, no_keeps_message, refuse_const, writes
from dlpack_bindgen.arguments.requirements import NOTHING, Cast, Copy, NewOutput, Requirements
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import is_true
from dlpack_bindgen.results.kind import OPTIONAL
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import declared


class DLTensorPointer(Kind, Frozen):
    """A `DLTensor *`: an array of any producer."""

    ctypes = "`DLTensor *`: any array."

    writes: bool = False
    require: Requirements = NOTHING
    copy: Copy = "never"
    optional: bool = False
    new_output: NewOutput | None = None
    cast: Cast | None = None

    is_array = True
    is_dltensor = True
    can_be_kept = True
    ends_with_call = True
    is_returnable = True

    def stub_type(self, scope: PythonScope) -> str:
        return ARRAY

    def description(self, scope: PythonScope, required: Sequence[str]) -> str:
        return ", ".join(["an array", *required])

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> DLTensorPointer | None:
        if entry.ctype.depth != 1 or entry.ctype.base != "DLTensor":
            return None
        refuse_const(entry)
        output = new_output(entry, "an array")
        require, optional = entry.require(), is_true(entry.fields[OPTIONAL])
        found = cls(writes(entry), require, entry.copy, optional, output, cast_of(entry, bool(require.dtypes)))
        return entry.with_keys(KEYS_OF_ARRAYS, found, no_keeps_message(entry))

    def facts(self, scope: Scope) -> Facts:
        return Facts("arguments/dltensor", declaration=declared(scope.written, scope.variable), place=scope.place())

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        yield Piece("arguments/dltensor", "variable", facts)
