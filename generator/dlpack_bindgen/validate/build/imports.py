"""Construction of imports, allocations and requirements from values without mistakes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from dlpack_bindgen.arguments.requirements import Copy, Requirements
from dlpack_bindgen.c import declarations
from dlpack_bindgen.c.names import DELETER_ROLES
from dlpack_bindgen.language.values import Fields, Items, Table, Value, text_of
from dlpack_bindgen.spec.spec import Allocate, Attach, Construct, Deleter, Import, Init, SetFields
from dlpack_bindgen.validate.build import steps
from dlpack_bindgen.validate.build.steps import needed
from dlpack_bindgen.validate.ranks import required_rank


def allocate(fields: Fields | None, ranks: tuple[int, int] | None, ok: str | None) -> Allocate | None:
    if fields is None:
        return None
    require = requirements(fields.items("require"), ranks)
    return Allocate(_made(fields, ok), steps.steps(fields.items("let"), ok), require)


def import_(fields: Fields | None, ranks: tuple[int, int] | None, release: str | None, ok: str | None) -> Import | None:
    """Returns the import. `release` is the default of `destroy`, `ok` the default test of calls."""
    if fields is None:
        return None
    members = fields.table("set")
    attach = fields.fields("attach")
    destroy = fields.text("destroy") or (None if members else release)
    return Import(
        build=_build(fields, members, ok),
        params=steps.params(fields.items("params")),
        let=steps.steps(fields.items("let"), ok),
        require=requirements(fields.items("require"), ranks),
        box=fields.text("box"),
        deleter=_deleter(attach or fields.values.get("deleter")),
        attach=Attach(needed(steps.action(attach, ok))) if attach else None,
        detach=fields.text("detach"),
        destroy=None if destroy == "none" else destroy,
        copy=cast(Copy, fields.text("copy") or "never"),
    )


def _build(fields: Fields, members: Table | None, ok: str | None) -> SetFields | Init | Construct:
    if members:
        return SetFields(tuple((member.text, value.text) for member, value in members.leaves()))
    return _made(fields, ok)


def _made(fields: Fields, ok: str | None) -> Init | Construct:
    if call := fields.text("init"):
        return Init(call, steps.tested(fields, ok), fields.text("error"), steps.is_by_spec(fields, ok))
    test = text_of(fields.ok())
    return Construct(needed(fields.text("construct")), test, fields.text("error"), fields.text("undo"))


def _deleter(value: Value | None) -> Deleter | None:
    """Returns the deleter from a list, or from the `order` of a `deleter` or an `attach`."""
    if isinstance(value, Items):
        return Deleter(_arguments(value))
    if isinstance(value, Fields):
        return Deleter(_arguments(needed(value.items("order"))), value.text("user"))
    return None


def _arguments(items: Items) -> tuple[tuple[str, str], ...]:
    return tuple(
        ("void *", leaf.text)
        if leaf.text in DELETER_ROLES
        else cast(tuple[str, str], declarations.split_declaration(leaf.text))
        for leaf in items.leaves()
    )


def requirements(items: Items | None, ranks: tuple[int, int] | None) -> Requirements:
    """Returns the requirements of a `require` list. `ranks` are the possible ranks if the list gives none."""
    words = {leaf.text for leaf in items.leaves()} if items else set()
    records = items.records() if items else ()
    align = next((text for record in records if (text := record.text("align"))), None)
    return Requirements(
        ndim=required_rank(items) or ranks,
        dtypes=next((found for record in records if (found := _dtypes(record))), ()),
        writable="writable" in words,
        compact=not words.isdisjoint(("compact", "column_major")),
        inner_compact="inner_compact" in words,
        no_overlap="no_overlap" in words,
        nonnegative_strides="nonnegative_strides" in words,
        align=int(align) if align else None,
        checks=steps.checks(Items(records, items.span, len(records))) if items else (),
        devices=_devices(records),
        shape=next((steps.strings(extents) for record in records if (extents := record.items("shape"))), None),
        count=next((text for record in records if (text := record.text("count"))), None),
        order="F" if "column_major" in words else "C",
    )


def _dtypes(record: Fields) -> tuple[str, ...]:
    one = record.text("dtype")
    several = record.items("dtype")
    return (one,) if one else steps.strings(several) if several else ()


def _devices(records: Iterable[Fields]) -> tuple[str, ...] | None:
    """Returns the devices that an argument accepts. Returns None for any device, or if none is declared."""
    for record in records:
        if several := record.items("device"):
            return steps.strings(several)
        if one := record.text("device"):
            return None if one == "any" else (one,)
    return None
