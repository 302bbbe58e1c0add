"""The records of a valid class: its steps, its imports, and the class itself."""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.requirements import NOTHING, Cast, Check, Copy, Requirements
from dlpack_bindgen.tensor.slots import Match, Slots
from dlpack_bindgen.text.fragments import declaration, mentions, replace_result

ReleaseOn = Literal["any", "gil", "creator"]
RELEASES_NOTHING = "(void)self"
"""The `release` of an object that is never freed. It may have any number of owners."""


# ---- Steps: C that runs around the slots ----


class Declaration(Frozen):
    """An entry `T name = value` of `params`; value None: the argument is required."""

    ctype: str
    name: str
    value: str | None = None

    @property
    def in_words(self) -> str:
        return f"{declaration(self.ctype, self.name)}{f' = {self.value}' if self.value is not None else ''}"


class Let(Frozen):
    """A C variable: `{T name: EXPR, ok, error, finally, undo}`. `ok` is an expression with `%` for the variable (None:
    no test). `value` None: the variable is zeroed (`{T name: }`)."""

    ctype: str
    name: str
    value: str | None
    array: bool = False
    """`T name[]`: an array with the elements of `value`, which is `shape`, `strides` or `byte_strides`."""
    is_reversed: bool = False
    """Whether the axes of that array are in reverse order: `reversed(shape)`."""
    ok: str | None = None
    error: str | None = None
    finally_: str | None = None
    undo: str | None = None

    @property
    def in_words(self) -> str:
        value = f"reversed({self.value})" if self.is_reversed else self.value
        declared = f"{declaration(self.ctype, self.name)}{'[]' if self.array else ''}"
        return f"{declared} = {value or 0}{_tested(self.ok, self.name)}{_cleanup(self.finally_, self.undo)}"


class CallStep(Frozen):
    """`{do: STATEMENT}` or `{out: T name, do: STATEMENT}`; with `ok`, `do` is an expression. `ctype` and `name` declare
    the variable of `out`, which is initially zeroed."""

    do: str
    ctype: str | None = None
    name: str | None = None
    length: str | None = None
    """The brackets of an array declaration: `[2]`."""
    ok: str | None = None
    by_spec: bool = field(default=False, compare=False)
    """Whether `ok` is the top-level `ok` of the spec."""
    error: str | None = None
    finally_: str | None = None
    undo: str | None = None

    @property
    def in_words(self) -> str:
        variable = [f"{declaration(self.ctype, self.name)}{self.length or ''}"] if self.ctype and self.name else []
        return "; ".join([*variable, f"{self.do}{_tested(self.ok)}{_cleanup(self.finally_, self.undo)}"])


class Action(Frozen):
    """A statement. With `ok` it may fail, and `do` is an expression."""

    do: str
    ok: str | None = None
    error: str | None = None
    by_spec: bool = field(default=False, compare=False)
    """Whether `ok` is the top-level `ok` of the spec."""

    @property
    def in_words(self) -> str:
        return f"{self.do}{_tested(self.ok)}"


Step = Let | CallStep | Check


def step_in_words(step: Step) -> str:
    """Returns one of several steps in words."""
    return f"fails unless {step.in_words}" if isinstance(step, Check) else step.in_words


def _tested(ok: str | None, variable: str = "result") -> str:
    """Returns the condition for the success of a step, in words."""
    return f", which fails unless {replace_result(ok, variable)}" if ok is not None else ""


def _cleanup(finally_: str | None, undo: str | None) -> str:
    """Returns the cleanup of a step, in words."""
    later = f"; at the end {finally_}" if finally_ else ""
    return f"{later}; after a later failure {undo}" if undo else later


# ---- Creation of objects ----


class SetFields(Frozen):
    """`set: {FIELD: EXPR, ...}`: assigns the members `self->FIELD` of a struct in a generated box. A field that
    mentions `axis` is set once per axis, with `axis` in scope in its expression."""

    fields: tuple[tuple[str, str], ...]
    const: tuple[str, ...] = ()
    """The fields that are const in C, or that are structs with const members."""


class Init(Frozen):
    """`init: CALL`: a call that initializes the zeroed struct `self` in the box; `ok` None: it cannot fail."""

    call: str
    ok: str | None = None
    error: str | None = None
    by_spec: bool = field(default=False, compare=False)
    """Whether `ok` is the top-level `ok` of the spec."""

    @property
    def in_words(self) -> str:
        return f"{self.call}{_tested(self.ok)}"


class Construct(Frozen):
    """`construct: CALL`: a call of the library that returns the object (a `T *`, or a `T` with `pass: value`). `ok` is
    an expression with `%`; None: `% != NULL` (with `pass: value`: no test). `undo` runs when the test fails."""

    call: str
    ok: str | None = None
    error: str | None = None
    undo: str | None = None

    @property
    def in_words(self) -> str:
        return f"{self.call}{_tested(self.ok)}{_cleanup(None, self.undo)}"


