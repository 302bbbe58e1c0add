"""Variables that the function fills. The call returns their values."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from dlpack_bindgen.arguments.kind import Facts, Kind, Piece, Scope
from dlpack_bindgen.arguments.scalars import byte_assertions
from dlpack_bindgen.c.ctext import mentions
from dlpack_bindgen.c.types import CType, as_number, declared, family, pointed_to
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import PARAMETER, Key, Needs, flag
from dlpack_bindgen.language.results import BORROW, COUNT, DTYPE, OWNED, SHAPE, SIZE, SIZE_DETAILS, ResultFields
from dlpack_bindgen.language.slots import EXPRESSION
from dlpack_bindgen.language.values import leaf
from dlpack_bindgen.results.value import Value, ValueKind
from dlpack_bindgen.slots.dtype import constant
from dlpack_bindgen.slots.values import CTypeDType, ListedShape, NamedDType

MOST_ON_STACK = 65536
"""The limit of one argument on the stack, in bytes."""
_CALL = r"\b(?!sizeof\b)[A-Za-z_]\w*\s*\("


class OutputFacts(Frozen):
    """The facts for `templates/arguments/output.c.j2`."""

    function: str
    """The constant that tells the runtime about the function."""
    is_array: bool
    """Whether C fills the memory of an array. Otherwise it fills a bytes object."""
    capacity: str
    """The number of bytes or elements that C may write, as a C expression."""
    dtype: str
    """The dtype of an array, as a C expression."""
    ndim: int
    type: str
    """The C type of the elements."""


class OutFields(ResultFields):
    out = leaf()


class Out(Value, Kind):
    """A pointer to a variable that the function fills. The call returns the value."""

    keys = (
        flag(
            "out",
            "C fills the variable behind the pointer, and Python gets it as a result. In C code of the spec, the name "
            "of the parameter is that variable.",
            "The pointer refers to an argument that Python passes.",
            "Whether the parameter returns a value.",
            details=(
                "`T *` of a tensor or handle returns a new object. The function fills its struct in place.",
                "An array parameter is a buffer with the capacity in the prototype. Examples are `char text[64]` with "
                "`of: str`, `void bytes[lib_bound(n)]` with `of: bytes`, and `double roots[degree]` with `of: array`. "
                "`size` is the number of bytes that C wrote, and `shape` has the extents of the array.",
                "A value whose type has no class, such as `GError **error`, is not returned. C code of the spec can "
                "read it, `error: error->message`, and `finally` frees it.",
            ),
        ),
        Key("borrow", PARAMETER, BORROW, default="the caller owns it", needs=Needs(("out",), "it describes a result")),
        replace(OWNED, needs=Needs(("out",), "it describes a result")),
        Key("size", EXPRESSION, SIZE, needs=Needs(("out",), "it describes a result"), details=SIZE_DETAILS),
        replace(
            COUNT,
            needs=Needs(
                ("out",), "it describes a result", "for an argument from Python, write 'require: [{count: ...}]'"
            ),
        ),
        replace(
            SHAPE,
            needs=Needs(
                ("out",), "it describes a result", "for an argument from Python, write 'require: [{shape: [...]}]'"
            ),
        ),
        replace(
            DTYPE,
            needs=Needs(
                ("out",), "it describes a result", "for an argument from Python, write 'require: [{dtype: ...}]'"
            ),
        ),
    )

    capacity: str | None = None
    """The capacity of memory that Python allocates, in bytes or elements. An array is the memory of the returned
    object. Bytes and strings are the memory of a bytes object, or lie on the stack."""

    is_passed = False
    is_returnable = True

    @property
    def returned(self) -> Value:
        return self

    def returned_value(self) -> tuple[ValueKind, str | None]:
        return self.kind or "private", self.of

    def completed(self, ctype: CType, extents: Mapping[int, str], known: Sequence[str]) -> Out:
        """Returns the output with a capacity if its buffer is allocated at run time. Small buffers of bytes or
        characters are on the stack, if the compiler knows their type and size."""
        length = ctype.length
        if not length or not (self.kind in ("bytes", "array") or (self.kind == "str" and ctype.depth == 1)):
            return self
        is_large = length.isdecimal() and int(length) > MOST_ON_STACK
        is_unknown_type = self.kind == "array" or ctype.base == "void"
        is_variable = re.search(_CALL, length) or any(mentions(length, name) for name in known)
        return replace(self, capacity=length) if is_large or is_unknown_type or is_variable else self

    def lasts(self, name: str, kept: Container[str], is_object: bool) -> bool:
        return as_number(self.kind or "") is not None or self.kind == "enum"

    @property
    def owner(self) -> str | None:
        if self.capacity is None:
            return None
        return "array" if self.kind == "array" else "bytes"

    def facts(self, scope: Scope) -> Facts:
        call, ctype, length = scope.call, pointed_to(scope.ctype), scope.ctype.length
        is_string = self.kind in ("str", "strings") or (self.kind == "bytes" and bool(length))
        assertions = byte_assertions(scope.label, ctype.base) if is_string else ()
        has_address = not length and not call.is_in_storage(scope.name)
        if self.capacity is not None:
            filled = OutputFacts(
                function=call.function_table(),
                is_array=isinstance(self.shape, ListedShape),
                capacity=call.length(self.capacity),
                dtype=constant(NamedDType(self.dtype) if self.dtype else CTypeDType(ctype.base, self.is_complex)),
                ndim=len(self.shape.expressions) if self.shape is not None else 0,
                type=ctype.base,
            )
            declaration = declared(ctype, f"*{scope.variable}")
            return Facts("arguments/output", filled, declaration, assertions=assertions, has_address=has_address)
        declaration = declared(ctype, scope.variable)
        if length:
            declaration, value = f"{declaration}[{call.text(length)}]", "{0}"
        else:
            value = "NULL" if ctype.pointers else "0" if family(ctype.base) else "{0}"
        return Facts("arguments/output", None, declaration, value, assertions=assertions, has_address=has_address)

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        if self.capacity is not None:
            yield Piece("arguments/output", "allocated", facts, follows_checks=True)
            yield Piece("arguments/output", "is_missing", facts, is_condition=True)
            if isinstance(self.shape, ListedShape):
                yield Piece("arguments/output", "elements", facts, follows_checks=True)
        elif not scope.call.is_in_storage(scope.name):
            yield Piece("arguments/output", "variable", facts)
