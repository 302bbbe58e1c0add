"""The base classes of slots, how their C code reads the object, and the statements that they yield."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, Protocol, TypeVar, cast

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import EXPRESSION, IF, Alternatives, Anything, Key, ListOf, Option, Record
from dlpack_bindgen.language.values import Leaf, Value
from dlpack_bindgen.text.ctext import names
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import (
    ALWAYS,
    Assertion,
    Piece,
    argument,
    arrays_by_number,
    constant,
    declaration,
    is_number,
    mentions,
    mentions_variable,
    negate,
    quoting,
    replace_names,
    subtracts,
)
from dlpack_bindgen.text.literals import integer_value
from dlpack_bindgen.text.names import C_KEYWORDS, STANDARD_MACROS, STATIC, WORDS_OF_CLASSES

# ---- Access to the object, its parameters and its held values in the emitted functions of one class ----


class Declared(Protocol):
    """A variable of the spec: a parameter or a held value."""

    @property
    def ctype(self) -> str: ...

    @property
    def name(self) -> str: ...


class Variable(Frozen):
    """A variable of an emitted function."""

    declaration: str
    """The variable with its type, as C declares it."""
    value: str
    """The initial value, as a C expression."""
    label: str = ""


class Variables(Frozen):
    """The variables at the beginning of an emitted function."""

    declared: tuple[Variable, ...]
    unused: tuple[str, ...] = ()
    """Variables and parameters that the function perhaps does not use."""


class Scope(Frozen):
    """The C representation of the objects of a class.

    It is a `struct NAME_state` in the owner for classes with parameters, held values, a clone or `pass: value`.
    Otherwise it is the library's `T *` itself.
    """

    name: str
    """The name in Python, for comments and messages."""
    full_name: str
    c_name: str
    type: str
    by_value: bool
    params: tuple[Declared, ...]
    hold: tuple[Declared, ...]
    has_state: bool

    @property
    def state(self) -> str:
        return f"struct {self.c_name}_state"

    def hook(self, verb: str) -> str:
        """Returns the name of the function that the runtime calls for `verb`."""
        return f"{STATIC}{self.c_name}_{verb}"

    @property
    def self_parameter(self) -> str:
        return declaration(self.pointer, "self")

    @property
    def pointer(self) -> str:
        """Returns the type of `self`: a pointer, unless objects are passed by value."""
        return self.type if self.by_value else f"{self.type} *"

    @property
    def null(self) -> str:
        """Returns an expression of the type of `self` for unevaluated operands."""
        return f"(*({self.type} *)0)" if self.by_value else f"(({self.type} *)0)"

    @property
    def labelled_self(self) -> str:
        """Returns the parameter with its slot, for the first line of C that has the type."""
        return f"{self.self_parameter}{self.label('type')}"

    @property
    def members(self) -> tuple[str, ...]:
        """Returns the declarations of the members of the state."""
        return (self.labelled_self, *(declaration(each.ctype, each.name) for each in (*self.params, *self.hold)))

    @property
    def members_of_type(self) -> list[str]:
        """Returns the members of a `dlb_type` about the representation of an object."""
        found = [f".state = DLB_STORAGE_FOR({self.state})"] if self.has_state else []
        of_value = [f".value = sizeof({self.type})", f".points = DLB_IS_POINTER_TYPE({self.type})"]
        return [*found, *of_value] if self.by_value else found

    def text(self, text: str) -> str:
        """Returns C source of the spec, adapted to a function that declares `variables`."""
        if not self.has_state:
            return text
        replacements = {held.name: f"state->{held.name}" for held in self.hold}
        if self.by_value:
            replacements["self"] = "state->self"
        return replace_names(text, replacements)

    def variables(
        self, fragments: Sequence[str | None], state_used: bool = False, certain: Sequence[str | None] | None = None
    ) -> Variables:
        """Returns the variables that the C code in `fragments` uses. The function gets a `void *object`.

        The preprocessor can leave out all strings except the `certain` ones.
        """
        declared = self._declared(fragments, state_used)
        used = declared if certain is None else self._declared(certain, state_used)
        unused = tuple(name for name in declared if name not in used) if declared else ("object",)
        return Variables(tuple(declared.values()), unused)

    def _declared(self, fragments: Sequence[str | None], state_used: bool) -> dict[str, Variable]:
        uses_self = mentions(fragments, "self")
        if not self.has_state:
            return {"self": Variable(f"{self.type} *self", "object")} if uses_self else {}
        params = [param for param in self.params if mentions(fragments, param.name)]
        if not (uses_self or params or state_used or any(mentions(fragments, held.name) for held in self.hold)):
            return {}
        found = {"state": Variable(f"{self.state} *state", "object")}
        if uses_self and not self.by_value:
            found["self"] = Variable(f"{self.type} *self", "state->self")
        return found | {
            param.name: Variable(constant(param.ctype, param.name), f"state->{param.name}") for param in params
        }

    def label(self, slot: str, advice: str = "") -> str:
        """Returns a comment with the slot for the end of a line. Compilers show it in their errors."""
        return f" /* {self.name}.{slot}{advice} */"


# ---- `Reading` gives slots the expressions of the function that describes an object ----
# `SlotValue` is the base class of their values.

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


# ---- Values that the preprocessor chooses ----

T = TypeVar("T")


class Conditional(Frozen, Generic[T]):
    """`[{if: EXPR, value: VALUE}, ..., {value: VALUE}]`: a value chosen by the preprocessor."""

    branches: tuple[tuple[str, T], ...]
    """The condition after `#if` or `#elif`, and the value under that condition."""
    otherwise: T | None = None
    """The value after `#else`; None: there is no `#else`."""


IF_OF_CASE = replace(IF, doc="The condition, as written after `#if`.")
VALUE_OF_CASE = Key[Value]("value", Anything("the value of a slot"), "The value of the slot.", required=True)


def cases(plain: tuple[Option, ...]) -> ListOf:
    """Returns the form of a value that the preprocessor chooses among values of the forms `plain`."""
    return ListOf(
        Record(
            what="a case {if, value}",
            doc="A value for one condition of the preprocessor. The last case may omit the condition.",
            keys=(IF_OF_CASE, replace(VALUE_OF_CASE, kind=Alternatives(plain))),
        ),
        "a list of {if, value}",
        least=1,
    )


def alternatives(value: object) -> list[Any]:
    """Returns the values that the preprocessor chooses from, or the only value."""
    if isinstance(value, Conditional):
        return [*(branch for _, branch in value.branches), *([value.otherwise] if value.otherwise is not None else [])]
    return [] if value is None else [value]


def with_default(value: Any, default: object) -> Any:
    """Returns the value of a slot with a default. The default also applies if no branch of a condition holds."""
    if isinstance(value, Conditional):
        return value if value.otherwise is not None else replace(value, otherwise=default)
    return default if value is None else value


# ---- Statements of emitted functions, as records for templates ----


class Branch(Frozen):
    """Statements under a condition."""

    condition: str
    """A C expression, or the condition after `#if` and `#elif`."""
    statements: tuple[Statement, ...]
    guard: str = ""
    """The condition of an `#if` around a branch in C; empty: it is always compiled."""


class Block(Frozen):
    """Statements that are chosen or repeated."""

    form: str
    """The macro of `templates/tensor/steps.c.j2`: `preprocessed`, `chain`, `chosen` or `loop_over_axes`."""
    branches: tuple[Branch, ...] = ()
    otherwise: tuple[Statement, ...] = ()
    """The statements after the last `else`, or those of a loop."""
    label: str = ""

    @property
    def template(self) -> str:
        """Returns an empty string: `templates/tensor/steps.c.j2` prints the block itself."""
        return ""


Statement = Piece | Block
"""A statement of a slot."""


def preprocessed(
    value: Any, statements: Callable[[Any], list[Statement]], otherwise: Sequence[Statement] = ()
) -> list[Statement]:
    """Returns the statements of a slot, between `#if` and `#endif` if the slot is conditional.

    Without an `else` branch in the spec, `otherwise` is used.
    """
    if value is None:
        return []
    if not isinstance(value, Conditional):
        return statements(value)
    branches = [Branch(condition, tuple(statements(branch))) for condition, branch in value.branches]
    last = tuple(otherwise if value.otherwise is None else statements(value.otherwise))
    return conditioned(branches, last)


def conditioned(branches: Sequence[Branch], otherwise: tuple[Statement, ...] = ()) -> list[Statement]:
    """Returns the branches of an `#if`, without empty ones at the end."""
    found = [*branches]
    while not otherwise and found and not found[-1].statements:
        found.pop()
    return [Block("preprocessed", tuple(found), otherwise)] if found else []


def chain(branches: Sequence[Branch], otherwise: Sequence[Statement], label: str = "") -> list[Statement]:
    """Returns an if-chain in the order of the spec: the first branch that fits applies."""
    found: list[Branch] = []
    for branch in branches:
        if branch.condition == ALWAYS and not branch.guard:
            otherwise = branch.statements
            break
        found.append(branch)
    return [Block("chain", tuple(found), tuple(otherwise), label)] if found else [*otherwise]


def chosen(condition: str, statements: Sequence[Statement]) -> Block:
    """Returns statements under a condition in C."""
    return Block("chosen", (Branch(condition, tuple(statements)),))


def loop(statements: Sequence[Statement]) -> Block:
    """Returns statements that run for each `axis`."""
    return Block("loop_over_axes", otherwise=tuple(statements))


# ---- The base class of slots: the questions of all steps, and the answers of a slot that is a C expression ----

INT64_MAX = (1 << 63) - 1


class Slot:
    """A slot. The language adds the choices by `{of, map}` and by the preprocessor to its key.

    The methods get values without such choices."""

    name: str
    doc: str
    forms: tuple[Option, ...] = (Option(EXPRESSION, "A C expression."),)
    """The forms of a value without a choice."""
    values: str
    """The plural of the value, in messages."""
    default: str | None = None
    """The default value, in words."""
    unless: str | None = None
    """The key that replaces this one. None: the slot is optional."""
    further: tuple[Key, ...] = ()
    """Further keys of a choice by `{of, map}`."""
    details: tuple[str, ...] = ()
    default_value: object = None
    """The value that is set if the spec has none."""

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        """Yields the mistakes of a value in the spec."""
        yield from ()

    def further_problems(self, value: Value) -> Iterator[Diagnostic]:
        """Yields the mistakes of a further key of a choice."""
        yield from ()

    def read(self, value: Value, further: str | None) -> object:
        """Returns the record of a value without mistakes. `further` is the value of a further key of a choice."""
        return cast(Leaf, value).text

    def identity(self, value: Value) -> str | None:
        """Returns a string that identifies the value. No array fits two values with different strings. None: any array
        can fit."""
        return None

    # ---- The values of a valid spec ----

    def fragments(self, value: Any) -> list[str | None]:
        """Returns all C source of the value."""
        return [value]

    def assertions(self, value: Any, reading: Reading) -> Iterator[Assertion]:
        """Yields the compile-time checks against the real struct."""
        yield from ()

    def statements(self, value: Any, reading: Reading) -> list[Statement]:
        """Returns the statements that set the slot, unless they depend on other slots."""
        return []

    def in_words(self, value: Any) -> str:
        """Returns the value in words, for people who read a spec."""
        return str(value)

    def remarks(self, value: Any) -> list[str]:
        """Returns sentences about the memory of an array with this value."""
        return []


class RecordSlot(Slot):
    """A slot whose value is a record, which answers the questions."""

    def fragments(self, value: Any) -> list[str | None]:
        found: list[str | None] = value.fragments()
        return found

    def assertions(self, value: Any, reading: Reading) -> Iterator[Assertion]:
        yield from value.assertions(reading)

    def statements(self, value: Any, reading: Reading) -> list[Statement]:
        found: list[Statement] = value.statements(reading)
        return found

    def in_words(self, value: Any) -> str:
        found: str = value.in_words
        return found


def range_problems(number: Value | None, least: int, most: int, message: str) -> Iterator[Diagnostic]:
    """Yields the mistake if a literal number is outside of a range."""
    value = integer_value(number.text) if isinstance(number, Leaf) else None
    if number is not None and value is not None and not least <= value <= most:
        yield Diagnostic("bad-integer", number.span, message)
