"""The keys that create objects: `allocate` and `import`."""

from __future__ import annotations

from dataclasses import replace

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
    CallFields,
    TestedFields,
)
from dlpack_bindgen.language.values import Attribute, Fields, Items, Leaf, items, leaf, table


class RequirementFields(Fields):
    """A requirement on an array: one of these keys."""

    ndim = Attribute[Leaf | Items]()
    dtype = Attribute[Leaf | Items]()
    align = leaf()
    device = Attribute[Leaf | Items]()
    shape = items()
    count = leaf()


class DeleterFields(Fields):
    order = items()
    user = leaf()


class AttachFields(CallFields):
    order = items()
    user = leaf()


class MakingFields(TestedFields):
    """An import, or an allocation, which lacks the keys about a foreign array."""

    require = items()
    let = items()
    init = leaf()
    construct = leaf()
    undo = leaf()
    params = items()
    set = table()
    box = leaf()
    deleter = Attribute[Items | DeleterFields]()
    attach = Attribute[AttachFields]()
    detach = leaf()
    destroy = leaf()
    copy = leaf()


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
            "The data may be written, and no elements overlap. A function that only reads the object also takes "
            "read-only arrays, but never overlapping elements.",
        ),
    ),
    otherwise="write a C expression as {expr: ...}",
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
    "C variables, calls and conditions that run in order before the object is created. A variable must not have a name "
    "that is already in scope."
)
_UNDO = Key(
    "undo",
    STATEMENT,
    "Statements that run if the call returned an object but failed its test; `result` is in scope.",
    needs=Needs(("construct",), "it frees the result of that call"),
)


_NARROW = (
    'Declare an argument of type `int` in `let`, `{int n: "shape[0]"}`. A value that does not fit is then refused.'
)
_INIT = Key(
    "init",
    EXPRESSION,
    "A call that fills the struct `self`, which holds zeros and has a fixed address.",
    details=(_NARROW,),
)
_CONSTRUCT = Key("construct", EXPRESSION, "A call that returns the object.", details=(_NARROW,))


def _of_call(key: Key, call: str) -> Key:
    return replace(key, needs=Needs(("construct", "init"), call))


ALLOCATE = Record(
    what="an allocation",
    fields=MakingFields,
    doc="A call that creates an object with new memory. In scope are `shape[]`, `ndim`, `dtype` (a `DLDataType`), "
    "`itemsize`, `nbytes` and `code`.",
    keys=(
        Key("require", _ALLOCATE_REQUIREMENTS, "The ranks and dtypes that can be created, and other conditions."),
        Key("let", LET_WITH_ARRAYS, _LETS),
        _INIT,
        _CONSTRUCT,
        _of_call(OK_OF_MAKING, "it applies to that call"),
        _of_call(ERROR, "it applies to that call"),
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
    "The arguments that the library passes to the deleter, in order.",
    required=True,
    details=(
        "An argument is `data`, `user` or `object`, each a `void *`, or a C declaration.",
        "The last identifier of a declaration is one of these names, or any other name.",
    ),
)
_USER = Key("user", EXPRESSION, "The expression that finds `user` if it is not an argument, such as `view->internal`.")
_DELETER = Alternatives(
    (
        Option(_ARGUMENTS, "The arguments of the deleter, in order."),
        Option(
            Record(
                what="a deleter {order, user}",
                fields=DeleterFields,
                doc="The arguments of the deleter, and the expression for `user`.",
                keys=(_ORDER, _USER),
            ),
            "The arguments, and the expression for `user`.",
            tag="order",
        ),
    )
)
_ATTACH = Record(
    what="an attachment",
    fields=AttachFields,
    doc="A call that passes `user` and `deleter` to the library after the object is created; `self` is the object.",
    keys=(*ACTION.keys, _ORDER, _USER),
)
_DESTROY = Alternatives(
    (
        Option(Words((Word("none", "The object needs no cleanup."),)), "For structs that only refer to memory."),
        Option(STATEMENT, "Statements that free the object."),
    )
)
COPY = Words(
    (
        Word("never", "The array is refused."),
        Word(
            "allowed",
            "On the CPU, an array with another layout or alignment is copied. A read-only array is copied if "
            "`writable` is required. Other dtypes, ranks and extents are refused.",
        ),
        Word("always", "Each array is copied. Other dtypes, ranks and extents are refused."),
    )
)

IMPORT = Record(
    what="an import",
    fields=MakingFields,
    doc="Creates an object around the memory of a foreign array. In scope are `data`, `ndim`, `shape[]`, `strides[]` "
    "(in elements), `byte_strides[]`, `dtype` (a `DLDataType`), `itemsize`, `nbytes`, `readonly`, `device_id`, `code` "
    "and `device_code`. The arrays `shape`, `strides` and `byte_strides` are valid only until the object is created: "
    "the object must not store their addresses.",
    keys=(
        Key(
            "params",
            PARAMETERS,
            "Further keyword arguments of `from_dlpack`. They are the last arguments of the C function that imports.",
            details=(
                "A param with the C type of a class, such as `ctx *c`, takes an object of that class. The new object "
                "keeps it alive.",
                "A param that is any other address can be passed only from C. A call from Python uses the default of "
                "the param, and fails without a default.",
            ),
        ),
        Key("require", _REQUIREMENTS, "Requirements on the foreign array, beside those that follow from the slots."),
        Key("let", LET_WITH_ARRAYS, _LETS),
        Key(
            "set",
            MapOf(Form.MEMBER, EXPRESSION, "a mapping from members to C expressions"),
            "Creates the struct itself, initialised with zero, and sets these members. A value that does not fit its "
            "member is refused.",
            details=("A member with `axis` in its name is set once for each axis.",),
        ),
        _INIT,
        _CONSTRUCT,
        _of_call(OK_OF_MAKING, "it applies to that call"),
        _of_call(ERROR, "it applies to that call"),
        _UNDO,
        Key(
            "box",
            Single(Form.STORAGE),
            "The C type of the storage, if the object is only the first member of a larger struct.",
            default="the tensor's `type`",
            needs=Needs(("set", "init"), "an object from a call of the library has its own storage"),
        ),
        Key(
            "deleter",
            _DELETER,
            "The library takes a deleter for the memory, as an argument of the call or in a member. `deleter` and "
            "`user` are then in scope.",
            details=(
                "The C type of `user` converts only to `void *`, or to the type of `user` in `order`.",
                "The memory of the array stays alive until the library calls the deleter. The struct of a `set` or "
                "`init` can be freed earlier. If the library moves the content of the struct to another object, use "
                "`construct`.",
            ),
        ),
        Key("attach", _ATTACH, "A call that passes the deleter after the object is created."),
        Key(
            "detach",
            STATEMENT,
            "Statements that run before `destroy`, such as `self->data = NULL`; `self` is the object.",
        ),
        Key(
            "destroy",
            _DESTROY,
            "How the object is destroyed.",
            default="the `release` of the class; with `set`, nothing",
        ),
        Key("copy", COPY, "Whether an array that does not meet `require` is copied.", default="`never`"),
    ),
    one_of=("set", "init", "construct"),
    exclusive=(("deleter", "attach"),),
)
