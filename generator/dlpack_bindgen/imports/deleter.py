"""`deleter`: the callback of the library. It forwards the owner of the memory to the runtime."""

from __future__ import annotations

from dlpack_bindgen.c.fragments import declaration, mentions
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Deleter


class DeleterFacts(Frozen):
    """The facts for `templates/imports/deleter.c.j2`."""

    name: str
    parameters: tuple[str, ...]
    unused: tuple[str, ...]
    user: str
    """The owner of the memory, as a C expression."""
    label: str


def deleter_facts(scope: Scope, deleter: Deleter) -> DeleterFacts:
    user = deleter.user or "user"
    return DeleterFacts(
        name=scope.hook("deleter"),
        parameters=tuple(declaration(ctype, name) for ctype, name in deleter.parameters),
        unused=tuple(name for _, name in deleter.parameters if not mentions([user], name)),
        user=user,
        label=scope.label("import.deleter") if deleter.user else "",
    )
