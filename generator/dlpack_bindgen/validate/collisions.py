"""Checks for C names that two specs, or two entries of one spec, would both emit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dlpack_bindgen.language.classes import METHODS, PROPERTIES, SET
from dlpack_bindgen.language.language import MODULE, PREFIX, classes_of
from dlpack_bindgen.language.module import CONSTANTS, FUNCTIONS, INT_ENUM, INT_FLAG
from dlpack_bindgen.language.values import Fields, Leaf
from dlpack_bindgen.text.diagnostics import Code, Diagnostic, Note, Report
from dlpack_bindgen.text.names import CALLED, STATIC, snake


def check(specs: Sequence[Fields], report: Report) -> None:
    modules: dict[str, Leaf] = {}
    emitted: dict[str, tuple[Leaf, bool]] = {}
    for fields in specs:
        module = fields[MODULE]
        if module is not None:
            # Some file systems ignore case.
            first = modules.setdefault(module.text.lower(), module)
            if first is not module:
                message = f"the module '{module.text}' would be written to the same files as another spec's"
                report(_both("module-collision", module, message, first))
                continue
        prefix = fields[PREFIX] or module
        if prefix is None or (PREFIX in fields and not fields[PREFIX]):
            continue
        for name, c_name, is_class in _names(fields, prefix.text):
            other, other_is_class = emitted.setdefault(c_name, (name, is_class))
            # For entries other than classes, `rules.module` and `rules.parts` report duplicate names.
            is_same_leaf = name.text == other.text and name.span.file == other.span.file
            if other is not name and (not is_same_leaf or (is_class and other_is_class)):
                message = f"the C names of '{name.text}' would begin with '{c_name}', like those of '{other.text}'"
                if name.text == other.text:
                    message = f"there is another '{name.text}'"
                report(_both("name-collision", name, message, other))


def _names(fields: Fields, prefix: str) -> Iterator[tuple[Leaf, str, bool]]:
    """Yields each entry of the spec with the prefix of its C names, and whether the entry is a class."""
    for name, entry in classes_of(fields):
        c_name = f"{prefix}_{snake(name.text)}"
        yield name, c_name, True
        yield from _called(entry, c_name)
    functions = fields[FUNCTIONS]
    for name, _ in functions.entries if functions else ():
        yield name, f"{CALLED}{prefix}_{name.text}", False
    constants = fields[CONSTANTS]
    for name, _ in constants.records(INT_ENUM, INT_FLAG) if constants else ():
        yield name, f"{STATIC}{prefix}_{snake(name.text)}", False


def _called(entry: Fields, c_name: str) -> Iterator[tuple[Leaf, str, bool]]:
    """Yields each method and each setter of a property, with its C name and False: it is not a class."""
    methods, properties = entry[METHODS], entry[PROPERTIES]
    for name, _ in methods.entries if methods else ():
        yield name, f"{CALLED}{c_name}_{name.text}", False
    for name, value in properties.records() if properties else ():
        if SET in value:
            yield name, f"{CALLED}{c_name}_set_{name.text}", False


def _both(code: Code, leaf: Leaf, message: str, other: Leaf) -> Diagnostic:
    return Diagnostic(code, leaf.span, message, notes=(Note(other.span, "the other one"),))
