"""Structs that are elements of arrays."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import Alternatives, Form, Key, ListOf, MapOf, Option, Single, Word, Words
from dlpack_bindgen.language.values import Items, Leaf, Table
from dlpack_bindgen.text.names import MARK, snake
from dlpack_bindgen.text.types import Field, RecordType, normal

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
            fields = [Field(name.text, normal(of.text.split()) if of else None) for name, of in fields_of(value)]
            found[ctype] = RecordType(ctype, _c_name(ctype), table_of(ctype, prefix), tuple(fields))
    return found


def table_of(ctype: str, prefix: str) -> str:
    """Returns the C name of the `dlb_record` of a struct."""
    return f"{prefix}_{_c_name(ctype)}_record"


def _c_name(ctype: str) -> str:
    return snake(ctype.replace(MARK, "").replace(" ", "_"))


class FieldFacts(Frozen):
    """A member of a struct."""

    name: str
    c_name: str
    """Its emitted name."""
    type: str
    """The C type of a member that is a record; empty: it is a number."""
    table: str
    """The `dlb_record` of that type."""


class FieldOrder(Frozen):
    """Two members, by their emitted names, which stand in this order in the struct."""

    constant: str
    """The name of the constant that the compiler finds if they do."""
    before: str
    after: str


class RecordFacts(Frozen):
    """A struct that is an element of arrays, for `templates/records.c.j2`."""

    type: str
    label: str
    """The path of the record in the spec."""
    table: str
    fields_table: str
    fields: tuple[FieldFacts, ...]
    order: tuple[FieldOrder, ...]
