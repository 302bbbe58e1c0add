"""Names that two specs, or two entries of one, would both emit."""

from __future__ import annotations

from collections.abc import Sequence

from dlpack_bindgen.diagnostics import Code, Diagnostic, Note
from dlpack_bindgen.names import snake
from dlpack_bindgen.structure import Report
from dlpack_bindgen.values import Fields, Leaf


def check(specs: Sequence[Fields], report: Report) -> None:
    modules: dict[str, Leaf] = {}
    emitted: dict[str, Leaf] = {}
    for fields in specs:
        module = fields.leaf("module")
        if module is not None:
            # Some file systems do not tell upper case from lower case.
            first = modules.setdefault(module.text.lower(), module)
            if first is not module:
                message = f"the module '{module.text}' would be written to the same files as another spec's"
                report(_both("module-collision", module, message, first))
                continue
        prefix = fields.leaf("prefix") or module
        if prefix is None or ("prefix" in fields.given and not fields.leaf("prefix")):
            continue
        for name in _names(fields):
            c_name = f"{prefix.text}_{snake(name.text)}"
            other = emitted.setdefault(c_name, name)
            if other is not name:
                message = f"the C names of '{name.text}' would begin with '{c_name}', as those of '{other.text}' do"
                if name.text == other.text:
                    message = f"there is another '{name.text}'"
                report(_both("name-collision", name, message, other))


def _names(fields: Fields) -> list[Leaf]:
    """The names of tensors and handles."""
    tables = [table for key in ("tensors", "handles") if (table := fields.table(key))]
    return [name for table in tables for name, _ in table.records()]


def _both(code: Code, leaf: Leaf, message: str, other: Leaf) -> Diagnostic:
    return Diagnostic(code, leaf.span, message, notes=(Note(other.span, "the other one"),))
