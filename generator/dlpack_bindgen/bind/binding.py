"""The input of the templates: every emitted name and every C fragment of one spec, decided by `bind`.

Templates print strings unchanged. A `Piece` names the macro that prints it; a boolean selects lines.
"""

from __future__ import annotations

from zlib import crc32

from dlpack_bindgen.arguments.facts import Facts
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.hooks.count_parts import PartsCount
from dlpack_bindgen.hooks.defaults import DefaultsFacts
from dlpack_bindgen.imports.deleter import DeleterFacts
from dlpack_bindgen.imports.make import MakeFacts
from dlpack_bindgen.imports.stream import StreamFacts
from dlpack_bindgen.results.object import ObjectResult
from dlpack_bindgen.slots.scope import Variable, Variables
from dlpack_bindgen.steps.records import Body
from dlpack_bindgen.steps.statements import StatementsFacts
from dlpack_bindgen.text.statements import Assertion, Owner, Piece, Step, Table

LINE, LINE_END = "DLB_LINE_", "DLB_LINE_END_"
"""Markers around a string that the formatter must not wrap: `DLB_LINE_(TEXT DLB_LINE_END_)` becomes TEXT when
rendered."""


REQUIREMENTS = "const dlb_requirements"
"""The type of the tables that several arrays can share."""


class Description(Frozen):
    """The function that describes an object, for `templates/describe.c.j2`."""

    name: str
    variables: Variables
    body: Body


class Struct(Frozen):
    """A struct that is stored in each owner."""

    tag: str
    members: tuple[str, ...]
    """Declarations."""


class FactoryBinding(Frozen):
    """A function that makes an object, for an import or an allocation, and its requirements."""

    structs: tuple[Struct, ...]
    defaults: DefaultsFacts | None
    deleter: DeleterFacts | None
    destroy: StatementsFacts | None
    make: MakeFacts
    stream: StreamFacts | None
    """The function that finds the stream on which the library works."""
    params: Table | None
    requirements: Table | None
    """The `dlb_requirements`; None: an equal table before it is used."""
    name: str
    """Name of the `dlb_factory`."""
    required: str
    """Name of the `dlb_requirements`."""
    destroyed: str
    """The function that destroys a made object; empty: there is none."""
    params_tag: str
    """The tag of the struct with the parameters."""


class FastPath(Frozen):
    """A function that handles ordinary objects or arrays in one step."""

    member: str
    """The member of the `dlb_type` that refers to it."""
    name: str
    describe: str
    """The function that describes the object."""
    rank: str
    """The number of axes, or -1 if only the run time knows it."""
    factory: str
    """The `dlb_factory` of an import; empty: the function describes an object."""


class OneShotBinding(Frozen):
    """The one-shot export of an object."""

    describe: str
    """The function that describes the object."""
    rank: str
    """The number of axes, or -1 if only the run time knows it."""
    retain: str
    """The function that retains the object, or NULL."""
    release: str
    """The function that releases the object; empty: there is none."""
    deleter: str
    """The deleter of the managed tensor."""


class Signature(Frozen):
    """The parameters of `params` as C and as Python declare them."""

    c: str
    """Parameters that follow others in C: `, int plane`."""
    stub: str
    """Parameters that follow others in the stub: `, plane: int = 0`."""


class Child(Frozen):
    """A method that returns the same object as an instance of another class."""

    method: str
    function: str
    of: str
    """C name of the other class."""
    parts: str
    """C expression of the table of parts that contains the object, or NULL."""
    class_name: str
    signature: Signature
    doc: str
    """A C string literal."""
    condition: str | None
    """The `#if` condition of the other class, if it differs from the condition of this class."""
    is_in_stub: bool
    """Whether a stub can define the name: a keyword of Python is not possible there."""


class PartsBinding(Frozen):
    """A property with the tuple of all parts."""

    name: str
    facts: str
    """Name of the `dlb_parts`."""
    count: PartsCount
    of: str
    class_name: str
    doc: str
    """A C string literal."""
    condition: str | None
    """The `#if` condition of the class of the parts, if it differs from the condition of this class."""


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
    given: tuple[Facts, ...]
    """The arguments that Python passes."""
    arguments: tuple[Facts, ...]
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


class Slot(Frozen):
    """A type slot: a special method, for `templates/special_methods.c.j2`."""

    slot: str
    """The name of the slot in CPython."""
    form: str
    """The macro that prints the function."""
    name: str
    """The function in the slot."""
    called: str
    """The method that the function calls; empty: the function is one of CPython."""
    store: str = ""
    """The method that assigns an item, or an empty string."""
    delete: str = ""
    """The method that deletes an item, or an empty string."""


