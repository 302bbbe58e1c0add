"""Structs that are elements of arrays: records with fields."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen


class Field(Frozen):
    """A member of a struct that an array shows."""

    name: str
    of: str | None = None
    """The C type of a member that is a record itself, or an array of records. None: numbers, whose type and number the
    compiler knows."""


class RecordType(Frozen):
    ctype: str
    """The normalised C type."""
    c_name: str
    """The type as a part of C names."""
    table: str
    """The C name of its `dlb_record`."""
    fields: tuple[Field, ...]

    @property
    def words(self) -> str:
        """The record in documentation."""
        names = [f"`{field.name}`" for field in self.fields]
        listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
        return f"records with the field{'s' if len(names) > 1 else ''} {listed}"
