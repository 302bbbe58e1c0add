"""Rules for the module itself: distinct Python names, constants, and the code that runs when it is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dlpack_bindgen.calls.features import FEATURES
from dlpack_bindgen.language.functions import NAME
from dlpack_bindgen.language.language import classes_of
from dlpack_bindgen.language.module import CONSTANTS, ENUM, FLAGS, FUNCTIONS, INIT, INT_ENUM, INT_FLAG
from dlpack_bindgen.language.records import NUMBERS
from dlpack_bindgen.language.shared import IF
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, text_of
from dlpack_bindgen.spec.alternatives import alternatives
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, shown
from dlpack_bindgen.text.literals import is_floating
from dlpack_bindgen.text.types import CType, family, is_unknown, normal
from dlpack_bindgen.validate.rules import steps

_NOT_FOR_MEMBERS = ("mro", "name", "value")
"""Names that a Python `enum` class reserves."""


def check(spec: Fields, report: Report) -> None:
    distinct(_attributes(spec), "the module", report)
    constants = spec[CONSTANTS]
    for _, record in constants.records(INT_ENUM, INT_FLAG) if constants else ():
        _members(record, report)
    for _, value in constants.leaves() if constants else ():
        _integer(value, report)
    numbers = spec[NUMBERS]
    for key, kind in numbers.leaves() if numbers else ():
        _number(key, kind, report)
    for problem in (problem for each in FEATURES for problem in each.problems_of_module(spec)):
        report(problem)
    if init := spec[INIT]:
        steps.tests(init, None, spec, report)


def _number(key: Leaf, kind: Leaf, report: Report) -> None:
    """Reports entries of `numbers` that C already knows or that are not numbers. A struct may be a complex number."""
    known = family(normal(key.text.split()))
    if kind.text == "complex" and key.text.startswith("struct "):
        return
    if known is not None:
        message = f"C knows '{key.text}' already; 'numbers' is about types that only headers know"
        hint = "leave it out; for an array of another dtype write 'require': {require: [{dtype: ...}]}"
        report(Diagnostic("without-effect", key.span, message, hint))
    elif not is_unknown(CType(key.text)) or key.text == "DLTensor":
        report(Diagnostic("c-type", key.span, f"'{key.text}' is not a number type", "leave it out"))


def _attributes(spec: Fields) -> Iterator[tuple[Leaf, str | None]]:
    classes: dict[str, tuple[Leaf, str | None]] = {}
    for name, entry in classes_of(spec):
        # Two classes with one name are reported as a collision of C names.
        classes.setdefault(name.text, (name, text_of(entry[IF])))
    yield from classes.values()
    yield from called(spec[FUNCTIONS])
    constants = spec[CONSTANTS]
    for name, _ in constants.entries if constants else ():
        yield name, None


def called(functions: Table | None) -> Iterator[tuple[Leaf, str | None]]:
    """Yields the names of functions or methods in Python, each with its `if`. Alternatives have one name."""
    entries = functions.records() if functions else ()
    named = [(function[NAME] or key, text_of(function[IF])) for key, function in entries]
    for group in alternatives(named, lambda each: each[0].text, lambda each: each[1]):
        yield next((each for each in group if each[1] is None), group[0])


def distinct(attributes: Iterable[tuple[Leaf, str | None]], where: str, report: Report) -> None:
    """Reports attributes with the same name, unless different `if` conditions select one of them."""
    seen: dict[str, list[tuple[Leaf, str | None]]] = {}
    for name, condition in attributes:
        others = seen.setdefault(name.text, [])
        clash = next((other for other, known in others if condition is None or known in (None, condition)), None)
        if clash is not None:
            message = f"{where} has another '{name.text}'"
            hint = "two of the same name have different 'if'" if condition or others[0][1] else None
            report(Diagnostic("duplicate-name", name.span, message, hint, (Note(clash.span, "first here"),)))
        others.append((name, condition))


def _integer(value: Leaf, report: Report) -> None:
    """Reports constants without a type that are not integers."""
    kind = "float" if is_floating(value.text) else "str" if value.text.startswith('"') else None
    if kind is not None:
        text = f"'{value.text}'" if kind == "str" else value.text
        hint = f"write {{value: {text}, type: {kind}}}"
        report(Diagnostic("bad-integer", value.span, f"'{shown(value.text)}' is not an integer", hint))


def _members(record: Fields, report: Report) -> None:
    members = record[ENUM] or record[FLAGS]
    names = list(members.leaves()) if isinstance(members, Items) else []
    if isinstance(members, Table):
        names = [key for key, _ in members.entries]
    seen: dict[str, Leaf] = {}
    for name in names:
        if name.text in _NOT_FOR_MEMBERS:
            message = f"'{name.text}' is an attribute of every enum"
            report(Diagnostic("reserved-name", name.span, message))
        elif name.text in seen:
            notes = (Note(seen[name.text].span, "first here"),)
            report(Diagnostic("duplicate-name", name.span, f"there are two members '{name.text}'", notes=notes))
        seen.setdefault(name.text, name)
