"""`stream`: the stream on which a function works."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.feature import Feature, Part, Stage
from dlpack_bindgen.dlpack import WITHOUT_STREAMS
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import EXPRESSION, Key
from dlpack_bindgen.language.values import Leaf
from dlpack_bindgen.tensor.match_arms import matches, slot_values
from dlpack_bindgen.tensor.slots import BY_NAME
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Span
from dlpack_bindgen.text.fragments import Piece, mentions_variable
from dlpack_bindgen.text.types import CType, declared

if TYPE_CHECKING:
    from dlpack_bindgen.calls.argument_kind import Argument
    from dlpack_bindgen.calls.call import Call
    from dlpack_bindgen.calls.emitted_function import Body

STREAM = Key[Leaf](
    "stream",
    EXPRESSION,
    "The stream on which the function works, a handle or an integer. The producers of the arrays make the data "
    "ready for this stream. Numbers, enums, strings, objects that are not made of arrays, and `params` of the "
    "object of a method are in scope.",
    default="the `stream` of the import of a class; else the default stream of the device",
    details=(
        "It becomes the argument `stream` of `__dlpack__` of the producer of each array on a device, as an "
        "`intptr_t`. A handle of 0 is the default stream of the device: on CUDA, the producer gets 1.",
        "The expression is evaluated once for each array.",
    ),
    after="release_gil",
)


class ReadVariable(Frozen):
    """A variable of the call whose value the stream needs."""

    declaration: str
    type: str
    """The type of its address."""
    holder: str
    """The argument that has the addresses of the variables."""
    index: int


class Stream(Feature, Frozen):
    keys = (STREAM,)
    suffix = "_stream"
    text: str

    @classmethod
    def problems(cls, call: Call) -> Iterator[Diagnostic]:
        """Yields a stream that no array uses, or that depends on values that are not known yet."""
        written = call.fields[STREAM]
        if written is None or not call.is_whole:
            return
        if not any(_may_be_on_device(call, each) for each in call.from_python()):
            message = (
                f"'stream' is never used: no argument of '{call.prototype.name}' is an array on a device with streams"
            )
            hint = "declare the device of an array, such as 'require: [{device: cuda}]' in its entry of 'args'"
            yield Diagnostic("never-called", written.span, message, hint)
        yield from _too_early(call, written.text, written.span)

    @classmethod
    def read(cls, call: Call) -> Stream | None:
        written = call.fields[STREAM]
        return Stream(written.text) if written is not None else None

    def in_words(self) -> Iterator[str]:
        yield f"The producers of arrays make the data ready for the stream {self.text}."

    def c_text(self) -> Iterator[str]:
        yield self.text

    def holds(self, arguments: Iterable[Argument]) -> bool:
        return True

    def flags(self, argument: Argument, body: Body) -> Iterator[str]:
        own = argument.name == body.receiver and any(
            mentions_variable(self.text, each.name) for each in body.params_of_self
        )
        if argument.kind.is_operand and (own or mentions_variable(self.text, argument.name)):
            yield "DLB_PY_OF_STREAM"

    def handed(self, argument: Argument, body: Body) -> list[str]:
        """Returns the values that the stream needs, with the first array or object."""
        is_first = body.operand(argument.name) == 0
        return [each.name for each in self.arguments(body) if is_first and not each.kind.is_operand]

    def members(self, body: Body) -> Iterator[str]:
        yield f".stream = {body.c_name}_stream"

    def pieces(self, stage: Stage, body: Body) -> Iterator[Piece]:
        if stage is Stage.FUNCTIONS:
            yield Piece("calls/stream", "function", Part(self, body))

    # ---- What the template asks ----

    def arguments(self, body: Body) -> list[Argument]:
        return [each for each in body.arguments if mentions_variable(self.text, each.name)]

    def declarations(self, body: Body) -> list[Piece]:
        """Returns the declarations of the values that the stream needs."""
        found = [piece for argument in self.arguments(body) for piece in self._declarations_of(argument, body)]
        return found + [
            body.param_piece(each) for each in body.params_of_self if mentions_variable(self.text, each.name)
        ]

    def _declarations_of(self, argument: Argument, body: Body) -> Iterable[Piece]:
        if argument.kind.is_operand:
            return body.late_pieces(argument)
        ctype = CType(argument.ctype.base, argument.ctype.pointers)
        address = CType(ctype.base, (*ctype.pointers, True))
        declaration = declared(ctype, body.variable(argument.name))
        first = body.operands[0]
        index = body.variables_of(first).index(argument.name)
        read = ReadVariable(declaration, declared(address, ""), body.place(first.name).argument, index)
        return [Piece("calls/stream", "variable", read)]


def _may_be_on_device(call: Call, argument: Argument) -> bool:
    """Returns whether Python can pass an array on a device with streams, which the runtime gets from its producer."""
    kind = argument.kind
    if kind.is_array:
        return kind.require.devices is None or not WITHOUT_STREAMS.issuperset(kind.require.devices)
    of = call.names.classes.get(kind.class_name or "")
    if of is None or not of.imports or kind.needs_own:
        return False
    values = slot_values(of.fields, matches(of.fields), "device")
    return any(BY_NAME["device"].identity(value) not in WITHOUT_STREAMS for value in values)


def _too_early(call: Call, text: str, span: Span) -> Iterator[Diagnostic]:
    """Yields the values in the expression that are known only after the arrays are there."""
    if mentions_variable(text, "result") and call.find("result") is None:
        message = "'result' is not known yet: the stream is needed before the call"
        yield Diagnostic("stream-too-early", span, message)
    for argument in call.arguments:
        if mentions_variable(text, argument.name) and (why := _why_too_early(call, argument)):
            message = f"'{argument.name}' {why}: the producers get the stream before that"
            hint = "use a number, a handle, or the object of the method"
            yield Diagnostic("stream-too-early", span, message, hint)


def _why_too_early(call: Call, argument: Argument) -> str | None:
    """Returns why the value is not known before the arrays of the call, or None if it is."""
    kind = argument.kind
    if kind.is_operand:
        of = call.class_of(argument)
        is_receiver = call.own_object is argument
        if kind.is_list or of is None:
            return "is read together with the arrays"
        if kind.new_output is not None:
            return "may be a new output, which is allocated after the arrays are read"
        if of.imports and not kind.needs_own and not is_receiver:
            return f"may be an array, from which a '{of.name.text}' is made"
        return None
    if not kind.is_read_early or kind.takes:
        return "is known only after the arrays are read"
    if kind.default is not None and any(ctext.mentions(kind.default, each.name) for each in call.arguments):
        return "has a default value that is known only after the arrays are read"
    return None
