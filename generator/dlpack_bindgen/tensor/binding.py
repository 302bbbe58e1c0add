"""The records about the memory of a class that the templates print."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.construct import DeleterFacts
from dlpack_bindgen.tensor.hooks import DefaultsFacts
from dlpack_bindgen.tensor.import_parts import MakeFacts
from dlpack_bindgen.tensor.imports import StreamFacts
from dlpack_bindgen.tensor.slot import Variables
from dlpack_bindgen.tensor.steps import Body, StatementsFacts
from dlpack_bindgen.text.statements import Table

REQUIREMENTS = "const dlb_requirements"
"""The type of the tables that several arrays can share."""


class Description(Frozen):
    """The function that describes an object, for `templates/describe.c.j2`."""

    name: str
    variables: Variables
    body: Body


class Struct(Frozen):
    """A struct that is stored in each owner."""

    state: str
    """The type: `struct TAG`."""
    members: tuple[str, ...]
    """Declarations."""


class FactoryBinding(Frozen):
    """A function that makes an object, for an import or an allocation, and its requirements."""

    structs: tuple[Struct, ...]
    defaults: DefaultsFacts | None
    deleter: DeleterFacts | None
    destroy: StatementsFacts | None
    make: MakeFacts
    stream: StreamFacts | None
    """The function that finds the stream on which the library works."""
    params: Table | None
    requirements: Table | None
    """The `dlb_requirements`; None: an equal table before it is used."""
    name: str
    """Name of the `dlb_factory`."""
    required: str
    """Name of the `dlb_requirements`."""
    destroyed: str
    """The function that destroys a made object; empty: there is none."""
    params_tag: str
    """The tag of the struct with the parameters."""
