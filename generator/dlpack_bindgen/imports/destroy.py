"""`detach` and `destroy`: how the object of an import is destroyed."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.imports.part import Part
from dlpack_bindgen.imports.set import SET_OF_IMPORT
from dlpack_bindgen.language.kinds import Alternatives, Key, Option, Word, Words
from dlpack_bindgen.language.steps import STATEMENT
from dlpack_bindgen.language.values import Fields, Leaf, text_of
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Allocate, Import
from dlpack_bindgen.steps.statements import StatementsFacts, statements_hook

_DESTROY = Alternatives(
    (
        Option(Words((Word("none", "The object needs no cleanup."),)), "For structs that only refer to memory."),
        Option(STATEMENT, "Statements that free the object."),
    )
)


DETACH = Key[Leaf](
    "detach",
    STATEMENT,
    "Statements that run before `destroy`, such as `self->data = NULL`; `self` is the object.",
    after="attach",
)
DESTROY = Key[Leaf](
    "destroy",
    _DESTROY,
    "How the object is destroyed.",
    default="the `release` of the class; with `set`, nothing",
    after="detach",
)


class DestroyPart(Part):
    keys = (
        DETACH,
        DESTROY,
    )

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        if isinstance(made, Import):
            calls = "; ".join(filter(None, (made.detach, made.destroy)))
            end = f"the object is destroyed: {calls}. Then" if calls else "the object needs no cleanup, and"
            later = "" if made.deleter is None else ", unless the library still needs it"
            yield f"After the last use, {end} the array is released{later}."


def read(fields: Fields, release: str | None) -> str | None:
    """Returns the statements. `release` is the default."""
    destroy = text_of(fields[DESTROY]) or (None if fields[SET_OF_IMPORT] else release)
    return None if destroy == "none" else destroy


def destroy(scope: Scope, made: Import | None, release: str | None) -> StatementsFacts | None:
    """Returns the function that destroys a made object, unless another function does so."""
    if made is None or is_released(made, release):
        return None
    return statements_hook(scope, "destroy", {"import.detach": made.detach, "import.destroy": made.destroy})


def is_released(made: Import | None, release: str | None) -> bool:
    """Returns whether the `release` of the class destroys a made object."""
    return made is None or [each for each in (made.detach, made.destroy) if each] == [release]
