"""The functions of a class that run C code of the spec on an object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dlpack_bindgen.bind.binding import PartsBinding
from dlpack_bindgen.c.names import snake
from dlpack_bindgen.c.piece import Piece
from dlpack_bindgen.c.quote import c_strings
from dlpack_bindgen.hooks.acquire import acquire
from dlpack_bindgen.hooks.after_write import after_write
from dlpack_bindgen.hooks.clone import clone
from dlpack_bindgen.hooks.close import close
from dlpack_bindgen.hooks.count_parts import count_parts
from dlpack_bindgen.hooks.defaults import defaults
from dlpack_bindgen.hooks.hold import hold
from dlpack_bindgen.hooks.release import release
from dlpack_bindgen.hooks.restore import restore
from dlpack_bindgen.hooks.retain import retain
from dlpack_bindgen.hooks.sync import sync
from dlpack_bindgen.hooks.to_cpu import to_cpu
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Handle, Part, Tensor

_HOOKS: dict[str, Callable[[Scope, Any], Piece | None]] = {
    "defaults": defaults,
    "hold": hold,
    "retain": retain,
    "clone": clone,
    "release": release,
    "close": close,
    "acquire": acquire,
    "restore": restore,
    "after_write": after_write,
    "sync": sync,
    "to_cpu": to_cpu,
}
_OF_TENSORS = ("hold", "acquire", "restore", "after_write", "sync", "to_cpu")


def hooks(scope: Scope, item: Tensor | Handle) -> tuple[list[Piece], list[str]]:
    """Returns the functions, and the members of the `dlb_type` that refer to them."""
    found = {
        name: piece
        for name, hook in _HOOKS.items()
        if isinstance(item, Tensor) or name not in _OF_TENSORS
        if (piece := hook(scope, item)) is not None
    }
    return [*found.values()], [f".{name} = {scope.hook(name)}" for name in found]


def bind_parts(scope: Scope, part: Part, of: str, condition: str | None) -> PartsBinding:
    """Binds the tuple of parts. `of` is the C name of their tensor, which exists under `condition`."""
    return PartsBinding(
        name=part.name,
        facts=f"{scope.c_name}_parts_{part.name}",
        count=count_parts(scope, part),
        of=of,
        class_name=part.of,
        doc=c_strings(f"The {snake(part.of).replace('_', ' ')}s of this object, as a tuple of {part.of}."),
        condition=condition,
    )
