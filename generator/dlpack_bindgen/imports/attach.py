"""`attach`: a call that passes the deleter to the library, after the object exists."""

from __future__ import annotations

from dlpack_bindgen.c.fragments import statements
from dlpack_bindgen.imports.making import Making
from dlpack_bindgen.spec.spec import Import


def attach(making: Making) -> None:
    """Adds the call. If it fails, the object is destroyed."""
    made = making.spec
    if not isinstance(made, Import) or made.attach is None:
        return
    action = made.attach.action
    undo = [each for text in (made.detach, made.destroy) if text is not None for each in statements(text)]
    if undo and action.ok is not None:
        making.flow.constructed()
    making.flow.call(action, "import.attach", undo)
