"""Elements of arrays and strings, and values, that C code of the spec reads before the call."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.argument_kind import Argument
from dlpack_bindgen.calls.feature import Feature, Part, Stage
from dlpack_bindgen.calls.function_keys import REQUIRE
from dlpack_bindgen.calls.lengths import expressions, lengths
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.values import Items, c_fragments, needed
from dlpack_bindgen.tensor.requirements import REQUIRE_OF_ARGUMENT, Check
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Span
from dlpack_bindgen.text.expressions import Element, Reads
from dlpack_bindgen.text.expressions import reads as reads_of_text
from dlpack_bindgen.text.fragments import Piece, mentions, operand
from dlpack_bindgen.text.literals import integer_value

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call
    from dlpack_bindgen.calls.emitted_function import Body


class ReadElement(Frozen):
    """An element that may lie outside its array or string, for the template."""

    name: str
    indices: tuple[str, ...]
    index: str
    """The number of the element in memory, as a C expression of the spec."""


class Elements(Feature):
    """The elements of arrays and strings that C code reads. Python gives the lengths of the arrays."""

    def __init__(self, call: Call) -> None:
        self._call = call
        arrays = [argument for argument in call.arguments if argument.kind.has_elements]
        self._tensors = [argument.name for argument in call.arguments if argument.kind.is_dltensor]
        self._depths = {argument.name: max(1, len(argument.ctype.extents)) for argument in arrays}
        self._known = {argument.name: _least(argument) for argument in arrays}

    @classmethod
    def problems(cls, call: Call) -> Iterator[Diagnostic]:
        yield from _hidden(call)
        yield from _outputs_before_call(call)

    @classmethod
    def read(cls, call: Call) -> Elements | None:
        return cls(call) if any(each.kind.has_elements for each in call.arguments) else None

    def reads(self, text: str) -> Reads:
        return reads_of_text(text, self._depths, self._tensors)

    def checks(self, item: Argument | Check, body: Body) -> Iterator[Piece]:
        for text in expressions(item):
            yield from (self._outside(each, body) for each in self._unknown(text))

    def pieces(self, stage: Stage, body: Body) -> Iterator[Piece]:
        """Yields checks of the elements in the sizes of returned bytes, as far as they are known before the call."""
        if stage is Stage.VALUES:
            late = [name for name, _, _ in self._call.values]
            for each in (each for text in self._call.sizes for each in self._unknown(text)):
                if not any(mentions((*each.indices, *each.conditions), name) for name in late):
                    yield self._outside(each, body)

    def _unknown(self, text: str) -> list[Element]:
        """Returns the elements that may lie outside their arrays."""
        found = []
        for element in self.reads(text).elements:
            index = integer_value(element.indices[0]) if len(element.indices) == 1 else None
            if index is None or not 0 <= index < self._known[element.array]:
                found.append(element)
        return found

    def _outside(self, element: Element, body: Body) -> Piece:
        """Returns the condition that an element lies outside its array or string."""
        argument = needed(self._call.find(element.array))
        index, kind = element.indices[0], argument.kind
        for extent, inner in zip(argument.ctype.extents[1:], element.indices[1:], strict=True):
            index = f"({index}) * ({extent}) + ({inner})"
        macro = "has_no_element" if kind.least_elements is None else "has_no_letter"
        return Piece(
            "calls/conditions",
            "has_no_string" if kind.is_table_of_strings else macro,
            Part(ReadElement(argument.name, element.indices, index), body),
            is_condition=True,
            conditions=tuple(operand(body.text(condition)) for condition in element.conditions),
        )


def _least(argument: Argument) -> int:
    """Returns the guaranteed number of contiguous elements that the CPU can read."""
    kind = argument.kind
    if kind.least_elements is not None:
        return kind.least_elements
    if kind.optional or kind.require.devices != ("cpu",) or kind.require.dtypes:
        return 0
    shape, counts = lengths(argument)
    known = [integer_value(count) or 0 for count in (*counts, argument.ctype.length or "0")]
    return max(0, *known, prod(integer_value(extent) or 0 for extent in shape) if shape else 0)


# ---- Rules ----

_BEFORE_CALL = ("value", "count", "shape", "require", "expr")
"""Keys of C text that is evaluated before the call."""


def _hidden(call: Call) -> Iterator[Diagnostic]:
    """Yields C text that reads elements by an index without a check, or a table of rows before the call."""
    elements = Elements(call)
    tables = [argument.name for argument in call.arguments if argument.kind.rows]
    for key, text in call.fragments:
        named = [name for name in tables if key in _BEFORE_CALL and ctext.mentions(text.text, name)]
        if named:
            yield Diagnostic(
                "argument-length", text.span, f"'{named[0]}' is a table of rows, which is not read before the call"
            )
        if key in _BEFORE_CALL and (hidden := elements.reads(text.text).hidden):
            message = f"'{hidden[0]}' must be read with a plain index, so that the element can be checked"
            found = call.find(hidden[0])
            plain = "" if found and found.kind.is_dltensor else f"write '{hidden[0]}[...]', or "
            hint = f"{plain}call a function that knows how long '{hidden[0]}' is"
            yield Diagnostic("argument-length", text.span, message, hint)


def _outputs_before_call(call: Call) -> Iterator[Diagnostic]:
    """Yields outputs in `require` of the function or an argument, and in lengths in the prototype."""
    unknown = _known_later(call)
    for text, span in _fragments(call):
        for name, why in unknown.items():
            if _reads(call, text, name):
                message = f"'{name}' {why}, and this is tested before the call"
                yield Diagnostic("used-too-early", span, message, "'ok' tests it after the call")
                break


def _known_later(call: Call) -> dict[str, str]:
    """Returns the names that have a value only after the call, each with the reason."""
    filled = {each.name: "is filled by C" for each in call.arguments if each.kind.returned is not None}
    last = {each.name: "has its value only during the call" for each in call.arguments if each.kind.is_acquired_last}
    return {**filled, **last, "result": "is returned by the function"}


def _fragments(call: Call) -> Iterator[tuple[str, Span]]:
    """Yields each C text that is evaluated before the call, with its place."""
    yield from _leaves(call.fields[REQUIRE])
    for each, argument in zip(call.entries, call.read_arguments, strict=True):
        yield from _leaves(each.fields[REQUIRE_OF_ARGUMENT])
        if argument is not None and argument.kind.returned is None:
            extents = (argument.ctype.length or "", *argument.ctype.extents)
            yield from ((extent, each.span) for extent in extents if extent)


def _leaves(conditions: Items | None) -> Iterator[tuple[str, Span]]:
    for key, leaf in c_fragments(conditions) if conditions else ():
        if key != "error" or not leaf.is_quoted_word:  # C text, which has no quotes
            yield leaf.text, leaf.span


def _reads(call: Call, text: str, name: str) -> bool:
    """Returns whether C text reads the value of `name`. `sizeof` of a variable is allowed. An object has no variable
    yet."""
    argument = call.find(name)
    output = argument.kind.returned if argument is not None else None
    is_object = output is not None and output.kind.is_object
    return name in (ctext.names(text) if is_object else ctext.evaluated_names(text))
