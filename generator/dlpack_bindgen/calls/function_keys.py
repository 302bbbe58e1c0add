"""The keys of functions that no feature declares, and the type of a property."""

from __future__ import annotations

from typing import Any

from dlpack_bindgen.calls.argument_kinds import ARGUMENT
from dlpack_bindgen.calls.result_kinds import RESULT
from dlpack_bindgen.language.keys import (
    DOC,
    IF,
    PARAMETER,
    Alternatives,
    Form,
    Key,
    ListOf,
    MapOf,
    Option,
    Single,
    flag,
)
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table
from dlpack_bindgen.tensor.steps import CHECKS

TYPE_OF_PROPERTY: Key[Leaf] = Key[Leaf](
    "type",
    Single(Form.VALUE),
    "The type of the value: `int`, `float`, `bool`, `complex`, `char`, `str`, an `enum` of `constants`, a tensor or a "
    "handle.",
    default="`int`",
    details=(
        "A tensor of the same C type shows an array in the struct: `get: self`. The attribute replaces the "
        "method of this tensor.",
        "For other tensors and handles, `get` is the address of their struct, such as `&self->matrix`. The "
        "struct must exist as long as that of the object. NULL becomes None.",
        "The value keeps the C object alive.",
    ),
)


# ---- The keys of functions that Python calls ----

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
            Option(ListOf(PARAMETER, "a list of parameters", least=1), "These parameters; Python has them at the end."),
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
KEYS: tuple[Key[Any], ...] = (
    C,
    MACRO,
    ARGS,
    REQUIRE,
    RETURNS,
    RELEASE_GIL,
    POSITIONAL_ONLY,
    KEYWORD_ONLY,
    NAME,
    DOC,
    IF,
)
