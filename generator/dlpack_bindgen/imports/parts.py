"""The list of the parts of `import` and `allocate`, and the construction of both from their parts."""

from __future__ import annotations

from typing import cast

from dlpack_bindgen.arguments.requirements import Cast, Copy, requirements
from dlpack_bindgen.imports import attach, callback, construct, destroy, init
from dlpack_bindgen.imports import set as set_part
from dlpack_bindgen.imports.arrays import ArraysPart
from dlpack_bindgen.imports.cast import CastPart
from dlpack_bindgen.imports.deleter import DeleterPart
from dlpack_bindgen.imports.part import Part
from dlpack_bindgen.imports.storage import BoxPart
from dlpack_bindgen.imports.stream import StreamPart
from dlpack_bindgen.language.imports import MakingFields
from dlpack_bindgen.language.values import text_of
from dlpack_bindgen.spec.spec import Allocate, Construct, Import, Init
from dlpack_bindgen.steps import reading

PARTS: tuple[Part, ...] = (
    ArraysPart(),
    set_part.SetPart(),
    init.InitPart(),
    construct.ConstructPart(),
    BoxPart(),
    DeleterPart(),
    attach.AttachPart(),
    destroy.DestroyPart(),
    CastPart(),
    StreamPart(),
)


def read_allocation(fields: MakingFields | None, ranks: tuple[int, int] | None, ok: str | None) -> Allocate | None:
    if fields is None:
        return None
    require = requirements(fields.require, ranks)
    return Allocate(_made(fields, ok), reading.params(fields.params), reading.steps(fields.let, ok), require)


def read_import(
    fields: MakingFields | None, ranks: tuple[int, int] | None, release: str | None, ok: str | None
) -> Import | None:
    """Returns the import. `release` is the default of `destroy`, `ok` the default test of calls."""
    if fields is None:
        return None
    return Import(
        build=set_part.read(fields.set, fields.const) if fields.set else _made(fields, ok),
        params=reading.params(fields.params),
        let=reading.steps(fields.let, ok),
        require=requirements(fields.require, ranks),
        box=text_of(fields.box),
        deleter=callback.read(fields.attach or fields.deleter),
        attach=attach.read(fields.attach, ok),
        detach=text_of(fields.detach),
        destroy=destroy.read(fields, release),
        copy=cast(Copy, text_of(fields.copy) or "never"),
        cast=cast("Cast | None", text_of(fields.cast)),
        stream=text_of(fields.stream),
    )


def _made(fields: MakingFields, ok: str | None) -> Init | Construct:
    return init.read(fields, ok) if text_of(fields.init) else construct.read(fields)
