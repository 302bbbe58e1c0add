"""Construction of a `Spec` from values without mistakes, with all defaults."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import Any, cast

from dlpack_bindgen.arguments.requirements import Copy, checks
from dlpack_bindgen.hooks import count_parts
from dlpack_bindgen.hooks.count_parts import PARTS
from dlpack_bindgen.hooks.hooks import HOOKS
from dlpack_bindgen.hooks.release import RELEASE, RELEASE_ON
from dlpack_bindgen.imports.parts import read_allocation, read_import
from dlpack_bindgen.language.language import (
    COPY_OF_TENSOR,
    FROM,
    HANDLES,
    INCLUDE,
    LEGACY_READONLY,
    LET_OF_TENSOR,
    LICENSE,
    MODULE,
    OK_OF_SPEC,
    PREFIX,
    REQUIRE_OF_TENSOR,
    TENSOR,
    TENSORS,
)
from dlpack_bindgen.language.making import ALLOCATE_OF_TENSOR, IMPORT_OF_CLASS
from dlpack_bindgen.language.module import CONSTANTS, FUNCTIONS, INIT
from dlpack_bindgen.language.names import Names
from dlpack_bindgen.language.records import ARRAYS
from dlpack_bindgen.language.shared import DOC, IF, PASS, TYPE
from dlpack_bindgen.language.values import Fields, needed, strings, text_of
from dlpack_bindgen.spec.spec import External, Handle, ReleaseOn, Spec, Tensor
from dlpack_bindgen.steps import reading
from dlpack_bindgen.validate.arrays import HEADER as ARRAYS_HEADER
from dlpack_bindgen.validate.build import functions, slots
from dlpack_bindgen.validate.build.number_types import marked
from dlpack_bindgen.validate.ranks import rank_bounds

_DEFAULT_LICENSE = "MIT-0"


def spec(
    file: str,
    fields: Fields,
    known: Names,
    names_of_headers: tuple[str, ...] = (),
    declared_names: tuple[str, ...] = (),
) -> Spec:
    """Returns the spec of a file without mistakes.

    `fields` have no variants left. `known` are its names. `names_of_headers` and `declared_names` are the names that
    are marked in them.
    """
    module = needed(text_of(fields[MODULE]))
    includes = fields[INCLUDE]
    tensors = fields[TENSORS]
    handles = fields[HANDLES]
    constants = fields[CONSTANTS]
    ok = text_of(fields[OK_OF_SPEC])
    arrays = text_of(fields[ARRAYS])
    found = Spec(
        file=PurePath(file).name,
        module=module,
        prefix=text_of(fields[PREFIX]) or module,
        license=text_of(fields[LICENSE]) or _DEFAULT_LICENSE,
        doc=text_of(fields[DOC]) or None,
        includes=(*(strings(includes) if includes else ()), *((ARRAYS_HEADER,) if arrays else ())),
        tensors=tuple(
            replace(_tensor(name.text, each, known, ok), may_have_records=bool(known.records) and name.text == arrays)
            for name, each in (tensors.records() if tensors else ())
        ),
        handles=tuple(
            Handle(**_item(name.text, each, known, ok)) for name, each in (handles.records() if handles else ())
        ),
        functions=functions.functions(fields[FUNCTIONS], known),
        constants=functions.constants(constants),
        enums=functions.enums(constants),
        init=reading.actions(fields[INIT], ok),
        records=tuple(known.records.values()),
        arrays=arrays,
        names_of_headers=names_of_headers,
        declared_names=declared_names,
    )
    return marked(found, known)


def _tensor(name: str, fields: Fields, known: Names, ok: str | None) -> Tensor:
    ranks = rank_bounds(fields)
    return Tensor(
        **_item(name, fields, known, ok, ranks),
        slots=slots.slots(fields),
        matches=slots.matches(fields),
        let=reading.steps(fields[LET_OF_TENSOR], ok),
        require=checks(fields[REQUIRE_OF_TENSOR]),
        legacy_readonly="copy" if text_of(fields[LEGACY_READONLY]) == "copy" else "refuse",
        copy=cast(Copy, text_of(fields[COPY_OF_TENSOR]) or "never"),
        allocate=read_allocation(fields[ALLOCATE_OF_TENSOR], ranks, ok),
    )


def _item(
    name: str, fields: Fields, known: Names, ok: str | None, ranks: tuple[int, int] | None = None
) -> dict[str, Any]:
    """Returns the fields that tensors and handles have, and the hooks."""
    members = functions.ClassMembers(fields, known, known.classes[name], ok)
    hooks = [hook for hook in HOOKS if hook.is_of_handles or fields.record is TENSOR]
    return {
        "name": name,
        "type": needed(text_of(fields[TYPE])),
        "by_value": text_of(fields[PASS]) == "value",
        "external": _external(name, fields),
        "doc": text_of(fields[DOC]) or None,
        "condition": text_of(fields[IF]),
        "release_on": cast(ReleaseOn, text_of(fields[RELEASE_ON]) or "any"),
        "parts": count_parts.read(fields[PARTS]),
        "import_": read_import(fields[IMPORT_OF_CLASS], ranks, text_of(fields[RELEASE]), ok),
        "methods": members.methods,
        "properties": members.properties,
        "new": members.new,
        "new_struct": members.new_struct,
        **{hook.key.name: hook.read(fields.value_of(hook.key.name), ok) for hook in hooks},
    }


def _external(name: str, fields: Fields) -> External | None:
    origin = text_of(fields[FROM])
    if origin is None:
        return None
    module, _, named = origin.partition(":")
    return External(module, named or name)
