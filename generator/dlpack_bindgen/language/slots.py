"""The slots of a tensor, and how one of several values is chosen for them."""

from __future__ import annotations

from dlpack_bindgen.language.kinds import (
    Alternatives,
    Form,
    Key,
    ListOf,
    Lookup,
    MapOf,
    Option,
    Record,
    Single,
    Word,
    Words,
)

MAX_RANK = 64
MAX_ARMS = 1000

EXPRESSION = Single(Form.EXPRESSION)
DIRECTIVE = Single(Form.DIRECTIVE)
KEY = Single(Form.KEY)
DEFAULT_BESIDE = "all others are said by 'default:' beside the 'map'"


# ---- The plain form of each slot ----

DTYPE_FORMS = (
    Option(Single(Form.DTYPE), "A name: `float32`, `uint8`, `bool`, `complex64`, `bfloat16`, ..."),
    Option(
        Record(
            what="a decoded dtype",
            doc="The fields of a `DLDataType`, for structs that carry such numbers themselves and for dtypes that have "
            "no name here: constants are a fixed dtype, as names are.",
            keys=(
                Key(
                    "code",
                    EXPRESSION,
                    "The kind of the elements, as one of `kDLInt`, `kDLFloat`, ...; a number where a newer `dlpack.h` "
                    "has one that 1.3 has not.",
                    required=True,
                ),
                Key("bits", EXPRESSION, "The bits of one lane.", required=True),
                Key("lanes", EXPRESSION, "The lanes of one element.", default="1"),
            ),
        ),
        "Numbers, which the struct may have.",
        tag="code",
    ),
    Option(
        Record(
            what="the dtype of a C type",
            doc="What an arithmetic C type is on the machine that compiles.",
            keys=(Key("c", Single(Form.CTYPE), "The C type, such as `long` or `index_t`.", required=True),),
        ),
        "That of an arithmetic C type.",
        tag="c",
    ),
)

_DEVICE_ID = Key("id", EXPRESSION, "Which device of that type.", default="0")
_CHOSEN_ID = Key("id", EXPRESSION, "Of `device` alone: which device of the type that is found.", default="0")
_DEVICE = (
    Option(Single(Form.DEVICE), "A name: `cpu`, `cuda`, `rocm`, ...; the number of what DLPack 1.3 has no name for."),
    Option(
        Record(
            what="a device",
            doc="A device type by its name or number, and which device of that type.",
            keys=(Key("type", Single(Form.DEVICE), "The device type.", required=True), _DEVICE_ID),
        ),
        "A fixed type with an id.",
        tag="type",
    ),
)

_EXTENTS = ListOf(
    EXPRESSION,
    "a list of extents",
    most=MAX_RANK,
    if_mapped="an extent is one C expression; a choice stands for the whole shape",
)
RUN_TIME_RANK = Option(
    Record(
        what="a shape {ndim, each}",
        doc="A rank that is known at run time only.",
        keys=(
            Key("ndim", EXPRESSION, "The rank.", required=True),
            Key("each", EXPRESSION, "The extent of axis `axis`.", required=True),
        ),
    ),
    "A rank that is known at run time only.",
)
_SHAPE = (Option(_EXTENTS, "One expression per axis; its length is the rank."), RUN_TIME_RANK)

