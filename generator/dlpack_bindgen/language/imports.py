"""How objects are made: `allocate` and `import`."""

from __future__ import annotations

from dlpack_bindgen.language.kinds import (
    Alternatives,
    Form,
    Integer,
    Key,
    ListOf,
    MapOf,
    Needs,
    Option,
    Record,
    Single,
    Word,
    Words,
)
from dlpack_bindgen.language.slots import EXPRESSION, MAX_RANK
from dlpack_bindgen.language.steps import (
    ACTION,
    CHECK,
    ERROR,
    LET_WITH_ARRAYS,
    OK_OF_MAKING,
    PARAMETERS,
    STATEMENT,
)

_RANK = Integer(0, MAX_RANK)

REQUIRED_NDIM = Record(
    what="a required rank",
    doc="The rank that is accepted.",
    keys=(
        Key(
            "ndim",
            Alternatives(
                (
                    Option(_RANK, "Exactly this rank."),
                    Option(
                        ListOf(_RANK, "a list of the least and the greatest rank", 2, 2), "From the first to the last."
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
    doc="The dtypes that are accepted.",
    keys=(
        Key(
            "dtype",
            Alternatives(
                (
                    Option(Single(Form.DTYPE), "A dtype."),
                    Option(ListOf(Single(Form.DTYPE), "a list of dtypes", least=1), "One of these."),
                )
            ),
            "The dtype, or several.",
            required=True,
        ),
    ),
)
REQUIRED_ALIGN = Record(
    what="a required alignment",
    doc="The alignment of the data that is accepted.",
    keys=(Key("align", Integer(1, 1 << 20, power_of_two=True), "The alignment in bytes.", required=True),),
)
LAYOUTS = (
    Word("compact", "Compact in `order`: no gaps, no overlaps."),
    Word("inner_compact", "All axes but the outermost are compact, and the outermost steps at least over the rest."),
    Word("no_overlap", "No two elements share memory."),
    Word("nonnegative_strides", "No axis runs backwards."),
)
_PROPERTIES = Words(
    (
        *LAYOUTS,
        Word(
            "writable",
            "The data may be written; implies `no_overlap`. A function that only reads the object takes read-only "
            "arrays too, but none whose elements overlap.",
        ),
    ),
    otherwise="a C expression is written {expr: ...}",
)
_REQUIREMENTS = ListOf(
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
_ALLOCATE_REQUIREMENTS = ListOf(
    Alternatives(
        (
            Option(REQUIRED_NDIM, "The rank.", tag="ndim"),
            Option(REQUIRED_DTYPE, "The dtypes.", tag="dtype"),
            Option(CHECK, "Any condition in C.", tag="expr"),
        )
    ),
    what="a list of requirements",
)

_LETS = (
    "C variables for what follows, calls that prepare it, and conditions, in order. No variable has the name of "
    "something that is in scope."
)
_UNDO = Key(
    "undo",
    STATEMENT,
    "Statements for an object that fails its test; `result` is in scope.",
    needs=Needs(("construct",), "it is for what that call yields"),
)


_NARROW = 'What C takes as an `int` is declared in `let`, `{int n: "shape[0]"}`, which refuses what does not fit.'
_INIT = Key("init", EXPRESSION, f"A call that fills the zeroed struct `self`, whose address never changes. {_NARROW}")
_CONSTRUCT = Key("construct", EXPRESSION, f"A call that yields the object. {_NARROW}")


def _of_call(key: Key, call: str) -> Key:
    return Key(key.name, key.kind, key.doc, default=key.default, needs=Needs(("construct", "init"), call))


ALLOCATE = Record(
    what="an allocation",
    doc="A call that makes an object; `shape[]`, `ndim`, `dtype` (a `DLDataType`), `itemsize`, `nbytes` and `code` "
    "are in scope.",
    keys=(
        Key("require", _ALLOCATE_REQUIREMENTS, "What can be made."),
        Key("let", LET_WITH_ARRAYS, _LETS),
        _INIT,
        _CONSTRUCT,
        _of_call(OK_OF_MAKING, "it speaks of that call"),
        _of_call(ERROR, "it speaks of that call"),
        _UNDO,
    ),
    one_of=("init", "construct"),
)

_ARGUMENTS = ListOf(
    Single(Form.ARGUMENT),
    "a list of arguments",
    least=1,
)
_ORDER = Key(
    "order",
    _ARGUMENTS,
    "The arguments that the library passes to the deleter, in their order: `data`, `user` and `object` (each a "
    "`void *`), or C declarations, whose last identifier is one of these or any name.",
    required=True,
)
_USER = Key("user", EXPRESSION, "Where `user` is found if it is none of the arguments, as in `view->internal`.")
_DELETER = Alternatives(
    (
        Option(_ARGUMENTS, "The arguments of the deleter, in their order."),
        Option(
            Record(
                what="a deleter {order, user}",
                doc="The arguments of the deleter, and where it finds `user`.",
                keys=(_ORDER, _USER),
            ),
            "The arguments, and where `user` is found.",
            tag="order",
        ),
    )
)
_ATTACH = Record(
    what="an attachment",
    doc="A call, made after the object, that hands `user` and `deleter` to the library; `self` is the object.",
    keys=(*ACTION.keys, _ORDER, _USER),
)
_DESTROY = Alternatives(
    (
        Option(Words((Word("none", "Nothing is to be done."),)), "For plain views."),
        Option(STATEMENT, "Statements that end the object."),
    )
)
COPY = Words(
    (
        Word("never", "Refused."),
        Word(
            "allowed",
            "On the CPU, arrays in another layout or alignment are copied, and read-only arrays if `writable` is "
            "required. Other dtypes, ranks and extents are refused.",
        ),
        Word("always", "Every array is copied. Other dtypes, ranks and extents are refused."),
    )
)

IMPORT = Record(
    what="an import",
    doc="How an object is made around foreign memory; "
    "`data`, `ndim`, `shape[]`, `strides[]` (in elements), `byte_strides[]`, `dtype` (a `DLDataType`), `itemsize`, "
    "`nbytes`, `readonly`, `device_id`, `code` and `device_code` are in scope; the arrays only while the object is "
    "made, which cannot keep their addresses.",
    keys=(
        Key(
            "params",
            PARAMETERS,
            "Further keyword arguments of `from_dlpack`, and the last ones of the C function. One of the C type of a "
            "class, such as `ctx *c`, is an object of that class, which goes after the new object. Any other address "
            "is given by C alone: calls from Python take its default, and fail without.",
        ),
        Key("require", _REQUIREMENTS, "What is accepted."),
        Key("let", LET_WITH_ARRAYS, _LETS),
        Key(
            "set",
            MapOf(Form.MEMBER, EXPRESSION, "a mapping from members to C expressions"),
            "The struct itself is made, zeroed, and these members set; a value that its member cannot hold is refused. "
            "A member with `axis` in it is set once for each axis.",
        ),
        _INIT,
        _CONSTRUCT,
        _of_call(OK_OF_MAKING, "it speaks of that call"),
        _of_call(ERROR, "it speaks of that call"),
        _UNDO,
        Key(
            "box",
            Single(Form.STORAGE),
            "The C type of the storage, where the object is the first part of something larger.",
            default="the tensor's `type`",
            needs=Needs(("set", "init"), "what 'construct' yields has storage of its own"),
        ),
        Key(
            "deleter",
            _DELETER,
            "The call, or a member, takes a deleter: `deleter` and `user` are in scope, of which C converts `user` to "
            "a `void *`, or to its type in the order, and to nothing else. It keeps the memory of the array, not the "
            "struct that `set` and `init` make: a library that moves the content of such elsewhere needs `construct`.",
        ),
        Key("attach", _ATTACH, "A deleter is handed over afterwards."),
        Key("detach", STATEMENT, "Statements that run before `destroy`; `self` is the object."),
        Key(
            "destroy",
            _DESTROY,
            "How the object ends.",
            default="the tensor's `release`, and nothing for `set`",
        ),
        Key("copy", COPY, "What happens to arrays that do not meet `require`.", default="`never`"),
    ),
    one_of=("set", "init", "construct"),
    exclusive=(("deleter", "attach"),),
)
