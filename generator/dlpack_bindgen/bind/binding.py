"""The input of the templates: every emitted name and every C fragment of one spec, decided by `bind`.

Each field is printed unchanged. Templates only loop over fields and leave out those that are None or empty.
"""

from __future__ import annotations

from zlib import crc32

from dlpack_bindgen.c.names import MARK
from dlpack_bindgen.frozen import Frozen

NAME_MARK = MARK
"""Suffix that `Spec` adds to some names of the spec in all bound strings. Rendering removes it."""
LINE, LINE_END = "DLB_LINE_", "DLB_LINE_END_"
"""Markers around a string that the formatter must not wrap: `DLB_LINE_(TEXT DLB_LINE_END_)` becomes TEXT when
rendered."""


class Function(Frozen):
    """A static function of the emitted .c file."""

    head: str
    """Result type, name and parameters."""
    lines: tuple[str, ...]
    strict: str | None = None
    """The macro that begins a section of strict conversions."""


class Struct(Frozen):
    """A struct that is stored in each owner."""

    tag: str
    members: tuple[str, ...]


class Params(Frozen):
    """The table of the parameters that Python passes by position or keyword."""

    table: str
    """Name of the array of `dlb_param`."""
    entries: tuple[str, ...]


class MakerBinding(Frozen):
    """A function that makes an object, for an import or an allocation, and its requirements."""

    structs: tuple[Struct, ...]
    functions: tuple[Function, ...]
    """Helper functions, followed by the function itself."""
    params: Params | None
    name: str
    """Name of the `dlb_maker`."""
    facts: tuple[str, ...]
    """Members of the `dlb_maker`, such as `.box = DLB_STORAGE_FOR(image_t)`."""


class OneShotBinding(Frozen):
    """The one-shot export of an object."""

    deleter: Function | None
    """The deleter of the managed tensor, which also releases the object."""
    call: str


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


class PartsBinding(Frozen):
    """A property with the tuple of all parts."""

    name: str
    facts: str
    """Name of the `dlb_parts`."""
    count: Function
    count_name: str
    of: str
    class_name: str
    doc: str
    """A C string literal."""
    condition: str | None
    """The `#if` condition of the class of the parts, if it differs from the condition of this class."""


class Table(Frozen):
    """A static table that the runtime reads."""

    head: str
    """Type and name, such as `const dlb_param imaging_blur_params[]`."""
    entries: tuple[str, ...]


class FunctionBinding(Frozen):
    """A C function that Python calls: a function of the module, or a method."""

    c_name: str
    tables: tuple[Table, ...]
    function: Function
    entry: str
    """The `PyMethodDef`: name, function, calling convention, docstring."""
    condition: str | None
    """The `#if` condition."""


class SlotsBinding(Frozen):
    """The special methods of a class."""

    functions: tuple[Function, ...]
    """The functions of the slots."""
    entries: tuple[str, ...]
    """The `PyType_Slot` of each function."""


class PropertyBinding(Frozen):
    name: str
    getter: Function
    setter: FunctionBinding | None
    setter_name: str
    entry: str
    """The `PyGetSetDef`: name, functions, docstring."""
    condition: str | None


class EnumBinding(Frozen):
    name: str
    c_name: str
    base: str
    """The base class in the standard library's `enum`."""
    c_base: str
    """The constant of the runtime for that base class."""
    members: tuple[tuple[str, str], ...]
    """Pairs of a name and a C expression."""


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
    signature: Signature
    state: Struct | None
    state_values: str
    """Initialisers of the state from the parameters of a function."""
    has_part: bool
    """Whether another class has the same C type. If it has, a function exposes objects of that class as this class."""
    part_values: str
    """Initialisers of the state without the object."""
    object: str
    """C expression of the object that is passed to the runtime."""
    describe: Function | None
    borrowed_view: str
    """The function of the C API table for borrowed views. It is NULL if the data exists only during an export."""
    has_view: bool
    one_shot: bool
    single: OneShotBinding | None
    functions: tuple[Function, ...]
    params: Params | None
    facts: tuple[str, ...]
    """Members of the `dlb_type`."""
    borrowed: bool
    importer: MakerBinding | None
    fast_paths: tuple[Function, ...]
    """Fast paths that describe or import ordinary arrays in one step."""
    import_signature: Signature
    import_state: Struct | None
    """The parameters that `from_dlpack` passes on."""
    allocator: MakerBinding | None
    allocates_dtype: str | None
    """The default dtype of `empty` in the stub, as a Python literal. None if the caller must pass a dtype."""
    empty_doc: str
    """A C string literal."""
    from_doc: str
    """A C string literal, if `from_dlpack` has parameters besides the array."""
    children: tuple[Child, ...]
    parts: tuple[PartsBinding, ...]
    methods: tuple[FunctionBinding, ...]
    slots: SlotsBinding | None
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
    def makers(self) -> tuple[MakerBinding, ...]:
        return tuple(maker for maker in (self.importer, self.allocator) if maker is not None)


class Binding(Frozen):
    license: str
    spec_file: str
    module: str
    prefix: str
    guard: str
    includes: tuple[str, ...]
    docstring: str
    """A C string literal."""
    doc: tuple[str, ...]
    classes: tuple[ClassBinding, ...]
    functions: tuple[FunctionBinding, ...]
    enums: tuple[EnumBinding, ...]
    constants: tuple[ConstantBinding, ...]
    init: tuple[str, ...]
    """Statements that run when Python loads the module. If they fail, they return -1 with an exception set."""
    headers: tuple[str, ...]
    """C headers that the bodies of functions need."""
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
        called = any(each.called or each.properties for each in self.classes)
        return bool(called or self.functions or self.enums or self.constants)

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
        return all(each.condition is not None for each in self.classes)
