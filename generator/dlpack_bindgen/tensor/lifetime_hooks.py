"""Hooks: C code of the spec that runs at one time in the life of an object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from dlpack_bindgen.language.keys import (
    EXPRESSION,
    GIVEN,
    PARAMS,
    Alternatives,
    Entry,
    Form,
    Key,
    ListOf,
    Needs,
    Option,
    Record,
    Word,
    Words,
)
from dlpack_bindgen.language.values import Fields, Items, Leaf, Value, condition_of, items_of, needed, text_of
from dlpack_bindgen.tensor.item import RELEASES_NOTHING, Action, Construct, Declaration, Item, Let, Tensor
from dlpack_bindgen.tensor.requirements import ERROR, Check
from dlpack_bindgen.tensor.slot import Scope, Variable, Variables
from dlpack_bindgen.tensor.steps import (
    ACTION_FORMS,
    ACTIONS,
    DO,
    OK,
    STATEMENT,
    TESTED,
    Flow,
    Function,
    action,
    actions,
    hook_reporter,
    parameter_problems,
    params,
    returned,
    statements_function,
    statements_of,
    step_fragments,
    storage_problems,
    variable,
)
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import Piece, declaration, mentions, replace_result
from dlpack_bindgen.text.literals import fit
from dlpack_bindgen.text.names import WORDS_OF_CLASSES, WORDS_OF_MAKING
from dlpack_bindgen.text.types import family

# ---- Hooks, and the two forms that most of them have: statements that cannot fail, and steps that can ----

_ERROR_PARAMETER = "dlb_error *error"

NEEDS_RELEASE = Needs(("release",), "the object or reference must be released, too")


class Hook:
    """C code of the spec that runs at one time in the life of an object. Each hook is an object.

    A class declares the attributes of its hook. `StatementsHook` and `StepsHook` get them when an object is created.
    """

    key: Key
    further: tuple[Key, ...] = ()
    """Further keys about the hook."""
    is_of_handles = False
    """Whether handles have the hook, too."""
    is_of_exports = False
    """Whether the code runs when an export starts or ends."""
    is_of_devices = False
    """Whether the code runs only for memory of a device that is not the CPU."""
    is_function = True
    """Whether the code is in a function of its own."""
    moment: str
    """When the code runs, in words."""
    parameters: Mapping[str, str] = {}
    """The parameters of this function between the object and the error, with their declarations. Only code of this
    hook can use them."""

    def __init__(self, **attributes: Any) -> None:
        for name, value in attributes.items():
            if name not in Hook.__annotations__ and not hasattr(Hook, name):
                raise TypeError(f"a hook has no attribute '{name}'")
            setattr(self, name, value)

    @property
    def keys(self) -> tuple[Key, ...]:
        return (self.key, *self.further)

    @property
    def keys_of_handles(self) -> tuple[Key, ...]:
        return self.keys

    @property
    def name(self) -> str:
        """Returns the name of the function in a `dlb_type`."""
        return self.key.name

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        """Yields the problems of a value in the spec, apart from its structure."""
        yield from ()

    def read(self, value: Value | None, ok: str | None) -> Any:
        """Returns the value for the record of the class. `ok` is the default test of calls."""
        raise NotImplementedError

    def function(self, scope: Scope, item: Item) -> Function | None:
        """Returns the function, or None if the class does not have the hook."""
        raise NotImplementedError

    def code(self, item: Item) -> list[str]:
        """Returns the C code of the class, in words. It is empty if the class does not have the hook."""
        raise NotImplementedError

    def remarks(self, item: Item) -> list[str]:
        """Returns sentences about a hook that the class has."""
        return []


class StatementsHook(Hook):
    """A hook that cannot fail."""

    def read(self, value: Value | None, ok: str | None) -> str | None:
        return text_of(value)

    def function(self, scope: Scope, item: Item) -> Function | None:
        return statements_function(scope, self.name, {self.name: getattr(item, self.name)})

    def code(self, item: Item) -> list[str]:
        return [*filter(None, [getattr(item, self.name)])]


class StepsHook(Hook):
    """A hook that can fail."""

    def read(self, value: Value | None, ok: str | None) -> Any:
        return action(value, ok)

    def checks(self, item: Item) -> Sequence[Check]:
        """Returns the conditions that are tested before the code runs."""
        return ()

    def function(self, scope: Scope, item: Item) -> Function | None:
        actions = self._actions(item)
        if not actions:
            return None
        return steps_function(scope, scope.hook(self.name), self.name, actions, self.checks(item), self.parameters)

    def code(self, item: Item) -> list[str]:
        return [each.in_words for each in self._actions(item)]

    def _actions(self, item: Item) -> Sequence[Action]:
        value = getattr(item, self.name)
        return value if isinstance(value, tuple) else [value] if value is not None else []


def steps_function(
    scope: Scope,
    name: str,
    slot: str,
    actions: Sequence[Action],
    checks: Sequence[Check] = (),
    parameters: Mapping[str, str] = MappingProxyType({}),
) -> Function:
    """Returns the function `name`, which tests the checks and then runs the actions of a slot.

    `parameters` are those between the object and the error, with their declarations.
    """
    flow = Flow(scope, hook_reporter(scope.full_name))
    for check in checks:
        flow.refuse_unless(check, "require")
    for each in actions:
        flow.call(each, slot)
    fragments = step_fragments([*checks, *actions])
    variables = scope.variables(fragments)
    unused = (*(each for each in parameters if not mentions(fragments, each)), *_unused_error(flow))
    return Function(
        name,
        Variables(variables.declared, (*variables.unused, *unused)),
        flow.body(returned("0")),
        (*parameters.values(), _ERROR_PARAMETER),
    )


def _unused_error(flow: Flow) -> tuple[str, ...]:
    """Returns the parameter `error` if no step reports a failure."""
    return () if flow.can_fail else ("error",)


# ---- `acquire`: runs when the first export starts, and can fail ----

ACQUIRE = Key[Items](
    "acquire",
    ACTIONS,
    "Runs before an export if no other export is alive: lock or map the memory here.",
    after="require",
)


class AcquireHook(StepsHook):
    key = ACQUIRE
    moment = "before an export, if no other export is alive"
    is_of_exports = True

    def read(self, value: Value | None, ok: str | None) -> tuple[Action, ...]:
        return actions(items_of(value), ok)

    def checks(self, item: Item) -> list[Check]:
        """Returns the requirements, without those on held values, because `acquire` can assign these values."""
        if not isinstance(item, Tensor):
            return []
        held = [each.name for each in item.hold]
        return [each for each in item.require if not any(mentions([each.expr, each.error], name) for name in held)]


# ---- `before_read`: runs in a description, before an export ----

BEFORE_READ = Key[Leaf](
    "before_read",
    STATEMENT,
    "Runs at each export, before the struct is read: flush pending changes here.",
    after="match",
)


class BeforeReadHook(StatementsHook):
    key = BEFORE_READ
    moment = "at each export, before the struct is read"
    is_function = False


def before_read(scope: Scope, tensor: Tensor) -> Piece | None:
    if tensor.before_read is None:
        return None
    return Piece("tensor/lifetime_hooks", "before_read", statements_of(scope, "before_read", tensor.before_read))


# ---- `hold`: values in the state of an object, which live as long as its owner ----


HOLD = Key[Items](
    "hold",
    ListOf(
        Record(
            what="a held value",
            doc="A C variable that is stored in the owner.",
            keys=TESTED,
            entry=Entry(
                Form.DECLARATION, EXPRESSION, "`T name: expression`; the last identifier is the name of the variable."
            ),
        ),
        "a list of declarations",
    ),
    "C variables that are computed when the owner is created, before `clone`, and stored in it. They need no cleanup.",
    after="params",
)


class HoldHook(Hook):
    key = HOLD
    moment = "computed when an owner of the object is made, and stored in it"

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        for record in _records(value):
            yield from storage_problems(record, "a held value lives in each owner")

    def read(self, value: Value | None, ok: str | None) -> tuple[Let, ...]:
        return tuple(variable(record) for record in _records(value))

    def code(self, item: Item) -> list[str]:
        return [each.in_words for each in item.hold] if isinstance(item, Tensor) else []

    def function(self, scope: Scope, item: Item) -> Function | None:
        if not isinstance(item, Tensor) or not item.hold:
            return None
        flow = Flow(scope, hook_reporter(scope.full_name))
        for held in item.hold:
            _hold(scope, flow, held)
        fragments = [text for held in item.hold for text in (held.value, held.ok, held.error)]
        variables = Variables(scope.variables(fragments, state_used=True).declared, _unused_error(flow))
        return Function(scope.hook("hold"), variables, flow.body(returned("0")), (_ERROR_PARAMETER,), is_strict=True)


def _records(value: Value | None) -> tuple[Fields, ...]:
    items = items_of(value)
    return items.records() if items else ()


def _hold(scope: Scope, flow: Flow, held: Let) -> None:
    """Stores a value in the state, and leaves the function if the value is a failure."""
    assert held.value is not None
    label, value = scope.label(f"hold.{held.name}"), scope.text(held.value)
    flow.assign(f"state->{held.name}", f"({held.ctype}){value}" if value.startswith("{") else value, label)
    if held.ok is not None:
        exit = flow.call_failed(held.value, held.error, label)
        flow.leave_unless(scope.text(replace_result(held.ok, held.name)), exit)


# ---- `release`: releases one reference, or frees the object ----

THREADS = {
    "any": "Any thread may call it.",
    "gil": "Any thread may call it. The object is released with the GIL.",
    "creator": "Any thread may call it, and releases the object at a later call. If it has ended, the object leaks.",
}
"""Sentences about threads in the comment of the function that makes an owner, by `release_on`."""
RELEASE_FLAGS = {"gil": "DLB_RELEASE_GIL", "creator": "DLB_RELEASE_CREATOR"}
"""The constants of the runtime."""
_THREADS = Words(
    (
        Word("any", "In the thread that uses the memory last."),
        Word("gil", "In any thread, while it holds the GIL."),
        Word(
            "creator",
            "In the thread that created the owner, at its next call. If this thread has ended, the object leaks.",
        ),
    )
)
RELEASE = Key[Leaf](
    "release",
    STATEMENT,
    "Frees the object, or gives its reference back. With `release` alone, the owner takes the object over.",
    default="the object is borrowed",
    after="clone",
)
RELEASE_ON = Key[Leaf](
    "release_on",
    _THREADS,
    "The thread in which `release` may run.",
    default="`any`",
    needs=Needs(("release",), "it selects the thread of that call"),
    after="release",
)


class ReleaseHook(StatementsHook):
    key = RELEASE
    further = (RELEASE_ON,)
    moment = "after the last use of the object, its arrays and its parts"
    is_of_handles = True

    def code(self, item: Item) -> list[str]:
        return [] if item.release == RELEASES_NOTHING else super().code(item)

    def remarks(self, item: Item) -> list[str]:
        docs = [word.doc for word in _THREADS.words if word.name == item.release_on]
        return [f"`release` runs {doc[0].lower()}{doc[1:]}" for doc in docs]


# ---- `params`: the default values of the parameters in the state of an object ----


class DefaultsHook(Hook):
    key = PARAMS
    name = "defaults"
    moment = "passed when an owner of the object is made, and stored in it"
    is_of_handles = True

    @property
    def keys_of_handles(self) -> tuple[Key, ...]:
        return (replace(self.key, doc=f"{GIVEN}: the context that `release` needs."),)

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        yield from parameter_problems(items_of(value))

    def read(self, value: Value | None, ok: str | None) -> tuple[Declaration, ...]:
        return params(items_of(value))

    def code(self, item: Item) -> list[str]:
        return [each.in_words for each in item.params]

    def function(self, scope: Scope, item: Item) -> Function | None:
        converts = any(fit(each.value, each.ctype, family(each.ctype)) != "fits" for each in item.params if each.value)
        return default_values(scope, "defaults", item.params, "params", f"{scope.state} *state", converts)


def default_values(
    scope: Scope, verb: str, params: Sequence[Declaration], slot: str, struct: str, is_strict: bool
) -> Function | None:
    """Returns the function that sets the members with default values of a struct; None if there are none.

    `struct` declares the pointer to it.
    """
    given = [each for each in params if each.value is not None]
    flow, pointer = Flow(scope, hook_reporter(scope.full_name)), struct.rpartition("*")[2]
    for each in given:
        flow.assign(f"{pointer}->{each.name}", needed(each.value), scope.label(f"{slot}.{each.name}"))
    variables = Variables((Variable(struct, "object"),))
    return Function(scope.hook(verb), variables, flow.body(None), is_strict=is_strict) if given else None


# ---- `clone`: creates another C object for the same data ----
# The owner stores this object.


_FORMS = Alternatives(
    (
        Option(EXPRESSION, "The call; a NULL result is a failure."),
        Option(
            Record(
                what="a clone {do}",
                doc="A call that returns another C object for the same data.",
                keys=(Key("do", EXPRESSION, "The call.", required=True), OK, ERROR),
            ),
            "A call and its success condition.",
            tag="do",
        ),
    )
)
CLONE = Key[Leaf | Fields](
    "clone",
    _FORMS,
    "Creates another C object for the same data when the owner is created; `self` then means that object.",
    needs=NEEDS_RELEASE,
    after="retain",
)


class CloneHook(Hook):
    key = CLONE
    moment = (
        "for an object that its caller or the library still owns, and not for a new object from a function; `self` is "
        "then the clone"
    )
    is_of_handles = True

    def problems(self, value: Value) -> Iterator[Diagnostic]:
        if isinstance(value, Leaf) and value.text.strip() == "self":
            message = "this does not make another handle: two owners would free one object"
            hint = "call the function that makes one; a count of references is 'retain'"
            yield Diagnostic("released-twice", value.span, message, hint)

    def read(self, value: Value | None, ok: str | None) -> Construct | None:
        if isinstance(value, Fields):
            return Construct(needed(text_of(value[DO])), text_of(condition_of(value[OK])), text_of(value[ERROR]))
        return Construct(value.text) if isinstance(value, Leaf) else None

    def code(self, item: Item) -> list[str]:
        return [item.clone.in_words] if item.clone is not None else []

    def function(self, scope: Scope, item: Item) -> Function | None:
        made = item.clone
        if made is None:
            return None
        flow, label = Flow(scope, hook_reporter(scope.full_name)), scope.label("clone")
        ok = made.ok if made.ok is not None or scope.by_value else "% != NULL"
        if ok is None:
            flow.assign("state->self", scope.text(made.call), label)
        else:
            flow.assign(declaration(scope.pointer, "result"), scope.text(made.call), label)
            exit = flow.call_failed(made.call, made.error, label)
            flow.leave_unless(scope.text(replace_result(ok, "result")), exit)
            flow.assign("state->self", "result")
        fragments = [made.call, made.ok, made.error]
        variables = Variables(scope.variables(fragments, state_used=True).declared, _unused_error(flow))
        return Function(scope.hook("clone"), variables, flow.body(returned("0")), (_ERROR_PARAMETER,))


# ---- The list of the hooks. Those that only run code of the spec are declared here ----


RETAIN = Key[Leaf](
    "retain",
    STATEMENT,
    "Takes one reference to the object when the owner is created.",
    needs=NEEDS_RELEASE,
    after="to_cpu",
)
CLOSE = Key[Leaf | Fields](
    "close",
    ACTION_FORMS,
    "Runs instead of `release` for `close()` and at the end of a `with` block.",
    default="`release`, after the last use of the object",
    needs=Needs(("release",), "objects that are not closed must be freed, too"),
    details=(
        "A failure raises an exception, but also closes the object, and `release` does not run. The code must "
        "therefore free everything that `release` frees.",
        "Closing is refused while exports or parts are alive.",
    ),
    after="new",
)
RESTORE = Key[Leaf](
    "restore", STATEMENT, "Runs after the last export is released: unlock or unmap the memory here.", after="acquire"
)
AFTER_WRITE = Key[Leaf](
    "after_write",
    STATEMENT,
    "Runs after the last writable export is released: mark the data as changed here.",
    after="before_read",
)
SYNC = Key[Leaf | Fields](
    "sync",
    ACTION_FORMS,
    "Makes the data ready for a consumer's stream. `stream`, an `intptr_t`, is in scope.",
    after="after_write",
)
TO_CPU = Key[Leaf | Fields](
    "to_cpu",
    ACTION_FORMS,
    "Copies the data, in compact order, to `dst`: CPU memory of `nbytes` bytes.",
    default="copies to the CPU are refused",
    after="sync",
)
HOOKS: tuple[Hook, ...] = (
    DefaultsHook(),
    HoldHook(),
    StatementsHook(
        key=RETAIN,
        moment="for an object that its caller or the library still owns, and not for a new object from a function",
        is_of_handles=True,
    ),
    CloneHook(),
    ReleaseHook(),
    StepsHook(key=CLOSE, moment="instead of `release`, for close() and at the end of a with block", is_of_handles=True),
    AcquireHook(),
    StatementsHook(key=RESTORE, moment="after the last export is released", is_of_exports=True),
    BeforeReadHook(),
    StatementsHook(key=AFTER_WRITE, moment="after the last writable export is released", is_of_exports=True),
    StepsHook(
        key=SYNC,
        moment="at each export, to make the data ready for the `stream` of the consumer",
        parameters={"stream": "intptr_t stream"},
        is_of_devices=True,
    ),
    StepsHook(
        key=TO_CPU,
        moment="when a consumer asks for a copy on the CPU: copies `nbytes` bytes to `dst`",
        parameters={"dst": "void *dst", "nbytes": "int64_t nbytes"},
        is_of_devices=True,
    ),
)
"""The hooks in the order of their functions in C."""
WORDS_OF_HOOKS = {hook.key.name: frozenset(hook.parameters) for hook in HOOKS if hook.parameters}
"""Further names in scope for the code of these keys."""
SCOPE_NAMES = WORDS_OF_CLASSES.union(WORDS_OF_MAKING, *WORDS_OF_HOOKS.values())
