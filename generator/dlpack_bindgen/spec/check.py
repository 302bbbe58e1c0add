"""The checks of a file: the expansion, the reader, all rules, and the spec."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dlpack_bindgen.calls import failures
from dlpack_bindgen.calls.features import FEATURES
from dlpack_bindgen.calls.spec_names import Names
from dlpack_bindgen.classes.attribute_rules import called, check_parts, distinct
from dlpack_bindgen.classes.constants import CONSTANTS, INT_ENUM, INT_FLAG, check_constant, check_enum
from dlpack_bindgen.classes.external import check_external_classes
from dlpack_bindgen.classes.records import NUMBERS, check_number, check_records
from dlpack_bindgen.language import expand, reader
from dlpack_bindgen.language.forms import normal
from dlpack_bindgen.language.keys import IF, Form
from dlpack_bindgen.language.values import Fields, Leaf, Value, inside, strings, text_of
from dlpack_bindgen.spec import name_collisions, spec
from dlpack_bindgen.spec.all_keys import FUNCTIONS, HANDLES, INCLUDE, INIT, SPEC, TENSOR, TENSORS, classes_of
from dlpack_bindgen.spec.c_code_rules import (
    check_divisions,
    check_expressions,
    check_statements,
    check_suspicious_conditions,
)
from dlpack_bindgen.spec.draft import DRAFT, check_draft, without_empty_answers
from dlpack_bindgen.spec.name_collisions import check_collisions, check_emitted
from dlpack_bindgen.spec.spec import Spec, has_functions, names
from dlpack_bindgen.tensor.import_rules import check_imports, check_unset_members
from dlpack_bindgen.tensor.match_arms import matches
from dlpack_bindgen.tensor.match_inverse_rules import check_inverse_match
from dlpack_bindgen.tensor.match_rules import check_axis, check_imported_memory, check_match, check_slots
from dlpack_bindgen.tensor.step_rules import check_steps, check_tests
from dlpack_bindgen.text.c_checks import Problem
from dlpack_bindgen.text.diagnostics import Advisor, Diagnostic, GetAdvisor, Report, UnknownName, listed, merged, within
from dlpack_bindgen.text.names import HeaderNames, of_standard_headers
from dlpack_bindgen.text.types import Word, tags, type_names, words_of
from dlpack_bindgen.text.yaml import Loaded, Mapping, Scalar

# ---- The order of all rules between the values of one spec ----


def check_all(spec: Fields, known: Names, report: Report) -> None:
    """Checks all rules that compare values of one spec."""
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
        check_axis(handle, report)
        check_steps(handle, spec, report)
        check_imports(handle, report)
        check_inverse_match(handle, (), report)
    check_parts(classes_of(spec), report)
    if has_functions(spec):
        from dlpack_bindgen.spec import functions  # imported late: many specs have no functions

        functions.check_functions(spec, known, report)
    check_module(spec, report)
    check_records(spec, classes_of(spec), report)
    check_statements(spec, report)
    check_expressions(spec, report)
    check_suspicious_conditions(spec, report)
    check_emitted(spec, report)
    check_draft(spec[DRAFT], report)


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
        fields = _fields(file.root, diagnostics.append, advisor)
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


def fields_of(loaded: Loaded) -> Fields | None:
    """Returns the keys of a spec without mistakes, each with its place in the file."""
    return _fields(loaded.root, lambda _: None, Advisor) if loaded.root is not None else None


def _fields(root: Mapping, report: Report, advisor: GetAdvisor) -> Fields | None:
    root = expand.expand_arrays(without_empty_answers(root), report)
    # One tensor for each variant; and functions with the keys of `failures`.
    root = failures.applied(expand.expand_variants(root, TENSOR, report), report)
    return reader.read(root, SPEC, report, advisor)


def _built(file: str, fields: Fields, known: Names) -> Spec:
    """Returns the spec. If names in it are marked, its functions are read again."""
    marked, of_headers, declared = name_collisions.marked(fields)
    return spec.spec(file, marked, known if marked is fields else names(marked), of_headers, declared)


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


def check_module(spec: Fields, report: Report) -> None:
    distinct(_attributes(spec), "the module", report)
    constants = spec[CONSTANTS]
    for _, record in constants.records(INT_ENUM, INT_FLAG) if constants else ():
        check_enum(record, report)
    for _, value in constants.leaves() if constants else ():
        check_constant(value, report)
    numbers = spec[NUMBERS]
    for key, kind in numbers.leaves() if numbers else ():
        check_number(key, kind, report)
    for problem in (problem for each in FEATURES for problem in each.problems_of_module(spec)):
        report(problem)
    if init := spec[INIT]:
        check_tests(init, None, spec, report)


def _attributes(spec: Fields) -> Iterator[tuple[Leaf, str | None]]:
    classes: dict[str, tuple[Leaf, str | None]] = {}
    for name, entry in classes_of(spec):
        # Two classes with one name are reported as a collision of C names.
        classes.setdefault(name.text, (name, text_of(entry[IF])))
    yield from classes.values()
    yield from called(spec[FUNCTIONS])
    constants = spec[CONSTANTS]
    for name, _ in constants.entries if constants else ():
        yield name, None


# ---- Types that the headers of the library cannot declare, because their text does not have the name ----

_DECLARING = (
    *(Form.CTYPE, Form.STORAGE, Form.PROTOTYPE),
    *(Form.DECLARATION, Form.VARIABLE, Form.OUTPUT, Form.PARAMETER, Form.ARGUMENT),
)
"""Forms of C text that can name a type."""
_UNUSED = ("numbers", "failures")
"""Keys whose types need not be there: emitted C does not use them unless a function does."""


def check_undeclared_types(spec: Fields, headers: HeaderNames, report: Report) -> None:
    for key, value in spec.values.items():
        for leaf in _leaves(value) if key not in _UNUSED else ():
            _check(leaf, headers, report)


def _leaves(value: Value) -> Iterator[Leaf]:
    """Yields all text that can name a type. Skips items with an `if`: the headers of some version lack their types."""
    if isinstance(value, Leaf):
        if value.form in _DECLARING:
            yield value
    elif not (isinstance(value, Fields) and value[IF] is not None):
        for _, item in inside(value):
            yield from _leaves(item)


def _check(leaf: Leaf, headers: HeaderNames, report: Report) -> None:
    text = leaf.text.partition("=")[0] if leaf.form is Form.PARAMETER else leaf.text
    words = words_of(text)
    if any(word.text.startswith("__") or word.text == "typeof" for word in words):
        return  # an operator of C or of the compiler, with an expression behind it
    if leaf.form is Form.ARGUMENT and len(words) == 1:
        return  # a word of the language
    for word in type_names(words):
        if word.text not in headers.declared and not of_standard_headers(word.text):
            report(_undeclared(leaf, word, word.text, _with_keyword(word.text, headers), headers))
    for keyword, tag in tags(words):
        keywords = headers.tags.get(tag.text, set())
        is_sure = headers.shows_tags or tag.text not in headers.known
        if keyword not in keywords and is_sure and not of_standard_headers(tag.text):
            other = _with_keyword(tag.text, headers) or (
                f"write '{tag.text}'" if tag.text in headers.declared else None
            )
            report(_undeclared(leaf, tag, f"{keyword} {tag.text}", other, headers))


def _with_keyword(name: str, headers: HeaderNames) -> str | None:
    """Returns the hint for a name that is a tag."""
    keywords = sorted(headers.tags.get(name, ()))
    return f"write '{keywords[0]} {name}'" if keywords else None


def _undeclared(leaf: Leaf, word: Word, shown: str, hint: str | None, headers: HeaderNames) -> Diagnostic:
    several = len(headers.paths) > 1
    where = f"the headers {listed(headers.paths)} do" if several else f"{listed(headers.paths)} does"
    message = f"{where} not declare the type '{shown}'"
    facts = None if hint else UnknownName(shown, headers.types)
    span = within(leaf.span, leaf.text, word.place)
    return Diagnostic("undeclared-type", span, message, hint, cause=shown, facts=facts)
