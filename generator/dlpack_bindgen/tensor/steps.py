"""Steps: C code that runs around the slots, with its keys, its records and its C."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import cast

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import (
    EXPRESSION,
    Alternatives,
    Entry,
    Form,
    Key,
    ListOf,
    Needs,
    Option,
    Record,
    Single,
    Word,
    Words,
)
from dlpack_bindgen.language.values import Fields, Items, Leaf, Value, condition_of, needed, text_of
from dlpack_bindgen.tensor.item import (
    Action,
    Allocate,
    CallStep,
    Construct,
    Declaration,
    Import,
    Init,
    Let,
    SetFields,
    Step,
)
from dlpack_bindgen.tensor.requirements import CHECK, ERROR, Check, check
from dlpack_bindgen.tensor.slot import Scope, Statement, Variable, Variables
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note
from dlpack_bindgen.text.fragments import (
    Assertion,
    Piece,
    argument,
    comes_first,
    comparison,
    declaration,
    mentions,
    negate,
    operand,
    passed_axis,
    replace_result,
    statement,
    statements,
)
from dlpack_bindgen.text.literals import c_string
from dlpack_bindgen.text.names import is_keyword
from dlpack_bindgen.text.types import family, split_declaration, split_output, split_parameter, split_variable

# ---- The records that `templates/tensor/steps.c.j2` prints ----
# Strings without another description are C expressions.


class Report(Frozen):
    """A call of the runtime that reports a failure, and returns the value for a failure."""

    function: str
    arguments: tuple[str, ...]


class Exit(Frozen):
    """The end of an emitted function after a failure."""

    report: Report | None
    """None: the failure has been reported."""
    label: str = ""
    undo: tuple[str, ...] = ()
    """Statements of the spec that follow the report."""
    is_direct: bool = False
    """Whether the function returns the value of the report."""
    target: str = ""
    """The label of the cleanup; empty: the function returns."""
    failure: str = ""
    """The value that the function returns."""


class Statements(Frozen):
    """Statements of the spec that cannot fail."""

    lines: tuple[str, ...]
    label: str


class FailureTest(Frozen):
    """A condition under which the function ends."""

    fails: str
    exit: Exit
    label: str = ""


class RangeTest(Frozen):
    """A test that all values so far were in range."""

    function: str
    """The function of the runtime that tests it."""
    arguments: tuple[str, ...]
    exit: Exit


class StoredVariable(Frozen):
    """A variable that is assigned with a range check."""

    declaration: str
    name: str
    setter: str
    """The macro that assigns it."""
    object: str
    """The object that records a value out of range."""
    value: str
    label: str


class TestedCall(Frozen):
    """A call of the spec that can fail."""

    assertion: Assertion | None
    """An assertion about the result."""
    called: str
    """The call, if the test needs a variable for the result; empty: the test has the call itself."""
    label: str
    test: FailureTest


class Cleanup(Frozen):
    """The cleanup of a step."""

    target: str
    """The label before it; empty: no step jumps there."""
    finally_: str
    """A statement of the spec that always runs; empty: there is none."""
    is_block: bool
    """Whether `finally_` needs a block, because a declaration cannot follow a label."""
    undo: str
    """A statement of the spec that runs after a failure; empty: there is none."""


class Body(Frozen):
    """The steps of an emitted function, and its cleanup."""

    groups: tuple[tuple[Statement, ...], ...]
    """The steps, with blank lines between the groups."""
    result: Piece | None
    """The value that the function returns; None: it cannot fail, and returns nothing."""
    cleanups: tuple[Cleanup, ...]
    """The cleanups, in the order in which they run."""
    outcome: str
    """The declaration of the variable for the result, in functions with cleanup."""
    failure: str
    """The value of that variable after a failure."""
    fails: str
    """The condition for `undo`."""
    has_constructed: bool
    """Whether a variable tells if the object has been constructed."""


class Function(Frozen):
    """An emitted function that gets a `void *object`."""

    name: str
    variables: Variables
    body: Body
    parameters: tuple[str, ...] = ()
    """The declarations of the parameters behind the object."""
    is_strict: bool = False
    """Whether the compiler must check that types can hold the values."""


# ---- The keys of steps ----

STATEMENT = Single(Form.STATEMENT)
CONDITION = Single(Form.CONDITION)


def or_none(condition: Single) -> Alternatives:
    """Returns the values that every `ok` takes: a condition, or the word `none`."""
    none = Word(
        "none",
        "The call has no test, and the `ok` of the spec does not apply. NULL instead of an object is still a failure.",
    )
    return Alternatives((Option(Words((none,)), "A word."), Option(condition, "A condition.")))


_SUCCEEDED = "The success condition: the rest of a comparison (`'!= NULL'`), or an expression with `%` for the result."
OK = Key[Leaf]("ok", or_none(CONDITION), _SUCCEEDED)
OK_OF_MAKING = Key[Leaf](
    "ok",
    or_none(CONDITION),
    _SUCCEEDED,
    default="with `init`, the `ok` of the spec; with `construct`, the object is not NULL",
)
_OK_OF_DO = Key[Leaf](
    "ok",
    or_none(CONDITION),
    "The success condition: the rest of a comparison (`== 0`), or an expression with `%` for the result. With `ok`, "
    "`do` must be a single call.",
    default="the `ok` of the spec",
)
OK_OF_SPEC = Key[Leaf](
    "ok",
    CONDITION,
    "The success condition of each `do` and `init` that has no `ok` of its own.",
    details=(
        "It does not apply to functions, whose result may be a value.",
        "A call that returns a pointer, a struct or nothing needs `ok: none`, or a condition of its own. "
        "Otherwise the C does not compile.",
    ),
)
FINALLY_OF_STEP = Key[Leaf](
    "finally",
    STATEMENT,
    "Statements that run at the end of the reading or call, even after a failure. The steps of a list run them in "
    "reverse order.",
)
UNDO_OF_STEP = Key[Leaf](
    "undo", STATEMENT, "Statements that run if a later step fails. The steps of a list run them in reverse order."
)
CHECKS = ListOf(
    Alternatives(
        (
            Option(EXPRESSION, "A condition without a message."),
            Option(CHECK, "A condition and its message.", tag="expr"),
        )
    ),
    what="a list of conditions",
)

DO = Key[Leaf]("do", STATEMENT, "The call; without `ok`, any C statements.", required=True)
ACTION = Record(what="a call {do}", doc="A call that may fail.", keys=(DO, _OK_OF_DO, ERROR))
ACTION_FORMS = Alternatives(
    (Option(STATEMENT, "Statements that cannot fail."), Option(ACTION, "A call that may fail.", tag="do"))
)
ACTIONS = ListOf(ACTION_FORMS, "a list of calls", lone=True)

TESTED = (
    Key(
        "ok",
        or_none(CONDITION),
        "The condition on the variable: the rest of a comparison, or an expression with `%` for its name.",
    ),
    Key(
        "error",
        EXPRESSION,
        "The error message, a C expression of type `const char *`.",
        needs=Needs(("ok",), "without a condition, there is no error"),
    ),
)


def let_of(form: Form, doc: str) -> ListOf:
    variable = Record(
        what="a declaration",
        doc="A C variable. A value that does not fit its integer type is refused.",
        keys=(*TESTED, FINALLY_OF_STEP, UNDO_OF_STEP),
        entry=Entry(form, Single(Form.INITIALISER), doc),
    )
    return ListOf(
        Alternatives(
            (
                Option(_OUT, "A variable, and the call that fills it.", tag="out"),
                Option(_DO, "A call, or statements.", tag="do"),
                Option(_REQUIRE, "A condition that must hold at this step.", tag="require"),
                Option(variable, "A variable and its initialiser."),
            )
        ),
        "a list of declarations",
    )


_DO = Record(
    what="a step {do}",
    doc="A call, or statements, between the declarations.",
    keys=(*ACTION.keys, FINALLY_OF_STEP, UNDO_OF_STEP),
)
OUT_OF_STEP = Key[Leaf]("out", Single(Form.OUTPUT), "`T name`, or an array `T name[N]`.", required=True)
_OUT = Record(
    what="a declaration {out}",
    doc="A C variable, initialised with zero, and the call that fills it.",
    keys=(OUT_OF_STEP, *_DO.keys),
)
REQUIRE_OF_STEP = Key[Leaf]("require", EXPRESSION, "The condition.", required=True)
_REQUIRE = Record(
    what="a step {require}",
    doc="A condition that must hold before the next declaration.",
    keys=(REQUIRE_OF_STEP, *CHECK.keys[1:]),
)
DECLARED = "`T name: initialiser`; the last identifier is the name. An empty value initialises with zero"
LET = let_of(Form.DECLARATION, f"{DECLARED}.")


# ---- Variables that the spec declares in `params`, `hold` or `let`, and the rules about one declaration ----

_STORAGE = frozenset(("static", "extern", "register", "auto", "typedef", "_Thread_local", "thread_local"))


class Declared(Frozen):
    """A variable that the spec declares, with its place in the file."""

    ctype: str
    name: str
    leaf: Leaf
    value: Leaf | None
    is_array: bool


def declared_in(item: Value) -> Declared | None:
    """Returns the variable that an item of `params`, `hold` or `let` declares, or None."""
    if isinstance(item, Leaf):
        parameter = split_parameter(item.text)
        return Declared(parameter[0], parameter[1], item, None, False) if isinstance(parameter, tuple) else None
    if not isinstance(item, Fields):
        return None
    leaf, value = item.entry or (item[OUT_OF_STEP], None)
    output = split_output(leaf.text) if leaf and item.entry is None else None
    if leaf and isinstance(output, tuple):
        return Declared(output[0], output[1], leaf, None, False)
    variable = split_variable(leaf.text) if leaf else None
    if leaf is None or not isinstance(variable, tuple):
        return None
    return Declared(variable[0], variable[1], leaf, value, variable[2])


def parameter_problems(params: Items | None) -> Iterator[Diagnostic]:
    """Yields the problems of parameters of a class or an import."""
    optional: Leaf | None = None
    names = {declared.name for item in (params.items if params else ()) if (declared := declared_in(item))}
    for item in params.items if params else ():
        declared = declared_in(item)
        if declared is None:
            continue
        name, span = declared.name, declared.leaf.span
        if is_keyword(name):
            yield Diagnostic("keyword-name", span, f"'{name}' is a keyword of C, C++ or Python")
        required = isinstance(item, Leaf) and "=" not in item.text
        if required and optional:
            message = f"'{name}' is required, and comes after an optional parameter"
            notes = (Note(optional.span, "it has a default"),)
            yield Diagnostic("required-after-optional", span, message, "give it a default, or move it up", notes)
        optional = optional if required else declared.leaf
        yield from storage_problems(item, "a parameter lives with each object")
        mentioned = ctext.names(_default_of(item, declared))
        if other := next((other for other in mentioned if other in names), None):
            yield Diagnostic("used-too-early", span, f"'{other}' is not known here: a default cannot use parameters")


def _default_of(item: Value, declared: Declared) -> str:
    if isinstance(item, Leaf):
        return item.text.partition("=")[2]
    return declared.value.text if declared.value else ""


def storage_problems(item: Value, why: str) -> Iterator[Diagnostic]:
    """Yields the problem of a variable with a storage class, which a member of a struct cannot have."""
    declared = declared_in(item)
    storage = _STORAGE.intersection(declared.ctype.split()) if declared else None
    if declared and storage:
        message = f"'{sorted(storage)[0]}' cannot stand here: {why}"
        yield Diagnostic("static-lifetime", declared.leaf.span, message)


# ---- Reads declarations, calls and conditions from values of the spec without mistakes ----

_REVERSED = "reversed"


def params(items: Items | None) -> tuple[Declaration, ...]:
    return tuple(_param(item) for item in (items.items if items else ()))


def _param(item: Value) -> Declaration:
    if isinstance(item, Leaf):
        return Declaration(*cast(tuple[str, str, str | None], split_parameter(item.text)))
    declaration, value = needed(cast(Fields, item).entry)
    return Declaration(*cast(tuple[str, str], split_declaration(declaration.text)), value.text)


def steps(items: Items | None, ok: str | None) -> tuple[Step, ...]:
    """Returns the steps of a list. `ok` is the default test of calls."""
    return tuple(_step(record, ok) for record in (items.records() if items else ()))


def _step(fields: Fields, ok: str | None) -> Step:
    if fields[REQUIRE_OF_STEP] is not None:
        return check(fields[REQUIRE_OF_STEP], fields)
    if fields.entry is not None:
        return variable(fields)
    declared = text_of(fields[OUT_OF_STEP])
    output = cast(tuple[str, str, str], split_output(declared)) if declared else None
    return CallStep(
        do=needed(text_of(fields[DO])),
        ctype=output[0] if output else None,
        name=output[1] if output else None,
        length=(output[2] or None) if output else None,
        ok=tested(fields, ok),
        by_spec=is_by_spec(fields, ok),
        error=text_of(fields[ERROR]),
        finally_=text_of(fields[FINALLY_OF_STEP]),
        undo=text_of(fields[UNDO_OF_STEP]),
    )


def variable(fields: Fields) -> Let:
    declaration, value = needed(fields.entry)
    ctype, name, is_array = cast(tuple[str, str, bool], split_variable(declaration.text))
    text: str | None = value.text or None
    is_reversed = is_array and value.text.startswith(_REVERSED)
    if is_reversed:
        text = value.text.removeprefix(_REVERSED).strip("() ")
    return Let(
        ctype=ctype,
        name=name,
        value=text,
        array=is_array,
        is_reversed=is_reversed,
        ok=text_of(condition_of(fields[OK])),
        error=text_of(fields[ERROR]),
        finally_=text_of(fields[FINALLY_OF_STEP]),
        undo=text_of(fields[UNDO_OF_STEP]),
    )


def tested(fields: Fields, ok: str | None) -> str | None:
    """Returns the test of a `do` or an `init`: its own `ok`, or the `ok` of the spec. None means no test."""
    return text_of(condition_of(fields[OK])) if OK in fields else ok


def is_by_spec(fields: Fields, ok: str | None) -> bool:
    """Returns whether the `ok` of the spec tests the call."""
    return ok is not None and OK not in fields


def actions(items: Items | None, ok: str | None) -> tuple[Action, ...]:
    return tuple(needed(action(item, ok)) for item in (items.items if items else ()))


def action(value: Value | None, ok: str | None) -> Action | None:
    """Returns the action. A statement cannot fail, but `{do: ...}` can."""
    if isinstance(value, Leaf):
        return Action(value.text)
    if isinstance(value, Fields):
        return Action(needed(text_of(value[DO])), tested(value, ok), text_of(value[ERROR]), is_by_spec(value, ok))
    return None


# ---- The steps of `let` and `require` in C ----
# Each step continues, or leaves the function after cleanup.


class Reporter(Frozen):
    """The functions of the runtime that report failures in one kind of function."""

    prefix: str
    """The prefix of these functions."""
    arguments: tuple[str, ...]
    """Their first arguments."""
    setter: str = ""
    """The macro that stores a value with a range check; empty: such a function stores no values."""
    object: str = ""
    """The object that records a value out of range."""
    outcome: str = "int outcome"
    """The declaration of the variable for the result, in functions with cleanup."""
    failure: str = "-1"
    is_failure: str = "outcome != 0"

    def refuse(self, message: str) -> Report:
        return Report(f"{self.prefix}refuse", (*self.arguments, message))

    def call_failed(self, call: str, reason: str | None) -> Report:
        """Returns the report that a call of the spec has failed. `reason` is the message of the library."""
        return Report(f"{self.prefix}call_failed", (*self.arguments, c_string(call), reason or "NULL"))


DESCRIBE = Reporter("dlb_view_", ("view", "error"), "DLB_LET", "view")
MAKE = Reporter(
    "dlb_source_", ("source", "error"), "DLB_SET", "source", "void *outcome", "NULL", is_failure="outcome == NULL"
)


def hook_reporter(full_name: str) -> Reporter:
    """Returns the reporter of functions that run hooks of a class."""
    return Reporter("dlb_", ("error", c_string(full_name)))


class _Cleanup:
    """The cleanup of one step, with the label that later failures jump to."""

    def __init__(self, target: str, finally_: str | None, undo: str | None) -> None:
        self.target = target
        self.finally_ = finally_
        self.undo = undo
        self.used = False


class Flow:
    """The body of a function that can fail at several points."""

    def __init__(self, scope: Scope, reporter: Reporter, adapt: Callable[[str], str] = lambda text: text) -> None:
        """`adapt` changes C source of the spec before the scope does."""
        self.can_fail = False
        """Whether a step can report a failure."""
        self._scope = scope
        self._reporter = reporter
        self._adapt = adapt
        self._groups: list[list[Statement]] = [[]]
        self._cleanups: list[_Cleanup] = []
        self._unchecked: list[str] = []
        """Variables whose range checks are pending."""
        self._constructed = False

    def add(self, *statements: Statement) -> None:
        self._groups[-1] += statements

    def separate(self) -> None:
        """Adds a blank line."""
        self._groups.append([])

    @property
    def is_empty(self) -> bool:
        return not any(self._groups)

    # ---- Failures ----

    def exit(self, report: Report | None = None, undo: Sequence[str] = (), label: str = "") -> Exit:
        """Returns the end of the function after a failure. None: the failure has been reported.

        `label` identifies an expression of the spec in the report.
        """
        self.can_fail = True
        if self._cleanups:
            self._cleanups[-1].used = True
        return Exit(
            report=report,
            label=label,
            undo=tuple(undo),
            is_direct=report is not None and not undo and not self._cleanups,
            target=self._cleanups[-1].target if self._cleanups else "",
            failure=self._reporter.failure,
        )

    def refused(self, message: str) -> Exit:
        """Returns the end of the function that refuses the object with a message."""
        return self.exit(self._reporter.refuse(message))

    def test(self, holds: str, exit: Exit, label: str = "") -> FailureTest:
        return FailureTest(negate(holds), exit, label)

    def leave_unless(self, holds: str, exit: Exit, label: str = "") -> None:
        self.add(Piece("tensor/steps", "leave_if", self.test(holds, exit, label)))

    def leave_if_out_of_range(self) -> None:
        """Leaves the function if a value was out of range."""
        reporter = self._reporter
        test = RangeTest(f"{reporter.prefix}failed", reporter.arguments, self.exit())
        self.add(Piece("tensor/steps", "leave_if_out_of_range", test))

    def refuse_unless(self, check: Check, slot: str) -> None:
        label = self._scope.label(slot)
        message = self.text(check.error) if check.error else c_string(check.message or f"{check.expr} does not hold")
        exit = self.exit(self._reporter.refuse(message), label=label if check.error else "")
        self.leave_unless(self.text(check.expr), exit, label)

    def call_failed(self, call: str, error: str | None, label: str, undo: Sequence[str] = ()) -> Exit:
        """Returns the end of the function after a failed call of the spec."""
        reason = self.text(error) if error else None
        return self.exit(self._reporter.call_failed(call, reason), undo, label if error else "")

    def call(self, call: CallStep | Action | Init, slot: str, undo: Sequence[str] = ()) -> None:
        """Adds the call, and leaves the function if the result does not satisfy `ok`."""
        do, ok, error = call.call if isinstance(call, Init) else call.do, call.ok, call.error
        scope, label, text = self._scope, self.label(slot, do), self.text(do)
        if ok is None:
            self.add(Piece("tensor/steps", "statements", Statements(tuple(statements(text)), label)))
            return
        exit = self.call_failed(do, error, label, undo)
        is_first = comes_first(ok) and not mentions([error], "result")
        tested = TestedCall(
            assertion=status_assertion(text, ok, f"{scope.name}.{slot}", scope.pointer) if call.by_spec else None,
            called="" if is_first else text,
            label=label,
            test=self.test(self.text(replace_result(ok, operand(do))), exit, label)
            if is_first
            else self.test(self.text(replace_result(ok, "result")), exit),
        )
        self.add(Piece("tensor/steps", "tested", tested))

    def label(self, slot: str, code: str) -> str:
        """Returns the label of a line. If numbers of the array reach a call, the compiler may refuse to narrow them."""
        wide = passed_axis(code) if self._reporter is MAKE else None
        advice = f" (narrower types: let: [{{int n: '{wide}'}}])" if wide else ""
        return self._scope.label(slot, advice)

    # ---- Steps ----

    def text(self, text: str) -> str:
        return self._scope.text(self._adapt(text))

    def steps(self, steps: Iterable[Step], slot: str) -> None:
        for step in steps:
            # Emit pending checks before a step that needs cleanup, because their exit precedes that cleanup.
            is_unconditional = (
                isinstance(step, Let) and step.value is not None and step == Let(step.ctype, step.name, step.value)
            )
            if not is_unconditional or any(mentions(step_fragments([step]), name) for name in self._unchecked):
                self._check_values()
            if isinstance(step, Check):
                self.refuse_unless(step, slot)
            elif isinstance(step, CallStep):
                self._call(step, slot)
            else:
                self.let(step, slot)
        self._check_values()

    def let(self, let: Let, slot: str) -> None:
        label = self._scope.label(f"{slot}.{let.name}")
        if let.value is None:
            self.declare(zeroed(let.ctype, let.name, label))
        elif checked(let.ctype, let.value):
            stored = StoredVariable(
                declaration=declaration(unqualified(let.ctype), let.name),
                name=let.name,
                setter=self._reporter.setter,
                object=self._reporter.object,
                value=argument(self.text(let.value)),
                label=label,
            )
            self.add(Piece("tensor/steps", "stored", stored))
            self._unchecked.append(let.name)
        else:
            label = self.label(f"{slot}.{let.name}", let.value)
            self.assign(declaration(let.ctype, let.name), self.text(let.value), label)
        if let.ok is not None:
            self._check_values()
            call = let.value if let.value is not None else let.name
            self.leave_unless(self.text(replace_result(let.ok, let.name)), self.call_failed(call, let.error, label))
        self._clean_up(let.finally_, let.undo, let.name)

    def declare(self, variable: Variable) -> None:
        self.add(Piece("tensor/steps", "variable", variable))

    def assign(self, place: str, value: str, label: str = "") -> None:
        """Adds an assignment. `place` can be a declaration."""
        self.declare(Variable(place, value, label))

    def _call(self, step: CallStep, slot: str) -> None:
        if step.name is not None and step.ctype is not None:
            self.declare(zeroed(step.ctype, f"{step.name}{step.length or ''}"))
        self.call(step, slot if step.name is None else f"{slot}.{step.name}")
        self._clean_up(step.finally_, step.undo, step.name)

    def _clean_up(self, finally_: str | None, undo: str | None, name: str | None) -> None:
        if finally_ is None and undo is None:
            return
        self._check_values()
        target = f"end_{name}" if name else f"end_{len(self._cleanups) + 1}"
        self._cleanups.append(_Cleanup(target, finally_, undo))

    def _check_values(self) -> None:
        """Adds the pending range checks, before the variables are used."""
        if self._unchecked:
            self._unchecked.clear()
            self.leave_if_out_of_range()

    def constructed(self) -> None:
        """Marks the object as constructed. Later failures destroy the object, which makes `undo` unnecessary."""
        if any(cleanup.undo is not None for cleanup in self._cleanups):
            self._constructed = True
            self.add(Piece("tensor/steps", "set_flag", "constructed"))

    def body(self, result: Piece | None) -> Body:
        """Returns all steps, `return result` and the cleanup."""
        return Body(
            groups=tuple(tuple(group) for group in self._groups),
            result=result,
            cleanups=tuple(self._frozen(cleanup) for cleanup in reversed(self._cleanups)),
            outcome=self._reporter.outcome,
            failure=self._reporter.failure,
            fails="!constructed" if self._constructed else self._reporter.is_failure,
            has_constructed=self._constructed,
        )

    def _frozen(self, cleanup: _Cleanup) -> Cleanup:
        finally_ = statement(self.text(cleanup.finally_)) if cleanup.finally_ is not None else ""
        undo = statement(self.text(cleanup.undo)) if cleanup.undo is not None else ""
        return Cleanup(cleanup.target if cleanup.used else "", finally_, ";" in finally_[:-1], undo)


def statements_function(scope: Scope, verb: str, fragments: Mapping[str, str | None]) -> Function | None:
    """Returns a function that runs statements of the spec, by slot; None: the spec has none."""
    given = {slot: text for slot, text in fragments.items() if text is not None}
    flow = Flow(scope, hook_reporter(scope.full_name))
    flow.add(*(Piece("tensor/steps", "statements", statements_of(scope, slot, text)) for slot, text in given.items()))
    return Function(scope.hook(verb), scope.variables([*given.values()]), flow.body(None)) if given else None


def statements_of(scope: Scope, slot: str, text: str) -> Statements:
    """Returns the statements of a slot, for the template."""
    return Statements(tuple(statements(scope.text(text))), scope.label(slot))


def returned(value: str) -> Piece:
    """Returns the value of a function that has succeeded."""
    return Piece("tensor/steps", "value", value)


def zeroed(ctype: str, name: str, label: str = "") -> Variable:
    nothing = "{0}" if name.endswith("]") else "NULL" if ctype.endswith("*") else "0" if family(ctype) else "{0}"
    return Variable(declaration(ctype, name), nothing, label)


def checked(ctype: str, value: str) -> bool:
    """Returns whether a value is stored through a check. This holds if both type and value can be integers."""
    if "*" in ctype or value.startswith("{") or ctype.split()[0] in ("struct", "union", "static"):
        return False
    return not {"float", "double", "_Complex", "complex"}.intersection(ctype.split())


def unqualified(ctype: str) -> str:
    """Returns the type for a variable that is assigned after its declaration."""
    return " ".join(word for word in ctype.split() if word != "const")


def status_assertion(call: str, ok: str, place: str, pointer: str | None = None) -> Assertion:
    """Returns the assertion that the `ok` of the spec fits the result of `call`.

    A comparison with a pointer needs a pointer, and other tests need a number. `pointer` is the C type of pointers to
    the object. A success value after `==` must not be such a pointer.
    """
    compared = comparison(ok)
    shown = ok.removeprefix("% ") if compared else ok
    remedy = "write `ok: none` or `ok: != NULL` beside it"
    message = f"{place}: `ok: {shown}` of the spec does not fit the result of this call: {remedy}"
    result = argument(operand(call))
    if compared is None:
        return Assertion("RESULT", (result,), message)
    sign, value = compared
    if sign == "==" and pointer is not None:
        return Assertion("STATUS", (result, argument(operand(value)), pointer), message)
    return Assertion("COMPARED", (result, argument(operand(value))), message)


def unchecked_names(steps: Iterable[Step]) -> list[str]:
    """Returns the variables that are declared with their values, without a range check."""
    lets = [step for step in steps if isinstance(step, Let) and step.value is not None]
    return [let.name for let in lets if not checked(let.ctype, let.value or "")]


def step_fragments(steps: Iterable[Step | Action | None]) -> list[str | None]:
    """Returns all C source of `steps`."""
    fragments: list[str | None] = []
    for step in steps:
        if isinstance(step, Check):
            fragments += [step.expr, step.error]
        elif isinstance(step, Action):
            fragments += [step.do, step.ok, step.error]
        elif isinstance(step, CallStep):
            fragments += [step.do, step.ok, step.error, step.finally_, step.undo]
        elif step is not None:
            fragments += [step.value, step.ok, step.error, step.finally_, step.undo]
    return fragments


def made_fragments(made: Import | Allocate) -> list[str | None]:
    """Returns all C source in the function that makes an object."""
    fragments = step_fragments([*made.require.checks, *made.let])
    build = made.build
    if isinstance(build, SetFields):
        fragments += [value for _, value in build.fields]
    else:
        fragments += [build.call, build.ok, build.error, build.undo if isinstance(build, Construct) else None]
    if isinstance(made, Import) and made.attach is not None:
        fragments += step_fragments([made.attach.action])
    return fragments