class Getter(Frozen):
    """A function that reads a property, for `templates/getter.c.j2`."""

    c_name: str
    function: str
    """The name of the `dlb_py_function` constant."""
    type: str
    """The C type of the object."""
    has_copy: bool
    """Whether the value depends on `self`, a copy of the object."""
    has_pointer: bool
    """Whether the value depends on `self`, a pointer to the object."""
    params: tuple[Variable, ...]
    made: str
    """The call that makes the object of Python, as a C expression; empty: it is a tensor or a handle."""
    label: str
    view: str = ""
    """The call that returns the same object as an instance of another class; empty: there is none."""
    found: Variable | None = None
    """The variable with the pointer to a tensor or a handle; None: the value is a number, a string or an enum."""
    object: ObjectResult | None = None
    """The tensor or the handle."""


class PropertyBinding(Frozen):
    name: str
    getter: Getter
    setter: FunctionBinding | None
    setter_name: str
    entry: str
    """The `PyGetSetDef`: name, functions, docstring."""
    condition: str | None


class InitAction(Frozen):
    """A call of the library when the module is imported, for `templates/init.c.j2`."""

    module: str
    statements: tuple[str, ...] = ()
    """Statements of the spec that cannot fail."""
    called: str = ""
    """The call that can fail; empty: there is none."""
    assertion: Assertion | None = None
    """An assertion about the call."""
    fails: str = ""
    """The condition that the call has failed, as a C expression."""
    error: str = ""
    """The message of the library, as a C expression; empty: it has none."""
    failed: str = ""
    """The message without one of the library."""


class EnumBinding(Frozen):
    name: str
    c_name: str
    base: str
    """The base class in the standard library's `enum`."""
    c_base: str
    """The constant of the runtime for that base class."""
    members: tuple[tuple[str, str], ...]
    """Pairs of a name and a C expression."""


class EarlyTable(Frozen):
    """The declaration of a table that is defined below."""

    name: str
    condition: str | None


class ConstantBinding(Frozen):
    name: str
    value: str
    """A C expression that makes the Python object."""
    stub_type: str


class ClassBinding(Frozen):
    """A class for a tensor or a handle. A handle has no `describe`."""

    name: str
    c_name: str
    short_name: str
    """The C name without the prefix."""
    type: str
    c_type: str
    """The normalised C type, as a C string literal."""
    condition: str | None
    """The `#if` condition around the whole class."""
    comment: tuple[str, ...]
    """Lines of the header comment."""
    docstring: str
    """A C string literal."""
    doc: tuple[str, ...]
    """Lines of the stub's docstring."""
    owner_comment: tuple[str, ...]
    export_comment: tuple[str, ...]
    export_legacy_comment: tuple[str, ...]
    part_comment: tuple[str, ...]
    import_comment: tuple[str, ...]
    wrap_comment: tuple[str, ...]
    self_parameter: str
    own_parameter: str
    """The parameter of the first function of the header. A label names its slot, unless the state has this label."""
    signature: Signature
    state: Struct | None
    state_values: str
    """Initialisers of the state from the parameters of a function."""
    has_part: bool
    """Whether another class has the same C type. If it has, a function exposes objects of that class as this class."""
    part_values: str
    """Initialisers of the state without the object."""
    describe: Description | None
    borrowed_view: str
    """The function of the C API table for borrowed views. It is NULL if the data exists only during an export."""
    has_view: bool
    one_shot: bool
    single: OneShotBinding | None
    functions: tuple[Piece, ...]
    params: Table | None
    facts: tuple[str, ...]
    """Members of the `dlb_type`."""
    borrowed: bool
    importer: FactoryBinding | None
    fast_paths: tuple[FastPath, ...]
    """Fast paths that describe or import ordinary arrays in one step."""
    import_signature: Signature
    import_stub: str
    """Keywords of `from_dlpack` that follow `*` in the stub."""
    import_state: Struct | None
    """The parameters that `from_dlpack` passes on."""
    allocator: FactoryBinding | None
    allocates_dtype: str | None
    """The default dtype of `empty` in the stub, as a Python literal. None if the caller must pass a dtype."""
    allocate_signature: Signature
    allocate_state: Struct | None
    """The params of `allocate`, with the values of the C function that allocates; None: there are none."""
    allocate_comment: tuple[str, ...]
    empty_doc: str
    """A C string literal."""
    from_doc: str
    """The docstring of `from_dlpack`, as a C string literal."""
    children: tuple[Child, ...]
    parts: tuple[PartsBinding, ...]
    methods: tuple[FunctionBinding, ...]
    slots: tuple[Slot, ...]
    properties: tuple[PropertyBinding, ...]
    self_operand: str
    """The operand of properties, as an entry of a table."""
    new: FunctionBinding | None
    """The function behind `Name(...)`."""
    stubs: tuple[str, ...]
    """Lines of the stub for methods, properties and `new`."""

    @property
    def called(self) -> tuple[FunctionBinding, ...]:
        """Returns all functions that Python calls, except getters."""
        setters = [each.setter for each in self.properties if each.setter is not None]
        return (*self.methods, *setters, *([self.new] if self.new is not None else []))

    @property
    def has_methods(self) -> bool:
        """Returns whether the class has methods besides those of all classes."""
        return bool(self.importer or self.allocator or self.children or self.methods)

    @property
    def has_attributes(self) -> bool:
        """Returns whether the class has attributes besides those of all tensors."""
        return bool(self.parts or self.properties)

    @property
    def factories(self) -> tuple[FactoryBinding, ...]:
        return tuple(factory for factory in (self.importer, self.allocator) if factory is not None)


