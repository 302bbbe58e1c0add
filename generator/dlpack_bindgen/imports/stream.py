"""`stream`: the stream on which the library works on the array."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.imports.arrays import LET_OF_MAKING
from dlpack_bindgen.imports.making import Making
from dlpack_bindgen.imports.part import Part
from dlpack_bindgen.imports.variables import param_variables
from dlpack_bindgen.language.kinds import EXPRESSION, Key
from dlpack_bindgen.language.values import Fields, Leaf
from dlpack_bindgen.slots.scope import Variable
from dlpack_bindgen.spec.spec import Allocate, Import
from dlpack_bindgen.steps.declared import declared_in
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.names import WORDS_OF_MAKING

STREAM_OF_IMPORT = Key[Leaf](
    "stream",
    EXPRESSION,
    "The stream on which the library works on the array, a handle or an integer. The producer makes the data "
    "ready for this stream. Only `params` are in scope.",
    default="the default stream of the device; or the keyword `stream` of `from_dlpack`",
    details=(
        "It becomes the argument `stream` of `__dlpack__` of the producer, as an `intptr_t`. A handle of 0 is "
        "the default stream of the device: on CUDA, the producer gets 1.",
        "A producer on a device without streams, such as the CPU, does not get it.",
    ),
    after="cast",
)


class StreamPart(Part):
    keys = (STREAM_OF_IMPORT,)

    def problems(self, making: Fields) -> Iterator[Diagnostic]:
        """Yields variables that have no value yet when the producer is called."""
        if (stream := making[STREAM_OF_IMPORT]) is None:
            return
        steps = let.items if (let := making[LET_OF_MAKING]) else ()
        later = WORDS_OF_MAKING | {declared.name for step in steps if (declared := declared_in(step))}
        for name in sorted(later.intersection(ctext.names(stream.text))):
            message = f"'{name}' is not known yet: the producer gets the stream before its array exists"
            hint = "use a parameter: 'params: [intptr_t stream = 0]', with 'stream: stream'"
            yield Diagnostic("stream-too-early", stream.span, message, hint)

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        if isinstance(made, Import) and made.stream is not None:
            yield f"The producer makes the data ready for the stream {made.stream}."


class StreamFacts(Frozen):
    """The facts for `templates/imports/stream.c.j2`."""

    name: str
    variables: tuple[Variable, ...]
    value: str
    label: str


def stream_function(making: Making, struct: str) -> StreamFacts | None:
    """Returns the function that finds the stream. `struct` has the parameters of the import."""
    made = making.spec
    if not isinstance(made, Import) or made.stream is None:
        return None
    return StreamFacts(
        name=making.scope.hook("import_stream"),
        variables=tuple(param_variables([made.stream], made.params, struct, "values")),
        value=making.flow.text(made.stream),
        label=making.label("stream"),
    )
