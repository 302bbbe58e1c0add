"""The list of the parts of `import` and `allocate`, and the construction of both from their parts."""

from __future__ import annotations

from typing import cast

from dlpack_bindgen.arguments.requirements import Cast, Copy, requirements
from dlpack_bindgen.imports import attach, callback, construct, destroy, init
from dlpack_bindgen.imports import set as set_part
from dlpack_bindgen.imports.arrays import LET_OF_MAKING, ArraysPart
from dlpack_bindgen.imports.attach import ATTACH
from dlpack_bindgen.imports.cast import CAST_OF_IMPORT, COPY_OF_IMPORT, CastPart
from dlpack_bindgen.imports.deleter import DELETER, DeleterPart
from dlpack_bindgen.imports.destroy import DETACH
from dlpack_bindgen.imports.init import INIT_OF_MAKING
from dlpack_bindgen.imports.part import PARAMS_OF_MAKING, REQUIRE_OF_MAKING, Part
from dlpack_bindgen.imports.set import CONST, SET_OF_IMPORT
from dlpack_bindgen.imports.storage import BOX, BoxPart
from dlpack_bindgen.imports.stream import STREAM_OF_IMPORT, StreamPart
from dlpack_bindgen.language.values import Fields, text_of
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


def read_allocation(fields: Fields | None, ranks: tuple[int, int] | None, ok: str | None) -> Allocate | None:
    if fields is None:
        return None
    require = requirements(fields[REQUIRE_OF_MAKING], ranks)
    return Allocate(
        _made(fields, ok), reading.params(fields[PARAMS_OF_MAKING]), reading.steps(fields[LET_OF_MAKING], ok), require
    )


def read_import(
    fields: Fields | None, ranks: tuple[int, int] | None, release: str | None, ok: str | None
) -> Import | None:
    """Returns the import. `release` is the default of `destroy`, `ok` the default test of calls."""
    if fields is None:
        return None
    return Import(
        build=set_part.read(members, fields[CONST]) if (members := fields[SET_OF_IMPORT]) else _made(fields, ok),
        params=reading.params(fields[PARAMS_OF_MAKING]),
        let=reading.steps(fields[LET_OF_MAKING], ok),
        require=requirements(fields[REQUIRE_OF_MAKING], ranks),
        box=text_of(fields[BOX]),
        deleter=callback.read(fields[ATTACH] or fields[DELETER]),
        attach=attach.read(fields[ATTACH], ok),
        detach=text_of(fields[DETACH]),
        destroy=destroy.read(fields, release),
        copy=cast(Copy, text_of(fields[COPY_OF_IMPORT]) or "never"),
        cast=cast(Cast | None, text_of(fields[CAST_OF_IMPORT])),
        stream=text_of(fields[STREAM_OF_IMPORT]),
    )


def _made(fields: Fields, ok: str | None) -> Init | Construct:
    return init.read(fields, ok) if text_of(fields[INIT_OF_MAKING]) else construct.read(fields)
