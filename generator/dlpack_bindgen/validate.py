"""Loaded files -> specs, or every mistake in all of them at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dlpack_bindgen import build, rules, structure
from dlpack_bindgen.ctext import Problem
from dlpack_bindgen.diagnostics import Code, Diagnostic, Note, in_order
from dlpack_bindgen.kinds import Form
from dlpack_bindgen.lexical import normal
from dlpack_bindgen.load import Loaded
from dlpack_bindgen.names import snake
from dlpack_bindgen.nodes import Scalar
from dlpack_bindgen.spec import Spec
from dlpack_bindgen.structure import Fields, Leaf


@dataclass(frozen=True)
class _Read:
    loaded: Loaded
    fields: Fields


def validate(loaded: Sequence[Loaded]) -> tuple[list[Spec], list[Diagnostic]]:
    """The specs of all sound files, and the diagnostics of all files, those of loading included, in order."""
    diagnostics: list[Diagnostic] = []
    reads: list[_Read] = []
    for file in loaded:
        diagnostics += file.diagnostics
        if file.root is None:
            continue
        newer = _newer_version(file)
        if newer is not None:
            # What a newer version of the language adds would all be reported as mistakes.
            diagnostics.append(newer)
            continue
        fields = structure.read(file.root, diagnostics.append)
        if fields is not None:
            reads.append(_Read(file, fields))
            for _, tensor in _tensors(fields):
                rules.check(tensor, diagnostics.append)
    _collisions(reads, diagnostics)
    wrong = {diagnostic.span.file for diagnostic in diagnostics}
    specs = [build.spec(read.loaded.file, read.fields) for read in reads if read.loaded.file not in wrong]
    return specs, in_order(diagnostics)


def _newer_version(file: Loaded) -> Diagnostic | None:
    for key, value in file.root.entries if file.root else ():
        if key.text == "dlpack-bindgen" and isinstance(value, Scalar):
            version = normal(Form.VERSION, value.text)
            if isinstance(version, Problem) and version.code == "newer-version":
                return Diagnostic(version.code, value.span, version.message, version.hint)
    return None


def _tensors(fields: Fields) -> list[tuple[Leaf, Fields]]:
    table = fields.table("tensors")
    entries = table.entries if table else ()
    return [(name, tensor) for name, tensor in entries if isinstance(tensor, Fields)]


def _collisions(reads: Sequence[_Read], diagnostics: list[Diagnostic]) -> None:
    """Names that two specs, or two tensors, would both emit."""
    modules: dict[str, Leaf] = {}
    emitted: dict[str, Leaf] = {}
    for read in reads:
        module = read.fields.leaf("module")
        if module is not None:
            # Some file systems do not tell upper case from lower case.
            first = modules.setdefault(module.text.lower(), module)
            if first is not module:
                message = f"the module '{module.text}' would be written to the same files as another spec's"
                diagnostics.append(_both("module-collision", module, message, first))
                continue
        prefix = read.fields.leaf("prefix") or module
        if prefix is None or ("prefix" in read.fields.given and not read.fields.leaf("prefix")):
            continue
        for name, _ in _tensors(read.fields):
            c_name = f"{prefix.text}_{snake(name.text)}"
            other = emitted.setdefault(c_name, name)
            if other is not name:
                message = f"the C names of '{name.text}' would begin with '{c_name}', as those of '{other.text}' do"
                diagnostics.append(_both("name-collision", name, message, other))


def _both(code: Code, leaf: Leaf, message: str, other: Leaf) -> Diagnostic:
    return Diagnostic(code, leaf.span, message, notes=(Note(other.span, "the other one"),))
