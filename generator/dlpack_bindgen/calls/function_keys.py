"""The keys of functions."""

from __future__ import annotations

from dlpack_bindgen.calls.features import KEYS
from dlpack_bindgen.calls.kinds import ARGUMENT
from dlpack_bindgen.calls.result_kinds import RESULT
from dlpack_bindgen.language.kinds import (
    EXPRESSION,
    PARAMETER,
    Alternatives,
    Form,
    Key,
    ListOf,
    MapOf,
    Option,
    Record,
    Single,
    flag,
    with_added,
)
from dlpack_bindgen.language.shared import DOC, IF
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table
from dlpack_bindgen.tensor.steps import CHECKS, STATEMENT, or_none

_TYPE_DOC = "`int`, `float`, `bool`, `complex`, `char`, `str`, an `enum` of `constants`, a tensor or a handle."


TYPE_OF_PROPERTY: Key[Leaf] = Key[Leaf](
    "type",
    Single(Form.VALUE),
    f"The type of the value: {_TYPE_DOC}",
    default="`int`",
    details=(
        "A tensor of the same C type shows an array in the struct: `get: self`. The attribute replaces the "
        "method of this tensor.",
        "For other tensors and handles, `get` is the address of their struct, such as `&self->matrix`. The "
        "struct must exist as long as that of the object. NULL becomes None.",
        "The value keeps the C object alive.",
    ),
)


# ---- The keys of functions that Python calls, and of their results ----

MAX_FUNCTIONS = 5000

_ARGUMENTS = MapOf(
    Form.OF_PROTOTYPE,
    Alternatives(
        (
            Option(Single(Form.KIND), "A class, an enum or a word, equal to `{of: ...}`."),
            Option(ARGUMENT, "The description of the parameter."),
        )
    ),
    "a mapping from parameters to descriptions",
)

# ---- Results ----

_RETURNS = Alternatives(
    (
        Option(
            Single(Form.KIND), "The type of the result; the caller owns an object. With `None`, Python gets nothing."
        ),
        Option(
            ListOf(PARAMETER, "a list of results", least=1, if_empty="to return nothing, write 'returns: None'"),
            "`result` and parameters; several form a tuple.",
        ),
        Option(RESULT, "The type of the result and its owner.", tag="of"),
    )
)
_RAISES = Alternatives(
    (
        Option(Single(Form.EXCEPTION), "The exception for every failure. An OSError gets its number from `errno`."),
        Option(
            MapOf(
                Form.KEY,
                Single(Form.EXCEPTION),
                "a mapping from results to exceptions",
                otherwise="for all other results, write the key '_'",
            ),
            "The exception for each result; `_` matches all other results.",
        ),
    )
)

C = Key[Leaf](
    "c",
    Single(Form.PROTOTYPE),
    "The C prototype. Python uses the names of its parameters.",
    required=True,
    details=(
        "If a pointer is `restrict`, its array must not overlap another argument in memory. An overlap is "
        "refused if the function writes to one of both arguments.",
    ),
)
MACRO = flag(
    "macro",
    "The header has a macro with parameters in the place of the function. The C compiler checks the call, and "
    "not the prototype: each argument has its type in `c`.",
    "The header declares the function with this prototype.",
    "Whether the function is a macro with parameters, such as `deflateInit` of zlib.",
)
ARGS = Key[Table]("args", _ARGUMENTS, "Descriptions of the parameters whose C type does not determine their meaning.")
REQUIRE = Key[Items](
    "require",
    CHECKS,
    "Conditions on the parameters, tested before the call. A failure is a ValueError.",
    details=(
        "A condition is tested as soon as all its values are known. Derived lengths and values that call a "
        "function or read an object are computed later.",
        "Values that C fills or returns are not known yet: test them with `ok`.",
        "Requirements on one array belong in `args`.",
    ),
)
RETURNS = Key[Leaf | Items | Fields](
    "returns",
    _RETURNS,
    "The values that Python gets; `None` for nothing.",
    default="the result, each `out` and each new output, but not the status that `ok` compares with `==`",
)
OK_OF_FUNCTION = Key[Leaf](
    "ok",
    or_none(Single(Form.OUTCOME)),
    "The success condition: the rest of a comparison (`'!= NULL'`), or an expression with `%` for the result. "
    "It can also test a parameter that C fills, and name the result beside it: `info == 0 && result > 0`.",
    default="a returned object is not NULL",
)
ERROR_OF_FUNCTION = Key[Leaf]("error", EXPRESSION, "The error message, a C expression of type `const char *`.")
RAISES = Key[Leaf | Table]("raises", _RAISES, "The exception that a failure raises.", default="`RuntimeError`")
ERRNO = Key[Leaf](
    "errno",
    EXPRESSION,
    "The number of an OSError, a C expression of type `int` such as `-result`. 0 stands for no number.",
    default="`errno`, if the function takes a `path` or a `file`, or `raises` maps a result to OSError; else 0",
    details=(
        "`errno: errno` takes the value that the call left in C's `errno`. This value is not always the cause "
        "of the failure: a library that polls leaves EAGAIN.",
    ),
)
UNDO = Key[Leaf](
    "undo", STATEMENT, "Statements that run if the result fails its test, after the error message is read."
)
FINALLY = Key[Leaf](
    "finally",
    STATEMENT,
    "Statements that run after the result is converted to a Python object, or after a failure: `free(result)`.",
    details=(
        "The statements run after every call that was made, even if the result is NULL. If the cleanup "
        "function does not accept NULL, write `if (result != NULL) mpfr_free_str(result)`.",
    ),
)
RELEASE_GIL = flag(
    "release_gil",
    "Other Python threads run. The call holds a reference to each foreign array.",
    "Other Python threads wait. The call only borrows foreign arrays.",
    "Whether the call releases the GIL.",
)
POSITIONAL_ONLY = Key[Leaf]("positional_only", PARAMETER, "The last parameter that Python cannot pass by name.")
KEYWORD_ONLY = Key[Leaf | Items](
    "keyword_only",
    Alternatives(
        (
            Option(PARAMETER, "The first of them; all later parameters follow it."),
            Option(
                ListOf(PARAMETER, "a list of parameters", least=1),
                "These parameters; Python has them at the end.",
            ),
        )
    ),
    "The parameters that Python passes only by name: one parameter and all after it, or a list.",
    details=(
        "With a single name, a required parameter after it can stay positional: if the named parameter is the "
        "first optional parameter.",
    ),
)
NAME = Key[Leaf](
    "name",
    Single(Form.FUNCTION),
    "The name in Python.",
    default="the key",
    details=(
        "Functions, or methods, of one name are called as one function. The arguments choose: their number, "
        "and the classes, dtypes, ranks and types of required arguments. Functions that the preprocessor "
        "chooses each have another `if`.",
    ),
)
_KEYS = (
    C,
    MACRO,
    ARGS,
    REQUIRE,
    RETURNS,
    OK_OF_FUNCTION,
    ERROR_OF_FUNCTION,
    RAISES,
    ERRNO,
    UNDO,
    FINALLY,
    RELEASE_GIL,
    POSITIONAL_ONLY,
    KEYWORD_ONLY,
    NAME,
    DOC,
    IF,
)
FUNCTION: Record = Record(
    what="a function",
    doc="A C function that Python calls. In its C code the parameters and `result` are in scope, and in a method also "
    "the `params` of its object.",
    keys=with_added(_KEYS, KEYS),
)
MAP_OF_FUNCTIONS: MapOf = MapOf(Form.FUNCTION, FUNCTION, "a mapping from names to functions", MAX_FUNCTIONS)
