"""`params` that are addresses: C passes them, and no Python object is converted to one."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen import ctext
from dlpack_bindgen.classes import is_address, names
from dlpack_bindgen.diagnostics import Diagnostic, Note
from dlpack_bindgen.names import snake
from dlpack_bindgen.structure import Report
from dlpack_bindgen.values import Fields, Items, Leaf


def check(spec: Fields, report: Report) -> None:
    """What Python could never call is refused; `wrap` and functions that return the object need no Python value."""
    tables = [table for key in ("tensors", "handles") if (table := spec.table(key))]
    entries = [entry for table in tables for entry in table.records()]
    made = None
    for name, entry in entries:
        making = entry.fields("import")
        for leaf, param in required_addresses(making.items("params") if making else None):
            message = f"'{param}' is an address, which Python cannot give: 'from_dlpack' could never be called"
            report(Diagnostic("param-unset", leaf.span, message, "give it a default: C passes any other"))
        sibling = _sibling(name, entry, entries)
        for leaf, param in required_addresses(entry.items("params") if sibling else None):
            made = _made(spec) if made is None else made
            if sibling and name.text not in made:
                method = f"'{snake(name.text)}' of '{sibling.text}'"
                message = (
                    f"'{param}' is an address, which Python cannot give: the method {method} could never be called"
                )
                hint = f"give it a default, or a function that makes one, with 'keeps: {param}'"
                report(Diagnostic("param-unset", leaf.span, message, hint, (Note(sibling.span, "this class"),)))


def required_addresses(params: Items | None) -> Iterator[tuple[Leaf, str]]:
    for leaf in params.leaves() if params else ():
        declared = ctext.split_parameter(leaf.text)
        if isinstance(declared, tuple) and declared[2] is None and is_address(declared[0]):
            yield leaf, declared[1]


def _sibling(name: Leaf, entry: Fields, entries: list[tuple[Leaf, Fields]]) -> Leaf | None:
    """A class of the same C type, of which a tensor is a method."""
    ctype = entry.text("type")
    same = (other for other, fields in entries if other is not name and ctype and fields.text("type") == ctype)
    return next(same, None) if entry.record.key("shape") else None


def _made(spec: Fields) -> set[str]:
    """The classes whose objects a function returns."""
    from dlpack_bindgen.calls import read  # few specs ask

    known = names(spec)
    calls = (read(function, known, None, None, lambda _: None) for function in _functions(spec))
    return {of for call in calls if call for of in call.made()}


def _functions(spec: Fields) -> Iterator[Fields]:
    tables = [spec.table("functions")]
    for key in ("tensors", "handles"):
        entries = spec.table(key)
        for _, entry in entries.records() if entries else ():
            tables.append(entry.table("methods"))
            if new := entry.fields("new"):
                yield new
    for table in tables:
        for _, function in table.records() if table else ():
            yield function
