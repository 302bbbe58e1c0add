"""`release`: gives back the share of an owner, or frees the object."""

from __future__ import annotations

from dlpack_bindgen.hooks.hook import StatementsHook
from dlpack_bindgen.language.kinds import Key, Needs, Word, Words
from dlpack_bindgen.language.steps import STATEMENT


class ReleaseHook(StatementsHook):
    key = Key(
        "release",
        STATEMENT,
        "Frees the object, or gives its reference back. With `release` alone, the owner takes the object over.",
        default="the object is borrowed",
    )
    further = (
        Key(
            "release_on",
            Words(
                (
                    Word("any", "In the thread that uses the memory last."),
                    Word("gil", "In any thread, while it holds the GIL."),
                    Word(
                        "creator",
                        "In the thread that created the owner, at its next call. If this thread has ended, the object "
                        "leaks.",
                    ),
                )
            ),
            "The thread in which `release` may run.",
            default="`any`",
            needs=Needs(("release",), "it selects the thread of that call"),
        ),
    )
    is_of_handles = True
