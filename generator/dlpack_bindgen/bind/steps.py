"""The steps of `let` and `require` in C. Each step continues, or leaves the function after cleanup."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from dlpack_bindgen.arguments.requirements import Check
from dlpack_bindgen.bind.assertions import of_status
from dlpack_bindgen.bind.scope import Scope, checked, unqualified
from dlpack_bindgen.c.fragments import (
    argument,
    comes_first,
    declaration,
    mentions,
    negate,
    operand,
    replace_names,
    replace_result,
    statement,
    statements,
)
from dlpack_bindgen.c.quote import c_string
from dlpack_bindgen.c.types import family
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.spec import Action, Allocate, Call, Construct, Import, Init, Let, SetFields, Step


class Reports(Frozen):
    """C fragments that report failures in one kind of function. Each call has the return type of the function."""

    refuse: Callable[[str], str]
    call_failed: Callable[[str, str], str]
    set: Callable[[str, str], str]
    """The statement that stores a value with a range check."""
    failed: str | None
    """The condition that a value was out of range."""
    outcome: str
    """The declaration of the outcome as a failure, in functions with cleanup."""
    is_failure: str
    failure: str


DESCRIBE = Reports(
    refuse=lambda message: f"dlb_view_refuse(view, error, {message})",
    call_failed=lambda call, reason: f"dlb_view_call_failed(view, error, {call}, {reason})",
    set=lambda name, value: f"DLB_LET(view, {name}, {value});",
    failed="dlb_view_failed(view, error)",
    outcome="int outcome = -1;",
    is_failure="outcome != 0",
    failure="-1",
)
MAKE = Reports(
    refuse=lambda message: f"dlb_source_refuse(source, error, {message})",
    call_failed=lambda call, reason: f"dlb_source_call_failed(source, error, {call}, {reason})",
    set=lambda name, value: f"DLB_SET(source, {name}, {value});",
    failed="dlb_source_failed(source, error)",
    outcome="void *outcome = NULL;",
    is_failure="outcome == NULL",
    failure="NULL",
)


def hook_reports(full_name: str) -> Reports:
    name = c_string(full_name)
    return Reports(
        refuse=lambda message: f"dlb_refuse(error, {name}, {message})",
        call_failed=lambda call, reason: f"dlb_call_failed(error, {name}, {call}, {reason})",
        set=lambda name, value: f"{name} = {value};",
        failed=None,
        outcome="int outcome = -1;",
        is_failure="outcome != 0",
        failure="-1",
    )


class _Cleanup:
    def __init__(self, label: str, finally_: str | None, undo: str | None) -> None:
        self.label = label
        self.finally_ = finally_
        self.undo = undo
        self.used = False


class Flow:
    """The body of a function that can fail at several points."""

    def __init__(self, scope: Scope, reports: Reports, names: dict[str, str] | None = None) -> None:
        self.lines: list[str] = []
        self._scope = scope
        self._reports = reports
        self._names = names or {}
        """Replacements for names of the spec, besides those of the scope."""
        self._cleanups: list[_Cleanup] = []
        self._unchecked: list[str] = []
        """Variables whose range checks are pending."""
        self._constructed = False

    # ---- Failures ----

    def leave(self, call: str, before: Sequence[str] = (), label: str = "") -> list[str]:
        """Returns the statements that leave the function with the failure that `call` reports.

        `label` identifies an expression of the spec in it.
        """
        if before or self._cleanups:
            lines = [f"(void){call};{label}", *before]
            if not self._cleanups:
                return [*lines, f"return {self._reports.failure};"]
            self._cleanups[-1].used = True
            return [*lines, f"goto {self._cleanups[-1].label};"]
        return [f"return {call};{label}"]

    def leave_silently(self) -> list[str]:
        """Returns the statements that leave the function after a reported failure."""
        if not self._cleanups:
            return [f"return {self._reports.failure};"]
        self._cleanups[-1].used = True
        return [f"goto {self._cleanups[-1].label};"]

    def refused(self, message: str) -> list[str]:
        """Returns the statements that refuse the object with a message."""
        return self.leave(self._reports.refuse(message))

    def refuse_unless(self, check: Check, slot: str) -> None:
        message = self.text(check.error) if check.error else c_string(check.message or f"{check.expr} does not hold")
        self.lines.append(f"if ({negate(self.text(check.expr))}) {{{self._scope.label(slot)}")
        self.lines += self.leave(self._reports.refuse(message), label=self._scope.label(slot) if check.error else "")
        self.lines.append("}")

    def call(self, call: Call | Action | Init, slot: str, undo: Sequence[str] = ()) -> None:
        """Emits the call, and leaves the function if the result does not satisfy `ok`."""
        do, ok, error = call.call if isinstance(call, Init) else call.do, call.ok, call.error
        label = self._scope.label(slot)
        text = self.text(do)
        if ok is None:
            self.lines += [f"{each}{label}" for each in statements(text)]
            return
        reason = self.text(error) if error else "NULL"
        failure = self._reports.call_failed(c_string(do), reason)
        told = label if error else ""
        if call.by_spec:
            scope = self._scope
            pointer = scope.type if scope.by_value else f"{scope.type} *"
            self.lines.append(of_status(text, ok, f"{scope.name}.{slot}", pointer))
        if comes_first(ok) and not mentions([error], "result"):
            self.lines.append(f"if ({negate(self.text(replace_result(ok, operand(do))))}) {{{label}")
            self.lines += [*self.leave(failure, undo, told), "}"]
            return
        self.lines += ["{", f"DLB_AUTO result = {text};{label}", ""]
        self.lines.append(f"if ({negate(self.text(replace_result(ok, 'result')))}) {{")
        self.lines += [*self.leave(failure, undo, told), "}", "}"]

    # ---- Steps ----

    def text(self, text: str) -> str:
        return self._scope.text(replace_names(text, self._names) if self._names else text)

    def steps(self, steps: Iterable[Step], slot: str) -> None:
        for step in steps:
            # Emit pending checks before a step that needs cleanup, because their exit precedes that cleanup.
            plain = isinstance(step, Let) and step.value is not None and step == Let(step.ctype, step.name, step.value)
            if not plain or any(mentions(step_fragments([step]), name) for name in self._unchecked):
                self._check_values()
            if isinstance(step, Check):
                self.refuse_unless(step, slot)
            elif isinstance(step, Call):
                self._call(step, slot)
            else:
                self.let(step, slot)
        self._check_values()

    def let(self, let: Let, slot: str) -> None:
        label = self._scope.label(f"{slot}.{let.name}")
        if let.value is None:
            self.lines.append(f"{zeroed(let.ctype, let.name)}{label}")
        elif checked(let.ctype, let.value):
            self.lines.append(f"{declaration(unqualified(let.ctype), let.name)};")
            self.lines.append(f"{self._reports.set(let.name, argument(self.text(let.value)))}{label}")
            self._unchecked.append(let.name)
        else:
            self.lines.append(f"{declaration(let.ctype, let.name)} = {self.text(let.value)};{label}")
        if let.ok is not None:
            self._check_values()
            self.lines.append(f"if ({negate(self.text(replace_result(let.ok, let.name)))}) {{")
            reason = self.text(let.error) if let.error else "NULL"
            call = let.value if let.value is not None else let.name
            failure = self._reports.call_failed(c_string(call), reason)
            self.lines += [*self.leave(failure, label=label if let.error else ""), "}"]
        self._clean_up(let.finally_, let.undo, let.name)

    def _call(self, step: Call, slot: str) -> None:
        if step.name is not None and step.ctype is not None:
            self.lines.append(zeroed(step.ctype, f"{step.name}{step.length or ''}"))
        self.call(step, slot if step.name is None else f"{slot}.{step.name}")
        self._clean_up(step.finally_, step.undo, step.name)

    def _clean_up(self, finally_: str | None, undo: str | None, name: str | None) -> None:
        if finally_ is None and undo is None:
            return
        self._check_values()
        label = f"end_{name}" if name else f"end_{len(self._cleanups) + 1}"
        self._cleanups.append(_Cleanup(label, finally_, undo))

    def _check_values(self) -> None:
        """Emits the pending range checks, before the variables are used."""
        if not self._unchecked:
            return
        self._unchecked.clear()
        if self._reports.failed is not None:
            self.lines += [f"if ({self._reports.failed}) {{", *self.leave_silently(), "}"]

    def constructed(self) -> None:
        """Marks the object as constructed. Later failures destroy the object, which makes `undo` unnecessary."""
        if any(cleanup.undo is not None for cleanup in self._cleanups):
            self._constructed = True
            self.lines.append("constructed = 1;")

    # ---- Final lines ----

    def declarations(self) -> list[str]:
        """Returns the declarations that must precede all other lines."""
        lines = [self._reports.outcome] if self._cleanups else []
        return [*lines, "int constructed = 0;"] if self._constructed else lines

    def finish(self, result: str) -> list[str]:
        """Returns all lines: the steps, `return result` and the cleanup."""
        if not self._cleanups:
            return [*self.lines, f"return {result};"]
        lines = [*self.lines, f"outcome = {result};"]
        is_failure = "!constructed" if self._constructed else self._reports.is_failure
        for cleanup in reversed(self._cleanups):
            if cleanup.used:
                lines.append(f"{cleanup.label}:")
            if cleanup.finally_ is not None:
                text = statement(self.text(cleanup.finally_))
                # A declaration cannot follow a label.
                lines += ["{", text, "}"] if ";" in text[:-1] else [text]
            if cleanup.undo is not None:  # `undo` runs last, because it can free memory that `finally` needs
                lines += [f"if ({is_failure}) {{", statement(self.text(cleanup.undo)), "}"]
        return [*lines, "return outcome;"]


def zeroed(ctype: str, name: str) -> str:
    nothing = "{0}" if name.endswith("]") else "NULL" if ctype.endswith("*") else "0" if family(ctype) else "{0}"
    return f"{declaration(ctype, name)} = {nothing};"


def plain_names(steps: Iterable[Step]) -> list[str]:
    """Returns the variables that are declared with their values and not used yet."""
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
        elif isinstance(step, Call):
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
