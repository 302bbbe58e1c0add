"""What must hold between the values of one spec."""

from __future__ import annotations

from dlpack_bindgen import (
    rules_backward,
    rules_dtype,
    rules_emitted,
    rules_expressions,
    rules_import,
    rules_literals,
    rules_match,
    rules_module,
    rules_parts,
    rules_slots,
    rules_statements,
    rules_steps,
)
from dlpack_bindgen.arms import matches
from dlpack_bindgen.classes import has_functions
from dlpack_bindgen.structure import Report
from dlpack_bindgen.values import Fields


def check(spec: Fields, report: Report) -> None:
    tensors = spec.table("tensors")
    handles = spec.table("handles")
    for _, tensor in tensors.records() if tensors else ():
        found = matches(tensor)
        rules_match.check(tensor, found, report)
        rules_dtype.check(tensor, found, report)
        rules_slots.check(tensor, found, report)
        rules_literals.check(tensor, report)
        rules_steps.check(tensor, spec, report)
        rules_import.check(tensor, report)
        rules_backward.check(tensor, found, report)
    for _, handle in handles.records() if handles else ():
        rules_slots.axis(handle, report)
        rules_steps.check(handle, spec, report)
        rules_import.check(handle, report)
        rules_backward.check(handle, (), report)
    rules_parts.check(spec, report)
    if has_functions(spec):
        from dlpack_bindgen import rules_functions

        rules_functions.check(spec, report)
    rules_module.check(spec, report)
    rules_statements.check(spec, report)
    rules_expressions.check(spec, report)
    rules_expressions.pointers(spec, report)
    rules_emitted.check(spec, report)
