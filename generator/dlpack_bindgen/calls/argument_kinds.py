"""The kinds of arguments in their order, and the keys of an argument."""

from __future__ import annotations

from dataclasses import replace

from dlpack_bindgen.calls.argument_kind import DEFAULT, TAKES, WRITES, Kind
from dlpack_bindgen.calls.array import DLTensorPointer, OwnedArray, SharedArray
from dlpack_bindgen.calls.derived_arguments import DTypeCode, Fixed, Measure, ParamOf
from dlpack_bindgen.calls.file import File
from dlpack_bindgen.calls.number import EnumValue, Number
from dlpack_bindgen.calls.object import Object, Objects
from dlpack_bindgen.calls.out_variable import Out
from dlpack_bindgen.calls.result_kind import KEEPS, OF
from dlpack_bindgen.calls.string import OwnedString, String, Strings
from dlpack_bindgen.language.keys import Record, flag, listed, with_added
from dlpack_bindgen.tensor.requirements import CAST_OF_ARGUMENT, COPY_OF_ARGUMENT, REQUIRE_OF_ARGUMENT

# ---- All kinds of arguments ----

KINDS: tuple[type[Kind], ...] = (
    Measure,
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

ARGUMENT_WORDS = tuple(word for kind in KINDS for word in kind.words)
"""The words of the key `of` for an argument."""


# ---- The keys that describe the parameters of a function: those of several kinds, and those of each kind ----


def _details(key: str) -> tuple[str, ...]:
    """Returns the sentences of all kinds about a key that several of them have."""
    return tuple(sentence for kind in KINDS for about, sentence in kind.details if about == key)


_SHARED = (
    replace(OF, doc=OF.doc.format(listed(ARGUMENT_WORDS)), required=False, details=_details("of")),
    DEFAULT,
    flag(
        "optional",
        "`None` or a missing argument is NULL in C. For an `out`, NULL becomes `None`.",
        "The argument is required. For an `out`, NULL is a failure.",
        "Whether a pointer can be NULL.",
        default="`false`; `true` for an `out` that is `str` or `bytes`",
    ),
    replace(
        KEEPS,
        doc="The parameters that an `out` object, or the object of this parameter, keeps alive.",
        details=(f"For an `out`: {KEEPS.doc[0].lower()}{KEEPS.doc[1:]}", *KEEPS.details, *_details("keeps")),
    ),
    WRITES,
    replace(TAKES, details=_details("takes")),
    REQUIRE_OF_ARGUMENT,
    COPY_OF_ARGUMENT,
    CAST_OF_ARGUMENT,
)


ARGUMENT = Record(
    what="an argument",
    doc="Describes a parameter. Without a description, the C type decides:\n\n"
    + "\n".join(f"* {kind.ctypes}" for kind in KINDS if kind.ctypes),
    keys=with_added(_SHARED, (key for kind in KINDS for key in kind.keys)),
)
