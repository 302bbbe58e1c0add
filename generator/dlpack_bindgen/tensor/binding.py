"""The records about the memory of a class that the templates print."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.clone import DefaultsFacts
from dlpack_bindgen.tensor.deleter import DeleterFacts
from dlpack_bindgen.tensor.import_parts import MakeFacts
from dlpack_bindgen.tensor.imports import StreamFacts
from dlpack_bindgen.tensor.parts import PartsCount
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

    tag: str
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


class FastPath(Frozen):
    """A function that handles ordinary objects or arrays in one step."""

    member: str
    """The member of the `dlb_type` that refers to it."""
    name: str
    describe: str
    """The function that describes the object."""
    rank: str
    """The number of axes, or -1 if only the run time knows it."""
    factory: str
    """The `dlb_factory` of an import; empty: the function describes an object."""


class OneShotBinding(Frozen):
    """The one-shot export of an object."""

    describe: str
    """The function that describes the object."""
    rank: str
    """The number of axes, or -1 if only the run time knows it."""
    retain: str
    """The function that retains the object, or NULL."""
    release: str
    """The function that releases the object; empty: there is none."""
    deleter: str
    """The deleter of the managed tensor."""


class Signature(Frozen):
    """The parameters of `params` as C and as Python declare them."""

    c: str
    """Parameters that follow others in C: `, int plane`."""
    stub: str
    """Parameters that follow others in the stub: `, plane: int = 0`."""


class Child(Frozen):
    """A method that returns the same object as an instance of another class."""

    method: str
    function: str
    of: str
    """C name of the other class."""
    parts: str
    """C expression of the table of parts that contains the object, or NULL."""
    class_name: str
    signature: Signature
    doc: str
    """A C string literal."""
    condition: str | None
    """The `#if` condition of the other class, if it differs from the condition of this class."""
    is_in_stub: bool
    """Whether a stub can define the name: a keyword of Python is not possible there."""


class PartsBinding(Frozen):
    """A property with the tuple of all parts."""

    name: str
    facts: str
    """Name of the `dlb_parts`."""
    count: PartsCount
    of: str
    class_name: str
    doc: str
    """A C string literal."""
    condition: str | None
    """The `#if` condition of the class of the parts, if it differs from the condition of this class."""
