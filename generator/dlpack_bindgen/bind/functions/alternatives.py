"""Alternatives: functions with the same name in Python, of which the arguments choose one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dlpack_bindgen.bind.binding import Choice, ChoiceRow, FunctionBinding
from dlpack_bindgen.bind.functions.docs import docstring
from dlpack_bindgen.bind.functions.functions import bind_function
from dlpack_bindgen.bind.scope import Names
from dlpack_bindgen.bind.signatures import flags, given_arguments, shown_signature
from dlpack_bindgen.spec.spec import Item
from dlpack_bindgen.text.literals import c_strings
from dlpack_bindgen.text.names import CALLED, called_part, snake
from dlpack_bindgen.validate.functions.calls import Call


def bind_alternatives(
    names: Names, functions: Sequence[Call], owner: Item | None = None
) -> tuple[FunctionBinding, ...]:
    """Returns the bindings of the alternatives, and of the function that chooses."""
    first = functions[0]
    condition = first.condition if all(each.condition == first.condition for each in functions) else None
    own = [replace(bind_function(names, each, owner, fast=True), entry="") for each in functions]
    scope = f"{names.prefix}_{snake(owner.name)}" if owner is not None else names.prefix
    c_name = f"{CALLED}{scope}_{called_part(first.name)}_alternatives"
    receiver = "self" if first.self_index is not None else "cls" if owner is not None else "module"
    doc = c_strings("\n\n".join(_documented(functions, names)))
    choice = FunctionBinding(
        c_name=c_name,
        tables=(),
        entry=f'{{"{first.name}", DLB_PY_METHOD({c_name}), {flags(first, owner is not None, fast=True)}, {doc}}}',
        condition=condition,
        choice=Choice(
            c_name=c_name,
            name=first.name,
            receiver=receiver,
            rows=tuple(_row(each, condition) for each in own),
            most=max(1, *(len(given_arguments(each)) for each in functions)),
        ),
    )
    return (*own, choice)


def _row(alternative: FunctionBinding, condition: str | None) -> ChoiceRow:
    """Returns the row of an alternative in a table that has the condition."""
    facts = alternative.facts.name if alternative.facts is not None else ""
    return ChoiceRow(alternative.c_name, facts, None if condition else alternative.condition)


def _documented(functions: Sequence[Call], names: Names) -> Iterator[str]:
    """Yields the signature and the description of each alternative. Several signatures have no form that Python's help
    can parse, so they stand in the text."""
    for each in functions:
        yield f"{shown_signature(each)}\n{docstring(each, names.items)}"
