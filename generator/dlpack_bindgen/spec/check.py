"""The checks of a file: the expansion, the reader, all rules, and the spec."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dlpack_bindgen.calls import failures
from dlpack_bindgen.calls.names import Names
from dlpack_bindgen.classes.external import check_external_classes
from dlpack_bindgen.language import expand, structure
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.structure import normal
from dlpack_bindgen.language.values import Fields, strings
from dlpack_bindgen.spec import module_rules, spec
from dlpack_bindgen.spec.language import HANDLES, INCLUDE, SPEC, TENSOR, TENSORS
from dlpack_bindgen.spec.module_rules import (
    check_collisions,
    check_emitted,
    check_module,
    check_parts,
    check_records,
    check_undeclared_types,
)
from dlpack_bindgen.spec.spec import Spec, has_functions, names
from dlpack_bindgen.spec.text_rules import (
    check_divisions,
    check_expressions,
    check_statements,
    check_suspicious_conditions,
)
from dlpack_bindgen.tensor import match_rules
from dlpack_bindgen.tensor.arms import matches
from dlpack_bindgen.tensor.import_rules import check_imports, check_unset_members
from dlpack_bindgen.tensor.inverse_rules import check_inverse_match
from dlpack_bindgen.tensor.match_rules import check_imported_memory, check_match, check_slots
from dlpack_bindgen.tensor.step_rules import check_steps
from dlpack_bindgen.text.ctext import Problem
from dlpack_bindgen.text.diagnostics import Advisor, Diagnostic, GetAdvisor, Report, merged
from dlpack_bindgen.text.names import HeaderNames
from dlpack_bindgen.text.yaml import Loaded, Mapping, Scalar

# ---- The order of all rules between the values of one spec ----


def check_all(spec: Fields, known: Names, report: Report) -> None:
    tensors = spec[TENSORS]
    handles = spec[HANDLES]
    for _, tensor in tensors.records() if tensors else ():
        found = matches(tensor)
        check_match(tensor, found, report)
        check_slots(tensor, found, report)
        check_divisions(tensor, report)
        check_steps(tensor, spec, report)
        check_imports(tensor, report)
        check_imported_memory(tensor, report)
        check_unset_members(tensor, found, report)
        check_inverse_match(tensor, found, report)
    for name, handle in handles.records() if handles else ():
        check_external_classes(name, handle, report)
        match_rules.axis(handle, report)
        check_steps(handle, spec, report)
        check_imports(handle, report)
        check_inverse_match(handle, (), report)
    check_parts(spec, report)
    if has_functions(spec):
        from dlpack_bindgen.spec import functions

        functions.check_functions(spec, known, report)
    check_module(spec, report)
    check_records(spec, report)
    check_statements(spec, report)
    check_expressions(spec, report)
    check_suspicious_conditions(spec, report)
    check_emitted(spec, report)


# ---- Validation of loaded files: specs, or all diagnostics of all files ----

GetHeaders = Callable[[str, Sequence[str]], HeaderNames | None]
"""Returns the names in the headers that the spec in a file includes; None if a header is missing or unclear."""


def validate(
    loaded: Sequence[Loaded], advisor: GetAdvisor = Advisor, headers: GetHeaders | None = None
) -> tuple[list[Spec], list[Diagnostic]]:
    """Returns the specs of all files without mistakes, and the diagnostics of all files in order.

    The diagnostics include those of loading. Without `headers`, each type counts as declared.
    """
    diagnostics: list[Diagnostic] = []
    reads: list[tuple[str, Fields, Names]] = []
    for file in loaded:
        diagnostics += file.diagnostics
        if file.root is None:
            continue
        newer = _newer_version(file)
        if newer is not None:
            # Each addition of a newer version would be reported as a mistake.
            diagnostics.append(newer)
            continue
        root = expand.expand_arrays(file.root, diagnostics.append)
        fields = structure.read(_expanded(root, diagnostics), SPEC, diagnostics.append, advisor)
        if fields is not None:
            known = names(fields)
            reads.append((file.file, fields, known))
            check_all(fields, known, diagnostics.append)
            if headers is not None:
                _check_types(file.file, fields, headers, diagnostics)
    check_collisions([fields for _, fields, _ in reads], diagnostics.append)
    wrong = {diagnostic.span.file for diagnostic in diagnostics}
    specs = [_built(*read) for read in reads if read[0] not in wrong]
    return specs, merged(map(advisor().advised, diagnostics)) if diagnostics else []


def _built(file: str, fields: Fields, known: Names) -> Spec:
    """Returns the spec. If names in it are marked, its functions are read again."""
    marked, of_headers, declared = module_rules.marked(fields)
    return spec.spec(file, marked, known if marked is fields else names(marked), of_headers, declared)


def _expanded(root: Mapping, diagnostics: list[Diagnostic]) -> Mapping:
    """Returns the spec with one tensor for each variant, and with the keys of `failures` in its functions."""
    return failures.applied(expand.expand_variants(root, TENSOR, diagnostics.append), diagnostics.append)


def _check_types(file: str, fields: Fields, headers: GetHeaders, diagnostics: list[Diagnostic]) -> None:
    includes = fields[INCLUDE]
    if includes is None or not includes.items or len(includes.items) < includes.count:
        return
    found = headers(file, strings(includes))
    if found is not None:
        check_undeclared_types(fields, found, diagnostics.append)


def _newer_version(file: Loaded) -> Diagnostic | None:
    for key, value in file.root.entries if file.root else ():
        if key.text == "dlpack-bindgen" and isinstance(value, Scalar):
            version = normal(Form.VERSION, value.text)
            if isinstance(version, Problem) and version.code == "newer-version":
                return Diagnostic(version.code, value.span, version.message, version.hint)
    return None
