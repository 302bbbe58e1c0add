"""The memory in the owner for an object that the module stores, and for its arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.imports.making import Making
from dlpack_bindgen.imports.part import Part
from dlpack_bindgen.language.kinds import Form, Key, Needs, Single
from dlpack_bindgen.language.values import Leaf
from dlpack_bindgen.slots.scope import Variable
from dlpack_bindgen.spec.spec import Allocate, Construct, Import, Let, SetFields
from dlpack_bindgen.steps.flow import zeroed
from dlpack_bindgen.text.fragments import declaration
from dlpack_bindgen.text.statements import Assertion, Piece

BOX = Key[Leaf](
    "box",
    Single(Form.STORAGE),
    "The C type of the storage, if the object is only the first member of a larger struct.",
    default="the tensor's `type`",
    needs=Needs(("set", "init"), "an object from a call of the library has its own storage"),
    after="undo",
)


class BoxPart(Part):
    keys = (BOX,)

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        if isinstance(made, Import) and made.box is not None:
            yield f"The struct is stored as {made.box}."


class Storage(Frozen):
    """The facts for `templates/imports/storage.c.j2`."""

    tag: str
    """The tag of the struct with the object and its arrays; empty: there is none."""
    members: tuple[str, ...]
    """Declarations of the members of that struct."""
    assertion: Assertion | None
    """An assertion about the size of another type that the storage has."""
    variables: tuple[Variable, ...]
    """Pointers to the object and to its arrays."""
    type: str
    """The C type of the storage; empty: the library allocates the object."""
    place: str
    """The object in the storage, if it is passed by value."""
    address: str
    value: Variable | None = None
    """The object until it is stored, if it is passed by value."""
    is_const: bool = False
    """Whether the object has const members, so that it is copied, not assigned."""


def storage(making: Making) -> Storage:
    scope, spec = making.scope, making.spec
    is_const = isinstance(spec.build, SetFields) and bool(spec.build.const)
    is_own = not isinstance(spec.build, Construct)
    arrays = [step for step in spec.let if isinstance(step, Let) and step.array] if is_own else []
    other = spec.box if is_own and isinstance(spec, Import) and not scope.by_value else None
    if arrays or other:
        return _struct(making, other, arrays, is_const)
    is_pointer = is_own and not scope.by_value
    return Storage(
        tag="",
        members=(),
        assertion=None,
        variables=(Variable(f"{scope.type} *self", "source->box"),) if is_pointer else (),
        type=scope.type if is_own or scope.by_value else "",
        place=f"*({scope.type} *)source->box",
        address="source->box",
        value=zeroed(scope.type, "self") if is_own and scope.by_value else None,
        is_const=is_const,
    )


def _struct(making: Making, other: str | None, arrays: Sequence[Let], is_const: bool) -> Storage:
    scope, tag = making.scope, f"{making.name}_box"
    message = f"{scope.name}.import.box: {other} must be as large as {scope.type}"
    cast = f"({scope.type} *)(void *)" if other else ""
    own = () if scope.by_value else (Variable(f"{scope.type} *self", f"{cast}&box->object"),)
    return Storage(
        tag=tag,
        members=(
            f"{other or scope.type} object",
            *(f"{declaration(each.ctype, each.name)}[{making.length}]" for each in arrays),
        ),
        assertion=Assertion("STORAGE", (other, scope.type), message) if other else None,
        variables=(*own, *(Variable(f"{each.ctype.rstrip()} *{each.name}", f"box->{each.name}") for each in arrays)),
        type=f"struct {tag}",
        place="box->object",
        address="&box->object",
        value=zeroed(scope.type, "self") if scope.by_value else None,
        is_const=is_const,
    )


def store(making: Making, storage: Storage) -> Piece:
    """Stores an object that is passed by value, and returns its address."""
    making.flow.add(Piece("imports/storage", "store", storage))
    return Piece("imports/storage", "address", storage)
