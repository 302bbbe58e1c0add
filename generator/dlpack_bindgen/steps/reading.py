"""Reads declarations, calls and conditions from values of the spec without mistakes."""

from __future__ import annotations

from typing import cast

from dlpack_bindgen.arguments.requirements import check
from dlpack_bindgen.language.steps import DO, ERROR, FINALLY_OF_STEP, OK, OUT_OF_STEP, REQUIRE_OF_STEP, UNDO_OF_STEP
from dlpack_bindgen.language.values import Fields, Items, Leaf, Value, condition_of, needed, text_of
from dlpack_bindgen.spec.spec import Action, CallStep, Declaration, Let, Step
from dlpack_bindgen.text.types import split_declaration, split_output, split_parameter, split_variable

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
