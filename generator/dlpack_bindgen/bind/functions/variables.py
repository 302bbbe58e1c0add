"""The steps of an emitted function that follow when the runtime has its arrays and objects.

They declare the variables that depend on arrays, and test what the spec requires of several parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from dlpack_bindgen.arguments.facts import EmittedCall, Facts, Place, Scope
from dlpack_bindgen.arguments.requirements import Check
from dlpack_bindgen.bind.functions.failures import requirement
from dlpack_bindgen.bind.functions.fragments import sizes
from dlpack_bindgen.bind.functions.owners import MemoryOwners
from dlpack_bindgen.calls.feature import Body, replaced
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.elements import Elements
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.spec.lengths import expressions, in_order, late_measures, lengths
from dlpack_bindgen.text.expressions import Element
from dlpack_bindgen.text.fragments import mentions, operand
from dlpack_bindgen.text.statements import Owner, Piece, Step
from dlpack_bindgen.validate.functions.calls import Call


class LengthFacts(Frozen):
    """A required shape or number of elements, for `templates/functions/lengths.c.j2`."""

    place: Place
    name: str
    extents: tuple[str, ...] = ()
    count: str = ""
    like: str = ""
    """The array that the argument must be like."""


class ElementFacts(Frozen):
    """An element that C code of the spec reads, for `templates/functions/elements.c.j2`."""

    function: str
    variable: str
    argument: str
    """The array as the runtime has it; empty for strings."""
    name: str
    indices: tuple[str, ...]
    index: str
    """The number of the element in memory."""


class Variables:
    """The `steps` before the call that depend on arrays."""

    def __init__(
        self,
        function: Call,
        call: EmittedCall,
        scopes: Mapping[str, Scope],
        facts: Mapping[str, Facts],
        params: Sequence[Facts],
        checks: Sequence[Piece],
        memory_owners: MemoryOwners,
        body: Body,
    ) -> None:
        """Builds the steps.

        `params` are those of the receiver. `checks` are the first conditions.
        """
        self._function = function
        self._call = call
        self._scopes = scopes
        self._facts = facts
        self._memory_owners = memory_owners
        self._body = body
        self._owners: tuple[Owner, ...] = ()
        """The owners of memory that C fills, the last one first."""
        self._ctypes = {argument.name: argument.ctype for argument in function.arguments}
        self._kinds = {argument.name: argument.kind for argument in function.arguments}
        self._elements = Elements(function.arguments)
        self.steps: list[Step] = []
        self._conditions = list(checks)
        """Conditions that leave the call, tested before the next statement."""
        self._conditions += [check for argument in function.arguments for check in self._like_another(argument)]
        late = late_measures(function.arguments)
        for argument in function.arguments:
            is_ordered = argument in late or argument.kind.is_made_late or argument.kind.capacity
            if not is_ordered and argument.kind.value is None and not argument.kind.is_acquired_last:
                self._add(argument)
        for param in params:
            self.steps.append(Step(Piece("arguments/param_of", "variable", param)))
        self._in_order()

    def _in_order(self) -> None:
        function = self._function
        first, steps, left = in_order(function.arguments, function.require)
        assert not left, "validation leaves no circle"
        for item in (*first, *(item for step in steps for item in step)):
            self._conditions += [
                self._element(element) for text in expressions(item) for element in self._elements.unknown(text)
            ]
            if isinstance(item, Check):
                self._tested()
                fails, raised = requirement(item, self._call)
                self.steps.append(Step(None, (fails,), raised, self._left(), label=f" /* {self._call.key}.require */"))
                continue
            has_value = item.kind.value is not None
            if has_value and item not in first:
                self._tested()
            if has_value or item.kind.measure is not None or item.kind.capacity:
                self._add(item)
                continue
            self._conditions += self._required(item)
            if item.kind.is_made_late:
                self._tested()
                self._add(item)
        self._conditions += self._counted_strings()
        self._conditions += [self._element(element) for text in sizes(function) for element in self._of_size(text)]
        self._tested()

    def last(self, owners: tuple[Owner, ...]) -> tuple[Step, ...]:
        """Returns the steps that follow all others, because a refused call must not run them. `owners`: those that are
        released if such a step fails."""
        self.steps, others = [], self.steps
        for argument in self._function.arguments:
            if argument.kind.is_acquired_last:
                self._add(argument)
        self._tested()
        self.steps, steps = others, self.steps
        return tuple(replace(step, owners=owners) for step in steps)

    def _add(self, argument: Argument) -> None:
        """Adds the pieces of a kind."""
        for piece in argument.kind.late_pieces(self._scopes[argument.name], self._facts[argument.name]):
            if piece.is_condition:
                self._conditions.append(piece)
                continue
            if piece.follows_checks:
                self._tested()
            self.steps.append(Step(piece))
        if argument.kind.capacity:
            self._tested()
            self._owners = (self._memory_owners.filled(argument.name), *self._owners)

    def _left(self) -> tuple[Owner, ...]:
        return (*self._owners, *self._memory_owners.given())

    def _tested(self) -> None:
        """Adds the step that tests the conditions."""
        if self._conditions:
            several = len(self._conditions) > 1
            tests = [replace(each, is_enclosed=several and bool(each.conditions)) for each in self._conditions]
            self.steps.append(Step(None, tuple(tests), None, self._left(), follows_blank_line=True))
            self._conditions = []

    def _counted_strings(self) -> Iterator[Piece]:
        for argument in self._function.arguments:
            counted = argument.kind.count_piece(self._scopes[argument.name])
            if counted is not None:
                yield counted

    def _of_size(self, text: str | None) -> list[Element]:
        """Returns the elements that the size of returned bytes reads, as far as they are known before the call."""
        late = [name for name, _, _ in self._function.values]
        found = self._elements.unknown(text) if text is not None else []
        return [each for each in found if not any(mentions((*each.indices, *each.conditions), name) for name in late)]

    def _element(self, element: Element) -> Piece:
        """Returns the condition that an element lies outside its array."""
        name, call, ctype = element.array, self._call, self._ctypes[element.array]
        index = element.indices[0]
        for extent, inner in zip(ctype.extents[1:], element.indices[1:], strict=True):
            index = f"({index}) * ({extent}) + ({inner})"
        kind = self._kinds[name]
        is_string = kind.least_elements is not None
        facts = ElementFacts(
            function=call.table,
            variable=call.variable(name),
            argument="" if is_string else call.place(name).argument,
            name=name,
            indices=element.indices,
            index=call.length(index),
        )
        held = tuple(operand(call.text(condition)) for condition in element.conditions)
        return Piece(
            "functions/elements",
            "has_no_string" if kind.is_table_of_strings else "has_no_letter" if is_string else "has_no_element",
            facts,
            is_condition=True,
            conditions=held,
        )

    def _required(self, argument: Argument) -> Iterator[Piece]:
        shape, counts = lengths(argument)
        late, place, name = argument.kind.is_made_late, self._call.place, argument.name
        found = []
        if shape:
            facts = LengthFacts(place(name), name, extents=tuple(map(self._call.length, shape)))
            found.append(("has_no_shape" if late else "has_other_shape", facts))
        for count in counts:
            facts = LengthFacts(place(name), name, count=self._call.length(count))
            found.append(("has_no_count" if late and not found else "has_other_count", facts))
        for macro, facts in found:
            piece = Piece("functions/lengths", macro, facts, is_condition=True)
            yield replaced(self._function.features, argument, piece, self._body)

    def _like_another(self, argument: Argument) -> Iterator[Piece]:
        """Yields the check of an output without a declared length against the array that it is `like`."""
        made, name = argument.kind.new_output, argument.name
        if made is not None and made.like and argument.kind.has_elements and not any(lengths(argument)):
            facts = LengthFacts(self._call.place(name), name, like=self._call.place(made.like).argument)
            yield Piece("functions/lengths", "has_count_unlike", facts, is_condition=True)
