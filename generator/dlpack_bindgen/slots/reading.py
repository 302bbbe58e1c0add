"""`Reading` gives slots the expressions of the function that describes an object.

`SlotValue` is the base class of their values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.text.ctext import names
from dlpack_bindgen.text.fragments import (
    argument,
    arrays_by_number,
    is_number,
    mentions_variable,
    negate,
    quoting,
    replace_names,
    subtracts,
)
from dlpack_bindgen.text.names import C_KEYWORDS, STANDARD_MACROS, WORDS_OF_CLASSES
from dlpack_bindgen.text.statements import Assertion

DTYPE = "view->tensor->dtype"
ITEMSIZE = f"dlb_itemsize({DTYPE})"
RANK = "view->tensor->ndim"
_NOT_MEMBERS = C_KEYWORDS | STANDARD_MACROS | WORDS_OF_CLASSES


class SlotValue:
    """The base class of the values of slots."""

    def fragments(self) -> list[str | None]:
        """Returns all C source of the value."""
        return [text for each in vars(self).values() for text in (each if isinstance(each, tuple) else (each,))]

    def assertions(self, reading: Reading) -> Iterator[Assertion]:
        """Yields the compile-time checks against the real struct."""
        yield from ()


class Reading(Frozen):
    """The function that describes an object, for its slots."""

    scope: Scope
    rank: int | None
    """The number of axes if it is fixed."""
    least: int = 0
    """The smallest number of axes."""
    names: Mapping[str, str] | None = None
    """C expressions of names that are not declared yet, such as `itemsize`."""
    declared: frozenset[str] = frozenset()
    """The variables of `let`."""

    def _known(self, text: str) -> str:
        return replace_names(text, self.names) if self.names else text

    def text(self, expression: str) -> str:
        return self._known(self.scope.text(expression))

    def argument(self, expression: str) -> str:
        """Returns the expression as one argument of a macro."""
        return argument(self.text(expression))

    def quoting(self, macro: str, expression: str, *before: str) -> str:
        """Returns a call of a macro that quotes its last argument, the expression, in messages."""
        return self._known(quoting(macro, expression, self.scope.text(expression), *before))

    def integer(self, expression: str) -> str:
        """Returns the expression as an integer that reports overflow."""
        return self.quoting("DLB_INTEGER", expression)

    def negated(self, condition: str) -> str:
        return self._known(negate(self.scope.text(condition)))

    # ---- Assertions. Each message quotes tensor, slot and expression. ----

    def asserted(self, name: str, slot: str, expression: str, what: str, *further: str, verb: str = "be") -> Assertion:
        """Returns an assertion on an expression, which may stand in a loop over the axes."""
        outside_the_loop = self._known(argument(self.scope.text(replace_names(expression, {"axis": "0"}))))
        message = f"{self.scope.name}.{slot}: {expression} must {verb} {what}{self._advice(expression)}"
        return Assertion(name, (outside_the_loop, *further), message)

    def _advice(self, expression: str) -> str:
        """Returns the remedy for a member without `self->`, if the expression is a name that the spec does not declare.

        A header can declare the name, and then the assertion holds. Names of constants have capital letters.
        """
        known = {*self.declared, *(each.name for each in (*self.scope.params, *self.scope.hold)), *_NOT_MEMBERS}
        bare = (name for name in names(expression) if name.islower() and name not in known)
        name = next((name for name in bare if mentions_variable(expression, name)), None)
        return f"; for a member write '{'self.' if self.scope.by_value else 'self->'}{name}'" if name else ""

    def condition(self, slot: str, expression: str) -> Iterator[Assertion]:
        if not is_number(expression):
            yield self.asserted("INTEGER", slot, expression, "a condition: a comparison or an integer")

    def integers(self, slot: str, expression: str) -> Iterator[Assertion]:
        """Yields the assertion that an expression is an integer."""
        if subtracts(expression):
            what = "a signed integer (cast its parts), or it wraps around"
            yield self.asserted("SIGNED", slot, expression, what)
        elif not is_number(expression):
            yield self.asserted("INTEGER", slot, expression, "an integer")

    def lengths(self, slot: str, expressions: tuple[str, ...]) -> Iterator[Assertion]:
        """Yields the assertions that arrays have the elements that the expressions read."""
        greatest: dict[str, int] = {}
        for expression in expressions:
            for array, index in arrays_by_number(expression).items():
                greatest[array] = max(greatest.get(array, 0), index)
        for array, index in greatest.items():
            yield self.length(slot, array, index + 1)

    def length(self, slot: str, array: str, least: int) -> Assertion:
        return self.asserted("LENGTH", slot, array, f"at least {least} elements long", str(least))
