"""The input of the templates: every emitted name and every C fragment of one spec, decided by `bind`.

Templates print strings unchanged. A `Piece` names the macro that prints it; a boolean selects lines."""

from __future__ import annotations

from zlib import crc32

from dlpack_bindgen.calls.binding import FunctionBinding
from dlpack_bindgen.classes.members import PropertyBinding, Slot
from dlpack_bindgen.classes.records import RecordFacts
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.binding import (
    Child,
    Description,
    FactoryBinding,
    FastPath,
    OneShotBinding,
    PartsBinding,
    Signature,
    Struct,
)
from dlpack_bindgen.text.statements import Assertion, Piece, Table

LINE, LINE_END = "DLB_LINE_", "DLB_LINE_END_"
"""Markers around a string that the formatter must not wrap: `DLB_LINE_(TEXT DLB_LINE_END_)` becomes TEXT when
rendered."""


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
