"""`init`: a call that initialises a struct that the module stores."""

from __future__ import annotations

from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.imports.making import Making
from dlpack_bindgen.spec.spec import Init
from dlpack_bindgen.steps.flow import returned


def initialise(making: Making, build: Init) -> Piece:
    """Adds the call, and returns the object."""
    making.flow.call(build, f"{making.verb}.init")
    return returned("self")
