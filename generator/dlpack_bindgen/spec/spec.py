"""A valid spec, and its construction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any, cast

from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.function_keys import ARGS
from dlpack_bindgen.calls.object import REPLACES
from dlpack_bindgen.calls.result_kind import OF
from dlpack_bindgen.calls.spec_names import Class, Enum, Names, marked
from dlpack_bindgen.classes import records
from dlpack_bindgen.classes.constants import (
    CONSTANTS,
    INT_ENUM,
    INT_FLAG,
    Constant,
    Enumeration,
    constants,
    enums,
    members,
    named_values,
)
from dlpack_bindgen.classes.external import FROM, read_external
from dlpack_bindgen.classes.methods_and_properties import METHODS, read_calls, read_members
from dlpack_bindgen.classes.records import NUMBERS, RECORDS
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.expand import HEADER as ARRAYS_HEADER
from dlpack_bindgen.language.keys import ARRAYS, DOC, IF, PASS, TYPE, Form
from dlpack_bindgen.language.values import Fields, Leaf, c_fragments, is_true, needed, strings, text_of
from dlpack_bindgen.spec.all_keys import (
    COPY_OF_TENSOR,
    FUNCTIONS,
    HANDLES,
    INCLUDE,
    INIT,
    LEGACY_READONLY,
    LICENSE,
    MODULE,
    PREFIX,
    TENSOR,
    TENSORS,
    classes_of,
)
from dlpack_bindgen.spec.draft import Question, questions
from dlpack_bindgen.tensor import parts, steps
from dlpack_bindgen.tensor.imports import ALLOCATE_OF_TENSOR, IMPORT_OF_CLASS, read_allocation, read_import
from dlpack_bindgen.tensor.item import RELEASES_NOTHING, Action, Handle, Item, ReleaseOn, Tensor
from dlpack_bindgen.tensor.lifetime_hooks import HOOKS, RELEASE, RELEASE_ON
from dlpack_bindgen.tensor.match_arms import LET_OF_TENSOR, REQUIRE_OF_TENSOR, read_matches, read_slots
from dlpack_bindgen.tensor.match_rules import rank_bounds
from dlpack_bindgen.tensor.parts import PARTS
from dlpack_bindgen.tensor.requirements import Copy, checks
from dlpack_bindgen.tensor.steps import OK_OF_SPEC
from dlpack_bindgen.text import types
from dlpack_bindgen.text.types import NumberKind, RecordType


class Spec(Frozen):
    file: str
    """The base name of the spec file. The output mentions it."""
    module: str
    prefix: str
    license: str
    doc: str | None
    includes: tuple[str, ...]
    """Header names as C writes them: `"image.h"` or `<gsl/gsl_matrix.h>`."""
    tensors: tuple[Tensor, ...]
    handles: tuple[Handle, ...] = ()
    functions: tuple[Call, ...] = ()
    constants: tuple[Constant, ...] = ()
    enums: tuple[Enumeration, ...] = ()
    init: tuple[Action, ...] = ()
    """Statements that run once, when Python loads the module."""
    records: tuple[RecordType, ...] = ()
    """The structs that are elements of arrays."""
    arrays: str | None = None
    """The class of the arrays that functions return."""
    names_of_headers: tuple[str, ...] = ()
    """Names that are marked in all C code, because variables of emitted functions have equal names."""
    declared_names: tuple[str, ...] = ()
    """Further names to mark, which the spec declares as variables."""
    questions: tuple[Question, ...] = ()
    """What nobody has decided about functions of the library. Output does not depend on it."""

    @property
    def items(self) -> list[Item]:
        return [*self.handles, *self.tensors]


# ---- Reader for the names of a spec that stand for types in its functions ----

_OF_CLASSES = frozenset(("methods", "properties", "new"))


def names(spec: Fields) -> Names:
    classes = {name.text: _class(name, fields) for name, fields in classes_of(spec)}
    constants, numbers = spec[CONSTANTS], spec[NUMBERS]
    tables = (spec[TENSORS], spec[HANDLES], constants)
    enums = {
        name.text: Enum(name, members(fields))
        for name, fields in (constants.records(INT_ENUM, INT_FLAG) if constants else ())
    }
    kinds = {key.text: cast(NumberKind, kind.text) for key, kind in (numbers.leaves() if numbers else ())}
    sound = all(found.type is not None for found in classes.values())
    whole = sound and not spec.has_unknown and all(table is None or not table.broken for table in tables)
    unread = frozenset(name for table in (numbers, spec[RECORDS]) if table is not None for name in table.broken)
    values = frozenset(name.text for name, _ in (constants.entries if constants else ())) - enums.keys()
    return Names(
        classes=classes,
        enums=enums,
        module=spec,
        numbers=kinds,
        whole=whole,
        unread=unread,
        values=values,
        calls={},
        named_values=named_values(constants),
        records=records.read(spec[RECORDS], text_of(spec[PREFIX]) or text_of(spec[MODULE]) or ""),
        arrays=text_of(spec[ARRAYS]),
        replaced=frozenset(_replaced(spec, classes)),
        prototypes=lambda: [leaf.text for _, leaf in c_fragments(spec, forms=(Form.PROTOTYPE,))],
    )


def _replaced(spec: Fields, classes: Mapping[str, Class]) -> Iterator[str]:
    groups = [(None, spec[FUNCTIONS]), *((name, each.fields[METHODS]) for name, each in classes.items())]
    for class_name, functions in groups:
        tables = [function[ARGS] for _, function in (functions.records() if functions else ())]
        for record in [record for table in tables if table for _, record in table.records()]:
            if is_true(record[REPLACES]):
                named = text_of(record[OF]) or class_name
                yield from classes if named is None else [named]


def has_functions(spec: Fields) -> bool:
    """Returns whether the spec declares functions, methods, properties or constructors."""
    return FUNCTIONS in spec or any(_OF_CLASSES.intersection(fields.given) for _, fields in classes_of(spec))


def _class(name: Leaf, fields: Fields) -> Class:
    written = text_of(fields[TYPE])
    return Class(
        name=name,
        fields=fields,
        type=types.normal(written.split()) if written else None,
        by_value=text_of(fields[PASS]) == "value",
        is_tensor=fields.record is TENSOR,
        allocates=ALLOCATE_OF_TENSOR in fields,
        imports=IMPORT_OF_CLASS in fields,
        releases=RELEASE in fields or FROM in fields or fields.has_unknown,
        releases_nothing=text_of(fields[RELEASE]) == RELEASES_NOTHING,
        is_external=FROM in fields,
    )


# ---- Construction of a `Spec` from values without mistakes, with all defaults ----

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
    constant_table = fields[CONSTANTS]
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
        functions=read_calls(fields[FUNCTIONS], known),
        constants=constants(constant_table),
        enums=enums(constant_table),
        init=steps.actions(fields[INIT], ok),
        records=tuple(known.records.values()),
        arrays=arrays,
        names_of_headers=names_of_headers,
        declared_names=declared_names,
        questions=questions(fields),
    )
    return marked(found, known)


def _tensor(name: str, fields: Fields, known: Names, ok: str | None) -> Tensor:
    ranks = rank_bounds(fields)
    return Tensor(
        **_item(name, fields, known, ok, ranks),
        slots=read_slots(fields),
        matches=read_matches(fields),
        let=steps.steps(fields[LET_OF_TENSOR], ok),
        require=checks(fields[REQUIRE_OF_TENSOR]),
        legacy_readonly="copy" if text_of(fields[LEGACY_READONLY]) == "copy" else "refuse",
        copy=cast(Copy, text_of(fields[COPY_OF_TENSOR]) or "never"),
        allocate=read_allocation(fields[ALLOCATE_OF_TENSOR], ranks, ok),
    )


def _item(
    name: str, fields: Fields, known: Names, ok: str | None, ranks: tuple[int, int] | None = None
) -> dict[str, Any]:
    """Returns the fields that tensors and handles have, and the hooks."""
    hooks = [hook for hook in HOOKS if hook.is_of_handles or fields.record is TENSOR]
    return {
        "name": name,
        "type": needed(text_of(fields[TYPE])),
        "by_value": text_of(fields[PASS]) == "value",
        "external": read_external(name, fields),
        "doc": text_of(fields[DOC]) or None,
        "condition": text_of(fields[IF]),
        "release_on": cast(ReleaseOn, text_of(fields[RELEASE_ON]) or "any"),
        "parts": parts.read(fields[PARTS]),
        "import_": read_import(fields[IMPORT_OF_CLASS], ranks, text_of(fields[RELEASE]), ok),
        **read_members(fields, known, known.classes[name], ok),
        **{hook.key.name: hook.read(fields.value_of(hook.key.name), ok) for hook in hooks},
    }
