"""Failures: their keys, the rules named in `failures`, their rules and their exceptions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.argument_kind import Argument
from dlpack_bindgen.calls.feature import Feature, Part, Stage
from dlpack_bindgen.calls.result_kind import Result
from dlpack_bindgen.calls.spec_names import Names
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language import forms, reader
from dlpack_bindgen.language.keys import EXPRESSION, Alternatives, Form, Key, ListOf, MapOf, Option, Record, Single
from dlpack_bindgen.language.values import (
    Fields,
    Items,
    Leaf,
    Table,
    c_fragments,
    condition_of,
    needed,
    table_of,
    text_of,
)
from dlpack_bindgen.tensor.match_rules import meaning
from dlpack_bindgen.tensor.requirements import Check
from dlpack_bindgen.tensor.steps import OK, STATEMENT, or_none
from dlpack_bindgen.text import c_checks, ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, shown
from dlpack_bindgen.text.expressions import reads_unasked
from dlpack_bindgen.text.fragments import (
    Piece,
    has_members,
    mentions,
    negate,
    operand,
    replace_result,
    statements,
    tests_result,
)
from dlpack_bindgen.text.literals import c_string, joined
from dlpack_bindgen.text.names import is_system_error
from dlpack_bindgen.text.types import CType, Prototype, family, is_typedef, is_unknown, parse
from dlpack_bindgen.text.yaml import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call
    from dlpack_bindgen.calls.emitted_function import Body


# ---- The keys of a function ----

_RAISES = Alternatives(
    (
        Option(Single(Form.EXCEPTION), "The exception for every failure. An OSError gets its number from `errno`."),
        Option(
            MapOf(
                Form.KEY,
                Single(Form.EXCEPTION),
                "a mapping from results to exceptions",
                otherwise="for all other results, write the key '_'",
            ),
            "The exception for each result; `_` matches all other results.",
        ),
    )
)

OK_OF_FUNCTION = Key[Leaf](
    "ok",
    or_none(Single(Form.OUTCOME)),
    "The success condition: the rest of a comparison (`'!= NULL'`), or an expression with `%` for the result. "
    "It can also test a parameter that C fills, and name the result beside it: `info == 0 && result > 0`.",
    default="a returned object is not NULL",
    after="outputs",
)
ERROR_OF_FUNCTION = Key[Leaf](
    "error", EXPRESSION, "The error message, a C expression of type `const char *`.", after="ok"
)
RAISES = Key[Leaf | Table](
    "raises", _RAISES, "The exception that a failure raises.", default="`RuntimeError`", after="error"
)
ERRNO = Key[Leaf](
    "errno",
    EXPRESSION,
    "The number of an OSError, a C expression of type `int` such as `-result`. 0 stands for no number.",
    default="`errno`, if the function takes a `path` or a `file`, or `raises` maps a result to OSError; else 0",
    details=(
        "`errno: errno` takes the value that the call left in C's `errno`. This value is not always the cause "
        "of the failure: a library that polls leaves EAGAIN.",
    ),
    after="raises",
)
UNDO = Key[Leaf](
    "undo",
    STATEMENT,
    "Statements that run if the result fails its test, after the error message is read.",
    after="errno",
)
FINALLY = Key[Leaf](
    "finally",
    STATEMENT,
    "Statements that run after the result is converted to a Python object, or after a failure: `free(result)`.",
    details=(
        "The statements run after every call that was made, even if the result is NULL. If the cleanup "
        "function does not accept NULL, write `if (result != NULL) mpfr_free_str(result)`.",
    ),
    after="undo",
)


class Requirement(Frozen):
    """A condition that must hold before the call, for the template."""

    check: Check

    def test(self, body: Body) -> str:
        """Returns the negated condition, as a C expression."""
        return negate(body.text(self.check.expr))

    def message(self, body: Body) -> str:
        check = self.check
        if check.error is not None:
            return body.text(check.error)
        return c_string(check.message or f"{check.expr} does not hold")


class Raised(Frozen):
    """An exception after the call, for the template."""

    call: Call
    exception: str
    values: tuple[str, ...]
    """The values of the status for which it is raised, as C expressions of the spec; empty: all others."""

    def tests(self, body: Body) -> list[str]:
        status = body.variable(self.call.status)
        return [f"{status} == {operand(body.text(each))}" for each in self.values]

    @property
    def macro(self) -> str:
        """Returns the macro that raises the exception. A status such as -1 explains no error of the system."""
        errno, is_of_system = self.call.errno, is_system_error(self.exception)
        if is_of_system and errno not in (None, "0"):
            return "system_error"
        is_silent = is_of_system and errno is None
        return "status_error" if not is_silent and self._has_number() else "error"

    def _has_number(self) -> bool:
        """Returns whether the status seems to be an integer. If `ok` reads its members, it is a struct."""
        call = self.call
        if call.status != "result":
            value = needed(call.find(call.status)).kind.returned_value()
            return value is None or value.kind.number == "int"
        ctype, known = call.prototype.result, family(call.prototype.result.base)
        is_struct = call.result.kind.is_object or re.search(r"%\s*\.", call.ok or "") is not None
        return not ctype.pointers and (known == "int" or (known is None and is_unknown(ctype) and not is_struct))

    def message(self, body: Body) -> str:
        return body.text(self.call.error) if self.call.error is not None else "NULL"

    @property
    def has_declared_names(self) -> bool:
        """Returns whether the message has names that a header of the library must declare."""
        return any(token.kind == "name" for token in ctext.tokens(self.call.error or ""))

    def number(self, body: Body) -> str:
        """Returns the error number, as a C expression."""
        if takes_errno(self.call):
            return body.own("number")
        text = self.call.errno or ""
        is_int = self.call.prototype.result.base == "int" and text in ("result", "-result")
        return body.text(text) if is_int else f"(int)({body.text(text)})"


class Failures(Feature, Frozen):
    """The test of a call, the exceptions of a failure, and the code that runs after the call."""

    keys = (OK_OF_FUNCTION, ERROR_OF_FUNCTION, RAISES, ERRNO, UNDO, FINALLY)
    call: Call

    @classmethod
    def problems(cls, call: Call) -> Iterator[Diagnostic]:
        yield from _keys_without_test(call)
        yield from _useless_tests(call)
        yield from _unreachable_exceptions(call)
        yield from _errno_of_other_errors(call)
        yield from _values_of_null(call)
        yield from _null_results(call)
        yield from _null_arguments(call)

    @classmethod
    def read(cls, call: Call) -> Failures | None:
        return cls(call) if call.ok is not None or call.finally_ is not None else None

    def holds(self, arguments: Iterable[Argument]) -> bool:
        """Returns whether code after the call, or after the result, reads an array or an object."""
        fragments = [self.call.undo, self.call.finally_]
        return any(each.kind.is_operand and mentions(fragments, each.name) for each in arguments)

    def sentences(self) -> Iterator[str]:
        if self.call.ok is not None:
            names = dict.fromkeys(exception for _, exception in self.call.raises)
            yield f"Raises {joined([*names])} if the library reports a failure."

    def pieces(self, stage: Stage, body: Body) -> Iterator[Piece]:
        part = Part(self, body)
        if stage is Stage.END and self.call.finally_ is not None:
            yield Piece("calls/failures", "finally", part)
        if self.call.ok is None:
            return
        if stage in _OF_NUMBER and takes_errno(self.call):
            yield Piece("calls/failures", _OF_NUMBER[stage], part)
        elif stage is Stage.DECLARATIONS:
            yield Piece("calls/failures", "answer", part)
        elif stage is Stage.TEST:
            yield Piece("calls/failures", "succeeds", part)
        elif stage is Stage.FAILURE:
            for (exception, _), group in groupby(self.call.raises, key=lambda each: (each[1], each[0] is None)):
                raised = Raised(self.call, exception, tuple(value for value, _ in group if value is not None))
                yield Piece("calls/failures", "otherwise", Part(raised, body))
                yield Piece("calls/failures", raised.macro, Part(raised, body))
                yield Piece("calls/failures", "undo", part)
                yield from body.unused_storages
            yield Piece("calls/failures", "end", part)

    # ---- What the template asks ----

    def test(self, body: Body) -> str:
        return replace_result(body.text(self.call.ok or ""), body.result)

    @property
    def is_read_by_compiler(self) -> bool:
        """Returns whether the test has names that a header of the library must declare."""
        ok = self.call.ok or ""
        return ok != IS_OBJECT and any(each.kind == "name" and each.text != "NULL" for each in ctext.tokens(ok))

    def number(self, body: Body) -> str:
        """Returns the name of the variable for the error number."""
        return body.own("number")

    def error_number(self, body: Body) -> str:
        """Returns the error number after the call, as a C expression."""
        errno = self.call.errno or ""
        return "errno" if errno == "errno" else f"(int)({body.text(errno)})"

    def undo(self, body: Body) -> list[str]:
        return statements(body.text(self.call.undo or ""))

    def at_end(self, body: Body) -> list[str]:
        return statements(body.text(self.call.finally_ or ""))


_OF_NUMBER = {Stage.VARIABLES: "number", Stage.CALLING: "cleared", Stage.CALLED: "stored"}
"""The macros about the variable for the error number."""


def requirement(check: Check, body: Body) -> tuple[Piece, Piece]:
    """Returns the condition that a `require` does not hold, and the statement that raises its error."""
    part = Part(Requirement(check), body)
    fails = Piece("calls/failures", "does_not_hold", part, is_condition=True)
    return fails, Piece("calls/failures", "is_required", part)


def takes_errno(function: Call) -> bool:
    """Returns whether a failure raises OSError with the `errno` of the call."""
    may_fail = function.ok is not None and any(is_system_error(name) for _, name in function.raises)
    return may_fail and mentions([function.errno], "errno")


# ---- The test of a call ----

IS_OBJECT = "DLB_IS_OBJECT(%)"
"""The test of an object by value, if the spec does not specify success. The object may be a pointer."""


def tested(function: Fields, prototype: Prototype, found: Result, names: Names) -> str | None:
    """Returns the test of a call: its `ok`, or a test that the result is not NULL. Returns None without a test."""
    if own := text_of(condition_of(function[OK])):
        return own
    fails = found.required or (found.kind.is_object and not found.optional)
    if fails and found.may_be_struct:
        return IS_OBJECT
    is_pointer = prototype.result.depth or (found.class_type is not None and found.class_type.depth)
    return "% != NULL" if fails and is_pointer else _tested_by_value(prototype, found, names)


def is_null(prototype: Prototype, test: str | None) -> bool:
    """Returns whether a result that fails the test is NULL."""
    signs = [token.text for token in ctext.tokens(test or "")]
    compared = signs[:2] == ["%", "!="] and signs[2:] in (["NULL"], ["0"])
    return test == IS_OBJECT or (compared and prototype.result.depth > 0)


def _tested_by_value(prototype: Prototype, found: Result, names: Names) -> str | None:
    """Returns a test for NULL if the object is passed by value and its type may be a pointer, or None."""
    of = names.classes.get(found.of or "")
    if of is None or not of.by_value or found.optional or names.number(prototype.result.base):
        return None
    is_struct = any(has_members(leaf.text, "self") for _, leaf in c_fragments(of.fields))
    return IS_OBJECT if is_typedef(prototype.result) and not is_struct else None


def is_status(ok: str | None, name: str = "%") -> bool:
    """Returns whether a success always has the same value, which Python then does not need."""
    signs = [token.text for token in ctext.tokens(ok or "")]
    return signs[:2] == [name, "=="] and not {"&&", "||", "?", "%"}.intersection(signs[2:])


def status(ok: str | None, arguments: Iterable[Argument]) -> str | None:
    """Returns the name of the value that the test reads: `result`, a filled parameter, or None for neither.

    Without a test, it is `result`.
    """
    if ok is None or tests_result(ok):
        return "result"
    filled = [each.name for each in arguments if each.kind.returned is not None or each.by_address]
    return next((name for name in filled if mentions([ok], name)), None)


# ---- The keys that describe once how functions report failures ----

REPLACED = ("ok", "error", "raises", "errno")
"""The keys of a rule that a key of the function replaces."""
ADDED = ("undo", "finally")
"""The keys of a rule whose statements run after those of the function."""

PARAMETER = Key[Leaf](
    "parameter",
    Single(Form.DECLARATION),
    "The parameter with its name: `GError **error`. The rule applies to functions, methods and constructors "
    "whose prototype has it. C fills it, as with `out: true`, unless their `args` describe it.",
)
RESULT = Key[Leaf](
    "result",
    Single(Form.CTYPE),
    "The C type of the result: `lib_status`. The rule applies to functions, methods and constructors that "
    "return this type.",
)
FAILURE = Record(
    what="a rule about failures",
    doc="Describes how all functions with one parameter, or with one type of result, report failures. The first rule "
    "that fits a function applies. `ok`, `error`, `raises` and `errno` of the function replace those of the rule; its "
    "`undo` and `finally` run before those of the rule. `ok: none` cancels the rule, except for `finally`.",
    keys=(PARAMETER, RESULT, *Failures.keys),
    one_of=("parameter", "result"),
)
FAILURES: Key[Items] = Key[Items](
    "failures",
    ListOf(FAILURE, "a list of rules about failures", least=1, lone=True),
    "How functions report failures, described once for all functions with a parameter or a type of result.",
)


# ---- Application of the top-level `failures`: the keys of a rule become keys of each function that it fits ----
# The added keys have their places in the rule, so messages about them point to it.

Entry = tuple[Scalar, Node]


class _Rule(Frozen):
    """A rule of the top-level `failures`, with its keys as nodes of YAML."""

    place: Scalar
    """The value of `parameter` or `result`."""
    parameter: str | None
    """The name of the parameter; None: the rule is about results."""
    ctype: CType
    keys: dict[str, Entry]

    def fits(self, function: Mapping, prototype: Prototype) -> bool:
        if self.parameter is None:
            return prototype.result == self.ctype
        args = _find(function, "args")
        is_described = isinstance(args, Mapping) and _find(args, self.parameter) is not None
        found = any(each.name == self.parameter and each.ctype == self.ctype for each in prototype.parameters)
        return found and not is_described and (args is None or isinstance(args, Mapping))


def applied(root: Mapping, report: Report) -> Mapping:
    """Returns the spec with the keys of the rules in its functions. Reports rules that fit no function."""
    rules = list(_rules(root))
    if not rules:
        return root
    applier = _Applier(rules)
    root = replace(root, entries=tuple((key, applier.of_root(key.text, value)) for key, value in root.entries))
    for rule in rules:
        if id(rule) not in applier.used:
            what = f"returns '{shown(rule.place.text)}'"
            if rule.parameter is not None:
                what = f"has the parameter '{shown(rule.place.text)}' without an entry in its 'args'"
            message = f"no function of this spec {what}"
            report(Diagnostic("without-effect", rule.place.span, message, "write it as the prototypes do"))
    return root


def _rules(root: Mapping) -> Iterator[_Rule]:
    """Yields the rules without mistakes. The loader or the check of the structure reports all others."""
    listed = _find(root, "failures")
    for node in listed.items if isinstance(listed, Sequence) else (listed,):
        if not isinstance(node, Mapping) or not reader.fits(root, node, FAILURE):
            continue
        keys = {key.text: (key, value) for key, value in node.entries}
        _, place = keys.get("parameter") or keys["result"]
        if not isinstance(place, Scalar):
            continue  # the loader has refused the value
        prototype = parse(f"void f({place.text})" if "parameter" in keys else f"{place.text} f(void)")
        if not isinstance(prototype, Prototype):
            continue
        if "parameter" in keys and prototype.parameters:
            parameter = prototype.parameters[0]
            yield _Rule(place, parameter.name, parameter.ctype, keys)
        elif "result" in keys:
            yield _Rule(place, None, prototype.result, keys)


class _Applier:
    """Adds the keys of rules to the functions of a spec, and collects the rules that fit any."""

    def __init__(self, rules: list[_Rule]) -> None:
        self._rules = rules
        self.used: set[int] = set()

    def of_root(self, key: str, value: Node) -> Node:
        if key == "functions":
            return _each(value, self._function)
        return _each(value, self._class) if key in ("tensors", "handles") else value

    def _class(self, value: Node) -> Node:
        changed: dict[str, Callable[[Node], Node]] = {
            "methods": lambda methods: _each(methods, self._function),
            "properties": lambda properties: _each(properties, self._property),
            "new": self._function,
        }
        return _changed(value, changed)

    def _property(self, value: Node) -> Node:
        return _changed(value, {"set": self._function})

    def _function(self, value: Node) -> Node:
        written = _find(value, "c") if isinstance(value, Mapping) else None
        prototype = parse(written.text) if isinstance(written, Scalar) else None
        if not isinstance(value, Mapping) or not isinstance(prototype, Prototype):
            return value
        rule = next((each for each in self._rules if each.fits(value, prototype)), None)
        if rule is None:
            return value
        self.used.add(id(rule))
        return _with_keys(value, rule)


def _with_keys(function: Mapping, rule: _Rule) -> Mapping:
    """Returns the function with the keys of the rule that it does not replace."""
    own = {key.text: value for key, value in function.entries}
    ok = own.get("ok")
    is_cancelled = isinstance(ok, Scalar) and ok.text == "none"
    taken = {*own, *(["errno"] if "raises" in own else [])}
    new = {key: entry for key, entry in rule.keys.items() if key in REPLACED and key not in taken and not is_cancelled}
    for key in ADDED:
        if key in rule.keys and not (key == "undo" and is_cancelled):
            name, value = rule.keys[key]
            before = own.get(key)
            if isinstance(before, Scalar) and isinstance(value, Scalar):
                value = replace(before, text=f"{before.text.rstrip('; ')}; {value.text}")
            new[key] = (name, value)
    if rule.parameter is not None:
        out = (Scalar("out", rule.place.span, plain=True), Scalar("true", rule.place.span, plain=True))
        described = (Scalar(rule.parameter, rule.place.span, plain=True), Mapping((out,), rule.place.span))
        args = own.get("args")
        entries = args.entries if isinstance(args, Mapping) else ()
        span = args.span if isinstance(args, Mapping) else rule.place.span
        new["args"] = (Scalar("args", span, plain=True), Mapping((*entries, described), span))
    kept = [entry for entry in function.entries if entry[0].text not in new]
    return replace(function, entries=(*kept, *new.values()))


def _each(table: Node, change: Callable[[Node], Node]) -> Node:
    """Returns the table with each of its values changed."""
    if not isinstance(table, Mapping):
        return table
    return replace(table, entries=tuple((key, change(value)) for key, value in table.entries))


def _changed(record: Node, changes: dict[str, Callable[[Node], Node]]) -> Node:
    """Returns the record with the values of some keys changed."""
    if not isinstance(record, Mapping):
        return record
    entries = [(key, changes[key.text](value) if key.text in changes else value) for key, value in record.entries]
    return replace(record, entries=tuple(entries))


def _find(record: Mapping, name: str) -> Node | None:
    return next((value for key, value in record.entries if key.text == name), None)


# ---- Rules for failures of calls: the test of the result, and the exception ----

_UNSIGNED = ("unsigned", "size_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t")
_OF_FAILURES = ("error", "raises", "errno", "undo")
_NOTHING = ("NULL", "0")


def _keys_without_test(call: Call) -> Iterator[Diagnostic]:
    """Yields `error`, `raises`, `errno` and `undo` without a test for failures."""
    function = call.fields
    yield from _unknown_status(call)
    if call.read_result is None or _has_test(call) or _test(call):
        return
    for key in _OF_FAILURES:
        if key in function.given:
            message = f"'{key}' needs 'ok' beside it: 'ok' declares when the call fails"
            may_be_null = call.prototype.result.depth or call.read_result.kind.is_object
            hint = "for a pointer: ok: '!= NULL'" if may_be_null else None
            yield Diagnostic("needs-key", function.given[key], message, hint)


def _has_test(call: Call) -> bool:
    """Returns whether `ok` has a condition, valid or not."""
    function = call.fields
    return OK in function and (condition_of(function[OK]) is not None or function[OK] is None)


def _test(call: Call) -> str | None:
    return tested(call.fields, call.prototype, call.read_result, call.names) if call.read_result else None


def _unknown_status(call: Call) -> Iterator[Diagnostic]:
    """Yields an `ok` whose tested value does not exist."""
    function = call.fields
    test = condition_of(function[OK])
    about = status(text_of(test), call.arguments)
    if test is not None and about is None and len(call.arguments) == len(call.read_arguments):
        hint = f"{c_checks.NO_TEST.hint}; a parameter that it is about is 'out: true'"
        yield Diagnostic("bad-ok", test.span, c_checks.NO_TEST.message, hint)
        return
    reads_result = test is not None and (about == "result" or mentions([test.text], "result"))
    if call.prototype.result == CType("void") and reads_result:
        message = "'ok' tests the result, and this function has no result"
        outs = [each.name for each in call.arguments if each.kind.returned is not None]
        status_hint = f"write '{outs[-1]} == 0', or another condition of success" if outs else None
        yield Diagnostic("result-type", function.place(OK), message, status_hint)


def _useless_tests(call: Call) -> Iterator[Diagnostic]:
    """Yields an `ok` that accepts NULL pointers, orders addresses, is always true, or compares a number with
    NULL."""
    test, result = condition_of(call.fields[OK]), call.prototype.result
    if test is None:
        return
    signs = [token.text for token in ctext.tokens(test.text)]
    if len(signs) != 3 or "%" not in signs:
        return
    if signs[1] == "==" and signs[2] in ("0", "NULL") and result.depth and call.names.objects(result):
        message = "this counts a NULL pointer as a success, and every object a failure"
        yield Diagnostic("result-type", test.span, message, "write '!= NULL'")
    elif signs[1] in ("<", "<=", ">", ">=") and result.depth:
        message = "this compares the order of addresses, which does not show success"
        yield Diagnostic("result-type", test.span, message, "write '!= NULL'")
    elif signs[1:] == [">=", "0"] and result.base.startswith(_UNSIGNED):
        message = f"'{result.base}' is never less than 0: this holds always"
        yield Diagnostic("result-type", test.span, message)
    elif signs[2] == "NULL" and result.depth == 0 and family(result.base):
        message = f"'{call.prototype.name}' returns '{result.base}', which is not a pointer"
        yield Diagnostic("result-type", test.span, message, "compare it with a number, such as '== 0'")


def _errno_of_other_errors(call: Call) -> Iterator[Diagnostic]:
    """Yields `errno` without an OSError."""
    function, raises = call.fields, call.fields[RAISES]
    values = [leaf for _, leaf in raises.leaves()] if isinstance(raises, Table) else [raises]
    names = [leaf.text for leaf in values if isinstance(leaf, Leaf)]
    is_known = _has_test(call) or raises is not None  # otherwise another rule reports the missing test
    if ERRNO in function and is_known and not any(map(is_system_error, names)):
        message = "only an OSError has the number of an error"
        yield Diagnostic("without-effect", function.place(ERRNO), message, "write 'raises: OSError', or leave it out")


def _unreachable_exceptions(call: Call) -> Iterator[Diagnostic]:
    """Yields results that `raises` lists twice, and results that C cannot compare with numbers."""
    raises = table_of(call.fields[RAISES])
    taken: dict[str, Leaf] = {}
    for key, _ in raises.entries if raises else ():
        yield from forms.compared(key, "result", otherwise="compare in 'ok'; '_' is for all other values")
        first = taken.setdefault(meaning(key.text), key)
        if first is not key:
            notes = (Note(first.span, "first here"),)
            yield Diagnostic("unreachable-arm", key.span, f"'{shown(key.text)}' is matched before", notes=notes)
    compared = [key for key, _ in (raises.entries if raises else ()) if key.text != "_"]
    if compared and _is_struct(call):
        message = f"'{compared[0].text}' is compared with the result, which is a struct"
        hint = "name one exception; or write a C function that returns a number, and bind it"
        yield Diagnostic("result-type", compared[0].span, message, hint)
    signs = [token.text for token in ctext.tokens(text_of(condition_of(call.fields[OK])) or "")]
    is_address = call.prototype.result.depth and signs[:2] == ["%", "=="] and signs[2:] in (["NULL"], ["0"])
    numbers = [key for key in compared if key.text.lstrip("+-").isdecimal() and key.text not in _NOTHING]
    if numbers and is_address:
        message = f"'{numbers[0].text}' is compared with the result, which is a pointer"
        hint = "name one exception; 'error' can be a string with the reason, such as result->message"
        yield Diagnostic("result-type", numbers[0].span, message, hint)


def _is_struct(call: Call) -> bool:
    """Returns whether the result is known to be a struct: by its type, by a member in C text, or by its class."""
    result = call.prototype.result
    if result.depth or status(text_of(condition_of(call.fields[OK])), call.arguments) != "result":
        return False
    fragments = [text_of(condition_of(call.fields[OK]))]
    fragments += [text_of(call.fields.value_of(key)) for key in (*_OF_FAILURES, "finally")]
    found = [(text, name) for text in fragments if text for name in ("%", "result")]
    for of in call.names.objects(result):
        if of.is_struct(result) and call.read_result is not None and call.read_result.kind.is_object:
            return True
        found += [(leaf.text, "self") for _, leaf in c_fragments(of.fields)]
    return result.base.startswith(("struct ", "union ")) or any(has_members(*each) for each in found)


def _values_of_null(call: Call) -> Iterator[Diagnostic]:
    """Yields `raises` with values for a pointer: it is NULL in each failure."""
    if not is_null(call.prototype, _test(call)):
        return
    raises = table_of(call.fields[RAISES])
    for key, _ in raises.entries if raises else ():
        if key.text not in (*_NOTHING, "_"):
            message = f"'{key.text}' is compared with the result, which is NULL if the call fails"
            hint = "name one exception, as in 'raises: ValueError'; 'error' can be a string with the reason"
            yield Diagnostic("result-type", key.span, message, hint)


# ---- Rules for C text that dereferences NULL: the result of a failed call, or an argument that Python omits ----


def _null_results(call: Call) -> Iterator[Diagnostic]:
    """Yields C text that dereferences a NULL result, after a failure or because the result is optional."""
    result, prototype = call.read_result, call.prototype
    if result is None:
        return
    test = tested(call.fields, prototype, result, call.names)
    fails = is_null(prototype, test)
    why = "the call fails" if fails else "there is none"
    is_optional = result.optional or result.kind.null_is_value
    may_be_none = test is None and is_optional and prototype.result.depth
    function = call.fields
    read = [function[FINALLY]] if fails or may_be_none else []
    for text in [function[ERROR_OF_FUNCTION], function[ERRNO], function[UNDO], *read] if fails else read:
        if text is not None and reads_unasked(text.text, "result"):
            yield _null_pointer(text, "result", f"the result is NULL where {why}, and this dereferences it")


def _null_arguments(call: Call) -> Iterator[Diagnostic]:
    optional = [each.name for each in call.arguments if each.kind.is_passed and each.kind.optional]
    for _, text in call.fragments if optional else ():
        for name in optional:
            if reads_unasked(text.text, name):
                message = f"'{name}' is NULL where Python gives none, and this dereferences it"
                yield _null_pointer(text, name, message)


def _null_pointer(text: Leaf, name: str, message: str) -> Diagnostic:
    is_value = text.form == Form.EXPRESSION
    hint = f"write '{f'{name} != NULL ? ... : ...' if is_value else f'if ({name} != NULL) {{ ... }}'}'"
    return Diagnostic("null-pointer", text.span, message, hint)
