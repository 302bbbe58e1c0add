"""Structs that are elements of arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from dlpack_bindgen.language.keys import Alternatives, Form, Key, ListOf, MapOf, Option, Single, Word, Words
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, Value, inside, is_record, text_of
from dlpack_bindgen.tensor.dtype import C_OF_DTYPE, DTYPE_OF_C_TYPE
from dlpack_bindgen.tensor.slots import DTYPE
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report
from dlpack_bindgen.text.names import MARK, snake
from dlpack_bindgen.text.types import CType, Field, RecordType, family, is_unknown, normal

_NUMBERS = MapOf(
    Form.CTYPE,
    Words(
        (
            Word("int", "An integer."),
            Word("float", "A floating point number."),
            Word("bool", "A boolean."),
            Word("complex", "A complex number of C, or a struct of two floats or two doubles, the real part first."),
        )
    ),
    "a mapping from C types to words",
)
NUMBERS = Key[Table](
    "numbers",
    _NUMBERS,
    "Number types that only the headers define, each with its kind of number: `lib_real: float`. A pointer to "
    "such a type is an array; the compiler finds its dtype.",
)
RECORDS = Key[Table](
    "records",
    MapOf(
        Form.CTYPE,
        ListOf(
            Alternatives(
                (
                    Option(
                        Single(Form.FIELD),
                        "A member that is a number or a `char`, or an array of them with up to three axes.",
                    ),
                    Option(
                        MapOf(Form.FIELD, Single(Form.CTYPE), "a mapping from members to records"),
                        "A member that is a struct, or an array of structs, with its C type: another entry of "
                        "`records`.",
                    ),
                )
            ),
            "a list of members",
            least=1,
        ),
        "a mapping from C types to lists of members",
    ),
    "Structs that are elements of arrays, each with the members that Python sees: `point: [x, y, tag]`. A pointer to "
    "such a struct is an array of records, as NumPy's structured arrays are. The C compiler finds offsets, types and "
    "sizes.",
    details=(
        "The members stand in the order of the struct. Python does not see members that are left out.",
        "An array must have fields of the same names, offsets and types, and records of the size of the struct.",
    ),
)


def fields_of(items: Items) -> Iterator[tuple[Leaf, Leaf | None]]:
    """Yields the names of the members, each with the C type of a member that is a record."""
    for item in items.items:
        if isinstance(item, Leaf):
            yield item, None
        elif isinstance(item, Table):
            yield from item.leaves()


def read(records: Table | None, prefix: str) -> dict[str, RecordType]:
    """Returns the records by their C types."""
    found = {}
    for key, value in records.entries if records is not None else ():
        if isinstance(value, Items):
            ctype = normal(key.text.split())
            fields = tuple(_field(name.text, of, prefix) for name, of in fields_of(value))
            found[ctype] = RecordType(ctype, _c_name(ctype), table_of(ctype, prefix), fields)
    return found


def _field(name: str, of: Leaf | None, prefix: str) -> Field:
    ctype = normal(of.text.split()) if of else None
    return Field(name, ctype, table_of(ctype, prefix) if ctype else None)


def table_of(ctype: str, prefix: str) -> str:
    """Returns the C name of the `dlb_record` of a struct."""
    return f"{prefix}_{_c_name(ctype)}_record"


def _c_name(ctype: str) -> str:
    return snake(ctype.replace(MARK, "").replace(" ", "_"))


# ---- Rules ----


def check_number(key: Leaf, kind: Leaf, report: Report) -> None:
    """Reports entries of `numbers` that C already knows or that are not numbers. A struct may be a complex number."""
    known = family(normal(key.text.split()))
    if kind.text == "complex" and key.text.startswith("struct "):
        return
    if known is not None:
        message = f"C knows '{key.text}' already; 'numbers' is about types that only headers know"
        hint = "leave it out; for an array of another dtype write 'require': {require: [{dtype: ...}]}"
        report(Diagnostic("without-effect", key.span, message, hint))
    elif not is_unknown(CType(key.text)) or key.text == "DLTensor":
        report(Diagnostic("c-type", key.span, f"'{key.text}' is not a number type", "leave it out"))


def check_records(spec: Fields, classes: Iterable[tuple[Leaf, Fields]], report: Report) -> None:
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
            _check_fields(value, known, report)
            _cycle(key, ctype, known, report)
    if known:
        _dtypes(classes, known, report)


def _dtypes(classes: Iterable[tuple[Leaf, Fields]], known: Mapping[str, object], report: Report) -> None:
    """Reports records that are only one of several dtypes of a class."""
    for _, tensor in classes:
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
    else:
        for _, inner in inside(value):
            yield from _c_types(inner)


def _is_struct(ctype: str) -> bool:
    return ctype.startswith(("struct ", "union ")) or (is_unknown(CType(ctype)) and "*" not in ctype)


def _check_fields(items: Items, known: Mapping[str, object], report: Report) -> None:
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


def ordered(records: Sequence[RecordType]) -> list[RecordType]:
    """Returns the records, each after those that are its fields."""
    known = {record.ctype: record for record in records}
    found: dict[str, RecordType] = {}

    def add(record: RecordType) -> None:
        for field in record.fields:
            if field.of is not None and field.of not in found:
                add(known[field.of])
        found.setdefault(record.ctype, record)

    for record in records:
        add(record)
    return list(found.values())
