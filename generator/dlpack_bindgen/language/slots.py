"""The keys for the slots of a tensor, and for the choices between several values of a slot."""

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
from dlpack_bindgen.language.values import Attribute, Fields, Value, items, leaf, table

MAX_RANK = 64
MAX_ARMS = 1000

EXPRESSION = Single(Form.EXPRESSION)
DIRECTIVE = Single(Form.DIRECTIVE)
KEY = Single(Form.KEY)
DEFAULT_BESIDE = "'default:' beside the 'map' covers all other values"


class DTypeFields(Fields):
    code = leaf()
    bits = leaf()
    lanes = leaf()


class CTypeFields(Fields):
    c = leaf()


class DeviceFields(Fields):
    type = leaf()
    id = leaf()


class RunTimeRankFields(Fields):
    ndim = leaf()
    each = leaf()


class StridesFields(Fields):
    list = items()
    each = leaf()
    outer = leaf()
    rows = leaf()
    unit = leaf()
    compact_when = leaf()


class ChoiceFields(Fields):
    of = leaf()
    map = table()
    default = Attribute[Value]()
    id = leaf()


class CaseFields(Fields):
    if_ = leaf()
    value = Attribute[Value]()


class SlotFields(Fields):
    """The slots of a tensor or an arm."""

    dtype = Attribute[Value]()
    device = Attribute[Value]()
    shape = Attribute[Value]()
    order = Attribute[Value]()
    strides = Attribute[Value]()
    data = Attribute[Value]()
    byte_offset = Attribute[Value]()
    readonly = Attribute[Value]()


class AnyFields(Fields):
    any = items()


class ArmFields(SlotFields):
    """An arm, or the default of a match."""

    when = Attribute[Value]()
    import_ = leaf()
    if_ = leaf()


class MatchFields(Fields):
    of = items()
    arms = items()
    default = Attribute[ArmFields]()


# ---- The value of each slot, without a choice ----

DTYPE_FORMS = (
    Option(Single(Form.DTYPE), "A name: `float32`, `uint8`, `bool`, `complex64`, `bfloat16`, ..."),
    Option(
        Record(
            what="a decoded dtype",
            fields=DTypeFields,
            doc="The fields of a `DLDataType`, for structs that store these numbers and for dtypes without a name. "
            "Constant fields declare a fixed dtype, as a name does.",
            keys=(
                Key(
                    "code",
                    EXPRESSION,
                    "The type code: `kDLInt`, `kDLFloat`, ... Write a code that `dlpack.h` 1.3 lacks as a number.",
                    required=True,
                ),
                Key("bits", EXPRESSION, "The size of one lane in bits.", required=True),
                Key("lanes", EXPRESSION, "The number of lanes of one element.", default="1"),
            ),
        ),
        "The fields of a `DLDataType`, which can be C expressions.",
        tag="code",
    ),
    Option(
        Record(
            what="the dtype of a C type",
            fields=CTypeFields,
            doc="The dtype of an arithmetic C type, which the C compiler determines.",
            keys=(Key("c", Single(Form.CTYPE), "The C type, such as `long` or `index_t`.", required=True),),
        ),
        "The dtype of an arithmetic C type.",
        tag="c",
    ),
)

_DEVICE_ID = Key("id", EXPRESSION, "The number of the device among the devices of its type.", default="0")
_CHOSEN_ID = Key(
    "id", EXPRESSION, "For `device` only: the number of the device among the devices of its type.", default="0"
)
_DEVICE = (
    Option(
        Single(Form.DEVICE),
        "A name: `cpu`, `cuda`, `rocm`, ...; the number of a device type that DLPack 1.3 does not name.",
    ),
    Option(
        Record(
            what="a device",
            fields=DeviceFields,
            doc="A device type, by name or number, and a device of that type.",
            keys=(Key("type", Single(Form.DEVICE), "The device type, by name or number.", required=True), _DEVICE_ID),
        ),
        "A fixed device type and a device of that type.",
        tag="type",
    ),
)

_EXTENTS = ListOf(
    EXPRESSION,
    "a list of extents",
    most=MAX_RANK,
    if_mapped="an extent is a single C expression; a choice selects the whole shape",
)
RUN_TIME_RANK = Option(
    Record(
        what="a shape {ndim, each}",
        fields=RunTimeRankFields,
        doc="A shape whose rank is known only at run time.",
        keys=(
            Key("ndim", EXPRESSION, "The number of axes.", required=True),
            Key("each", EXPRESSION, "The extent of the axis with the index `axis`.", required=True),
        ),
    ),
    "A shape whose rank is known only at run time.",
)
_SHAPE = (Option(_EXTENTS, "One extent per axis; the length of the list is the rank."), RUN_TIME_RANK)

