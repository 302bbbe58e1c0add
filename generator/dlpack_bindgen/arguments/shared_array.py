"""Arrays whose memory C uses in its place: pointers to elements."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from dlpack_bindgen.arguments.array import Array
from dlpack_bindgen.arguments.entry import OUT, ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Scope
from dlpack_bindgen.arguments.measure import Measure
from dlpack_bindgen.arguments.memory import KEYS_OF_ARRAYS, cast_of, new_output, no_keeps_message, refuse_const, writes
from dlpack_bindgen.arguments.requirements import Cast, NewOutput, Requirements
from dlpack_bindgen.dlpack import MAX_NDIM
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.names import Named
from dlpack_bindgen.language.values import is_true
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType, declared


class SharedArrayFacts(Frozen):
    """The facts for `templates/arguments/shared_array.c.j2`."""

    is_rows: bool
    """Whether C gets a table of pointers to the rows."""


class SharedArray(Array, Frozen):
    """A pointer to elements: an array of any producer. The array is compact, unless a parameter is derived from one of
    its strides."""

    words = ("bytes", "array", "rows", "records")
    details = (
        (
            "of",
            "`bytes`: a buffer with elements of any type; `size_of` is its size in bytes. If C has a pointer to a type "
            "of several bytes, `require: [{shape: [n, sizeof(T)]}]` with `extent_of` counts elements. If Python passes "
            "the number of elements, use `count: n * sizeof(T)`.",
        ),
        (
            "of",
            "`array`, for `void *`: an array of any dtype. The function knows the length of the array, unless the spec "
            "declares a length.",
        ),
        (
            "of",
            "`records`, for a struct in the top-level `records` that is also the type of a class: an array of such "
            "structs.",
        ),
        (
            "of",
            "`rows`, for `float **` and similar types: an array with two axes. C gets a table of pointers to the rows.",
        ),
    )
    ctypes = "`double *` and other pointers to numbers: an array of that dtype."

    writes: bool = False
    cast: Cast | None = None
    new_output: NewOutput | None = None
    rows: bool = False
    """A `T **`: C gets a table of pointers to the rows of a 2-D array."""

    can_be_kept = True
    is_returnable = True

    def is_valid_after_call(self, name: str, kept: Container[str], is_object: bool) -> bool:
        return name in kept

    def requirements(self, measures: Sequence[Measure]) -> Requirements:
        """Returns the requirements on a pointer to elements.

        Axes without a stride parameter are compact. If only the last axis has a stride, C counts from the first axis,
        as Fortran does.
        """
        if self.rows:
            return replace(self.require, ndim=(2, 2), strided=(0,))
        strided = {each.axis for each in measures if each.what == "stride"}
        if not strided:
            return super().requirements(measures)
        require, is_positive = self.require_rank(measures), all(not each.negative for each in measures)
        rank = require.ndim[1] if require.ndim else MAX_NDIM
        by_column = 0 not in strided and rank - 1 in strided
        require = replace(require, order="F" if by_column else require.order)
        if rank > 1 and strided in ({0}, {rank - 1}):
            require = replace(require, inner_compact=True)
        elif not strided.issuperset(range(rank)):
            require = replace(require, strided=tuple(sorted(strided)))
        return replace(require, nonnegative_strides=True) if is_positive else require

    def completed(self, ctype: CType, extents: Mapping[int, str], known: Sequence[str]) -> SharedArray:
        require, axes = self.require, ctype.extents
        if self.rows and ctype.length and require.shape is None and 1 in extents:
            return replace(self, require=replace(require, shape=(ctype.length, extents[1])))
        if not axes:
            return self
        first = axes[0] or extents.get(0) or (require.shape or ("",))[0]
        shape = (first, *axes[1:]) if first else None
        return replace(self, require=replace(require, ndim=(len(axes), len(axes)), shape=shape))

    @classmethod
    def by_keys(cls, entry: ParameterEntry) -> SharedArray | None:
        """Returns the argument for an array of arrays, such as `double a[][3]`."""
        if not entry.ctype.extents:
            return None
        if is_true(entry.fields[OUT]):
            hint = "leave 'out' away: Python gives an array of that shape, and it is filled"
            raise entry.mistake("argument-type", "C cannot return an array of arrays", hint)
        require = entry.require()
        is_number = entry.names.number(entry.ctype.base) not in (None, "char") or require.dtypes
        if not is_number or (entry.name is not None and entry.name.text != "array"):
            raise entry.mistake("argument-type", "the elements of an array of arrays are numbers")
        return cls.read(entry, require)

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> SharedArray | None:
        if named != "rows":
            return super().by_name(entry, named)
        if entry.ctype.depth != 2 or entry.names.meant(CType(entry.ctype.base)):
            message = "'rows' are passed as a pointer to pointers to their elements, 'float **', which are numbers"
            raise entry.mistake("argument-type", message)
        return replace(cls.read(entry, entry.require(), "array"), rows=True)

    @classmethod
    def read(cls, entry: ParameterEntry, require: Requirements, word: str | None = None) -> SharedArray:
        found = super().read(entry, require, word)
        refuse_const(entry)
        is_cast = word != "bytes" and (entry.ctype.base != "void" or bool(require.dtypes) or entry.is_coded)
        found = replace(
            found, writes=writes(entry), cast=cast_of(entry, is_cast), new_output=new_output(entry, "an array")
        )
        return entry.with_keys(KEYS_OF_ARRAYS, found, no_keeps_message(entry))

    def facts(self, scope: Scope) -> Facts:
        return Facts(
            template="arguments/shared_array",
            own=SharedArrayFacts(self.rows),
            declaration=declared(scope.written, scope.variable),
            assertions=self.assertions(scope),
            place=scope.place(),
        )

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        if self.rows:
            yield Piece("arguments/shared_array", "has_no_rows", facts, is_condition=True)
        yield Piece("arguments/shared_array", "variable", facts, follows_checks=self.rows)
