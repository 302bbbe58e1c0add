"""The callback that the library calls when it no longer needs the memory: `deleter` and `attach` declare it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from dlpack_bindgen.language.kinds import EXPRESSION, Form, Key, ListOf, Single
from dlpack_bindgen.language.values import Fields, Items, Leaf, needed, text_of
from dlpack_bindgen.spec.spec import Deleter
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Span
from dlpack_bindgen.text.names import DELETER_ROLES
from dlpack_bindgen.text.types import split_declaration

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