_STRIDES_LIST = ListOf(
    EXPRESSION,
    "a list of strides",
    most=MAX_RANK,
    if_mapped="a stride is a single C expression; a choice selects all strides",
)
_STRIDES = (
    Option(_STRIDES_LIST, "One stride per axis, in elements."),
    Option(
        Record(
            what="a mapping of strides",
            fields=StridesFields,
            doc="Strides in one of four forms, with their unit. Without `unit`, strides count elements. If byte "
            "strides are used as element strides, C accesses memory beyond the end of the array. The generator "
            "therefore requires `unit` if elements can be larger than a byte and a stride may count bytes:\n\n* "
            "The name of the stride suggests bytes: `self->pitch`.\n* The stride has the factor `sizeof` or "
            "`itemsize`.\n* The stride comes from a function with a name such as `plane_get_stride(self)`.\n* The "
            "stride is the size of an element, or a multiple of this size: `[8 * self->columns, 8]` of "
            "`float64`.\n* The tensor has dtypes of several sizes.\n\n`unit` stays optional for a stride that is "
            "an extent or a product of extents, because such strides count elements. `unit` also stays optional "
            "for a stride that is divided by the item size, such as `self->pitch / itemsize`.",
            keys=(
                Key("list", _STRIDES_LIST, "One stride per axis."),
                Key("each", EXPRESSION, "The stride of the axis with the index `axis`."),
                Key(
                    "outer",
                    EXPRESSION,
                    "The stride of the outermost axis, for padded rows. All other axes are compact.",
                    details=("A stride with a name from BLAS (`self->lda`) is never negative in an import.",),
                ),
                Key(
                    "rows",
                    EXPRESSION,
                    "A C array of pointers to the rows, as in `self->rows`. `data` is then the first row, "
                    "`self->rows[0]`.",
                    details=(
                        "If the rows are not evenly spaced, the export is refused. With `copy: allowed`, the data is "
                        "copied.",
                        "`data` is evaluated only if the array has elements.",
                    ),
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
                                            "A stride of 3 is the distance of 3 elements, whatever their size.",
                                        ),
                                        Word(
                                            "bytes",
                                            "A stride of 24 is a distance of 24 bytes: 3 elements of `float64`. It "
                                            "must be a multiple of the item size.",
                                        ),
                                        Word(
                                            "bits",
                                            "Strides count bits: multiples of the element size in bits.",
                                        ),
                                    )
                                ),
                                "A word.",
                            ),
                            Option(EXPRESSION, "The size of one unit in bytes, as in `sizeof(float)`."),
                        )
                    ),
                    "The unit of the strides.",
                    default="`elements`; sometimes required, see above",
                ),
                Key(
                    "compact_when",
                    EXPRESSION,
                    "The condition under which the array is compact: `self->strides == NULL`. Strides of a compact "
                    "array are not read.",
                ),
            ),
            one_of=("list", "each", "outer", "rows"),
            exclusive=(("rows", "unit"),),
        ),
        "Strides in another form, or with a unit.",
    ),
)

