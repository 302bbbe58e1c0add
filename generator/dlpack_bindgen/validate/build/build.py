"""Construction of a `Spec` from values without mistakes, with all defaults."""

from __future__ import annotations

from pathlib import PurePath
from typing import cast

from dlpack_bindgen.arguments.requirements import Copy
from dlpack_bindgen.language.values import Fields
from dlpack_bindgen.spec.spec import Handle, Part, ReleaseOn, Spec, Tensor
from dlpack_bindgen.validate.arrays import HEADER as ARRAYS_HEADER
from dlpack_bindgen.validate.build import functions, imports, slots, steps
from dlpack_bindgen.validate.build.complex_types import marked
from dlpack_bindgen.validate.build.steps import needed, strings
from dlpack_bindgen.validate.functions.classes import Names, names
from dlpack_bindgen.validate.ranks import rank_bounds

_DEFAULT_LICENSE = "MIT-0"


def spec(
    file: str, fields: Fields, names_of_headers: tuple[str, ...] = (), declared_names: tuple[str, ...] = ()
) -> Spec:
    """Returns the spec of a file without mistakes.

    `fields` have no variants left. `names_of_headers` and `declared_names` are the names that are marked in them.
    """
    module = needed(fields.text("module"))
    includes = fields.items("include")
    tensors = fields.table("tensors")
    handles = fields.table("handles")
    constants = fields.table("constants")
    known = names(fields)
    ok = fields.text("ok")
    arrays = fields.text("arrays")
    complex_types = [base for base, kind in known.numbers.items() if kind == "complex"]
    found = Spec(
        file=PurePath(file).name,
        module=module,
        prefix=fields.text("prefix") or module,
        license=fields.text("license") or _DEFAULT_LICENSE,
        doc=fields.text("doc") or None,
        includes=(*(strings(includes) if includes else ()), *((ARRAYS_HEADER,) if arrays else ())),
        tensors=tuple(_tensor(name.text, each, known, ok) for name, each in (tensors.records() if tensors else ())),
        handles=tuple(_handle(name.text, each, known, ok) for name, each in (handles.records() if handles else ())),
        functions=functions.functions(fields.table("functions"), known),
        constants=functions.constants(constants),
        enums=functions.enums(constants),
        init=steps.actions(fields.items("init"), ok),
        arrays=arrays,
        names_of_headers=names_of_headers,
        declared_names=declared_names,
    )
    return marked(found, complex_types)


def _tensor(name: str, fields: Fields, known: Names, ok: str | None) -> Tensor:
    release = fields.text("release")
    ranks = rank_bounds(fields)
    legacy = fields.text("legacy_readonly")
    members = functions.ClassMembers(fields, known, known.classes[name], ok)
    return Tensor(
        name=name,
        type=needed(fields.text("type")),
        slots=slots.slots(fields),
        matches=slots.matches(fields),
        by_value=fields.text("pass") == "value",
        doc=fields.text("doc") or None,
        condition=fields.text("if"),
        params=steps.params(fields.items("params")),
        hold=steps.hold(fields.items("hold")),
        let=steps.steps(fields.items("let"), ok),
        require=steps.checks(fields.items("require")),
        acquire=steps.actions(fields.items("acquire"), ok),
        restore=fields.text("restore"),
        before_read=fields.text("before_read"),
        after_write=fields.text("after_write"),
        sync=steps.action(fields.values.get("sync"), ok),
        to_cpu=steps.action(fields.values.get("to_cpu"), ok),
        retain=fields.text("retain"),
        clone=steps.clone(fields.values.get("clone")),
        release=release,
        release_on=_release_on(fields),
        legacy_readonly="copy" if legacy == "copy" else "refuse",
        copy=cast(Copy, fields.text("copy") or "never"),
        parts=_parts(fields),
        allocate=imports.allocate(fields.fields("allocate"), ranks, ok),
        import_=imports.import_(fields.fields("import"), ranks, release, ok),
        methods=members.methods,
        properties=members.properties,
        new=members.new,
        close=members.close,
    )


def _handle(name: str, fields: Fields, known: Names, ok: str | None) -> Handle:
    release = fields.text("release")
    members = functions.ClassMembers(fields, known, known.classes[name], ok)
    return Handle(
        name=name,
        type=needed(fields.text("type")),
        by_value=fields.text("pass") == "value",
        doc=fields.text("doc") or None,
        condition=fields.text("if"),
        params=steps.params(fields.items("params")),
        retain=fields.text("retain"),
        clone=steps.clone(fields.values.get("clone")),
        release=release,
        release_on=_release_on(fields),
        parts=_parts(fields),
        import_=imports.import_(fields.fields("import"), None, release, ok),
        methods=members.methods,
        properties=members.properties,
        new=members.new,
        close=members.close,
    )


def _release_on(fields: Fields) -> ReleaseOn:
    return cast(ReleaseOn, fields.text("release_on") or "any")


def _parts(fields: Fields) -> tuple[Part, ...]:
    listed = fields.items("parts")
    return tuple(
        Part(needed(part.text("name")), needed(part.text("of")), needed(part.text("count")))
        for part in (listed.records() if listed else ())
    )
