"""What a valid spec says, every default filled in: the output of `validate`, the input of `bind`.

C text is kept exactly as the spec has it (YAML quoting removed, line breaks folded to one space). Names of dtypes and
devices are known to exist (`dlpack.py`); identifiers are valid C. Variants are expanded, named maps are looked up, and
a choice `{of, map}` of one slot is a match whose arms set that slot alone.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.functions import Constant, Enumeration, Function, Property
from dlpack_bindgen.spec.requirements import NOTHING, Check, Copy, Requirements
from dlpack_bindgen.spec.slots import Match, Slots

ReleaseOn = Literal["any", "gil", "creator"]
RELEASES_NOTHING = "(void)self"
"""The `release` of what nothing ends: any number of owners will do."""


# ---- Steps: C that runs around the slots ----


class Declaration(Frozen):
    """`T name = value` of `params` (value None: an argument that must be given)."""

    ctype: str
    name: str
    value: str | None = None


class Let(Frozen):
    """`{T name: EXPR, ok, error, finally, undo}`: a C variable. `ok` is an expression with `%` for it (None: no test),
    `value` None: zeroed (`{T name: }`)."""

    ctype: str
    name: str
    value: str | None
    array: bool = False
    """`T name[]`: an array whose elements are those of `value`, which is `shape`, `strides` or `byte_strides`;"""
    turned: bool = False
    """... in the other order of axes: `reversed(shape)`."""
    ok: str | None = None
    error: str | None = None
    finally_: str | None = None
    undo: str | None = None


class Call(Frozen):
    """`{do: STATEMENT}` or `{out: T name, do: STATEMENT}`; with `ok`, `do` is an expression. `ctype` and `name` are
    those of `out`, which starts zeroed."""

    do: str
    ctype: str | None = None
    name: str | None = None
    length: str | None = None
    """The brackets of an array: `[2]`."""
    ok: str | None = None
    by_spec: bool = field(default=False, compare=False)
    """`ok` is that of the spec."""
    error: str | None = None
    finally_: str | None = None
    undo: str | None = None


Step = Let | Call | Check


class Action(Frozen):
    """A statement that may fail if `ok` is given: `do` then is an expression."""

    do: str
    ok: str | None = None
    error: str | None = None
    by_spec: bool = field(default=False, compare=False)
    """`ok` is that of the spec."""


# ---- Making objects ----


class SetFields(Frozen):
    """`set: {FIELD: EXPR, ...}`: the struct lives in a generated box; FIELD is what follows `self->`. A field that
    mentions `axis` is set once per axis, with `axis` in scope in its expression."""

    fields: tuple[tuple[str, str], ...]


class Init(Frozen):
    """`init: CALL`: a call that fills the zeroed struct `self` in the box; `ok` None: it cannot fail."""

    call: str
    ok: str | None = None
    error: str | None = None
    by_spec: bool = field(default=False, compare=False)
    """`ok` is that of the spec."""


class Construct(Frozen):
    """`construct: CALL`: a call of the library that yields the object (a `T *`, or a `T` with `pass: value`); `ok` is
    an expression with `%`, None: `% != NULL` (with `pass: value`: no test). `undo` runs when the test fails."""

    call: str
    ok: str | None = None
    error: str | None = None
    undo: str | None = None


class Deleter(Frozen):
    """How the library calls back when it no longer needs the memory."""

    parameters: tuple[tuple[str, str], ...]
    """Type and name of each, in order; `data`, `user` and `object` are names with a meaning."""
    user: str | None = None
    """An expression for `user` where it is no parameter, with the parameters in scope."""


class Attach(Frozen):
    """`attach: {do, ok, error, order}`: a call, after the object is made, that hands over `user` and `deleter`; `self`
    is the object."""

    action: Action


class Import(Frozen):
    build: SetFields | Init | Construct
    params: tuple[Declaration, ...] = ()
    let: tuple[Step, ...] = ()
    require: Requirements = NOTHING
    box: str | None = None
    """The C type of the storage of `set` and `init`; None: the tensor's own type."""
    deleter: Deleter | None = None
    attach: Attach | None = None
    detach: str | None = None
    destroy: str | None = None
    """How the object goes away: the tensor's `release` by default for `init` and `construct`; None for `destroy: none`
    and by default for `set`."""
    copy: Copy = "never"


class Allocate(Frozen):
    build: Init | Construct
    let: tuple[Step, ...] = ()
    require: Requirements = NOTHING


# ---- Tensors, handles, the spec ----


class Part(Frozen):
    """`parts: {NAME: {of: TENSOR, count: EXPR}}`: a tuple of tensors made from the same object. The first parameter of
    the tensor is the index."""

    name: str
    of: str
    count: str


class Tensor(Frozen):
    name: str
    type: str
    slots: Slots
    """What is set beside the matches. The required slots are set here or by one match in each of its arms."""
    matches: tuple[Match, ...] = ()
    by_value: bool = False
    """`pass: value`: `self` is a T, not a `T *`."""
    doc: str | None = None
    condition: str | None = None
    """`if:`, what follows `#if`."""
    params: tuple[Declaration, ...] = ()
    hold: tuple[Let, ...] = ()
    let: tuple[Step, ...] = ()
    require: tuple[Check, ...] = ()
    acquire: tuple[Action, ...] = ()
    restore: str | None = None
    before_read: str | None = None
    after_write: str | None = None
    sync: Action | None = None
    to_cpu: Action | None = None
    retain: str | None = None
    clone: Construct | None = None
    release: str | None = None
    """None: a borrow."""
    release_on: ReleaseOn = "any"
    legacy_readonly: Literal["refuse", "copy"] = "refuse"
    copy: Copy = "never"
    parts: tuple[Part, ...] = ()
    allocate: Allocate | None = None
    import_: Import | None = None
    methods: tuple[Function, ...] = ()
    properties: tuple[Property, ...] = ()
    new: Function | None = None
    """What `Name(...)` calls: it yields an object of this class."""
    close: Action | None = None
    """What `close()` runs in the place of `release`."""


class Handle(Frozen):
    """An object that is no tensor: a context, a file, what parts are made from."""

    name: str
    type: str
    by_value: bool = False
    doc: str | None = None
    condition: str | None = None
    params: tuple[Declaration, ...] = ()
    retain: str | None = None
    clone: Construct | None = None
    release: str | None = None
    release_on: ReleaseOn = "any"
    parts: tuple[Part, ...] = ()
    import_: Import | None = None
    methods: tuple[Function, ...] = ()
    properties: tuple[Property, ...] = ()
    new: Function | None = None
    close: Action | None = None


class Spec(Frozen):
    file: str
    """The base name of the spec file, which the output mentions."""
    module: str
    prefix: str
    license: str
    doc: str | None
    includes: tuple[str, ...]
    """As C writes them: `"image.h"` or `<gsl/gsl_matrix.h>`."""
    tensors: tuple[Tensor, ...]
    handles: tuple[Handle, ...] = ()
    functions: tuple[Function, ...] = ()
    constants: tuple[Constant, ...] = ()
    enums: tuple[Enumeration, ...] = ()
    init: tuple[Action, ...] = ()
    """What runs once, when Python loads the module."""
    arrays: str | None = None
    """The class of arrays that functions make."""
    names_of_headers: tuple[str, ...] = ()
    """Names that are marked in all C text, since variables of emitted functions are called so as well."""
    declared_names: tuple[str, ...] = ()
    """Such names that only variables have, which the spec declares."""
