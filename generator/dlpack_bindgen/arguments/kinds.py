"""All kinds of arguments."""

from __future__ import annotations

from dlpack_bindgen.arguments.derived import Derived
from dlpack_bindgen.arguments.dltensor import DLTensorPointer
from dlpack_bindgen.arguments.dtype_code import DTypeCode
from dlpack_bindgen.arguments.enumeration import EnumValue
from dlpack_bindgen.arguments.file import File
from dlpack_bindgen.arguments.fixed import Fixed
from dlpack_bindgen.arguments.kind import Kind
from dlpack_bindgen.arguments.number import Number
from dlpack_bindgen.arguments.object import Object
from dlpack_bindgen.arguments.objects import Objects
from dlpack_bindgen.arguments.output import Out
from dlpack_bindgen.arguments.owned_array import OwnedArray
from dlpack_bindgen.arguments.owned_string import OwnedString
from dlpack_bindgen.arguments.param_of import ParamOf
from dlpack_bindgen.arguments.shared_array import SharedArray
from dlpack_bindgen.arguments.string import String
from dlpack_bindgen.arguments.strings import Strings

KINDS: tuple[type[Kind], ...] = (
    Derived,
    DTypeCode,
    ParamOf,
    Fixed,
    Out,
    Object,
    Objects,
    EnumValue,
    Number,
    OwnedString,
    String,
    DLTensorPointer,
    OwnedArray,
    SharedArray,
    Strings,
    File,
)
"""The order in which an entry in `args` and a C type are compared with the kinds."""

WORDS = tuple(word for kind in KINDS for word in kind.words)
"""The words of the key `of` for an argument."""
