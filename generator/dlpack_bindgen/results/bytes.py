"""Bytes: a number of bytes behind a pointer, or in memory that C has filled."""

from __future__ import annotations

from typing import Any

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import EXPRESSION, Key
from dlpack_bindgen.language.names import Mistake, Named
from dlpack_bindgen.language.values import Leaf, text_of
from dlpack_bindgen.results.kind import (
    OF,
    NullFacts,
    Recognized,
    ResultKind,
    ResultScope,
    Source,
    Target,
    null_is_failure,
)
from dlpack_bindgen.results.returned import FilledResult
from dlpack_bindgen.text.fragments import mentions
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType, is_unknown

_BYTES = tuple(map(CType, ("char", "signed char", "unsigned char", "int8_t", "uint8_t", "void")))
_CAPACITY = "the prototype declares its capacity: '{name}[64]', '{name}[lib_bound(n)]'; without 'out', Python gives it"


class BytesResult(Frozen):
    """Bytes behind a pointer."""

    to: Target
    variable: str
    size: str
    null: NullFacts | None


SIZE = Key[Leaf](
    "size",
    EXPRESSION,
    "The size of a `bytes` result, in bytes.",
    details=(
        "The bytes are copied. NULL becomes `None`.",
        "If the caller owns the memory, free it in `finally`.",
        "An `out` parameter in the expression is not returned separately.",
        "Without `size`, an array that C fills is returned whole, such as `unsigned char digest[32]`.",
    ),
    after="keeps",
)


class Bytes(ResultKind):
    words = ("bytes",)
    keys = (SIZE,)
    exclusive = "'{key}' belongs to 'bytes'"
    accepts = ("size", "optional")

    may_be_null = True
    runs_code = True

    def by_name(self, named: Named, source: Source) -> Recognized | None:
        ctype = source.ctype
        if source.parameter is not None:
            is_bytes = ctype.depth == 1 or (source.length is not None and _is_byte(ctype))
        else:
            is_struct = ctype.base.startswith(("struct ", "union ")) or bool(source.names.objects(ctype))
            is_bytes = (ctype.depth == 1 and not is_struct) or (ctype.depth == 0 and is_unknown(ctype))
        return Recognized("bytes") if is_bytes else None

    def hint(self, source: Source) -> str | None:
        is_variable = source.parameter is not None and source.length is None and _is_byte(source.ctype)
        return _CAPACITY.format(name=source.parameter) if is_variable else None

    def fields(self, value: Recognized, source: Source) -> dict[str, Any]:
        """Returns the size. Bytes without one fill their buffer."""
        if SIZE not in source.fields and source.length is None:
            span = (source.fields[OF] or source.fields).span
            message = "the number of bytes is unknown: C does not declare where they end"
            hint = "write {of: bytes, size: ...}, a C expression or an 'out' parameter"
            raise Mistake("needs-key", span, message, hint)
        return {"size": text_of(source.fields[SIZE]), "required": null_is_failure(source)}

    def stub_type(self, of: str | None, is_counted: bool = False) -> str:
        return "bytes"

    def piece(self, scope: ResultScope) -> Piece:
        size = scope.value.size
        assert size is not None
        null = scope.null(mentions([size], scope.name))
        return Piece("results/bytes", "made", BytesResult(scope.to, scope.variable, scope.call.integer(size), null))

    def is_buffer(self, ctype: CType) -> bool:
        return True

    def buffer_piece(self, scope: ResultScope) -> Piece:
        size = scope.call.integer(scope.value.size) if scope.value.size is not None else ""
        facts = FilledResult(scope.to, scope.variable, scope.call.owner(scope.name), size=size)
        return Piece("results/filled", "bytes", facts)


def _is_byte(ctype: CType) -> bool:
    """Returns whether the type is a byte or is unknown. The compiler checks unknown types."""
    return ctype in _BYTES or (is_unknown(ctype) and ctype.depth == 0)
