"""What the templates print: every emitted name and every C fragment of one spec, decided by `bind`.

Fields are ready to be printed where they stand; templates only loop over them and leave out what is None or empty.
"""

from __future__ import annotations

from zlib import crc32

from dlpack_bindgen.c.names import MARK
from dlpack_bindgen.frozen import Frozen

NAME_MARK = MARK
"""Ends names of the spec in all that is bound, where `Spec` says so; rendering takes it away."""
LINE, LINE_END = "DLB_LINE_", "DLB_LINE_END_"
"""`DLB_LINE_(TEXT DLB_LINE_END_)` is TEXT, which the formatter must not wrap; rendering takes the words away."""


class Function(Frozen):
    """A static function of the emitted .c file."""

    head: str
    """Result, name and parameters."""
    lines: tuple[str, ...]
    strict: str | None = None
    """The macro that begins a stretch of strict conversions."""


class Struct(Frozen):
    """A struct that lives in each owner."""

    tag: str
    members: tuple[str, ...]


class Params(Frozen):
    """The table of what Python passes by position or keyword."""

    table: str
    """Name of the array of `dlb_param`."""
    entries: tuple[str, ...]


class MakerBinding(Frozen):
    """A function that makes an object, for an import or an allocation, and the facts about what it accepts."""

    structs: tuple[Struct, ...]
    functions: tuple[Function, ...]
    """What the function itself needs, then the function."""
    params: Params | None
    name: str
    """Of the `dlb_maker`."""
    facts: tuple[str, ...]
    """Its members: `.box = DLB_STORAGE_FOR(image_t)`."""


class OneShotBinding(Frozen):
    """The export of an object for once, in one step."""

    deleter: Function | None
    """Of the managed tensor, where its object is released."""
    call: str


class Signature(Frozen):
    """Names that several languages see: parameters of `params`."""

    c: str
    """Behind other parameters: `, int plane`."""
    stub: str
    """`, plane: int = 0`"""


class Child(Frozen):
    """A method that shows the same object as another class."""

    method: str
    function: str
    of: str
    """C name of the class."""
    parts: str
    """In C, those that it is one of."""
    class_name: str
    signature: Signature
    doc: str
    """A C string literal."""
    condition: str | None
    """What follows `#if` around the class where that is another one than here."""


class PartsBinding(Frozen):
    """A property: the tuple of all parts."""

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
    """As of a child."""


class Table(Frozen):
    """A static table: facts for the runtime."""

    head: str
    """Type and name: `const dlb_param imaging_blur_params[]`."""
    entries: tuple[str, ...]


class FunctionBinding(Frozen):
    """A C function that Python calls: of the module, or a method."""

    c_name: str
    tables: tuple[Table, ...]
    function: Function
    entry: str
    """The `PyMethodDef`: name, function, how CPython calls it, doc."""
    condition: str | None
    """What follows `#if`."""


class SlotsBinding(Frozen):
    """Special methods."""

    functions: tuple[Function, ...]
    """What CPython calls for them."""
    entries: tuple[str, ...]
    """The `PyType_Slot` of each."""


class PropertyBinding(Frozen):
    name: str
    getter: Function
    setter: FunctionBinding | None
    setter_name: str
    entry: str
    """The `PyGetSetDef`: name, functions, doc."""
    condition: str | None


class EnumBinding(Frozen):
    name: str
    c_name: str
    base: str
    """The class of the standard library's `enum` that it is one of."""
    c_base: str
    """The same in C."""
    members: tuple[tuple[str, str], ...]
    """Names, and C expressions."""


class ConstantBinding(Frozen):
    name: str
    value: str
    """A C expression that makes the Python object."""
    stub_type: str


class ClassBinding(Frozen):
    """A tensor, or a handle: then `describe` is None."""

    name: str
    c_name: str
    short_name: str
    """The same without the prefix."""
    type: str
    condition: str | None
    """What follows `#if` around all of it."""
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
    """Another class shares the C type: there is a function that shows its objects as this one."""
    part_values: str
    """The initialisers without the object."""
    object: str
    """What the runtime gets as the object."""
    describe: Function | None
    borrowed_view: str
    """The table's function for it, or NULL where the data is there only while it is exported."""
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
    """Functions that describe and import arrays without a special case in one step."""
    import_signature: Signature
    import_state: Struct | None
    """What `from_dlpack` passes on."""
    allocator: MakerBinding | None
    allocates_dtype: str | None
    """The stub's default dtype of `empty`, a Python literal; None: it must be given."""
    empty_doc: str
    """A C string literal."""
    from_doc: str
    """A C string literal, where `from_dlpack` takes more than an array."""
    children: tuple[Child, ...]
    parts: tuple[PartsBinding, ...]
    methods: tuple[FunctionBinding, ...]
    slots: SlotsBinding | None
    properties: tuple[PropertyBinding, ...]
    self_operand: str
    """Of properties, as an entry of a table."""
    new: FunctionBinding | None
    """What `Name(...)` calls."""
    stubs: tuple[str, ...]
    """Of methods, properties and `new`: their lines in the stub."""

    @property
    def called(self) -> tuple[FunctionBinding, ...]:
        """All that Python calls, beside getters."""
        setters = [each.setter for each in self.properties if each.setter is not None]
        return (*self.methods, *setters, *([self.new] if self.new is not None else []))

    @property
    def has_methods(self) -> bool:
        """Beside those of all classes."""
        return bool(self.importer or self.allocator or self.children or self.methods)

    @property
    def has_attributes(self) -> bool:
        """Beside those of all tensors."""
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
    """Statements that run when Python loads the module; they return -1 with an exception set if they fail."""
    headers: tuple[str, ...]
    """Of C, which the bodies of functions need."""
    last_slots: str
    """Of the module."""
    takes_arrays: bool
    """The stub has a name for them."""
    takes_sequences: bool
    takes_paths: bool
    gives_back: bool
    """Functions return arrays as they were given."""
    stubs: tuple[str, ...]
    """Of the functions: their lines in the stub."""
    output_format: int

    @property
    def checksum(self) -> str:
        """The name of that of the prototypes."""
        return f"{self.prefix.upper()}_C_API_PROTOTYPES"

    @property
    def prototypes(self) -> str:
        """A checksum of what `wrap` and `unwrap` of all classes take, which fits into an `int`."""
        taken = [(c.name, c.type, c.self_parameter, c.signature.c, c.borrowed, c.condition) for c in self.classes]
        return f"0x{crc32(repr(taken).encode()) & 0x7FFFFFFF:08x}"

    @property
    def has_calls(self) -> bool:
        called = any(each.called or each.properties for each in self.classes)
        return bool(called or self.functions or self.enums or self.constants)

    @property
    def has_contents(self) -> bool:
        """The module has more than classes and functions."""
        return bool(self.enums or self.constants or self.init)

    @property
    def exports(self) -> bool:
        return any(each.describe is not None for each in self.classes)

    @property
    def allocates(self) -> bool:
        return any(each.allocator is not None for each in self.classes)

    @property
    def conditional(self) -> bool:
        """Some classes may be left out by the preprocessor, or there are none."""
        return not self.classes or any(each.condition is not None for each in self.classes)

    @property
    def may_be_empty(self) -> bool:
        """All classes may be left out by the preprocessor, or there are none."""
        return all(each.condition is not None for each in self.classes)
