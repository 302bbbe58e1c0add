"""The records of a call that the templates print."""

from __future__ import annotations

from dlpack_bindgen.calls.kind import EmittedArgument
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.slot import Variable
from dlpack_bindgen.text.statements import Assertion, Owner, Piece, Step, Table


class Failure(Frozen):
    """An exception, and the values of the status for which it is raised."""

    tests: tuple[str, ...]
    """C expressions; empty: all other values."""
    label: str
    raised: Piece
    undo: tuple[str, ...]
    """Statements of the spec."""
    owners: tuple[Owner, ...]


class CallBinding(Frozen):
    """The body of a function that CPython calls, for `templates/function.c.j2`."""

    head: str
    facts: str
    """The name of the `dlb_py_function` constant."""
    object: str
    """The object whose method this is, or NULL."""
    args: str
    nargs: str
    kwnames: str
    unused: tuple[str, ...]
    """The parameters of the emitted function that it does not use."""
    sorted: str
    sorted_length: int
    values: str
    arrays: str
    answer: str
    is_fast: bool
    """Whether the function has the arguments of vectorcall."""
    operand_count: int
    assertions: tuple[Assertion, ...]
    given: tuple[EmittedArgument, ...]
    """The arguments that Python passes."""
    arguments: tuple[EmittedArgument, ...]
    """All arguments, in the order of C."""
    begin: tuple[Piece, ...]
    """The conditions before the arguments are read."""
    read_owners: tuple[Owner, ...]
    """The owners of arguments that have been read."""
    steps: tuple[Step, ...]
    """Between the arguments that Python passes and the call."""
    factory_params: tuple[Piece, ...]
    """The statements that pass on variables before the runtime takes the arguments."""
    keeping: tuple[Step, ...]
    """The steps that keep arguments alive beyond the call."""
    last: tuple[Step, ...]
    """The steps that a refused call must not run."""
    before_call: tuple[Piece, ...]
    called: str
    result: str
    """The variable for the result; empty: it is not used."""
    result_declaration: str
    is_declared_before: bool
    """Whether the declaration stands before the call."""
    is_ignored: bool
    """Whether C returns a value that is not used."""
    number: str
    """The variable for the error number; empty: it is not used."""
    error_number: str
    """The error number, as a C expression."""
    releases_gil: bool
    succeeds: str
    """The test for success, as a C expression; empty: the call cannot fail."""
    succeeds_label: str
    after_call: tuple[Piece, ...]
    """The statements that follow the call, even if it has failed."""
    success: tuple[Piece, ...]
    failures: tuple[Failure, ...]
    finally_: tuple[str, ...]
    """Statements of the spec at the end."""
    closing: tuple[Piece, ...]
    """The statements that can fail when the result exists."""
    owners: tuple[Owner, ...]
    """The owners that are released at the end."""
    end: Piece | None
    """The last statement, if a feature has its own."""
    is_returned: bool
    """Whether the last statement of `success` returns."""


class ChoiceRow(Frozen):
    """An alternative: a C function that Python calls by a name that others have, too."""

    called: str
    """The function that CPython calls."""
    facts: str
    """The name of its `dlb_py_function` constant."""
    condition: str | None
    """The `#if` condition, if others have another one."""


class Choice(Frozen):
    """The function that chooses between alternatives, for `templates/functions/alternatives.c.j2`."""

    c_name: str
    name: str
    """The name in Python."""
    receiver: str
    rows: tuple[ChoiceRow, ...]
    most: int
    """The largest number of arguments."""


class FunctionBinding(Frozen):
    """A C function that Python calls: a function of the module, or a method."""

    c_name: str
    tables: tuple[Table, ...]
    entry: str
    """The `PyMethodDef`: name, function, calling convention, docstring; empty: Python calls it by a `Choice`."""
    condition: str | None
    """The `#if` condition."""
    call: CallBinding | None = None
    before: tuple[Piece, ...] = ()
    """The functions of its features."""
    facts: Table | None = None
    """The `dlb_py_function` constant; None: no call of the runtime needs it."""
    operands: tuple[str, ...] = ()
    """The operands in this constant."""
    setter: Setter | None = None
    """The function, if it stores a value in the struct; `call` is then None."""
    choice: Choice | None = None
    """The function, if it chooses between alternatives; `call` is then None."""
    struct: NewStructBinding | None = None
    """The function, if it makes a struct; `call` is then None."""


class MemberValue(Frozen):
    """The value that is assigned to a property, as C gets it."""

    type: str
    read: str
    """The suffix of the function that reads it: `dlb_py_read_integer`."""
    stored: str
    """The suffix of the macro that stores it."""
    initial: str = "0"
    is_plain_param: bool = False
    """Whether the table of params has its C type."""
    is_pair: bool = False
    """Whether it has a real and an imaginary part."""
    is_signed: bool = False
    """Whether it becomes a signed integer of the runtime."""


class Setter(Frozen):
    """A function that stores the value of a property in the struct, for `templates/setter.c.j2`."""

    c_name: str
    table: str
    """The name of the `dlb_py_function` constant."""
    name: str
    """The name of the property."""
    type: str
    """The C type of the object."""
    of: str
    """The C name of the class."""
    flags: tuple[str, ...]
    value: MemberValue
    enum: str
    """The table of the enumeration; empty for other kinds."""
    place: str
    """The member, as a C expression."""
    has_copy: bool
    """Whether `place` uses `self`, a copy of the object."""
    has_pointer: bool
    """Whether `place` uses `self`, a pointer to the object."""
    params: tuple[Variable, ...]
    label: str
    object: str
    args: str
    nargs: str
    kwnames: str
    arrays: str
    given: str
    fits: str


class NewStructBinding(Frozen):
    """A constructor that makes a struct and sets its members, for `templates/new_struct.c.j2`."""

    c_name: str
    name: str
    """The name of the class."""
    type: str
    """The C type of the struct."""
    of: str
    """The C name of the class."""
    assertions: tuple[Assertion, ...]
    label: str
    """A comment with the path in the spec, which a compiler shows."""
    init: Piece | None
    """The function that gives members other initial values."""
    init_name: str
    """The name of that function, or NULL."""
    table: str
    """The name of the `dlb_py_members`."""
    descriptor: str
    """The name of the `dlb_py_function` constant."""
    members: tuple[tuple[str, str, str | None], ...]
    """The name of each member, its setter, and the condition of the `#if` around it."""
