"""Requirements on arrays: dtype, shape, layout, alignment and device; their keys and their records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import (
    EXPRESSION,
    MAX_RANK,
    TEXT,
    Alternatives,
    Form,
    Integer,
    Key,
    ListOf,
    Option,
    Record,
    Single,
    Word,
    Words,
)
from dlpack_bindgen.language.values import Fields, Items, Leaf, is_record, items_of, leaf_of, needed, strings, text_of
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.types import RecordType

# ---- The records of requirements, which imports, allocations and arguments have, and of new outputs ----

Copy = Literal["never", "allowed", "always"]
Cast = Literal["safe", "same_kind"]


def converted(cast: Cast) -> str:
    """Returns the arrays that are converted, for a docstring."""
    return f"arrays of other dtypes are converted, as numpy.can_cast(..., '{cast}') allows it"


class Check(Frozen):
    """A required condition: `{expr, message, error}`, or an expression alone. `error` is a C expression for the
    message."""

    expr: str
    message: str | None = None
    error: str | None = None

    @property
    def in_words(self) -> str:
        return f"{self.expr}{f' ({self.message})' if self.message else ''}"


class Property(Frozen):
    """A property of the memory that `require` names by a word. The word is also a field of `Requirements`."""

    name: str
    doc: str
    flag: str
    """The constant of the runtime."""
    words: str | None
    """The property in docstrings, behind the arrays; None: it stands before them."""

    @property
    def word(self) -> Word:
        return Word(self.name, self.doc)


_WRITABLE = Property(
    "writable",
    "The data may be written, and no elements overlap. A function that only reads the object, and does not store it "
    "(`keeps`), also takes read-only arrays, but never overlapping elements.",
    "DLB_WRITABLE",
    None,
)
_OF_LAYOUT = (
    Property("compact", "The array is compact in `order`: no gaps, no overlaps.", "DLB_COMPACT", "compact"),
    Property(
        "inner_compact",
        "All axes but the outermost are compact. The stride of the outermost axis is at least their total size.",
        "DLB_INNER_COMPACT",
        "compact but for the outermost axis",
    ),
    Property("no_overlap", "No two elements share memory.", "DLB_NO_OVERLAP", "without overlap"),
    Property("nonnegative_strides", "No stride is negative.", "DLB_NONNEGATIVE_STRIDES", "without negative strides"),
)
PROPERTIES = (_WRITABLE, *_OF_LAYOUT)
"""The properties in the order of their flags in C."""


class Requirements(Frozen):
    """The requirements of an import, of `allocate` or of an argument, from its `require` list. They are checked in the
    order of the fields."""

    ndim: tuple[int, int] | None = None
    dtypes: tuple[str, ...] = ()
    """The accepted dtypes; empty: any."""
    writable: bool = False
    compact: bool = False
    inner_compact: bool = False
    no_overlap: bool = False
    nonnegative_strides: bool = False
    align: int | None = None
    checks: tuple[Check, ...] = ()
    devices: tuple[str, ...] | None = None
    """For an argument: the names of the device types that the function supports; None: any."""
    shape: tuple[str, ...] | None = None
    """For an argument: the required extents, as C expressions of the parameters."""
    count: str | None = None
    """For an argument: the required number of elements, as a C expression of the parameters."""
    order: Literal["C", "F"] = "C"
    """For an argument that is `compact` or `inner_compact`: C means that the last axis is the innermost, F the first.
    """
    strided: tuple[int, ...] = ()
    """For an argument: the axes with any stride. All other axes are compact over the axes inside them."""

    @property
    def layout(self) -> list[str]:
        """Returns the flags of the required properties."""
        return [each.flag for each in PROPERTIES if getattr(self, each.name)]


NOTHING = Requirements()


class NewOutput(Frozen):
    """A new array or object that the call allocates if Python passes none. C writes it, and the call returns it."""

    like: str | None = None
    """The parameter that gives the shape, and the dtype unless only one is possible; None: the requirements give the
    shape."""


def requirements(items: Items | None, ranks: tuple[int, int] | None) -> Requirements:
    """Returns the requirements of a `require` list. `ranks` are the possible ranks if the list gives none."""
    words = {leaf.text for leaf in items.leaves()} if items else set()
    named = words | {"compact"} if "column_major" in words else words
    properties: dict[str, Any] = {each.name: each.name in named for each in PROPERTIES}
    records = items.records() if items else ()
    conditions = items.records(CHECK) if items else ()
    align = next((text for record in records if (text := text_of(record[ALIGN]))), None)
    return Requirements(
        ndim=required_rank(items) or ranks,
        dtypes=next((found for record in records if (found := _dtypes(record))), ()),
        align=int(align) if align else None,
        checks=tuple(check(each[EXPR], each) for each in conditions),
        devices=_devices(records),
        shape=next((strings(extents) for record in records if (extents := record[SHAPE_OF_REQUIREMENT])), None),
        count=next((text for record in records if (text := text_of(record[COUNT_OF_REQUIREMENT]))), None),
        order="F" if "column_major" in words else "C",
        **properties,
    )


def _dtypes(record: Fields) -> tuple[str, ...]:
    one = text_of(record[DTYPE_OF_REQUIREMENT])
    several = items_of(record[DTYPE_OF_REQUIREMENT])
    return (one,) if one else strings(several) if several else ()


def _devices(records: Iterable[Fields]) -> tuple[str, ...] | None:
    """Returns the devices that an argument accepts. Returns None for any device, or if none is declared."""
    for record in records:
        if several := items_of(record[DEVICE_OF_REQUIREMENT]):
            return strings(several)
        if one := text_of(record[DEVICE_OF_REQUIREMENT]):
            return None if one == "any" else (one,)
    return None


def checks(items: Items | None) -> tuple[Check, ...]:
    found: list[Check] = []
    for item in items.items if items else ():
        if isinstance(item, Leaf):
            found.append(Check(item.text))
        elif is_record(item, CHECK):
            found.append(check(item[EXPR], item))
    return tuple(found)


def check(condition: Leaf | None, fields: Fields) -> Check:
    message = ctext.fold(text_of(fields[MESSAGE]) or "")
    return Check(needed(condition).text, message or None, text_of(fields[ERROR]))


def required_rank(require: Items | None) -> tuple[int, int] | None:
    records = require.records() if require else ()
    for record in records:
        if shape := record[SHAPE_OF_REQUIREMENT]:
            return shape.count, shape.count
    for record in records:
        if exact := leaf_of(record[NDIM_OF_REQUIREMENT]):
            return int(exact.text), int(exact.text)
        span = items_of(record[NDIM_OF_REQUIREMENT])
        if span and len(span.leaves()) == 2:
            least, greatest = span.leaves()
            return int(least.text), int(greatest.text)
    return None


# ---- The keys of a condition and of its message ----

ERROR = Key[Leaf](
    "error", EXPRESSION, "The error message, a C expression of type `const char *`; `result` is in scope."
)
EXPR = Key[Leaf]("expr", EXPRESSION, "The condition.", required=True)
MESSAGE = Key[Leaf]("message", TEXT, "The error message; by default, the expression itself.")
CHECK = Record(
    what="a check",
    doc="A condition that must hold, and the message if it does not.",
    keys=(
        EXPR,
        MESSAGE,
        Key("error", EXPRESSION, "The error message of the library, a C expression of type `const char *`."),
    ),
)


# ---- The requirements of one array, as the runtime checks them ----

TABLE = "const dlb_requirements"
"""The type of the tables of requirements, which several arrays can share."""
ORDERS = {"F": "DLB_ORDER_F", "reversed": "DLB_ORDER_REVERSED"}
"""Orders other than row-major that an array must have."""
COPYING = {"allowed": "DLB_COPY_ALLOWED", "always": "DLB_COPY_ALWAYS"}
CASTING = {"safe": "DLB_CAST_SAFE", "same_kind": "DLB_CAST_SAME_KIND"}


class Required(Frozen):
    """The requirements of the spec and of the struct on the array of an argument, an import or an allocation.

    A new requirement is a field with its member here, beside its key and its words.
    """

    layout: Sequence[str] = ()
    """The flags of properties."""
    order: Literal["C", "F", "reversed"] = "C"
    strided: Sequence[int] = ()
    """The axes with any stride. All other axes are compact over the axes inside them."""
    alignment: int | None = None
    elements: RecordType | None = None
    """The record that each element is."""
    dtypes: Sequence[str] = ()
    """C initialisers; empty: any."""
    devices: Sequence[str] = ()
    """The accepted device types of `dlpack.h`, in the order of the spec; empty: any."""
    extents: Sequence[str] = ()
    """The required extents, as C expressions; empty: any."""
    copy: Copy = "never"
    record: RecordType | None = None
    """The record whose fields are checked here, because no class checks them."""
    cast: Cast | None = None

    def members(self) -> Iterator[str]:
        """Yields the members of the `dlb_requirements` behind those of the rank."""
        if self.layout:
            yield f".layout = {' | '.join(self.layout)}"
        if self.order in ORDERS:
            yield f".order = {ORDERS[self.order]}"
        if self.strided:
            yield f".strided = {sum(1 << axis for axis in self.strided):#x}"
        if self.alignment is not None:
            yield f".alignment = {self.alignment}"
        elif self.elements is not None:
            yield f".alignment = DLB_RECORD_ALIGNMENT({self.elements.ctype})"
        if self.dtypes:
            yield f".dtypes = (const DLDataType[]){{ {', '.join(self.dtypes)} }}"
            yield f".dtype_count = {len(self.dtypes)}"
        if self.devices:
            yield f".devices = (const DLDeviceType[]){{ {', '.join(self.devices)} }}"
            yield f".device_count = {len(self.devices)}"
        if self.extents:
            yield f".extents = (const int64_t[]){{ {', '.join(self.extents)} }}"
        if self.copy != "never":
            yield f".copy = {COPYING[self.copy]}"
        if self.record is not None:
            yield f".record = &{self.record.table}"
        if self.cast is not None:
            yield f".cast = {CASTING[self.cast]}"


# ---- The keys for requirements on arrays, and for copies and conversions of arrays that do not meet them ----

_RANK = Integer(0, MAX_RANK)

NDIM_OF_REQUIREMENT = Key[Leaf | Items](
    "ndim",
    Alternatives(
        (
            Option(_RANK, "Exactly this rank."),
            Option(
                ListOf(_RANK, "a list of the lowest and the highest rank", 2, 2),
                "Any rank from the first to the second.",
            ),
        )
    ),
    "The rank, or the lowest and the highest rank.",
    required=True,
)
REQUIRED_NDIM = Record(what="a required rank", doc="The accepted rank.", keys=(NDIM_OF_REQUIREMENT,))
DTYPE_OF_REQUIREMENT = Key[Leaf | Items](
    "dtype",
    Alternatives(
        (
            Option(Single(Form.DTYPE), "A dtype."),
            Option(ListOf(Single(Form.DTYPE), "a list of dtypes", least=1), "One of several dtypes."),
        )
    ),
    "The dtype, or a list of dtypes.",
    required=True,
)
REQUIRED_DTYPE = Record(what="a required dtype", doc="The accepted dtypes.", keys=(DTYPE_OF_REQUIREMENT,))
ALIGN = Key[Leaf]("align", Integer(1, 1 << 20, power_of_two=True), "The alignment in bytes.", required=True)
REQUIRED_ALIGN = Record(
    what="a required alignment", doc="The alignment that the address of the data must have.", keys=(ALIGN,)
)
LAYOUTS = tuple(each.word for each in _OF_LAYOUT)
_PROPERTIES = Words((*LAYOUTS, _WRITABLE.word), otherwise="write a C expression as {expr: ...}")
REQUIREMENTS = ListOf(
    Alternatives(
        (
            Option(_PROPERTIES, "A property by its name."),
            Option(REQUIRED_NDIM, "The rank.", tag="ndim"),
            Option(REQUIRED_DTYPE, "The dtypes.", tag="dtype"),
            Option(REQUIRED_ALIGN, "The alignment of the data. Default: that of the elements.", tag="align"),
            Option(CHECK, "Any condition in C.", tag="expr"),
        )
    ),
    what="a list of requirements",
)
ALLOCATE_REQUIREMENTS = ListOf(
    Alternatives(
        (
            Option(REQUIRED_NDIM, "The rank.", tag="ndim"),
            Option(REQUIRED_DTYPE, "The dtypes.", tag="dtype"),
            Option(CHECK, "Any condition in C.", tag="expr"),
        )
    ),
    what="a list of requirements",
)

COPY = Words(
    (
        Word("never", "The array is refused."),
        Word(
            "allowed",
            "On the CPU, an array with another layout or alignment is copied. A read-only array is copied if "
            "`writable` is required. Other ranks and extents are refused.",
        ),
        Word("always", "Each array is copied. Other ranks and extents are refused."),
    )
)

CAST = Words(
    (
        Word("safe", "If no value can change: from int8 to int32, from float32 to complex128."),
        Word("same_kind", "Also to fewer bits, and from integers to real or complex numbers: float64 to float32."),
    )
)
DEVICE_OF_REQUIREMENT = Key[Leaf | Items](
    "device",
    Alternatives(
        (
            Option(Words((Word("any", "Every device type."),)), "A word."),
            Option(Single(Form.DEVICE), "A device type."),
            Option(ListOf(Single(Form.DEVICE), "a list of devices", least=1), "One of several device types."),
        )
    ),
    "The accepted device types.",
    required=True,
)
_REQUIRED_DEVICE = Record(
    what="a required device", doc="The devices whose memory the function can use.", keys=(DEVICE_OF_REQUIREMENT,)
)
SHAPE_OF_REQUIREMENT = Key[Items](
    "shape",
    ListOf(EXPRESSION, "a list of extents", least=1, most=MAX_RANK),
    "The extent of each axis; all parameters are in scope: `[n, m]`.",
    required=True,
)
_REQUIRED_SHAPE = Record(
    what="a required shape",
    doc="The extents that the function requires. Another shape raises a ValueError.",
    keys=(SHAPE_OF_REQUIREMENT,),
)
COUNT_OF_REQUIREMENT = Key[Leaf](
    "count",
    EXPRESSION,
    "The number of elements; all parameters are in scope.",
    required=True,
    details=(
        "Here and in `shape`, `+ - * / %` are exact for all integer types, outside of calls, indices and "
        "other operators. An overflow and the product of two negative numbers are refused.",
        "The expression can read elements of other arrays. If the element does not exist, such as "
        "`offsets[n]`, the call raises a ValueError.",
    ),
)
_REQUIRED_COUNT = Record(
    what="a required number of elements",
    doc="The number of elements that the function requires, in any shape. Another number raises a ValueError.",
    keys=(COUNT_OF_REQUIREMENT,),
)
_COLUMN_MAJOR = Word(
    "column_major",
    "The array is compact and its first axis is the innermost, as in Fortran. It applies to arrays without a class.",
)
_REQUIRE = ListOf(
    Alternatives(
        (
            Option(Words((*LAYOUTS, _COLUMN_MAJOR)), "A property by its name."),
            Option(REQUIRED_NDIM, "The rank.", tag="ndim"),
            Option(REQUIRED_DTYPE, "The dtypes.", tag="dtype"),
            Option(REQUIRED_ALIGN, "The alignment of the data. Default: that of the elements.", tag="align"),
            Option(_REQUIRED_DEVICE, "The devices.", tag="device"),
            Option(_REQUIRED_SHAPE, "The extents.", tag="shape"),
            Option(_REQUIRED_COUNT, "The number of elements.", tag="count"),
        )
    ),
    what="a list of requirements",
)
_COPY = Words(
    (
        Word("never", "The array is refused."),
        Word(
            "allowed",
            "On the CPU, an array with another layout or alignment is copied. If the function may write to it, the "
            "copy is copied back after a successful call. Other dtypes, ranks and extents are refused. If the function "
            "only reads the array, a producer on another device is asked for a copy on the CPU.",
        ),
    )
)
REQUIRE_OF_ARGUMENT = Key[Items](
    "require",
    _REQUIRE,
    "Requirements on the array.",
    default="the device `cpu`; for `DLTensor *`, any device",
    details=(
        "An empty list, `{of: bytes, require: []}`, declares that the function knows the length, or that NULL "
        "ends the `strings`.",
    ),
)
COPY_OF_ARGUMENT = Key[Leaf](
    "copy", _COPY, "Whether an array that does not meet `require` is copied.", default="`never`"
)
CAST_OF_ARGUMENT = Key[Leaf](
    "cast",
    CAST,
    "Whether an array of another dtype is converted, if the function only reads it. The words are those of "
    "`numpy.can_cast()`.",
    default="another dtype is refused",
    details=(
        "The function gets a compact copy, on the CPU. A value that the new dtype cannot hold raises a ValueError.",
        "If several dtypes are required, the first one to which the dtype can be converted is used.",
        "An array of a required dtype is not converted: `copy: allowed` copies other layouts of it.",
    ),
)
