"""The spec language, declared once: validator, JSON Schema and documentation all come from these declarations."""

from __future__ import annotations

from dlpack_bindgen.kinds import (
    Alternatives,
    Entry,
    Form,
    Integer,
    Key,
    Kind,
    ListOf,
    MapOf,
    Needs,
    Option,
    Record,
    Single,
    Word,
    Words,
)

VERSION = 1
MAX_RANK = 64

EXPRESSION = Single(Form.EXPRESSION)
STATEMENT = Single(Form.STATEMENT)
TEXT = Single(Form.TEXT)
RANK = Integer(0, MAX_RANK)


def choice(value: Form, further: tuple[Key, ...] = ()) -> Record:
    """`{of, map, default}`: a slot whose value is chosen at run time."""
    return Record(
        what="a choice {of, map}",
        doc="The value is looked up by a C expression; no key that fits and no `default` is a BufferError.",
        keys=(
            Key("of", EXPRESSION, "What is looked up, such as `self->type`.", required=True),
            Key(
                "map",
                MapOf(
                    Form.EXPRESSION, Single(value), f"a mapping from C expressions to {value.value.split()[1]} names"
                ),
                "Keys are C expressions compared with `==`, or with `strcmp` where the key is a string literal.",
                required=True,
            ),
            Key("default", Single(value), "What every other value means."),
            *further,
        ),
    )


CHECK = Record(
    what="a check",
    doc="A condition that must hold, with the message for when it does not.",
    keys=(
        Key("expr", EXPRESSION, "The condition.", required=True),
        Key("message", TEXT, "What the error says; without it, the expression itself."),
    ),
)
CHECKS = ListOf(
    Alternatives(
        (
            Option(EXPRESSION, "The condition alone."),
            Option(CHECK, "A condition and its message.", tag="expr"),
        )
    ),
    what="a list of conditions",
)

REQUIRED_NDIM = Record(
    what="a required rank",
    doc="The rank that is accepted.",
    keys=(
        Key(
            "ndim",
            Alternatives(
                (
                    Option(RANK, "Exactly this rank."),
                    Option(
                        ListOf(RANK, "a list of the least and the greatest rank", 2, 2), "From the first to the last."
                    ),
                )
            ),
            "The rank, or the least and the greatest.",
            required=True,
        ),
    ),
)
REQUIRED_DTYPE = Record(
    what="a required dtype",
    doc="The dtype that is accepted.",
    keys=(Key("dtype", Single(Form.DTYPE), "The dtype.", required=True),),
)
REQUIRED_ALIGN = Record(
    what="a required alignment",
    doc="The alignment of the data that is accepted.",
    keys=(Key("align", Integer(1, 1 << 20, power_of_two=True), "The alignment in bytes.", required=True),),
)
LAYOUTS = Words(
    (
        Word("compact", "Compact in `order`: no gaps, no overlaps."),
        Word(
            "inner_compact", "All axes but the outermost are compact, and the outermost steps at least over the rest."
        ),
        Word("no_overlap", "No two elements share memory."),
        Word("nonnegative_strides", "No axis runs backwards."),
        Word("writable", "The data may be written; implies `no_overlap`."),
    ),
    otherwise="a C expression is written {expr: ...}",
)
REQUIREMENTS = ListOf(
    Alternatives(
        (
            Option(LAYOUTS, "A property by its name."),
            Option(REQUIRED_NDIM, "The rank.", tag="ndim"),
            Option(REQUIRED_DTYPE, "The dtype.", tag="dtype"),
            Option(REQUIRED_ALIGN, "The alignment of the data.", tag="align"),
            Option(CHECK, "Any condition in C.", tag="expr"),
        )
    ),
    what="a list of requirements",
)
ALLOCATE_REQUIREMENTS = ListOf(
    Alternatives(
        (
            Option(REQUIRED_NDIM, "The rank.", tag="ndim"),
            Option(REQUIRED_DTYPE, "The dtype.", tag="dtype"),
            Option(CHECK, "Any condition in C.", tag="expr"),
        )
    ),
    what="a list of requirements",
)

