"""The tables with the fields of structs that are elements of arrays."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from dlpack_bindgen.bind.binding import FieldFacts, FieldOrder, RecordFacts
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.text.names import STATIC
from dlpack_bindgen.text.types import RecordType


def bind_records(spec: Spec) -> tuple[RecordFacts, ...]:
    """Returns the records, each after those that are its fields."""
    known = {record.ctype: record for record in spec.records}
    found: dict[str, RecordFacts] = {}
    for record in spec.records:
        _add(record, known, found)
    return tuple(found.values())


def _add(record: RecordType, known: Mapping[str, RecordType], found: dict[str, RecordFacts]) -> None:
    for field in record.fields:
        if field.of is not None and field.of not in found:
            _add(known[field.of], known, found)
    found.setdefault(record.ctype, _facts(record, known))


def _facts(record: RecordType, known: Mapping[str, RecordType]) -> RecordFacts:
    prefix = f"{STATIC}{record.c_name}"
    c_names = [f"{prefix}_{field.name}" for field in record.fields]
    return RecordFacts(
        type=record.ctype,
        label=f"records.{record.ctype}",
        table=record.table,
        fields_table=f"{STATIC}{record.table}_fields",
        fields=tuple(
            FieldFacts(field.name, c_name, field.of or "", known[field.of].table if field.of else "")
            for c_name, field in zip(c_names, record.fields, strict=True)
        ),
        order=tuple(FieldOrder(f"{after}_follows", before, after) for before, after in pairwise(c_names)),
    )
