"""Rules for declarations and calls: names are declared before their use, and calls that can fail are tested."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.language.keys import PARAMS, PASS, Form
from dlpack_bindgen.language.values import (
    Fields,
    Items,
    Leaf,
    Value,
    c_fragments,
    condition_of,
    inside,
    is_record,
    items_of,
    text_of,
)
from dlpack_bindgen.tensor.import_calls import CONSTRUCT, INIT_OF_MAKING
from dlpack_bindgen.tensor.import_parts import LET_OF_MAKING, PARAMS_OF_MAKING
from dlpack_bindgen.tensor.imports import ALLOCATE, IMPORT, factories_of
from dlpack_bindgen.tensor.lifetime_hooks import HOLD, HOOKS, SCOPE_NAMES, WORDS_OF_HOOKS
from dlpack_bindgen.tensor.match_arms import LET_OF_TENSOR
from dlpack_bindgen.tensor.requirements import ERROR
from dlpack_bindgen.tensor.steps import (
    DO,
    FINALLY_OF_STEP,
    OK,
    OK_OF_SPEC,
    UNDO_OF_STEP,
    Declared,
    declared_in,
    parameter_problems,
)
from dlpack_bindgen.text import c_checks, ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, Span
from dlpack_bindgen.text.names import WORDS_OF_CLASSES, WORDS_OF_MAKING
from dlpack_bindgen.text.types import split_declaration


def check_steps(entry: Fields, spec: Fields, report: Report) -> None:
    """Checks a tensor or a handle."""
    for hook in HOOKS:
        value = entry.value_of(hook.key.name)
        for problem in hook.problems(value) if value is not None else ():
            report(problem)
    _names(entry, ("params", "hold", "let"), report)
    _words(entry[PARAMS], SCOPE_NAMES, report)
    _words(entry[HOLD], WORDS_OF_CLASSES.union(*WORDS_OF_HOOKS.values()), report)
    _words(entry[LET_OF_TENSOR], WORDS_OF_CLASSES, report)
    _order(entry, ("hold", "require", "acquire", "before_read", "let"), report)
    for key, making in factories_of(entry):
        for problem in parameter_problems(making[PARAMS_OF_MAKING]):
            report(problem)
        _names(making, ("params", "let"), report)
        _words(making[PARAMS_OF_MAKING], SCOPE_NAMES - {"stream"}, report)  # the keyword of from_dlpack
        _words(making[LET_OF_MAKING], WORDS_OF_MAKING, report)
        _order(making, ("require", "let"), report)
        _missing_params(entry[PARAMS], making, key, report)
    check_tests(entry, entry[PASS], spec, report)
    for let in (entry[LET_OF_TENSOR], *(making[LET_OF_MAKING] for _, making in factories_of(entry))):
        for record in let.records() if let else ():
            _ending(record, condition_of(record[OK]), report)


def _words(items: Items | None, words: frozenset[str], report: Report) -> None:
    """Reports variables with a name that has another meaning in the C text around them."""
    for item in items.items if items else ():
        declared = declared_in(item)
        if declared and declared.name in words:
            name = declared.name
            message = f"`{name}` has a meaning in the C text that follows: call the variable something else"
            report(Diagnostic("reserved-name", declared.leaf.span, message))


def _missing_params(params: Items | None, making: Fields, verb: str, report: Report) -> None:
    """Reports required params of the class that `import` or `allocate` does not provide."""
    given = making[PARAMS_OF_MAKING]
    known = {declared.name for item in (given.items if given else ()) if (declared := declared_in(item))}
    if given and len(given.items) != given.count:
        return
    for item in params.items if params else ():
        declared = declared_in(item)
        if declared and isinstance(item, Leaf) and "=" not in item.text and declared.name not in known:
            message = f"'{declared.name}' is required, and '{verb}' makes objects without it"
            hint = f"give it a default, or '{verb}' a parameter of the same name"
            report(Diagnostic("param-unset", item.span, message, hint, (Note(making.span, f"the {verb}"),)))


def _names(record: Fields, keys: tuple[str, ...], report: Report) -> None:
    """Reports variables that are declared twice."""
    seen: dict[str, Span] = {}
    for key in keys:
        items = items_of(record.value_of(key))
        for item in items.items if items else ():
            declared = declared_in(item)
            if declared is None:
                continue
            span = declared.leaf.span
            if declared.name in seen:
                notes = (Note(seen[declared.name], "first here"),)
                report(Diagnostic("duplicate-name", span, f"'{declared.name}' is declared twice", notes=notes))
            seen.setdefault(declared.name, span)


def _order(record: Fields, keys: tuple[str, ...], report: Report) -> None:
    """Reports names that are used before their declaration. `keys` are in the order of evaluation."""
    steps = [(key, item) for key in keys if (value := record.values.get(key)) for item in _items(value)]
    declared: dict[str, tuple[int, str, Declared]] = {}
    for index, (key, item) in enumerate(steps):
        found = declared_in(item) if key in ("hold", "let") else None
        if found:
            declared.setdefault(found.name, (index, key, found))
    for index, (key, item) in enumerate(steps):
        own = declared_in(item) if key in ("hold", "let") else None
        for _, leaf in c_fragments(item, key):
            itself = own is not None and leaf is own.value
            for name in ctext.names(leaf.text):
                place, section, later = declared.get(name, (-1, "", None))
                own_value = itself and place == index and name in ctext.evaluated_names(leaf.text)
                if later is not None and (place > index or own_value):
                    _too_early(key, leaf, section, later, report)
                    break


def _items(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Items) else (value,)


def _too_early(key: str, leaf: Leaf, section: str, later: Declared, report: Report) -> None:
    hint = None
    message = f"'{later.name}' is declared further down"
    if leaf is later.value:
        message = f"'{later.name}' is used before it has a value"
    elif key != section:
        message = f"'{later.name}' is declared in '{section}', which comes after '{key}'"
        hint = "put {require: ...} into 'let', behind it" if key == "require" else None
    notes = () if leaf is later.value else (Note(later.leaf.span, "here"),)
    report(Diagnostic("used-too-early", leaf.span, message, hint, notes))


def check_tests(value: Value, passed: Leaf | None, spec: Fields, report: Report) -> None:
    """Reports `error` and `undo` in `value` without a test: they need the condition of an `ok`."""
    for record in _calls(value):
        own = record[OK]
        given = OK in record
        has_condition = given and (own is None or condition_of(record[OK]) is not None)
        call = record[DO]
        if call and call.form is Form.STATEMENT:
            tested = condition_of(record[OK]) is not None if given else OK_OF_SPEC in spec
            if tested:
                _statement(record, call, spec, report)
        elif INIT_OF_MAKING in record:
            tested = has_condition if given else OK_OF_SPEC in spec
        elif record.entry is not None:
            tested = has_condition
        else:
            # A call that yields an object is compared with NULL by default. A value cannot be compared.
            tested = has_condition or text_of(passed) != "value"
            _is_pointer(condition_of(record[OK]), passed, report)
        if UNDO_OF_STEP in record and CONSTRUCT in record and not has_condition:
            message = "'undo' needs 'ok' beside it: without a test, only NULL could be undone"
            report(Diagnostic("needs-key", record.place(UNDO_OF_STEP), message))
        if ERROR in record and not tested and (own is not None or not given):
            message = "'error' needs 'ok' beside it: 'ok' declares when the call fails"
            report(Diagnostic("needs-key", record.place(ERROR), message))


def _ending(record: Fields, test: Leaf | None, report: Report) -> None:
    """Reports `{T *e: check(self), ok: == NULL, finally: free(e)}`: `finally` runs after a success, when `e` is
    NULL."""
    ending, made = record[FINALLY_OF_STEP], record.entry
    declared = split_declaration(made[0].text) if made is not None else None
    signs = [token.text for token in ctext.tokens(test.text)] if test else []
    if (
        ending is None
        or made is None
        or not isinstance(declared, tuple)
        or signs[1:] not in (["==", "0"], ["==", "NULL"])
    ):
        return
    ctype, name = declared
    if "*" in ctype and ctext.mentions(ending.text, name):
        message = f"'finally' frees the object of a successful call, and '{name}' is NULL then"
        hint = f"write {{{made[0].text}: NULL, finally: ...}}, {{do: {name} = {made[1].text}, ok: '== NULL', ...}}"
        report(Diagnostic("without-effect", ending.span, message, hint))


def _is_pointer(test: Leaf | None, passed: Leaf | None, report: Report) -> None:
    """Reports tests that count a NULL pointer as a success."""
    signs = [token.text for token in ctext.tokens(test.text)] if test else []
    if test and signs[1:] in (["==", "0"], ["==", "NULL"]) and text_of(passed) != "value":
        message = "this counts a NULL pointer as a success, and every object a failure"
        report(Diagnostic("result-type", test.span, message, "write '!= NULL'"))


def _calls(value: Value) -> Iterator[Fields]:
    if isinstance(value, Fields):
        call = value[DO]
        if is_record(value, IMPORT, ALLOCATE):
            call = value[CONSTRUCT] or value[INIT_OF_MAKING]
        if call or (value.entry is not None and OK in value):
            yield value
    for _, item in inside(value):
        yield from _calls(item)


def _statement(record: Fields, call: Leaf, spec: Fields, report: Report) -> None:
    """Reports tested statements that are not a single expression with a result."""
    if c_checks.expression_problem(call.text) is None:
        return
    if OK in record:
        message = "with 'ok', 'do' is one call: these are statements"
        report(Diagnostic("statement-with-ok", call.span, message))
    else:
        notes = (Note(spec.place(OK_OF_SPEC), "the 'ok' of the spec"),)
        message = "the 'ok' of the spec tests this call, and these are statements"
        report(Diagnostic("statement-with-ok", call.span, message, "write 'ok: none' beside it", notes))
