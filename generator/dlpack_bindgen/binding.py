"""What the templates print: every emitted name and every C fragment of one spec, decided by `bind`.

Fields are ready to be printed where they stand; templates only loop over them and leave out what is None or empty.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Assertion:
    """A compile-time check of the spec against the real struct."""

    macro: str
    expression: str
    message: str
    """A C string literal."""


@dataclass(frozen=True)
class Refusal:
    """`if (condition) refuse with message`: the opposite of what the spec requires."""

    condition: str
    message: str
    """A C string literal."""


@dataclass(frozen=True)
class Branch:
    condition: str
    statement: str


@dataclass(frozen=True)
class ChoiceBinding:
    """An if-chain over the values that one slot can have."""

    branches: tuple[Branch, ...]
    """Empty: `otherwise` stands alone."""
    otherwise: str
    """The statement for what fits no branch."""


@dataclass(frozen=True)
class CodeBinding:
    """A map of the spec read backwards."""

    declaration: str
    choice: ChoiceBinding


@dataclass(frozen=True)
class MakerBinding:
    """A function that makes an object, for an import or an allocation, and the facts about what it accepts."""

    name: str
    facts: str
    """Name of the `dlb_maker`."""
    strict: str
    """The macro that begins the stretch of strict conversions."""
    scope: tuple[str, ...]
    """Declarations of the names that the C text of the spec mentions."""
    codes: tuple[CodeBinding, ...]
    """The keys of the spec's maps that the array's dtype and device go back to."""
    refusals: tuple[Refusal, ...]
    lets: tuple[str, ...]
    checks_lets: bool
    fields: tuple[str, ...]
    """Statements that fill a struct in the box; empty for a constructed object."""
    construct: str | None
    failed: str | None
    """The condition under which the constructed `result` is none."""
    call: str | None
    """The construct call as a C string literal, for its error message."""
    reason: str
    destroy: str | None
    """Name of the function that ends the object."""
    box: str | None
    min_ndim: str
    max_ndim: str
    layout: str | None
    order: str | None
    align: int | None
    dtypes: tuple[str, ...]
    devices: tuple[str, ...]
    extents: tuple[str, ...]


@dataclass(frozen=True)
class Ender:
    """A function that runs one statement of the spec on the object: retain, release or destroy."""

    name: str
    uses_self: bool
    statement: str


@dataclass(frozen=True)
class TensorBinding:
    name: str
    full_name: str
    c_name: str
    type: str
    comment: tuple[str, ...]
    """Lines of the header comment."""
    docstring: str
    """A C string literal."""
    doc: tuple[str, ...]
    """Lines of the stub's docstring."""
    owner_comment: tuple[str, ...]
    export_comment: tuple[str, ...]
    wrap_comment: tuple[str, ...]
    asserts: tuple[Assertion, ...]
    uses_self: bool
    refusals: tuple[Refusal, ...]
    dtype: ChoiceBinding | None
    device: ChoiceBinding | None
    head: tuple[str, ...]
    """Statements of the description: what is fixed, rank and extents."""
    per_axis: tuple[str, ...]
    """Statements of the loop over all axes."""
    layout: tuple[str, ...]
    """Statements that give the strides."""
    data: tuple[str, ...]
    ndim: str
    enders: tuple[Ender, ...]
    retain: str | None
    release: str | None
    importer: MakerBinding | None
    allocator: MakerBinding | None
    allocates_dtype: str | None
    """The stub's default dtype of `empty`, a Python literal; None: it must be given."""
    empty_doc: str
    """A C string literal."""

    @property
    def makers(self) -> tuple[MakerBinding, ...]:
        return tuple(maker for maker in (self.importer, self.allocator) if maker is not None)


@dataclass(frozen=True)
class Binding:
    license: str
    spec_file: str
    module: str
    prefix: str
    guard: str
    includes: tuple[str, ...]
    docstring: str
    """A C string literal."""
    doc: tuple[str, ...]
    tensors: tuple[TensorBinding, ...]
    output_format: int

    @property
    def imports(self) -> bool:
        return any(tensor.importer is not None for tensor in self.tensors)

    @property
    def allocates(self) -> bool:
        return any(tensor.allocator is not None for tensor in self.tensors)
