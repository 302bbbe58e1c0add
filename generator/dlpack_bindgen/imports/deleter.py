"""`deleter`: the callback of the library. It forwards the owner of the memory to the runtime."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.imports.callback import ARGUMENTS, ORDER, USER, problems_of
from dlpack_bindgen.imports.part import Part
from dlpack_bindgen.language.kinds import Alternatives, Key, Option, Record
from dlpack_bindgen.language.values import Fields, Items
from dlpack_bindgen.slots.scope import Scope
from dlpack_bindgen.spec.spec import Allocate, Deleter, Import
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import declaration, mentions

_FORMS = Alternatives(
    (
        Option(ARGUMENTS, "The arguments of the deleter, in order."),
        Option(
            Record(
                what="a deleter {order, user}",
                doc="The arguments of the deleter, and the expression for `user`.",
                keys=(ORDER, USER),
            ),
            "The arguments, and the expression for `user`.",
            tag="order",
        ),
    )
)


DELETER = Key[Items | Fields](
    "deleter",
    _FORMS,
    "The library takes a deleter for the memory, as an argument of the call or in a member. `deleter` and "
    "`user` are then in scope.",
    details=(
        "The C type of `user` converts only to `void *`, or to the type of `user` in `order`.",
        "The memory of the array stays alive until the library calls the deleter. The struct of a `set` or "
        "`init` can be freed earlier. If the library moves the content of the struct to another object, use "
        "`construct`.",
    ),
    after="box",
)


class DeleterPart(Part):
    keys = (DELETER,)

    def problems(self, making: Fields) -> Iterator[Diagnostic]:
        yield from problems_of(making[DELETER])

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        if isinstance(made, Import) and made.deleter is not None:
            arguments = ", ".join(name for _, name in made.deleter.parameters)
            yield (
                f"The library gets a callback, deleter({arguments}). The memory of the array stays alive until the "
                "library has called it."
            )


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
