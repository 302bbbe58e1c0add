"""`parts`: the number of parts of an object."""

from __future__ import annotations

from dlpack_bindgen.c.fragments import argument
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.scope import Scope, Variables
from dlpack_bindgen.spec.spec import Part


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
