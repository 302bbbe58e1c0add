"""The keys that describe the parameters of a function: those of several kinds, and those of each kind."""

from __future__ import annotations

from dataclasses import replace

from dlpack_bindgen.arguments.entry import DEFAULT, TAKES, WRITES
from dlpack_bindgen.arguments.kinds import KINDS, WORDS
from dlpack_bindgen.language.kinds import (
    Record,
    flag,
    listed,
    with_added,
)
from dlpack_bindgen.language.requirements import (
    CAST_OF_ARGUMENT,
    COPY_OF_ARGUMENT,
    REQUIRE_OF_ARGUMENT,
)
from dlpack_bindgen.results.kind import KEEPS, OF


def _details(key: str) -> tuple[str, ...]:
    """Returns the sentences of all kinds about a key that several of them have."""
    return tuple(sentence for kind in KINDS for about, sentence in kind.details if about == key)


_SHARED = (
    replace(
        OF,
        doc=OF.doc.format(listed(WORDS)),
        required=False,
        details=_details("of"),
    ),
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