_STRIDES_LIST = ListOf(
    EXPRESSION,
    "a list of strides",
    most=MAX_RANK,
    if_mapped="a stride is one C expression; a choice stands for all the strides",
)
_STRIDES = (
    Option(_STRIDES_LIST, "One expression per axis, in elements."),
    Option(
        Record(
            what="a mapping of strides",
            doc="How far apart neighbours are, said in one of four ways. Strides without `unit` count elements. Where "
            "they may well count bytes, the generator asks for `unit`: strides that count bytes and are taken for "
            "elements lead beyond the end of the memory. It asks where elements can be larger than a byte, and a "
            "stride (a) has a name that libraries give to bytes, as in `self->pitch`; (b) has `sizeof` or "
            "`itemsize` as a factor; (c) comes from a function with a name such as `plane_get_stride(self)`; (d) "
            "is the size of an element or has it as a factor, as in `[8 * self->columns, 8]` of `float64`; (e) "
            "serves dtypes of several sizes. It does not ask where a stride is an extent or a product of extents, "
            "which count elements, or where it is divided by the size, as in `self->pitch / itemsize`.",
            keys=(
                Key("list", _STRIDES_LIST, "One expression per axis."),
                Key("each", EXPRESSION, "The stride of axis `axis`."),
                Key(
                    "outer",
                    EXPRESSION,
                    "The stride of the outermost axis; the others are compact (padded rows). What is called as in BLAS "
                    "(`self->lda`) is never negative in an import.",
                ),
                Key(
                    "rows",
                    EXPRESSION,
                    "A table of pointers to the rows, as in `self->rows`; unless the rows are evenly spaced, the array "
                    "is refused, or copied where `copy` allows it. `data` is the first row, `self->rows[0]`, which is "
                    "read only where there are elements.",
                ),
                Key(
                    "unit",
                    Alternatives(
                        (
                            Option(
                                Words(
                                    (
                                        Word(
                                            "elements",
                                            "A stride of 3 leads 3 elements on, whatever their size.",
                                        ),
                                        Word(
                                            "bytes",
                                            "A stride of 24 leads 24 bytes on: 3 elements of `float64`. The item size "
                                            "must divide it.",
                                        ),
                                        Word("bits", "Bits, which the size of an element must divide."),
                                    )
                                ),
                                "A word.",
                            ),
                            Option(EXPRESSION, "The bytes of one step, as in `sizeof(float)`."),
                        )
                    ),
                    "What strides count.",
                    default="`elements`, where the generator does not ask",
                ),
                Key(
                    "compact_when",
                    EXPRESSION,
                    "When the strides are not read at all, because the array is compact: `self->strides == NULL`.",
                ),
            ),
            one_of=("list", "each", "outer", "rows"),
            exclusive=(("rows", "unit"),),
        ),
        "Strides with their unit.",
    ),
)

_ORDER = (
    Option(
        Words(
            (
                Word("C", "The last axis is the innermost."),
                Word("F", "The first axis is the innermost."),
                Word("reversed", "The struct counts its axes from the innermost; they are turned around."),
            )
        ),
        "A word.",
    ),
)

_TEXT = (Option(EXPRESSION, "A C expression."),)


# ---- Choices ----


def _choice(plain: tuple[Option, ...], values: str, further: tuple[Key, ...]) -> Record:
    value = Alternatives(plain)
    return Record(
        what="a choice {of, map}",
        doc="The value of one slot, looked up by a C expression; no key that fits and no `default` is a BufferError.",
        keys=(
            Key("of", EXPRESSION, "What is looked up, such as `self->type`.", required=True),
            Key(
                "map",
                Lookup(MapOf(Form.KEY, value, f"a mapping from C expressions to {values}", MAX_ARMS, DEFAULT_BESIDE)),
                "Keys are C expressions compared with `==`, or with `strcmp` where the key is a string literal; with "
                "`of: 1` they can be conditions. Or the name of such a mapping in `maps`.",
                required=True,
            ),
            Key("default", value, "What every other value means."),
            *further,
        ),
    )


def _cases(plain: tuple[Option, ...]) -> ListOf:
    return ListOf(
        Record(
            what="a case {if, value}",
            doc="A value that holds under a condition of the preprocessor; the last one may do without.",
            keys=(
                Key("if", DIRECTIVE, "What follows `#if`."),
                Key("value", Alternatives(plain), "The value of the slot.", required=True),
            ),
        ),
        "a list of {if, value}",
        least=1,
    )


def _slot(
    name: str,
    doc: str,
    plain: tuple[Option, ...],
    values: str,
    default: str | None = None,
    unless: str | None = None,
    further: tuple[Key, ...] = (),
) -> tuple[Key, Key]:
    """The slot beside the matches, and within an arm, where it is no choice of its own."""
    cases = Option(_cases(plain), "Chosen by the preprocessor.")
    choice = Option(_choice(plain, values, further), "Chosen at run time.", tag="of")
    whole = Key(name, Alternatives((*plain, choice, cases)), doc, unless is not None, default, unless=unless)
    return whole, Key(name, Alternatives((*plain, cases)), doc)