LET = Record(
    what="a declaration",
    doc="A C variable; a value that its integer type cannot hold is refused.",
    keys=(),
    entry=Entry(Form.DECLARATION, EXPRESSION, "`T name: expression`; the last identifier is the name."),
)

LETS = Key("let", ListOf(LET, "a list of declarations"), "C variables for what follows, in order.")

SHAPE = Alternatives(
    (
        Option(
            ListOf(EXPRESSION, "a list of extents", most=MAX_RANK), "One expression per axis; its length is the rank."
        ),
        Option(
            Record(
                what="a shape {ndim, each}",
                doc="A rank that is known at run time only.",
                keys=(
                    Key("ndim", EXPRESSION, "The rank.", required=True),
                    Key("each", EXPRESSION, "The extent of axis `axis`.", required=True),
                ),
            ),
            "A rank that is known at run time only.",
        ),
    )
)
UNIT = Key(
    "unit",
    Words(
        (Word("elements", "Steps from element to element."), Word("bytes", "Bytes, which the item size must divide."))
    ),
    "What strides count.",
    default="`elements`",
)
STRIDES_LIST = ListOf(EXPRESSION, "a list of strides", most=MAX_RANK)
STRIDES = Alternatives(
    (
        Option(STRIDES_LIST, "One expression per axis, in elements."),
        Option(
            Record(
                what="a mapping of strides",
                doc="Strides with their unit.",
                keys=(
                    Key("list", STRIDES_LIST, "One expression per axis."),
                    Key("each", EXPRESSION, "The stride of axis `axis`."),
                    Key("outer", EXPRESSION, "The stride of the outermost axis; the others are compact (padded rows)."),
                    UNIT,
                ),
                one_of=("list", "each", "outer"),
            ),
            "Strides with their unit.",
        ),
    )
)
DTYPE = Alternatives(
    (
        Option(Single(Form.DTYPE), "A name: `float32`, `uint8`, `bool`, `complex64`, `bfloat16`, ..."),
        Option(choice(Form.DTYPE), "Chosen at run time."),
    )
)
DEVICE_ID = Key("id", EXPRESSION, "Which device of that type.", default="0")
DEVICE = Alternatives(
    (
        Option(Single(Form.DEVICE), "A name: `cpu`, `cuda`, `rocm`, ..."),
        Option(
            Record(
                what="a device",
                doc="A device type by its name, and which device of that type.",
                keys=(Key("type", Single(Form.DEVICE), "The device type.", required=True), DEVICE_ID),
            ),
            "A fixed type with an id.",
            tag="type",
        ),
        Option(choice(Form.DEVICE, (DEVICE_ID,)), "Chosen at run time.", tag="of"),
    )
)

OK = Key(
    "ok",
    Single(Form.CONDITION),
    "When the call succeeded: the rest of a comparison (`'!= NULL'`), or an expression with `%` for the result.",
)
ERROR = Key(
    "error",
    EXPRESSION,
    "The message of a failure, as a `const char *`; `result` is in scope.",
    needs=Needs("ok", "'ok' says when the call failed"),
)


def _with_construct(key: Key) -> Key:
    return Key(key.name, key.kind, key.doc, key.required, key.default, Needs("construct", "it speaks of that call"))


ALLOCATE = Record(
    what="an allocation",
    doc="A call that makes an object; `shape`, `ndim` and `code` are in scope.",
    keys=(
        Key("construct", EXPRESSION, "The call.", required=True),
        OK,
        ERROR,
        Key("require", ALLOCATE_REQUIREMENTS, "What can be made."),
        LETS,
    ),
)
DESTROY = Alternatives(
    (
        Option(Words((Word("none", "Nothing is to be done."),)), "For plain views."),
        Option(STATEMENT, "Statements that end the object."),
    )
)
IMPORT = Record(
    what="an import",
    doc="How an object is made around foreign memory; "
    "`data`, `ndim`, `shape[]`, `strides[]`, `byte_strides[]`, `itemsize`, `nbytes`, `readonly`, `device_id`, `code` "
    "and `device_code` are in scope.",
    keys=(
        Key("require", REQUIREMENTS, "What is accepted."),
        LETS,
        Key(
            "set",
            MapOf(Form.MEMBER, EXPRESSION, "a mapping from members to C expressions"),
            "The struct itself is made, zeroed, and these members set; a value that its member cannot hold is refused.",
        ),
        Key("construct", EXPRESSION, "A call that yields the object."),
        _with_construct(OK),
        ERROR,
        Key(
            "destroy",
            DESTROY,
            "How a constructed object ends.",
            default="the tensor's `release`",
            needs=Needs("construct", "what 'set' fills needs no end"),
        ),
    ),
    one_of=("set", "construct"),
)