class Deleter(Frozen):
    """The callback that the library calls when it no longer needs the memory."""

    parameters: tuple[tuple[str, str], ...]
    """Type and name of each parameter, in order. The names `data`, `user` and `object` have a meaning."""
    user: str | None = None
    """A C expression for `user` if it is not a parameter. The parameters are in scope."""

    @property
    def declarations(self) -> list[str]:
        return [declaration(ctype, name) for ctype, name in self.parameters]

    @property
    def lease(self) -> str:
        """Returns the owner of the memory, as a C expression."""
        return self.user or "user"

    @property
    def unused(self) -> list[str]:
        """Returns the parameters that the callback does not use."""
        return [name for _, name in self.parameters if not mentions([self.lease], name)]


class Attach(Frozen):
    """`attach: {do, ok, error, order}`: a call that passes `user` and `deleter` to the library after the object is
    created. `self` is the object."""

    action: Action


class Import(Frozen):
    """The making of an object around the memory of a foreign array."""

    build: SetFields | Init | Construct
    params: tuple[Declaration, ...] = ()
    let: tuple[Step, ...] = ()
    require: Requirements = NOTHING
    box: str | None = None
    """The C type that `set` and `init` store; None: the tensor's own type."""
    deleter: Deleter | None = None
    attach: Attach | None = None
    detach: str | None = None
    destroy: str | None = None
    """The call that destroys the object. `init` and `construct` default to the tensor's `release`. None: `destroy:
    none`, which is the default for `set`."""
    copy: Copy = "never"
    cast: Cast | None = None
    stream: str | None = None
    """The stream on which the library works; None: the caller's, or the default stream."""


class Allocate(Frozen):
    """The making of an object with new memory."""

    build: Init | Construct
    params: tuple[Declaration, ...] = ()
    let: tuple[Step, ...] = ()
    require: Requirements = NOTHING


class NewStruct(Frozen):
    """`new: {}`: a zeroed struct in memory of its owner, whose properties Python sets."""

    init: Action | None = None
    doc: str | None = None


# ---- Tensors and handles ----


class Part(Frozen):
    """`parts: {NAME: {of: TENSOR, count: EXPR}}`: a tuple of tensors that view the same object. The first parameter of
    the tensor is the index."""

    name: str
    of: str
    count: str


class External(Frozen):
    """`from: MODULE:NAME`: the class belongs to another module."""

    module: str
    """Its name; leading dots are relative to the package of this module."""
    name: str
    """The name of the class there."""


class Item(Frozen):
    """A tensor or a handle. Its objects are instances of one class in Python."""

    name: str
    type: str
    by_value: bool = False
    """`pass: value`: `self` is a T, not a `T *`."""
    external: External | None = None
    """The class in another module; None: it belongs to this module."""
    doc: str | None = None
    condition: str | None = None
    """The condition of the `#if` (key `if`)."""
    params: tuple[Declaration, ...] = ()
    retain: str | None = None
    clone: Construct | None = None
    release: str | None = None
    """The call that frees the object; None: the object is borrowed."""
    release_on: ReleaseOn = "any"
    parts: tuple[Part, ...] = ()
    import_: Import | None = None
    methods: tuple[Any, ...] = ()
    """The calls of `calls/call.py`, which imports this module."""
    properties: tuple[Any, ...] = ()
    """The properties of `calls/call.py`."""
    new: Any = None
    """The call behind `Name(...)`. It returns an object of this class."""
    new_struct: NewStruct | None = None
    """The struct that `Name(...)` makes without a function."""
    close: Action | None = None
    """The call that `close()` makes instead of `release`."""

    @property
    def members(self) -> tuple[Any, ...]:
        """Returns the properties that Python can set, in order: the members of a new struct."""
        return tuple(each for each in self.properties if each.stored or each.set is not None)

    @property
    def is_counted(self) -> bool:
        """Whether an object can have several owners, because the library counts references or copies the object."""
        return self.retain is not None or self.clone is not None


class Tensor(Item):
    """An object with array data."""

    slots: Slots = Slots()
    """The slots outside the matches. Each required slot is set here or by every arm of one match."""
    matches: tuple[Match, ...] = ()
    hold: tuple[Let, ...] = ()
    let: tuple[Step, ...] = ()
    require: tuple[Check, ...] = ()
    acquire: tuple[Action, ...] = ()
    restore: str | None = None
    before_read: str | None = None
    after_write: str | None = None
    sync: Action | None = None
    to_cpu: Action | None = None
    legacy_readonly: Literal["refuse", "copy"] = "refuse"
    copy: Copy = "never"
    allocate: Allocate | None = None
    may_have_records: bool = False
    """Whether it is the class of new arrays, in a spec with records."""


class Handle(Item):
    """An object without array data: a context, a file, or an object with parts."""