_KEYS = (
    _slot("dtype", "The type of the elements.", DTYPE_FORMS, "dtypes", unless="match"),
    _slot("device", "Where the data is.", _DEVICE, "devices", default="`cpu`", further=(_CHOSEN_ID,)),
    _slot(
        "shape",
        "The extents. A divisor that may be 0 needs a `require`: `self->width > 0`.",
        _SHAPE,
        "shapes",
        unless="match",
    ),
    _slot("order", "Which end of the axes is the innermost.", _ORDER, "orders", default="`C`"),
    _slot("strides", "How far apart neighbours are.", _STRIDES, "strides", default="compact in `order`"),
    _slot(
        "data",
        "The address of the first element. A member that is an array must hold all of them, also where the address is "
        "within it, as in `&self->cells[0][0]` or `self->cells + self->first`; a cast says otherwise.",
        _TEXT,
        "addresses",
        unless="match",
    ),
    _slot(
        "byte_offset", "Where the first element is, in bytes from `data`: for opaque handles.", _TEXT, "numbers", "0"
    ),
    _slot(
        "readonly",
        "Whether the data must not be written. Without it, an object that C returns as a `const T *` is read-only. "
        "With it, in every arm of a match, `const` is about the struct alone.",
        _TEXT,
        "conditions",
        default="1 when `data` points to const, else 0",
    ),
)
SLOTS = tuple(whole for whole, _ in _KEYS)
ARM_SLOTS = tuple(within for _, within in _KEYS)
SLOT_NAMES = tuple(key.name for key in SLOTS)
REQUIRED_SLOTS = tuple(key.name for key in SLOTS if key.required)


# ---- Matches ----

_ANY = Record(
    what="a set {any}",
    doc="Several keys of which one must fit.",
    keys=(Key("any", ListOf(KEY, "a list of keys", least=1), "The keys.", required=True),),
)
_WHEN = (
    Option(KEY, "A C expression that the value must be equal to; `_` fits every value."),
    Option(_ANY, "Any of several.", tag="any"),
)
_SEVERAL = Option(ListOf(Alternatives(_WHEN), "a list of keys", least=1), "One for each expression of `of`.")
_OF = ListOf(EXPRESSION, "a list of C expressions", least=1, lone=True)
ARM = Record(
    what="an arm",
    doc="The slots for some values of `of`; what it does not set comes from the slots beside `match`.",
    keys=(
        Key(
            "when",
            Alternatives(
                (*_WHEN, Option(ListOf(Alternatives(_WHEN), "a list of keys", least=1), "One for each `of`."))
            ),
            "Which values: a key, `_`, `{any: [...]}`, or a list of these, one for each expression of `of`.",
            required=True,
        ),
        Key(
            "import",
            Words(
                (
                    Word("true", "Of several arms that an array fits, this one is taken."),
                    Word("false", "No import makes such an object."),
                )
            ),
            "Whether an import reads the arm backwards.",
            default="if it is the only one that an array fits",
        ),
        Key("if", DIRECTIVE, "What follows `#if` around the arm."),
        *ARM_SLOTS,
    ),
)
MATCH = Record(
    what="a match",
    doc="Sets several slots at once, by the value of one or more C expressions. The first arm that fits is taken; "
    "none that fits and no `default` is a BufferError.",
    keys=(
        Key(
            "of", ListOf(EXPRESSION, "a list of C expressions", least=1, lone=True), "What is looked up.", required=True
        ),
        Key("arms", ListOf(ARM, "a list of arms", least=1, most=MAX_ARMS), "What each value means.", required=True),
        Key(
            "default",
            Record(what="a default", doc="The slots for values that no arm fits.", keys=ARM_SLOTS),
            "What every other value means.",
        ),
    ),
)
