"""The keys that describe the parameters of a function: those of several kinds, and those of each kind."""

from __future__ import annotations

from dataclasses import replace

from dlpack_bindgen.arguments.derived import DerivedFields
from dlpack_bindgen.arguments.dtype_code import DTypeCodeFields
from dlpack_bindgen.arguments.entry import EntryFields
from dlpack_bindgen.arguments.fixed import FixedFields
from dlpack_bindgen.arguments.kinds import KINDS, WORDS
from dlpack_bindgen.arguments.object import ObjectFields
from dlpack_bindgen.arguments.output import OutFields
from dlpack_bindgen.arguments.param_of import ParamOfFields
from dlpack_bindgen.language.kinds import (
    EXPRESSION,
    MAX_RANK,
    Alternatives,
    Form,
    Key,
    ListOf,
    Option,
    Record,
    Single,
    Word,
    Words,
    flag,
    in_order,
    listed,
    with_attributes,
)
from dlpack_bindgen.language.requirements import (
    CAST,
    LAYOUTS,
    REQUIRED_ALIGN,
    REQUIRED_DTYPE,
    REQUIRED_NDIM,
    RequirementFields,
)
from dlpack_bindgen.language.results import KEEPS


class ArgumentFields(EntryFields, DerivedFields, DTypeCodeFields, ParamOfFields, FixedFields, OutFields, ObjectFields):
    """The keys of several kinds, and those of each kind."""


_REQUIRED_DEVICE = Record(
    what="a required device",
    fields=RequirementFields,
    doc="The devices whose memory the function can use.",
    keys=(
        Key(
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
        ),
    ),
)
_REQUIRED_SHAPE = Record(
    what="a required shape",
    fields=RequirementFields,
    doc="The extents that the function requires. Another shape raises a ValueError.",
    keys=(
        Key(
            "shape",
            ListOf(EXPRESSION, "a list of extents", least=1, most=MAX_RANK),
            "The extent of each axis; all parameters are in scope: `[n, m]`.",
            required=True,
        ),
    ),
)
_REQUIRED_COUNT = Record(
    what="a required number of elements",
    fields=RequirementFields,
    doc="The number of elements that the function requires, in any shape. Another number raises a ValueError.",
    keys=(
        Key(
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
        ),
    ),
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


def _details(key: str) -> tuple[str, ...]:
    """Returns the sentences of all kinds about a key that several of them have."""
    return tuple(sentence for kind in KINDS for about, sentence in kind.details if about == key)


_SHARED = (
    Key(
        "of",
        Single(Form.KIND),
        f"A tensor, a handle, an enum of `constants`, or a word: {listed(WORDS)}.",
        details=_details("of"),
    ),
    Key(
        "default",
        EXPRESSION,
        "The value in C if Python passes none. Numbers and strings before the parameter are in scope.",
        details=(
            "Later parameters need a default, too, or must be `keyword_only`.",
            "For an array or object that C writes, `like PARAM` allocates a new output with the shape of `PARAM`. "
            "It has the dtype of `PARAM`, unless it has its own.",
            "`new` allocates a new output with the `shape` or `count` that is required. If its class can have several "
            "dtypes, the dtype must be required, too.",
            "The call returns the new output. An array has the class that `arrays` names. The class of an object needs "
            "`allocate`. If Python omits the output, it passes the later parameters by name.",
        ),
    ),
    flag(
        "optional",
        "`None` or a missing argument is NULL in C. For an `out`, NULL becomes `None`.",
        "The argument is required. For an `out`, NULL is a failure.",
        "Whether a pointer can be NULL.",
        default="`false`; `true` for an `out` that is `str` or `bytes`",
    ),
    replace(
        KEEPS,
        doc="The parameters that an `out` object, or the object of this parameter, keeps alive.",
        details=(f"For an `out`: {KEEPS.doc[0].lower()}{KEEPS.doc[1:]}", *KEEPS.details, *_details("keeps")),
    ),
    flag(
        "writes",
        "Read-only arrays are refused.",
        "Read-only arrays are accepted, although the C type is not `const`. A `char *` can be a `str` or a `path`.",
        "Whether the function may change the data.",
        default="`true`, unless the pointer is to `const`; for a struct by value, `true`",
    ),
    Key(
        "require",
        _REQUIRE,
        "Requirements on the array.",
        default="the device `cpu`; for `DLTensor *`, any device",
        details=(
            "An empty list, `{of: bytes, require: []}`, declares that the function knows the length, or that NULL "
            "ends the `strings`.",
        ),
    ),
    Key(
        "takes",
        Words(
            (
                Word(
                    "true",
                    "After a success the library owns the object, and the Python object is closed. The call is "
                    "refused in the same cases as with `invalidates`.",
                ),
                Word("always", "After a success and after a failure, the library owns the object and frees it."),
                Word("false", "Python keeps the object."),
            )
        ),
        "Whether the library takes ownership of the argument, and frees it.",
        default="`false`",
        details=_details("takes"),
    ),
    Key("copy", _COPY, "Whether an array that does not meet `require` is copied.", default="`never`"),
    Key(
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
    ),
)
_ORDER = """
    of default optional out borrow owned keeps replaces size count shape dtype writes invalidates takes require copy
    cast count_of size_of extent_of stride_of flags_of code_of map param_of axis unit negative plus value
    """.split()
"""The order of the keys in the reference. The keys of other kinds follow."""


ARGUMENT = Record(
    what="an argument",
    fields=with_attributes(ArgumentFields, (kind.attributes for kind in KINDS)),
    doc="Describes a parameter. Without a description, the C type decides:\n\n"
    + "\n".join(f"* {kind.ctypes}" for kind in KINDS if kind.ctypes),
    keys=in_order((*_SHARED, *(key for kind in KINDS for key in kind.keys)), _ORDER),
)
