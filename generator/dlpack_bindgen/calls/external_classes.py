"""Calls that return objects of classes of other modules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.feature import Feature, Part, Stage
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text.statements import Piece

if TYPE_CHECKING:
    from dlpack_bindgen.calls.body import Body
    from dlpack_bindgen.calls.call import Call


class ReturnedClass(Frozen):
    """A class whose objects the call returns, for the template."""

    name: str
    is_owned: int
    """1: the class must be able to release the object."""


class ExternalClasses(Feature, Frozen):
    classes: dict[str, ReturnedClass]

    @classmethod
    def read(cls, call: Call) -> ExternalClasses | None:
        found: dict[str, ReturnedClass] = {}
        for value in map(call.value_of, call.returned):
            of = value.of if value is not None and value.kind.has_objects else None
            if value is not None and of is not None and call.names.classes[of].is_external:
                is_owned = value.borrow is None or (of in found and found[of].is_owned == 1)
                found[of] = ReturnedClass(of, int(is_owned))
        return cls(found) if found else None

    def pieces(self, stage: Stage, body: Body) -> Iterator[Piece]:
        if stage is Stage.BEGIN:
            for each in self.classes.values():
                yield Piece("functions/external_classes", "is_missing", Part(each, body), is_condition=True)
