"""Sound values -> `Spec`, with every default filled in."""

from __future__ import annotations

from pathlib import PurePath
from typing import TypeVar, cast

from dlpack_bindgen import ctext, rules
from dlpack_bindgen.spec import (
    Allocate,
    Check,
    Choice,
    Construct,
    Device,
    EachShape,
    EachStrides,
    Import,
    Let,
    ListedShape,
    ListedStrides,
    Order,
    OuterStride,
    Requirements,
    SetFields,
    Shape,
    Spec,
    Strides,
    Tensor,
    Unit,
)
from dlpack_bindgen.structure import Fields, Items, Leaf, Table

T = TypeVar("T")

_DEFAULT_LICENSE = "MIT-0"


def spec(file: str, fields: Fields) -> Spec:
    module = _needed(fields.text("module"))
    tensors = _needed(fields.table("tensors")).entries
    includes = fields.items("include")
    return Spec(
        file=PurePath(file).name,
        module=module,
        prefix=fields.text("prefix") or module,
        license=fields.text("license") or _DEFAULT_LICENSE,
        doc=fields.text("doc") or None,
        includes=_texts(includes) if includes else (),
        tensors=tuple(_tensor(name.text, tensor) for name, tensor in tensors if isinstance(tensor, Fields)),
    )


def _tensor(name: str, fields: Fields) -> Tensor:
    release = fields.text("release")
    rank = rules.rank(fields)
    return Tensor(
        name=name,
        type=_needed(fields.text("type")),
        data=_needed(fields.text("data")),
        dtype=_chosen(fields, "dtype"),
        shape=_shape(fields),
        doc=fields.text("doc") or None,
        strides=_strides(fields),
        order=cast(Order, fields.text("order") or "C"),
        device=_device(fields),
        readonly=fields.text("readonly"),
        require=_checks(fields.items("require")),
        retain=fields.text("retain"),
        release=release,
        allocate=_allocate(fields.fields("allocate"), rank),
        import_=_import(fields.fields("import"), rank, release),
    )


def _chosen(fields: Fields, slot: str) -> str | Choice[str]:
    choice = fields.fields(slot)
    return _choice(choice) if choice else _needed(fields.text(slot))


def _choice(fields: Fields) -> Choice[str]:
    cases = tuple((key.text, value.text) for key, value in _needed(fields.table("map")).leaves())
    return Choice(_needed(fields.text("of")), cases, fields.text("default"))


def _shape(fields: Fields) -> Shape:
    each = fields.fields("shape")
    if each:
        return EachShape(_needed(each.text("ndim")), _needed(each.text("each")))
    return ListedShape(_texts(_needed(fields.items("shape"))))


def _strides(fields: Fields) -> Strides | None:
    listed = fields.items("strides")
    record = fields.fields("strides")
    if listed:
        return ListedStrides(_texts(listed))
    if record is None:
        return None
    unit = cast(Unit, record.text("unit") or "elements")
    if each := record.text("each"):
        return EachStrides(each, unit)
    if outer := record.text("outer"):
        return OuterStride(outer, unit)
    return ListedStrides(_texts(_needed(record.items("list"))), unit)


def _device(fields: Fields) -> Device:
    record = fields.fields("device")
    if record is None:
        return Device(fields.text("device") or "cpu")
    return Device(record.text("type") or _choice(record), record.text("id"))


def _checks(items: Items | None) -> tuple[Check, ...]:
    checks: list[Check] = []
    for item in items.items if items else ():
        if isinstance(item, Leaf):
            checks.append(Check(item.text))
        elif isinstance(item, Fields) and (expr := item.text("expr")):
            checks.append(Check(expr, ctext.fold(item.text("message") or "") or None))
    return tuple(checks)


def _requirements(items: Items | None, rank: int | None) -> Requirements:
    """A listed shape can only come from a tensor of its rank."""
    words = {leaf.text for leaf in items.leaves()} if items else set()
    records = items.records() if items else ()
    align = next((text for record in records if (text := record.text("align"))), None)
    return Requirements(
        ndim=rules.required_rank(items) or (None if rank is None else (rank, rank)),
        dtype=next((text for record in records if (text := record.text("dtype"))), None),
        writable="writable" in words,
        compact="compact" in words,
        inner_compact="inner_compact" in words,
        no_overlap="no_overlap" in words,
        nonnegative_strides="nonnegative_strides" in words,
        align=int(align) if align else None,
        checks=_checks(Items(records, items.span, len(records))) if items else (),
    )


def _construct(fields: Fields) -> Construct:
    return Construct(_needed(fields.text("construct")), fields.text("ok"), fields.text("error"))


def _allocate(fields: Fields | None, rank: int | None) -> Allocate | None:
    if fields is None:
        return None
    require = _requirements(fields.items("require"), rank)
    return Allocate(_construct(fields), _lets(fields.items("let")), require)


def _import(fields: Fields | None, rank: int | None, release: str | None) -> Import | None:
    if fields is None:
        return None
    members = fields.table("set")
    destroy = None if members else fields.text("destroy") or release
    return Import(
        build=_set(members) if members else _construct(fields),
        let=_lets(fields.items("let")),
        require=_requirements(fields.items("require"), rank),
        destroy=None if destroy == "none" else destroy,
    )


def _set(table: Table) -> SetFields:
    return SetFields(tuple((member.text, value.text) for member, value in table.leaves()))


def _lets(items: Items | None) -> tuple[Let, ...]:
    lets: list[Let] = []
    for record in items.records() if items else ():
        declaration, value = _needed(record.entry)
        ctype, name = cast(tuple[str, str], ctext.split_declaration(declaration.text))
        lets.append(Let(ctype, name, value.text))
    return tuple(lets)


def _texts(items: Items) -> tuple[str, ...]:
    return tuple(leaf.text for leaf in items.leaves())


def _needed(value: T | None) -> T:
    """`spec` is called for sound files only, where whatever is required is there."""
    if value is None:
        raise AssertionError("a spec with errors must not be built")
    return value