_BALANCED = Needs("release", "what is taken must be given back")

TENSOR = Record(
    what="a tensor",
    doc="A C struct whose memory is shared; `self`, a `T *`, is in scope in all its C text.",
    keys=(
        Key("type", Single(Form.CTYPE), "The C type of the object.", required=True),
        Key("doc", TEXT, "What it is, for header, docstring and stub."),
        Key("data", EXPRESSION, "The address of the first element.", required=True),
        Key("dtype", DTYPE, "The type of the elements.", required=True),
        Key("shape", SHAPE, "The extents.", required=True),
        Key("strides", STRIDES, "How far apart neighbours are.", default="compact in `order`"),
        Key(
            "order",
            Words(
                (
                    Word("C", "The last axis is the innermost."),
                    Word("F", "The first axis is the innermost."),
                    Word("reversed", "The struct counts its axes from the innermost; they are turned around."),
                )
            ),
            "Which end of the axes is the innermost.",
            default="`C`",
        ),
        Key("device", DEVICE, "Where the data is.", default="`cpu`"),
        Key(
            "readonly",
            EXPRESSION,
            "Whether the data must not be written.",
            default="1 when `data` points to const, else 0",
        ),
        Key("require", CHECKS, "What must hold whenever the struct is read."),
        Key(
            "release",
            STATEMENT,
            "Gives the object back: with this alone, it moves into its owner.",
            default="the object is borrowed",
        ),
        Key("retain", STATEMENT, "Takes one reference of the library when the owner is made.", needs=_BALANCED),
        Key("allocate", ALLOCATE, "Makes `Name.empty(shape)`.", needs=_BALANCED),
        Key("import", IMPORT, "Makes `Name.from_dlpack(x)`.", default="export only"),
    ),
)

SPEC = Record(
    what="a spec",
    doc="One module: which C structs it shares, and how.",
    keys=(
        Key("dlpack-bindgen", Single(Form.VERSION), "The version of the spec language.", default=f"{VERSION}"),
        Key("module", Single(Form.MODULE), "The name of the Python module and of the files.", required=True),
        Key("prefix", Single(Form.PREFIX), "What the C names begin with.", default="`module`"),
        Key(
            "license", Single(Form.LICENSE), "The license of the output, which its first line names.", default="`MIT-0`"
        ),
        Key("doc", TEXT, "What the module is."),
        Key(
            "include",
            ListOf(Single(Form.INCLUDE), "a list of headers", lone=True),
            "The headers that declare the structs: `image.h`, or `<gsl/gsl_matrix.h>` with its brackets.",
        ),
        Key("tensors", MapOf(Form.TENSOR, TENSOR, "a mapping from names to tensors"), "The structs.", required=True),
    ),
)


def records(kind: Kind = SPEC) -> tuple[Record, ...]:
    """Every record that can occur in `kind`, outermost first, each once."""
    if isinstance(kind, Record):
        inner = [key.kind for key in kind.keys] + ([kind.entry.value] if kind.entry else [])
        found = [kind, *(record for child in inner for record in records(child))]
    elif isinstance(kind, Alternatives):
        found = [record for option in kind.options for record in records(option.kind)]
    elif isinstance(kind, ListOf):
        found = list(records(kind.item))
    elif isinstance(kind, MapOf):
        found = list(records(kind.value))
    else:
        found = []
    return tuple(dict.fromkeys(found))
