"""The order of all rules between the values of one spec."""

from __future__ import annotations

from dlpack_bindgen.language.language import HANDLES, TENSORS
from dlpack_bindgen.language.names import Names
from dlpack_bindgen.language.values import Fields
from dlpack_bindgen.text.diagnostics import Report
from dlpack_bindgen.validate.arms import matches
from dlpack_bindgen.validate.functions.classes import has_functions
from dlpack_bindgen.validate.rules import (
    divisions,
    emitted,
    expressions,
    external_classes,
    imported_memory,
    imports,
    inverse_match,
    match,
    module,
    parts,
    records,
    slots,
    statements,
    steps,
    suspicious_conditions,
    unset_members,
)


def check(spec: Fields, known: Names, report: Report) -> None:
    tensors = spec[TENSORS]
    handles = spec[HANDLES]
    for _, tensor in tensors.records() if tensors else ():
        found = matches(tensor)
        match.check(tensor, found, report)
        slots.check(tensor, found, report)
        divisions.check(tensor, report)
        steps.check(tensor, spec, report)
        imports.check(tensor, report)
        imported_memory.check(tensor, report)
        unset_members.check(tensor, found, report)
        inverse_match.check(tensor, found, report)
    for name, handle in handles.records() if handles else ():
        external_classes.check(name, handle, report)
        slots.axis(handle, report)
        steps.check(handle, spec, report)
        imports.check(handle, report)
        inverse_match.check(handle, (), report)
    parts.check(spec, report)
    if has_functions(spec):
        from dlpack_bindgen.validate.rules import functions

        functions.check(spec, known, report)
    module.check(spec, report)
    records.check(spec, report)
    statements.check(spec, report)
    expressions.check(spec, report)
    suspicious_conditions.check(spec, report)
    emitted.check(spec, report)