_ORDER = (
    Option(
        Words(
            (
                Word("C", "The last axis is the innermost (row-major)."),
                Word("F", "The first axis is the innermost (column-major)."),
                Word("reversed", "The struct counts its axes from the innermost; exports and imports reverse them."),
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
        fields=ChoiceFields,
        doc="The value of one slot, looked up by a C expression. If no key matches and there is no `default`, the "
        "result is a BufferError.",
        keys=(
            Key(
                "of",
                EXPRESSION,
                "The C expression whose value is searched in `map`, such as `self->type`.",
                required=True,
            ),
            Key(
                "map",
                Lookup(MapOf(Form.KEY, value, f"a mapping from C expressions to {values}", MAX_ARMS, DEFAULT_BESIDE)),
                "C expressions and the value for each, or the name of such a mapping in `maps`.",
                required=True,
                details=(
                    "A key is compared with the value of `of`: by `==`, or by `strcmp` if the key is a string literal.",
                    "With `of: 1`, keys can be conditions.",
                ),
            ),
            Key("default", value, "The value of the slot if no key matches."),
            *further,
        ),
    )


def _cases(plain: tuple[Option, ...]) -> ListOf:
    return ListOf(
        Record(
            what="a case {if, value}",
            fields=CaseFields,
            doc="A value for one condition of the preprocessor. The last case may omit the condition.",
            keys=(
                Key("if", DIRECTIVE, "The condition, as written after `#if`."),
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
    details: tuple[str, ...] = (),
) -> tuple[Key, Key]:
    """Returns two keys for a slot: one for a tensor, and one for an arm. An arm takes no choice `{of, map}`."""
    cases = Option(_cases(plain), "Chosen by the preprocessor.")
    choice = Option(_choice(plain, values, further), "Chosen at run time.", tag="of")
    alternatives = Alternatives((*plain, choice, cases))
    whole = Key(name, alternatives, doc, unless is not None, default, unless=unless, details=details)
    return whole, Key(name, Alternatives((*plain, cases)), doc, details=details)


_KEYS = (
    _slot("dtype", "The type of the elements.", DTYPE_FORMS, "dtypes", unless="match"),
    _slot("device", "The device that holds the data.", _DEVICE, "devices", default="`cpu`", further=(_CHOSEN_ID,)),
    _slot(
        "shape",
        "The extents, one per axis.",
        _SHAPE,
        "shapes",
        unless="match",
        details=("A divisor that may be 0 needs a condition in `require`: `self->width > 0`.",),
    ),
    _slot("order", "Whether the last or the first axis is the innermost.", _ORDER, "orders", default="`C`"),
    _slot(
        "strides",
        "The distances between neighbours along each axis.",
        _STRIDES,
        "strides",
        default="compact in `order`",
    ),
    _slot(
        "data",
        "The address of the first element.",
        _TEXT,
        "addresses",
        unless="match",
        details=(
            "If the data lies in an array that is a member of the struct, this member must hold all elements: "
            "`&self->cells[0][0]`, `self->cells + self->first`. A cast turns this check off.",
        ),
    ),
    _slot(
        "byte_offset",
        "The offset of the first element from `data`, in bytes. Use it if `data` is an opaque handle.",
        _TEXT,
        "numbers",
        "0",
    ),
    _slot(
        "readonly",
        "A condition: nonzero if consumers must not write to the data.",
        _TEXT,
        "conditions",
        default="1 if `data` points to `const`, else 0",
        details=(
            "Without `readonly`, an object that C returns as a `const T *` is read-only.",
            "If the tensor, or each arm of its `match`, sets `readonly`, then `const` protects the struct alone, not "
            "the data.",
        ),
    ),
)
SLOTS = tuple(whole for whole, _ in _KEYS)
ARM_SLOTS = tuple(within for _, within in _KEYS)
SLOT_NAMES = tuple(key.name for key in SLOTS)
REQUIRED_SLOTS = tuple(key.name for key in SLOTS if key.required)


# ---- Matches ----

_ANY = Record(
    what="a set {any}",
    fields=AnyFields,
    doc="Several keys. The value must match one key.",
    keys=(Key("any", ListOf(KEY, "a list of keys", least=1), "The keys.", required=True),),
)
_WHEN = (
    Option(KEY, "A C expression that the value must be equal to; `_` matches every value."),
    Option(_ANY, "Several keys. The value must match one key.", tag="any"),
)
_SEVERAL = Option(ListOf(Alternatives(_WHEN), "a list of keys", least=1), "One key for each expression of `of`.")
_OF = ListOf(EXPRESSION, "a list of C expressions", least=1, lone=True)
ARM = Record(
    what="an arm",
    fields=ArmFields,
    doc="The slots for some values of `of`. A slot that the arm does not set comes from the tensor.",
    keys=(
        Key(
            "when",
            Alternatives(
                (*_WHEN, Option(ListOf(Alternatives(_WHEN), "a list of keys", least=1), "One key for each `of`."))
            ),
            "The values that the arm matches: a key, `_` (every value) or `{any: [...]}`. With several expressions in "
            "`of`, a list of such values.",
            required=True,
        ),
        Key(
            "import",
            Words(
                (
                    Word("true", "If an array fits several arms, imports choose this one."),
                    Word("false", "Imports never choose this arm."),
                )
            ),
            "Whether an import may choose the arm for an array.",
            default="`true` if the array fits no other arm",
        ),
        Key("if", DIRECTIVE, "The condition of the `#if` around the arm."),
        *ARM_SLOTS,
    ),
)
MATCH = Record(
    what="a match",
    fields=MatchFields,
    doc="Sets several slots at once, by the value of one or more C expressions. The first arm that matches is chosen. "
    "If no arm matches and there is no `default`, the result is a BufferError.",
    keys=(
        Key(
            "of",
            ListOf(EXPRESSION, "a list of C expressions", least=1, lone=True),
            "The C expression whose value selects the arm, or a list of expressions.",
            required=True,
        ),
        Key("arms", ListOf(ARM, "a list of arms", least=1, most=MAX_ARMS), "The slots for each value.", required=True),
        Key(
            "default",
            Record(
                what="a default", fields=ArmFields, doc="The slots for a value that no arm matches.", keys=ARM_SLOTS
            ),
            "The slots if no arm matches.",
        ),
    ),
)
