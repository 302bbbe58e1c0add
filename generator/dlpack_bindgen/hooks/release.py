"""`release`: releases one reference, or frees the object."""

from __future__ import annotations

from dlpack_bindgen.hooks.hook import StatementsHook
from dlpack_bindgen.language.kinds import Key, Needs, Word, Words
from dlpack_bindgen.language.steps import STATEMENT
from dlpack_bindgen.language.values import Leaf
from dlpack_bindgen.spec.spec import RELEASES_NOTHING, Item

THREADS = {
    "any": "Any thread may call it.",
    "gil": "Any thread may call it. The object is released with the GIL.",
    "creator": "Any thread may call it, and releases the object at a later call. If it has ended, the object leaks.",
}
"""Sentences about threads in the comment of the function that makes an owner, by `release_on`."""
RELEASE_FLAGS = {"gil": "DLB_RELEASE_GIL", "creator": "DLB_RELEASE_CREATOR"}
"""The constants of the runtime."""


_THREADS = Words(
    (
        Word("any", "In the thread that uses the memory last."),
        Word("gil", "In any thread, while it holds the GIL."),
        Word(
            "creator",
            "In the thread that created the owner, at its next call. If this thread has ended, the object leaks.",
        ),
    )
)


RELEASE = Key[Leaf](
    "release",
    STATEMENT,
    "Frees the object, or gives its reference back. With `release` alone, the owner takes the object over.",
    default="the object is borrowed",
    after="clone",
)
RELEASE_ON = Key[Leaf](
    "release_on",
    _THREADS,
    "The thread in which `release` may run.",
    default="`any`",
    needs=Needs(("release",), "it selects the thread of that call"),
    after="release",
)


class ReleaseHook(StatementsHook):
    key = RELEASE
    further = (RELEASE_ON,)
    moment = "after the last use of the object, its arrays and its parts"
    is_of_handles = True

    def code(self, item: Item) -> list[str]:
        return [] if item.release == RELEASES_NOTHING else super().code(item)

    def remarks(self, item: Item) -> list[str]:
        docs = [word.doc for word in _THREADS.words if word.name == item.release_on]
        return [f"`release` runs {doc[0].lower()}{doc[1:]}" for doc in docs]
