"""The function that makes an object."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.imports.storage import Storage
from dlpack_bindgen.slots.scope import Variable
from dlpack_bindgen.steps.records import Body


class MakeFacts(Frozen):
    """The facts for `templates/imports/make.c.j2`."""

    name: str
    is_import: bool
    storage: Storage
    variables: tuple[Variable, ...]
    keys: tuple[str, ...]
    """The declarations of the variables for keys of a `match`."""
    is_error_used: bool
    body: Body
