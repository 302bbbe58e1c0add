"""Validation of loaded files: specs, or all diagnostics of all files."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.language import INCLUDE, SPEC, TENSOR
from dlpack_bindgen.language.names import Names
from dlpack_bindgen.language.values import Fields, strings
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.text.ctext import Problem
from dlpack_bindgen.text.diagnostics import Advisor, Diagnostic, GetAdvisor, merged
from dlpack_bindgen.text.names import HeaderNames
from dlpack_bindgen.text.yaml import Loaded, Mapping, Scalar
from dlpack_bindgen.validate import arrays, collisions, failures, foreign_names, structure, variants
from dlpack_bindgen.validate.build import build
from dlpack_bindgen.validate.functions.classes import names
from dlpack_bindgen.validate.lexical import normal
from dlpack_bindgen.validate.rules import rules, undeclared_types

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
        root = arrays.expand(file.root, diagnostics.append)
        fields = structure.read(_expanded(root, diagnostics), SPEC, diagnostics.append, advisor)
        if fields is not None:
            known = names(fields)
            reads.append((file.file, fields, known))
            rules.check(fields, known, diagnostics.append)
            if headers is not None:
                _check_types(file.file, fields, headers, diagnostics)
    collisions.check([fields for _, fields, _ in reads], diagnostics.append)
    wrong = {diagnostic.span.file for diagnostic in diagnostics}
    specs = [_built(*read) for read in reads if read[0] not in wrong]
    return specs, merged(map(advisor().advised, diagnostics)) if diagnostics else []


def _built(file: str, fields: Fields, known: Names) -> Spec:
    """Returns the spec. If names in it are marked, its functions are read again."""
    marked, of_headers, declared = foreign_names.marked(fields)
    return build.spec(file, marked, known if marked is fields else names(marked), of_headers, declared)


def _expanded(root: Mapping, diagnostics: list[Diagnostic]) -> Mapping:
    """Returns the spec with one tensor for each variant, and with the keys of `failures` in its functions."""
    return failures.applied(variants.expand(root, TENSOR, diagnostics.append), diagnostics.append)


def _check_types(file: str, fields: Fields, headers: GetHeaders, diagnostics: list[Diagnostic]) -> None:
    includes = fields[INCLUDE]
    if includes is None or not includes.items or len(includes.items) < includes.count:
        return
    found = headers(file, strings(includes))
    if found is not None:
        undeclared_types.check(fields, found, diagnostics.append)


def _newer_version(file: Loaded) -> Diagnostic | None:
    for key, value in file.root.entries if file.root else ():
        if key.text == "dlpack-bindgen" and isinstance(value, Scalar):
            version = normal(Form.VERSION, value.text)
            if isinstance(version, Problem) and version.code == "newer-version":
                return Diagnostic(version.code, value.span, version.message, version.hint)
    return None
