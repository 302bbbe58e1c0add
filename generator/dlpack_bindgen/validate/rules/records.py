"""Rules for records: structs that are elements of arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dlpack_bindgen.language.language import classes_of
from dlpack_bindgen.language.records import NUMBERS, RECORDS, fields_of
from dlpack_bindgen.language.slots import DTYPE
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, Value, is_record, text_of
from dlpack_bindgen.slots.dtype import C_OF_DTYPE, DTYPE_OF_C_TYPE
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report
from dlpack_bindgen.text.types import CType, family, is_unknown, normal


def check(spec: Fields, report: Report) -> None:
    entries = records.entries if (records := spec[RECORDS]) else ()
    known = {normal(key.text.split()): value for key, value in entries}
    declared = spec[NUMBERS]
    numbers = {normal(key.text.split()) for key, _ in (declared.entries if declared else ())}
    seen: dict[str, Leaf] = {}
    for key, value in entries:
        ctype = normal(key.text.split())
        if ctype in seen:
            message = f"'{ctype}' is another spelling of '{seen[ctype].text}'"
            report(Diagnostic("duplicate-name", key.span, message, notes=(Note(seen[ctype].span, "first here"),)))
        elif ctype in numbers or family(ctype) is not None or not _is_struct(ctype):
            message = f"'{key.text}' is not a struct"
            report(Diagnostic("c-type", key.span, message, "leave it out: a pointer to numbers is an array"))
        seen.setdefault(ctype, key)
        if isinstance(value, Items):
            _fields(value, known, report)
            _cycle(key, ctype, known, report)
    if known:
        _dtypes(spec, known, report)


def _dtypes(spec: Fields, known: Mapping[str, object], report: Report) -> None:
    """Reports records that are only one of several dtypes of a class."""
    for _, tensor in classes_of(spec):
        for dtype in _c_types(tensor):
            ctype = normal((text_of(dtype[C_OF_DTYPE]) or "").split())
            if ctype in known and dtype is not tensor[DTYPE]:
                message = (
                    f"'{ctype}' is a struct in 'records': the elements of a class are always such records, or never"
                )
                report(Diagnostic("bad-dtype", dtype.span, message, "write another class for arrays of records"))


def _c_types(value: Value) -> Iterator[Fields]:
    """Yields all dtypes of C types in a value, at any depth."""
    if is_record(value, DTYPE_OF_C_TYPE):
        yield value
    elif isinstance(value, Fields):
        for inner in value.values.values():
            yield from _c_types(inner)
    elif isinstance(value, Items):
        for inner in value.items:
            yield from _c_types(inner)
    elif isinstance(value, Table):
        for _, inner in value.entries:
            yield from _c_types(inner)


def _is_struct(ctype: str) -> bool:
    return ctype.startswith(("struct ", "union ")) or (is_unknown(CType(ctype)) and "*" not in ctype)


def _fields(items: Items, known: Mapping[str, object], report: Report) -> None:
    """Reports members that are listed twice, and members whose records are unknown."""
    seen: dict[str, Leaf] = {}
    for name, of in fields_of(items):
        if name.text in seen:
            notes = (Note(seen[name.text].span, "first here"),)
            report(Diagnostic("duplicate-name", name.span, f"there are two members '{name.text}'", notes=notes))
        seen.setdefault(name.text, name)
        if of is not None and normal(of.text.split()) not in known:
            hint = f"add it to 'records', or write '{name.text}' alone if it is a number"
            report(Diagnostic("unknown-class", of.span, f"'{of.text}' is not one of the 'records'", hint))


def _cycle(key: Leaf, ctype: str, known: Mapping[str, object], report: Report) -> None:
    """Reports a record that contains itself."""
    inner, found = [ctype], set[str]()
    while inner:
        items = known.get(inner.pop())
        for _, of in fields_of(items) if isinstance(items, Items) else ():
            name = normal(of.text.split()) if of is not None else ""
            if name == ctype:
                report(Diagnostic("c-type", key.span, f"'{key.text}' cannot contain itself"))
                return
            if name and name not in found:
                found.add(name)
                inner.append(name)
