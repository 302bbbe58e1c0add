"""`quantity`: what the elements of an array measure, such as metres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dlpack_bindgen.calls.call import Property
from dlpack_bindgen.calls.result_kinds import kind_of
from dlpack_bindgen.language.keys import Form, Key, Single
from dlpack_bindgen.language.values import Fields, Leaf
from dlpack_bindgen.text.literals import c_string

QUANTITY = Key[Leaf](
    "quantity",
    Single(Form.TEXT),
    "The quantity or unit of the elements, such as `metres`: the attribute `quantity` in Python.",
    after="doc",
)


def attribute(fields: Fields) -> Iterator[Leaf]:
    """Yields the name of the attribute, at the place of the key."""
    if written := fields[QUANTITY]:
        yield replace(written, text=QUANTITY.name)


def properties(fields: Fields) -> tuple[Property, ...]:
    """Returns the attribute, if the class has a quantity."""
    written = fields[QUANTITY]
    if written is None:
        return ()
    doc = f"The quantity of the elements: {written.text}."
    return (Property(QUANTITY.name, c_string(written.text), kind_of("str"), doc=doc),)
