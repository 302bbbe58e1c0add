"""The state that all parts of one import or allocation share."""

from __future__ import annotations

from collections.abc import Callable

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.scope import Scope, Variable
from dlpack_bindgen.spec.spec import Allocate, Import
from dlpack_bindgen.steps.flow import Flow
from dlpack_bindgen.text.statements import Piece


class Making(Frozen):
    name: str
    """The function."""
    scope: Scope
    flow: Flow
    verb: str
    """`import` or `allocate`."""
    spec: Import | Allocate
    most_axes: int | None
    """The greatest number of axes; None: only the run time knows it."""
    rename: Callable[[str], str]
    """Replaces the keys of a `match` by their variables, in C source."""

    @property
    def length(self) -> str:
        """Returns the length of an array with an element for each axis."""
        return "DLB_MAX_NDIM" if self.most_axes is None else str(max(self.most_axes, 1))

    @property
    def is_attached(self) -> bool:
        """Whether a call follows that passes the deleter to the library."""
        return isinstance(self.spec, Import) and self.spec.attach is not None

    def label(self, slot: str) -> str:
        return self.scope.label(f"{self.verb}.{slot}")

    def declare(self, variable: Variable) -> None:
        self.flow.add(Piece("steps/variables", "variable", variable))
