"""`attach`: a call that passes the deleter to the library, after the object exists."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.imports.callback import ORDER, USER, problems_of
from dlpack_bindgen.imports.making import Making
from dlpack_bindgen.imports.part import Part
from dlpack_bindgen.language.kinds import Key, Record
from dlpack_bindgen.language.steps import ACTION
from dlpack_bindgen.language.values import Fields, needed
from dlpack_bindgen.spec.spec import Allocate, Attach, Import
from dlpack_bindgen.steps.reading import action
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import statements

_ATTACH = Record(
    what="an attachment",
    doc="A call that passes `user` and `deleter` to the library after the object is created; `self` is the object.",
    keys=(*ACTION.keys, ORDER, USER),
)


ATTACH = Key[Fields]("attach", _ATTACH, "A call that passes the deleter after the object is created.", after="deleter")


class AttachPart(Part):
    keys = (ATTACH,)

    def problems(self, making: Fields) -> Iterator[Diagnostic]:
        yield from problems_of(making[ATTACH])

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        if isinstance(made, Import) and made.attach is not None:
            yield f"The library gets the callback after the object exists: {made.attach.action.in_words}."


def read(fields: Fields | None, ok: str | None) -> Attach | None:
    return Attach(needed(action(fields, ok))) if fields else None


def attach(making: Making) -> None:
    """Adds the call. If it fails, the object is destroyed."""
    made = making.spec
    if not isinstance(made, Import) or made.attach is None:
        return
    call = made.attach.action
    undo = [each for text in (made.detach, made.destroy) if text is not None for each in statements(text)]
    if undo and call.ok is not None:
        making.flow.constructed()
    making.flow.call(call, "import.attach", undo)
