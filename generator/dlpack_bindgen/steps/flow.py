"""The steps of `let` and `require` in C. Each step continues, or leaves the function after cleanup."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dlpack_bindgen.arguments.requirements import Check
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.scope import Scope, Variable
from dlpack_bindgen.slots.statements import Statement
from dlpack_bindgen.spec.spec import Action, Allocate, CallStep, Construct, Import, Init, Let, SetFields, Step
from dlpack_bindgen.steps.records import (
    Body,
    Cleanup,
    Exit,
    FailureTest,
    RangeTest,
    Report,
    Statements,
    StoredVariable,
    TestedCall,
    Value,
)
from dlpack_bindgen.text.fragments import (
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
from dlpack_bindgen.text.statements import Assertion, Piece
from dlpack_bindgen.text.types import family


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
        self.add(Piece("steps/calls", "leave_if", self.test(holds, exit, label)))

    def leave_if_out_of_range(self) -> None:
        """Leaves the function if a value was out of range."""
        reporter = self._reporter
        facts = RangeTest(f"{reporter.prefix}failed", reporter.arguments, self.exit())
        self.add(Piece("steps/calls", "leave_if_out_of_range", facts))

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
            self.add(Piece("steps/calls", "statements", Statements(tuple(statements(text)), label)))
            return
        exit = self.call_failed(do, error, label, undo)
        is_first = comes_first(ok) and not mentions([error], "result")
        facts = TestedCall(
            assertion=status_assertion(text, ok, f"{scope.name}.{slot}", scope.pointer) if call.by_spec else None,
            called="" if is_first else text,
            label=label,
            test=self.test(self.text(replace_result(ok, operand(do))), exit, label)
            if is_first
            else self.test(self.text(replace_result(ok, "result")), exit),
        )
        self.add(Piece("steps/calls", "tested", facts))

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
            self._declare(zeroed(let.ctype, let.name, label))
        elif checked(let.ctype, let.value):
            facts = StoredVariable(
                declaration=declaration(unqualified(let.ctype), let.name),
                name=let.name,
                setter=self._reporter.setter,
                object=self._reporter.object,
                value=argument(self.text(let.value)),
                label=label,
            )
            self.add(Piece("steps/variables", "stored", facts))
            self._unchecked.append(let.name)
        else:
            label = self.label(f"{slot}.{let.name}", let.value)
            self._declare(Variable(declaration(let.ctype, let.name), self.text(let.value), label))
        if let.ok is not None:
            self._check_values()
            call = let.value if let.value is not None else let.name
            self.leave_unless(self.text(replace_result(let.ok, let.name)), self.call_failed(call, let.error, label))
        self._clean_up(let.finally_, let.undo, let.name)

    def _declare(self, variable: Variable) -> None:
        self.add(Piece("steps/variables", "variable", variable))

    def _call(self, step: CallStep, slot: str) -> None:
        if step.name is not None and step.ctype is not None:
            self._declare(zeroed(step.ctype, f"{step.name}{step.length or ''}"))
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
            self.add(Piece("steps/calls", "set_flag", Value("constructed")))

    def body(self, result: Piece) -> Body:
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


def returned(value: str) -> Piece:
    """Returns the value of a function that has succeeded."""
    return Piece("steps/calls", "value", Value(value))


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
