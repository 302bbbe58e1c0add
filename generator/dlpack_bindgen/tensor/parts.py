"""`parts`: the number of parts of an object."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import EXPRESSION, Form, Key, ListOf, Record, Single
from dlpack_bindgen.language.values import Items, Leaf, needed, text_of
from dlpack_bindgen.tensor.item import Part
from dlpack_bindgen.tensor.slot import Scope, Variables
from dlpack_bindgen.text.fragments import argument

NAME_OF_PART = Key[Leaf]("name", Single(Form.PROPERTY), "The name of the property.", required=True)
OF_PART = Key[Leaf](
    "of",
    Single(Form.TENSOR),
    "The tensor of each part. Its first param is the index of the part; each other param has a "
    "default, or is a param of this class, too.",
    required=True,
)
COUNT_OF_PARTS = Key[Leaf]("count", EXPRESSION, "The number of parts.", required=True)
PARTS = Key[Items](
    "parts",
    ListOf(
        Record(
            what="a part",
            doc="A property of the Python object: a tuple of tensors. They share the C object and keep it alive.",
            keys=(
                NAME_OF_PART,
                OF_PART,
                COUNT_OF_PARTS,
            ),
        ),
        "a list of parts",
        lone=True,
    ),
    "Properties that are tuples of tensors: the parts of the object.",
)


def read(parts: Items | None) -> tuple[Part, ...]:
    return tuple(
        Part(needed(text_of(part[NAME_OF_PART])), needed(text_of(part[OF_PART])), needed(text_of(part[COUNT_OF_PARTS])))
        for part in (parts.records() if parts else ())
    )


class PartsCount(Frozen):
    """The facts for `templates/hooks/count_parts.c.j2`."""

    name: str
    variables: Variables
    count: str
    label: str


def count_parts(scope: Scope, part: Part) -> PartsCount:
    return PartsCount(
        name=scope.hook(f"count_{part.name}"),
        variables=scope.variables([part.count]),
        count=argument(scope.text(part.count)),
        label=scope.label(f"parts.{part.name}.count"),
    )
