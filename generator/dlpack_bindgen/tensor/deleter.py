"""The deleter that the library calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import EXPRESSION, Alternatives, Form, Key, ListOf, Option, Record, Single
from dlpack_bindgen.language.values import Fields, Items, Leaf, needed, text_of
from dlpack_bindgen.tensor.import_parts import Part
from dlpack_bindgen.tensor.item import Allocate, Deleter, Import
from dlpack_bindgen.tensor.slot import Scope
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Span
from dlpack_bindgen.text.fragments import declaration, mentions
from dlpack_bindgen.text.names import DELETER_ROLES
from dlpack_bindgen.text.types import split_declaration

# ---- The callback that the library calls when it no longer needs the memory: `deleter` and `attach` declare it ----

ARGUMENTS = ListOf(
    Single(Form.ARGUMENT),
    "a list of arguments",
    least=1,
)
ORDER = Key[Items](
    "order",
    ARGUMENTS,
    "The arguments that the library passes to the deleter, in order.",
    required=True,
    details=(
        "An argument is `data`, `user` or `object`, each a `void *`, or a C declaration.",
        "The last identifier of a declaration is one of these names, or any other name.",
    ),
)
USER = Key[Leaf](
    "user", EXPRESSION, "The expression that finds `user` if it is not an argument, such as `view->internal`."
)


def problems_of(value: Items | Fields | None) -> Iterator[Diagnostic]:
    """Yields the problems of the arguments of a deleter."""
    order = value if isinstance(value, Items | None) else value[ORDER]
    user = None if isinstance(value, Items | None) else value[USER]
    if order is None or len(order.items) != order.count:
        return
    seen: dict[str, Span] = {}
    for leaf in order.leaves():
        declared = split_declaration(leaf.text) if leaf.text not in DELETER_ROLES else ("", leaf.text)
        name = declared[1] if isinstance(declared, tuple) else leaf.text
        if name in seen:
            notes = (Note(seen[name], "first here"),)
            yield Diagnostic("duplicate-name", leaf.span, f"'{name}' is there twice", notes=notes)
        seen.setdefault(name, leaf.span)
    given = not isinstance(value, Items | None) and USER in value
    if "user" not in seen and not given:
        message = "the deleter gets no 'user': it is not an argument"
        hint = "add it, or declare where it is found: {order: [...], user: EXPR}"
        yield Diagnostic("deleter-without-user", order.span, message, hint)
    if "user" in seen and user:
        notes = (Note(seen["user"], "it is an argument"),)
        yield Diagnostic("exclusive-keys", user.span, "'user' is found twice", notes=notes)


def read(value: Items | Fields | None) -> Deleter | None:
    """Returns the deleter from a list, or from the `order` of a `deleter` or an `attach`."""
    if isinstance(value, Items):
        return Deleter(_parameters(value))
    if value is not None:
        return Deleter(_parameters(needed(value[ORDER])), text_of(value[USER]))
    return None


def _parameters(items: Items) -> tuple[tuple[str, str], ...]:
    return tuple(
        ("void *", leaf.text) if leaf.text in DELETER_ROLES else cast(tuple[str, str], split_declaration(leaf.text))
        for leaf in items.leaves()
    )


# ---- `deleter`: the callback of the library ----
# It forwards the owner of the memory to the runtime.

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
