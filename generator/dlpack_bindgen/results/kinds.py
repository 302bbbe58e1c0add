"""All kinds of results."""

from __future__ import annotations

from dlpack_bindgen.results.array import Array
from dlpack_bindgen.results.bytes import Bytes
from dlpack_bindgen.results.enumeration import EnumMember
from dlpack_bindgen.results.kind import ResultKind
from dlpack_bindgen.results.number import Number
from dlpack_bindgen.results.object import Object
from dlpack_bindgen.results.scalars import Scalar
from dlpack_bindgen.results.string import String
from dlpack_bindgen.results.strings import Strings

SCALARS: dict[str, Scalar] = {
    "int": Number("int"),
    "float": Number("float"),
    "bool": Number("bool"),
    "complex": Number("complex"),
    "char": Number("char"),
    "enum": EnumMember(),
    "str": String(),
    "strings": Strings(),
}
KINDS: dict[str, ResultKind] = {**SCALARS, "bytes": Bytes(), "array": Array(), "object": Object()}
"""The kinds by the name that a value has. A `private` value is not returned."""
