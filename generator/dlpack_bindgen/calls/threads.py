"""`threads`: a function that only one thread may call at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.feature import Feature, Part, Stage
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import Key, Word, Words
from dlpack_bindgen.language.values import Leaf, text_of
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import Piece

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call
    from dlpack_bindgen.calls.emitted_function import Body

THREADS = Key[Leaf](
    "threads",
    Words(
        (
            Word("any", "Several threads may call the function at the same time."),
            Word("one", "A call is refused with a RuntimeError while another thread is in the function."),
        )
    ),
    "How many threads may be in the function at the same time.",
    default="`any`",
    after="release_gil",
)


class Threads(Feature, Frozen):
    keys = (THREADS,)

    @classmethod
    def problems(cls, call: Call) -> Iterator[Diagnostic]:
        written = call.fields[THREADS]
        if text_of(written) == "one" and written is not None and not call.release_gil:
            message = "no other thread of Python runs during a call that holds the GIL"
            yield Diagnostic(
                "without-effect", written.span, message, "write 'release_gil: true', or leave 'threads' out"
            )

    @classmethod
    def read(cls, call: Call) -> Threads | None:
        return cls() if text_of(call.fields[THREADS]) == "one" else None

    def sentences(self) -> Iterator[str]:
        yield "Raises RuntimeError while another thread is in the function."

    def pieces(self, stage: Stage, body: Body) -> Iterator[Piece]:
        if stage is Stage.FUNCTIONS:
            yield Piece("calls/threads", "count", body)
        elif stage is Stage.DECLARATIONS:
            yield Piece("calls/threads", "entered", Part(self, body))
        elif stage is Stage.LAST_CHECK:
            yield Piece("calls/threads", "is_in_use", Part(self, body), is_condition=True)
        elif stage is Stage.RELEASE:
            yield Piece("calls/threads", "leave", Part(self, body))

    def entry(self, body: Body) -> str:
        """Returns the variable that shows whether this call has entered the function."""
        return body.own("entered")
