"""The functions of a class that run C code of the spec on an object."""

from __future__ import annotations

from dlpack_bindgen.bind.binding import PartsBinding
from dlpack_bindgen.hooks.count_parts import count_parts
from dlpack_bindgen.hooks.hooks import HOOKS
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Item, Part, Tensor
from dlpack_bindgen.text.literals import c_strings
from dlpack_bindgen.text.names import snake
from dlpack_bindgen.text.statements import Piece


def hooks(scope: Scope, item: Item) -> tuple[list[Piece], list[str]]:
    """Returns the functions, and the members of the `dlb_type` that refer to them."""
    found = {
        hook.name: piece
        for hook in HOOKS
        if hook.is_function and (hook.is_of_handles or isinstance(item, Tensor))
        if (piece := hook.function(scope, item)) is not None
    }
    return [*found.values()], [f".{name} = {scope.hook(name)}" for name in found]


def runs_at_exports(tensor: Tensor) -> bool:
    """Returns whether code of the spec runs when an export starts or ends."""
    return any(hook.is_of_exports and getattr(tensor, hook.name) for hook in HOOKS)


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
