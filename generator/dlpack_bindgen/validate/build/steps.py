"""Construction of declarations, calls and conditions from values without mistakes."""

from __future__ import annotations

from typing import TypeVar, cast

from dlpack_bindgen.arguments.requirements import Check
from dlpack_bindgen.c import ctext, declarations
from dlpack_bindgen.language.values import Fields, Items, Leaf, Value, text_of
from dlpack_bindgen.spec.spec import Action, Call, Construct, Declaration, Let, Step

T = TypeVar("T")

_TURNED = "reversed"


def needed(value: T | None) -> T:
    """Returns a required value. Only files without mistakes are built, so it is always present."""
    if value is None:
        raise AssertionError("a spec with errors must not be built")
    return value


def strings(items: Items) -> tuple[str, ...]:
    return tuple(leaf.text for leaf in items.leaves())


def checks(items: Items | None) -> tuple[Check, ...]:
    found: list[Check] = []
    for item in items.items if items else ():
        if isinstance(item, Leaf):
            found.append(Check(item.text))
        elif isinstance(item, Fields) and (expr := item.text("expr")):
            found.append(_check(expr, item))
    return tuple(found)


def _check(expr: str, fields: Fields) -> Check:
    return Check(expr, ctext.fold(fields.text("message") or "") or None, fields.text("error"))


def params(items: Items | None) -> tuple[Declaration, ...]:
    return tuple(_param(item) for item in (items.items if items else ()))


def _param(item: Value) -> Declaration:
    if isinstance(item, Leaf):
        return Declaration(*cast(tuple[str, str, str | None], declarations.split_parameter(item.text)))
    declaration, value = needed(cast(Fields, item).entry)
    return Declaration(*cast(tuple[str, str], declarations.split_declaration(declaration.text)), value.text)


def hold(items: Items | None) -> tuple[Let, ...]:
    return tuple(_variable(record) for record in (items.records() if items else ()))


def steps(items: Items | None, ok: str | None) -> tuple[Step, ...]:
    """Returns the steps of a list. `ok` is the default test of calls."""
    return tuple(_step(record, ok) for record in (items.records() if items else ()))


def _step(fields: Fields, ok: str | None) -> Step:
    if expr := fields.text("require"):
        return _check(expr, fields)
    if fields.entry is not None:
        return _variable(fields)
    declared = fields.text("out")
    output = cast(tuple[str, str, str], declarations.split_output(declared)) if declared else None
    return Call(
        do=needed(fields.text("do")),
        ctype=output[0] if output else None,
        name=output[1] if output else None,
        length=(output[2] or None) if output else None,
        ok=tested(fields, ok),
        by_spec=is_by_spec(fields, ok),
        error=fields.text("error"),
        finally_=fields.text("finally"),
        undo=fields.text("undo"),
    )


def _variable(fields: Fields) -> Let:
    declaration, value = needed(fields.entry)
    ctype, name, is_array = cast(tuple[str, str, bool], declarations.split_variable(declaration.text))
    text: str | None = value.text or None
    turned = is_array and value.text.startswith(_TURNED)
    if turned:
        text = value.text.removeprefix(_TURNED).strip("() ")
    return Let(
        ctype=ctype,
        name=name,
        value=text,
        array=is_array,
        turned=turned,
        ok=text_of(fields.ok()),
        error=fields.text("error"),
        finally_=fields.text("finally"),
        undo=fields.text("undo"),
    )


def tested(fields: Fields, ok: str | None) -> str | None:
    """Returns the test of a `do` or an `init`: its own `ok`, or the `ok` of the spec. None means no test."""
    return text_of(fields.ok()) if "ok" in fields.given else ok


def is_by_spec(fields: Fields, ok: str | None) -> bool:
    """Returns whether the `ok` of the spec tests the call."""
    return ok is not None and "ok" not in fields.given


def actions(items: Items | None, ok: str | None) -> tuple[Action, ...]:
    return tuple(needed(action(item, ok)) for item in (items.items if items else ()))


def action(value: Value | None, ok: str | None) -> Action | None:
    """Returns the action. A statement cannot fail, but `{do: ...}` can."""
    if isinstance(value, Leaf):
        return Action(value.text)
    if isinstance(value, Fields):
        return Action(needed(value.text("do")), tested(value, ok), value.text("error"), is_by_spec(value, ok))
    return None


def clone(value: Value | None) -> Construct | None:
    if isinstance(value, Leaf):
        return Construct(value.text)
    if isinstance(value, Fields):
        return Construct(needed(value.text("do")), text_of(value.ok()), value.text("error"))
    return None
