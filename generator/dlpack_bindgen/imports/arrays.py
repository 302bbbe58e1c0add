"""`let: [T name[]: shape]`: an array with an element for each axis."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.imports.making import Making
from dlpack_bindgen.imports.part import Part
from dlpack_bindgen.language.kinds import Form, Key
from dlpack_bindgen.language.steps import DECLARED, let_of
from dlpack_bindgen.language.values import Fields, Items
from dlpack_bindgen.spec.spec import Let
from dlpack_bindgen.steps.declared import declared_in
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import declaration
from dlpack_bindgen.text.names import ARRAYS_OF_AXES
from dlpack_bindgen.text.statements import Piece

_LET = let_of(
    Form.VARIABLE,
    f"{DECLARED}. `T name[]: shape` creates a copy of an array: `shape`, `strides`, `byte_strides` or "
    "`reversed(shape)`.",
)
_ARRAY_VALUES = frozenset(text.format(name) for name in ARRAYS_OF_AXES for text in ("{}", "reversed({})"))


LET_OF_MAKING = Key[Items](
    "let",
    _LET,
    "C variables, calls and conditions that run in order before the object is created. A variable must "
    "not have a name that is already in scope.",
    after="require",
)


class ArraysPart(Part):
    keys = (LET_OF_MAKING,)
    is_of_allocations = True

    def problems(self, making: Fields) -> Iterator[Diagnostic]:
        for record in let.records() if (let := making[LET_OF_MAKING]) else ():
            declared = declared_in(record)
            value = declared.value if declared else None
            if declared and declared.is_array and value and value.text.replace(" ", "") not in _ARRAY_VALUES:
                message = (
                    "the value of an array is 'shape', 'strides' or 'byte_strides', or one of them in 'reversed(...)'"
                )
                yield Diagnostic("array-value", value.span, message)


class AxesArray(Frozen):
    """The facts for `templates/imports/arrays.c.j2`."""

    declaration: str
    """Empty: the array is in the storage of the object."""
    name: str
    value: str
    is_reversed: bool
    label: str


def fill(making: Making, let: Let, is_stored: bool) -> None:
    """Fills an array with a checked element for each axis."""
    facts = AxesArray(
        declaration="" if is_stored else f"{declaration(let.ctype, let.name)}[{making.length}]",
        name=let.name,
        value=let.value or "",
        is_reversed=let.is_reversed,
        label=making.label(f"let.{let.name}"),
    )
    making.flow.add(Piece("imports/arrays", "filled", facts))
    making.flow.leave_if_out_of_range()
