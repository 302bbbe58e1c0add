"""Construction of imports, allocations and requirements from values without mistakes."""

from __future__ import annotations

from typing import cast

from dlpack_bindgen.arguments.requirements import Copy, requirements
from dlpack_bindgen.c import declarations
from dlpack_bindgen.c.names import DELETER_ROLES
from dlpack_bindgen.language.imports import AttachFields, DeleterFields, MakingFields
from dlpack_bindgen.language.values import Items, Table, condition_of, needed, text_of
from dlpack_bindgen.spec.spec import Allocate, Attach, Construct, Deleter, Import, Init, SetFields
from dlpack_bindgen.steps import reading


def allocate(fields: MakingFields | None, ranks: tuple[int, int] | None, ok: str | None) -> Allocate | None:
    if fields is None:
        return None
    require = requirements(fields.require, ranks)
    return Allocate(_made(fields, ok), reading.steps(fields.let, ok), require)


def import_(
    fields: MakingFields | None, ranks: tuple[int, int] | None, release: str | None, ok: str | None
) -> Import | None:
    """Returns the import. `release` is the default of `destroy`, `ok` the default test of calls."""
    if fields is None:
        return None
    members = fields.set
    attach = fields.attach
    destroy = text_of(fields.destroy) or (None if members else release)
    return Import(
        build=_build(fields, members, ok),
        params=reading.params(fields.params),
        let=reading.steps(fields.let, ok),
        require=requirements(fields.require, ranks),
        box=text_of(fields.box),
        deleter=_deleter(attach or fields.deleter),
        attach=Attach(needed(reading.action(attach, ok))) if attach else None,
        detach=text_of(fields.detach),
        destroy=None if destroy == "none" else destroy,
        copy=cast(Copy, text_of(fields.copy) or "never"),
    )


def _build(fields: MakingFields, members: Table | None, ok: str | None) -> SetFields | Init | Construct:
    if members:
        return SetFields(tuple((member.text, value.text) for member, value in members.leaves()))
    return _made(fields, ok)


def _made(fields: MakingFields, ok: str | None) -> Init | Construct:
    if call := text_of(fields.init):
        return Init(call, reading.tested(fields, ok), text_of(fields.error), reading.is_by_spec(fields, ok))
    test = text_of(condition_of(fields.ok))
    return Construct(needed(text_of(fields.construct)), test, text_of(fields.error), text_of(fields.undo))


def _deleter(value: Items | DeleterFields | AttachFields | None) -> Deleter | None:
    """Returns the deleter from a list, or from the `order` of a `deleter` or an `attach`."""
    if isinstance(value, Items):
        return Deleter(_arguments(value))
    if value is not None:
        return Deleter(_arguments(needed(value.order)), text_of(value.user))
    return None


def _arguments(items: Items) -> tuple[tuple[str, str], ...]:
    return tuple(
        ("void *", leaf.text)
        if leaf.text in DELETER_ROLES
        else cast(tuple[str, str], declarations.split_declaration(leaf.text))
        for leaf in items.leaves()
    )
