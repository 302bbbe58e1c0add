"""Lists of objects: a table of objects of one class, and their number."""

from __future__ import annotations

from typing import Any

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.names import Class, Mistake, Named
from dlpack_bindgen.language.shared import PARAMS
from dlpack_bindgen.language.values import is_true, text_of
from dlpack_bindgen.results.kind import (
    EarlierFacts,
    Recognized,
    ResultKind,
    ResultScope,
    ReturnableFacts,
    Source,
    Target,
    borrowed_lifetime,
)
from dlpack_bindgen.results.object import BORROW, OWNED
from dlpack_bindgen.results.strings import COUNT
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType


class ObjectsResult(Frozen):
    """A list of the objects in a table."""

    to: Target
    of: str
    """The C name of the class."""
    variable: str
    count: str
    capacity: str
    """The number of objects for which the table has space, as a C expression."""
    kept: tuple[str, ...]
    """The arguments that each object keeps alive, or the one whose object owns them."""
    flags: tuple[str, ...]
    returnable: tuple[ReturnableFacts, ...]
    earlier: tuple[EarlierFacts, ...]
    function: str
    """The name of the `dlb_py_function` constant, if the objects may refer to arguments; else empty."""
    arrays: str


class Objects(ResultKind):
    accepts = ("borrow", "owned", "keeps", "count")
    details = (
        (
            "count",
            "With a class in `of`, the result is a list of objects: C gives a table of pointers (`T **`), or of the "
            "objects themselves if they have `pass: value`. `finally` frees the table. `borrow` and `keeps` apply to "
            "each object.",
        ),
    )

    runs_code = True

    def by_name(self, named: Named, source: Source) -> Recognized | None:
        assert isinstance(named, Class)
        has_space = source.length is None or source.length.isdecimal()
        is_table = source.length is not None or source.ctype.depth > 0
        is_element = is_table and named.is_object(_element(source.ctype, source.length))
        return self._recognized(named, source) if has_space and is_element else None

    def refusal(self, named: Named, source: Source) -> Mistake:
        assert isinstance(named, Class)
        return source.mistake(f"this does not point to a table of '{named.name.text}'", self.hint(source))

    def hint(self, source: Source) -> str:
        return "several objects: a 'T **', or a 'T *' with 'pass: value'; in an array of the caller: 'T *list[16]'"

    def fields(self, value: Recognized, source: Source) -> dict[str, Any]:
        count = source.fields[COUNT]
        assert count is not None
        if count.text in ("none", "NULL", "null", "None"):
            message = f"'{count.text}' is not a number of objects"
            raise Mistake("result-type", count.span, message, "write the C expression of the number")
        is_owned = text_of(source.fields[BORROW]) is not None or is_true(source.fields[OWNED])
        if _element(source.ctype, source.length).reads and not is_owned:
            message = f"the owner of these '{value.of}' is not declared: the caller seldom owns 'const' objects"
            hint = "name it with 'borrow', or write 'borrow: static'; 'owned: true' if 'release' must free them"
            raise source.mistake(message, hint, "result-owner")
        return {"count": count.text}

    def stub_type(self, of: str | None, is_counted: bool = False) -> str:
        return f"list[{of}]"

    def lifetime(self, subject: str, borrow: str | None, kept: str) -> str | None:
        return f"Each object of {subject} keeps {kept} alive." if kept else borrowed_lifetime(subject, borrow)

    def piece(self, scope: ResultScope) -> Piece:
        return Piece("results/objects", "made", self._facts(scope, "SIZE_MAX"))

    def buffer_piece(self, scope: ResultScope) -> Piece:
        return Piece("results/objects", "made", self._facts(scope, scope.length))

    def _facts(self, scope: ResultScope, capacity: str) -> ObjectsResult:
        call, value = scope.call, scope.value
        assert value.of is not None and value.count is not None
        is_borrowed = value.borrow is not None
        owners = value.keeps if not is_borrowed else () if value.borrow == "static" else (value.borrow or "",)
        is_unique = call.is_unique(scope.name)
        wanted = {
            "DLB_PY_BORROWED": is_borrowed,
            "DLB_PY_UNIQUE": is_unique,
            f"DLB_PY_ZEROS_IF_NUMBER(*{scope.variable})": is_unique and call.is_by_value(value.of),
            "DLB_PY_READS": _element(scope.ctype, scope.length or None).reads,
        }
        return ObjectsResult(
            to=scope.to,
            of=call.class_of(value.of),
            variable=scope.variable,
            count=call.integer(value.count),
            capacity=capacity,
            kept=call.places(tuple(owners)),
            flags=tuple(name for name, is_set in wanted.items() if is_set),
            returnable=call.returnable(scope.name),
            earlier=call.earlier(scope.name),
            function=call.table if call.may_refer(scope.name) else "",
            arrays=call.arrays,
        )

    def _recognized(self, named: Class, source: Source) -> Recognized:
        if named.fields[PARAMS] is not None:
            message = f"the objects of '{named.name.text}' have 'params', which a list does not report"
            raise source.mistake(message, "write a C function that returns one of them")
        return Recognized("objects", named.name.text)


def _element(ctype: CType, length: str | None) -> CType:
    """Returns the type of one object of the table."""
    return ctype if length is not None else CType(ctype.base, ctype.pointers[:-1])