class ExternalBinding(Frozen):
    """The type that stands for a class of another module, for `templates/external_classes.j2`."""

    c_name: str
    name: str
    comment: tuple[str, ...]
    condition: str | None
    record: str
    """The name of the constant that names the class."""
    values: str
    """Its initialisers."""
    state: Struct | None
    facts: tuple[str, ...]
    """Members of the `dlb_type`."""
    imported: str
    """The statement of the stub that imports the class."""


class FieldFacts(Frozen):
    """A member of a struct."""

    name: str
    c_name: str
    """Its emitted name."""
    type: str
    """The C type of a member that is a record; empty: it is a number."""
    table: str
    """The `dlb_record` of that type."""


class FieldOrder(Frozen):
    """Two members, by their emitted names, which stand in this order in the struct."""

    constant: str
    """The name of the constant that the compiler finds if they do."""
    before: str
    after: str


class RecordFacts(Frozen):
    """A struct that is an element of arrays, for `templates/records.c.j2`."""

    type: str
    label: str
    """The path of the record in the spec."""
    table: str
    fields_table: str
    fields: tuple[FieldFacts, ...]
    order: tuple[FieldOrder, ...]


class Binding(Frozen):
    license: str
    spec_file: str
    module: str
    prefix: str
    guard: str
    includes: tuple[str, ...]
    undeclared: tuple[str, ...]
    """A type that only a header can declare, if the spec includes no header."""
    docstring: str
    """A C string literal."""
    doc: tuple[str, ...]
    classes: tuple[ClassBinding, ...]
    external_classes: tuple[ExternalBinding, ...]
    functions: tuple[FunctionBinding, ...]
    enums: tuple[EnumBinding, ...]
    constants: tuple[ConstantBinding, ...]
    init: tuple[InitAction, ...]
    """Statements that run when Python loads the module. If they fail, they return -1 with an exception set."""
    headers: tuple[str, ...]
    """C headers that the bodies of functions need."""
    records: tuple[RecordFacts, ...]
    """The structs that are elements of arrays."""
    last_slots: str
    """The last slots of the module."""
    takes_arrays: bool
    """Whether the stub needs its name for the type of arrays."""
    takes_sequences: bool
    takes_paths: bool
    gives_back: bool
    """Whether functions return array arguments."""
    stubs: tuple[str, ...]
    """Lines of the stub for the functions."""
    output_format: int

    @property
    def early_members(self) -> list[EarlyTable]:
        """Returns the tables that functions of earlier classes can refer to."""
        structs = [(each.new.struct, each.condition) for each in self.classes if each.new is not None]
        return [EarlyTable(struct.table, condition) for struct, condition in structs if struct is not None]

    @property
    def checksum(self) -> str:
        """Returns the name of the macro with the checksum of the prototypes."""
        return f"{self.prefix.upper()}_C_API_PROTOTYPES"

    @property
    def prototypes(self) -> str:
        """Returns a checksum of the signatures of `wrap` and `unwrap` of all classes. It fits into an `int`."""
        taken = [(c.name, c.type, c.self_parameter, c.signature.c, c.borrowed, c.condition) for c in self.classes]
        return f"0x{crc32(repr(taken).encode()) & 0x7FFFFFFF:08x}"

    @property
    def has_calls(self) -> bool:
        """Returns whether the module needs the library `call` of the runtime: for functions, properties, constants."""
        return bool(self.functions or self.constants) or any(each.called or each.properties for each in self.classes)

    @property
    def has_contents(self) -> bool:
        """Returns whether the module has more than classes and functions."""
        return bool(self.enums or self.constants or self.init)

    @property
    def exports(self) -> bool:
        return any(each.describe is not None for each in self.classes)

    @property
    def allocates(self) -> bool:
        return any(each.allocator is not None for each in self.classes)

    @property
    def conditional(self) -> bool:
        """Returns whether the preprocessor can leave out some classes, or the module has none."""
        return not self.classes or any(each.condition is not None for each in self.classes)

    @property
    def may_be_empty(self) -> bool:
        """Returns whether the preprocessor can leave out all classes, or the module has none."""
        conditions = [each.condition for each in self.classes] + [each.condition for each in self.external_classes]
        return None not in conditions
