"""Construction of a `Spec` from values without mistakes, with all defaults."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import Any, cast

from dlpack_bindgen.arguments.requirements import Copy, checks
from dlpack_bindgen.hooks import count_parts
from dlpack_bindgen.hooks.hooks import HOOKS
from dlpack_bindgen.imports.parts import read_allocation, read_import
from dlpack_bindgen.language.language import ClassFields, SpecFields
from dlpack_bindgen.language.names import Names
from dlpack_bindgen.language.values import needed, strings, text_of
from dlpack_bindgen.spec.spec import External, Handle, ReleaseOn, Spec, Tensor
from dlpack_bindgen.steps import reading
from dlpack_bindgen.validate.arrays import HEADER as ARRAYS_HEADER
from dlpack_bindgen.validate.build import functions, slots
from dlpack_bindgen.validate.build.number_types import marked
from dlpack_bindgen.validate.ranks import rank_bounds

_DEFAULT_LICENSE = "MIT-0"


def spec(
    file: str,
    fields: SpecFields,
    known: Names,
    names_of_headers: tuple[str, ...] = (),
    declared_names: tuple[str, ...] = (),
) -> Spec:
    """Returns the spec of a file without mistakes.

    `fields` have no variants left. `known` are its names. `names_of_headers` and `declared_names` are the names that
    are marked in them.
    """
    module = needed(text_of(fields.module))
    includes = fields.include
    tensors = fields.tensors
    handles = fields.handles
    constants = fields.constants
    ok = text_of(fields.ok)
    arrays = text_of(fields.arrays)
    found = Spec(
        file=PurePath(file).name,
        module=module,
        prefix=text_of(fields.prefix) or module,
        license=text_of(fields.license) or _DEFAULT_LICENSE,
        doc=text_of(fields.doc) or None,
        includes=(*(strings(includes) if includes else ()), *((ARRAYS_HEADER,) if arrays else ())),
        tensors=tuple(
            replace(_tensor(name.text, each, known, ok), may_have_records=bool(known.records) and name.text == arrays)
            for name, each in (tensors.records(ClassFields) if tensors else ())
        ),
        handles=tuple(
            Handle(**_item(name.text, each, known, ok))
            for name, each in (handles.records(ClassFields) if handles else ())
        ),
        functions=functions.functions(fields.functions, known),
        constants=functions.constants(constants),
        enums=functions.enums(constants),
        init=reading.actions(fields.init, ok),
        records=tuple(known.records.values()),
        arrays=arrays,
        names_of_headers=names_of_headers,
        declared_names=declared_names,
    )
    return marked(found, known)


def _tensor(name: str, fields: ClassFields, known: Names, ok: str | None) -> Tensor:
    ranks = rank_bounds(fields)
    return Tensor(
        **_item(name, fields, known, ok, ranks),
        slots=slots.slots(fields),
        matches=slots.matches(fields),
        let=reading.steps(fields.let, ok),
        require=checks(fields.require),
        legacy_readonly="copy" if text_of(fields.legacy_readonly) == "copy" else "refuse",
        copy=cast(Copy, text_of(fields.copy) or "never"),
        allocate=read_allocation(fields.allocate, ranks, ok),
    )


def _item(
    name: str, fields: ClassFields, known: Names, ok: str | None, ranks: tuple[int, int] | None = None
) -> dict[str, Any]:
    """Returns the fields that tensors and handles have, and the hooks."""
    members = functions.ClassMembers(fields, known, known.classes[name], ok)
    hooks = [hook for hook in HOOKS if hook.is_of_handles or fields.is_tensor]
    return {
        "name": name,
        "type": needed(text_of(fields.type)),
        "by_value": text_of(fields.pass_) == "value",
        "external": _external(name, fields),
        "doc": text_of(fields.doc) or None,
        "condition": text_of(fields.if_),
        "release_on": cast(ReleaseOn, text_of(fields.release_on) or "any"),
        "parts": count_parts.read(fields.parts),
        "import_": read_import(fields.import_, ranks, text_of(fields.release), ok),
        "methods": members.methods,
        "properties": members.properties,
        "new": members.new,
        "new_struct": members.new_struct,
        **{hook.key.name: hook.read(fields.value_of(hook.key.name), ok) for hook in hooks},
    }


def _external(name: str, fields: ClassFields) -> External | None:
    origin = text_of(fields.from_)
    if origin is None:
        return None
    module, _, named = origin.partition(":")
    return External(module, named or name)
