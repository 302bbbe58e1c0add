"""`init`: a call that initialises a struct that the module stores."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.imports.making import Making
from dlpack_bindgen.imports.part import NARROW, Part
from dlpack_bindgen.language.kinds import EXPRESSION, Key
from dlpack_bindgen.language.steps import ERROR
from dlpack_bindgen.language.values import Fields, Leaf, needed, text_of
from dlpack_bindgen.spec.spec import Allocate, Import, Init
from dlpack_bindgen.steps.flow import returned
from dlpack_bindgen.steps.reading import is_by_spec, tested
from dlpack_bindgen.text.statements import Piece

INIT_OF_MAKING = Key[Leaf](
    "init",
    EXPRESSION,
    "A call that fills the struct `self`, which holds zeros and has a fixed address.",
    details=(NARROW,),
    after="const",
)


class InitPart(Part):
    keys = (INIT_OF_MAKING,)
    is_of_allocations = True

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        if isinstance(made.build, Init):
            yield f"The module stores the struct, filled with zeros. C fills it: {made.build.in_words}."


def read(fields: Fields, ok: str | None) -> Init:
    call = needed(text_of(fields[INIT_OF_MAKING]))
    return Init(call, tested(fields, ok), text_of(fields[ERROR]), is_by_spec(fields, ok))


def initialise(making: Making, build: Init) -> Piece:
    """Adds the call, and returns the object."""
    making.flow.call(build, f"{making.verb}.init")
    return returned("self")
