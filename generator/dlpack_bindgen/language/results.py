"""The keys that describe the results of a function: those of several kinds, and those of each kind."""

from __future__ import annotations

from dlpack_bindgen.language.kinds import (
    PARAMETER,
    Form,
    Key,
    ListOf,
    Record,
    Single,
    flag,
    in_order,
    listed,
    with_attributes,
)
from dlpack_bindgen.results.array import ArrayFields
from dlpack_bindgen.results.bytes import BytesFields
from dlpack_bindgen.results.kind import SourceFields
from dlpack_bindgen.results.kinds import KINDS, WORDS
from dlpack_bindgen.results.object import OwnerFields
from dlpack_bindgen.results.strings import StringsFields


class ResultFields(SourceFields, ArrayFields, BytesFields, OwnerFields, StringsFields):
    """The keys of several kinds, and those of each kind."""


MOST_KEPT = 16
"""The value of `DLB_PY_MOST_KEPT` in the runtime."""

KEEPS = Key(
    "keeps",
    ListOf(PARAMETER, "a list of parameters", least=1, most=MOST_KEPT, lone=True),
    "The parameters that the returned object keeps alive. The caller owns the returned object.",
    details=(
        "Use it for the library behind its handles, or for a plan that stores the addresses of arrays.",
        "A function that removes an object from a container needs `keeps` if the container keeps arrays of the object. "
        "It also needs `invalidates` for the container if other functions show its objects.",
        "The kept objects and arrays are released after the returned object. Arrays become objects of the class that "
        "`arrays` names.",
    ),
)
_SHARED = (
    Key(
        "of",
        Single(Form.KIND),
        f"A tensor, a handle, an enum of `constants`, or a word: {listed(WORDS)}.",
        required=True,
        details=tuple(sentence for kind in KINDS.values() for key, sentence in kind.details if key == "of"),
    ),
    KEEPS,
    flag(
        "optional",
        "NULL becomes `None`.",
        "NULL is a failure.",
        "The meaning of NULL.",
        default="`false`; for `str` and `bytes`, `true` unless `ok` excludes NULL",
    ),
)
_ORDER = "of borrow owned keeps size count shape dtype optional".split()
"""The order of the keys in the reference. The keys of other kinds follow."""

RESULT = Record(
    what="a result",
    fields=with_attributes(ResultFields, (kind.attributes for kind in KINDS.values())),
    doc="Describes the value that the C function returns.",
    keys=in_order((*_SHARED, *(key for kind in KINDS.values() for key in kind.keys)), _ORDER),
)
