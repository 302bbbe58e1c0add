"""The keys for requirements on arrays, and for copies and conversions of arrays that do not meet them."""

from __future__ import annotations

from dlpack_bindgen.language.kinds import (
    MAX_RANK,
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
from dlpack_bindgen.language.steps import CHECK
from dlpack_bindgen.language.values import Attribute, Fields, Items, Leaf, items, leaf


class RequirementFields(Fields):
    """A requirement on an array: one of these keys."""

    ndim = Attribute[Leaf | Items]()
    dtype = Attribute[Leaf | Items]()
    align = leaf()
    device = Attribute[Leaf | Items]()
    shape = items()
    count = leaf()


_RANK = Integer(0, MAX_RANK)

REQUIRED_NDIM = Record(
    what="a required rank",
    fields=RequirementFields,
    doc="The accepted rank.",
    keys=(
        Key(
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
        ),
    ),
)
REQUIRED_DTYPE = Record(
    what="a required dtype",
    fields=RequirementFields,
    doc="The accepted dtypes.",
    keys=(
        Key(
            "dtype",
            Alternatives(
                (
                    Option(Single(Form.DTYPE), "A dtype."),
                    Option(ListOf(Single(Form.DTYPE), "a list of dtypes", least=1), "One of several dtypes."),
                )
            ),
            "The dtype, or a list of dtypes.",
            required=True,
        ),
    ),
)
REQUIRED_ALIGN = Record(
    what="a required alignment",
    fields=RequirementFields,
    doc="The alignment that the address of the data must have.",
    keys=(Key("align", Integer(1, 1 << 20, power_of_two=True), "The alignment in bytes.", required=True),),
)
LAYOUTS = (
    Word("compact", "The array is compact in `order`: no gaps, no overlaps."),
    Word(
        "inner_compact",
        "All axes but the outermost are compact. The stride of the outermost axis is at least their total size.",
    ),
    Word("no_overlap", "No two elements share memory."),
    Word("nonnegative_strides", "No stride is negative."),
)
_PROPERTIES = Words(
    (
        *LAYOUTS,
        Word(
            "writable",
            "The data may be written, and no elements overlap. A function that only reads the object, and does not "
            "store it (`keeps`), also takes read-only arrays, but never overlapping elements.",
        ),
    ),
    otherwise="write a C expression as {expr: ...}",
)
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
