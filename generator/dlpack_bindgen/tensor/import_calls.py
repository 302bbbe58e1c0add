"""The calls of an import that make an object and destroy it, and the callback of the library."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import cast

from dlpack_bindgen.language.keys import (
    EXPRESSION,
    Alternatives,
    Form,
    Key,
    ListOf,
    Needs,
    Option,
    Record,
    Single,
    Word,
    Words,
)
from dlpack_bindgen.language.values import Fields, Items, Leaf, condition_of, needed, text_of
from dlpack_bindgen.tensor.import_parts import NARROW, Making, Part
from dlpack_bindgen.tensor.import_set import SET_OF_IMPORT
from dlpack_bindgen.tensor.item import Allocate, Attach, Construct, Deleter, Import, Init, Let, Step
from dlpack_bindgen.tensor.requirements import ERROR
from dlpack_bindgen.tensor.slot import Scope
from dlpack_bindgen.tensor.steps import (
    ACTION,
    OK,
    STATEMENT,
    Function,
    action,
    is_by_spec,
    returned,
    statements_function,
    step_fragments,
    tested,
)
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Span
from dlpack_bindgen.text.fragments import Piece, declaration, replace_names, replace_result, statement, statements
from dlpack_bindgen.text.names import DELETER_ROLES
from dlpack_bindgen.text.types import split_declaration

# ---- The callback that the library calls when it no longer needs the memory: `deleter` and `attach` declare it ----

ARGUMENTS = ListOf(Single(Form.ARGUMENT), "a list of arguments", least=1)
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


def deleter_problems(value: Items | Fields | None) -> Iterator[Diagnostic]:
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


def read_deleter(value: Items | Fields | None) -> Deleter | None:
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
        yield from deleter_problems(making[DELETER])

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        if isinstance(made, Import) and made.deleter is not None:
            arguments = ", ".join(name for _, name in made.deleter.parameters)
            yield (
                f"The library gets a callback, deleter({arguments}). The memory of the array stays alive until the "
                "library has called it."
            )


# ---- `construct`: a call of the library that returns the object ----

CONSTRUCT = Key[Leaf]("construct", EXPRESSION, "A call that returns the object.", details=(NARROW,), after="init")
UNDO_OF_MAKING = Key[Leaf](
    "undo",
    STATEMENT,
    "Statements that run if the call returned an object but failed its test; `result` is in scope.",
    needs=Needs(("construct",), "it frees the result of that call"),
    after="error",
)


class ConstructPart(Part):
    keys = (CONSTRUCT, UNDO_OF_MAKING)
    is_of_allocations = True

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        if isinstance(made.build, Construct):
            yield f"The library makes the object: {made.build.in_words}."


def read_construct(fields: Fields) -> Construct:
    test = text_of(condition_of(fields[OK]))
    return Construct(needed(text_of(fields[CONSTRUCT])), test, text_of(fields[ERROR]), text_of(fields[UNDO_OF_MAKING]))


def construct(making: Making, build: Construct) -> Piece:
    """Adds the call, and returns the object."""
    scope, flow = making.scope, making.flow
    is_last = not scope.by_value and not making.is_attached
    if is_last and build.ok is None and _is_checked(build.call, scope.pointer, making.spec.let):
        return returned(build.call)
    result = "result" if is_last else "self"
    label = flow.label(f"{making.verb}.construct", build.call)
    flow.assign(declaration(scope.pointer, result), flow.text(build.call), label)
    test = build.ok if build.ok is not None or scope.by_value else "% != NULL"
    if test is not None:
        names = {"result": result}
        error = replace_names(build.error, names) if build.error else None
        undo = [statement(flow.text(replace_names(build.undo, names)))] if build.undo else []
        exit = flow.call_failed(build.call, error, making.label("error"), undo)
        flow.leave_unless(flow.text(replace_result(test, result)), exit)
    return returned(result)


def _is_checked(name: str, pointer: str, steps: Sequence[Step]) -> bool:
    """Returns whether the variable has that pointer type and was tested for NULL.

    Later steps must not change it.
    """
    place = next((i for i, each in enumerate(steps) if isinstance(each, Let) and each.name == name), None)
    if place is None:
        return False
    let, changed = steps[place], re.compile(rf"&\s*{name}\b(?!\s*(->|\[))|\b{name}\s*=[^=]")
    later = [text for text in step_fragments(steps[place + 1 :]) if text is not None]
    tested = isinstance(let, Let) and let.ok == "% != NULL" and _words(let.ctype) == _words(pointer)
    return tested and not any(changed.search(text) for text in later)


def _words(ctype: str) -> list[str]:
    return ctype.replace("*", " * ").split()


# ---- `init`: a call that initialises a struct that the module stores ----

INIT_OF_MAKING = Key[Leaf](
    "init",
    EXPRESSION,
    "A call that fills the struct `self`, which holds zeros and has a fixed address.",
    details=(NARROW,),
    after="const",
)


class InitPart(Part):
    keys = (INIT_OF_MAKING,)
    is_of_allocations = True

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        if isinstance(made.build, Init):
            yield f"The module stores the struct, filled with zeros. C fills it: {made.build.in_words}."


def read_init(fields: Fields, ok: str | None) -> Init:
    call = needed(text_of(fields[INIT_OF_MAKING]))
    return Init(call, tested(fields, ok), text_of(fields[ERROR]), is_by_spec(fields, ok))


def initialise(making: Making, build: Init) -> Piece:
    """Adds the call, and returns the object."""
    making.flow.call(build, f"{making.verb}.init")
    return returned("self")


# ---- `detach` and `destroy`: how the object of an import is destroyed ----

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
    keys = (DETACH, DESTROY)

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        if isinstance(made, Import):
            calls = "; ".join(filter(None, (made.detach, made.destroy)))
            end = f"the object is destroyed: {calls}. Then" if calls else "the object needs no cleanup, and"
            later = "" if made.deleter is None else ", unless the library still needs it"
            yield f"After the last use, {end} the array is released{later}."


def read_destroy(fields: Fields, release: str | None) -> str | None:
    """Returns the statements. `release` is the default."""
    destroy = text_of(fields[DESTROY]) or (None if fields[SET_OF_IMPORT] else release)
    return None if destroy == "none" else destroy


def destroy(scope: Scope, made: Import | None, release: str | None) -> Function | None:
    """Returns the function that destroys a made object, unless another function does so."""
    if made is None or is_released(made, release):
        return None
    return statements_function(scope, "destroy", {"import.detach": made.detach, "import.destroy": made.destroy})


def is_released(made: Import | None, release: str | None) -> bool:
    """Returns whether the `release` of the class destroys a made object."""
    return made is None or [each for each in (made.detach, made.destroy) if each] == [release]


# ---- `attach`: a call that passes the deleter to the library, after the object exists ----

_ATTACH = Record(
    what="an attachment",
    doc="A call that passes `user` and `deleter` to the library after the object is created; `self` is the object.",
    keys=(*ACTION.keys, ORDER, USER),
)
ATTACH = Key[Fields]("attach", _ATTACH, "A call that passes the deleter after the object is created.", after="deleter")


class AttachPart(Part):
    keys = (ATTACH,)

    def problems(self, making: Fields) -> Iterator[Diagnostic]:
        yield from deleter_problems(making[ATTACH])

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        if isinstance(made, Import) and made.attach is not None:
            yield f"The library gets the callback after the object exists: {made.attach.action.in_words}."


def read_attach(fields: Fields | None, ok: str | None) -> Attach | None:
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
