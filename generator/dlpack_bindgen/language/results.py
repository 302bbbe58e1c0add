"""The keys that describe the results of a function: those of several kinds, and those of each kind."""

from __future__ import annotations

from dataclasses import replace

from dlpack_bindgen.language.kinds import (
    Record,
    listed,
    with_added,
)
from dlpack_bindgen.results.kind import KEEPS, OF, OPTIONAL
from dlpack_bindgen.results.kinds import KINDS, WORDS

_SHARED = (
    replace(
        OF,
        doc=OF.doc.format(listed(WORDS)),
        details=tuple(sentence for kind in KINDS.values() for key, sentence in kind.details if key == "of"),
    ),
    KEEPS,
    OPTIONAL,
)


RESULT = Record(
    what="a result",
    doc="Describes the value that the C function returns.",
    keys=with_added(_SHARED, (key for kind in KINDS.values() for key in kind.keys)),
)
