"""The keys that describe the results of a function, whether C returns them or fills a parameter."""

from __future__ import annotations

from dlpack_bindgen.language.kinds import (
    PARAMETER,
    Alternatives,
    Form,
    Key,
    ListOf,
    Option,
    Single,
    Word,
    Words,
    flag,
)
from dlpack_bindgen.language.slots import EXPRESSION, MAX_RANK, RUN_TIME_RANK, RunTimeRankFields
from dlpack_bindgen.language.values import Attribute, Fields, Items, items, leaf


class ResultFields(Fields):
    """The result of a function, or an argument, which can be one, too."""

    of = leaf()
    borrow = leaf()
    owned = leaf()
    keeps = items()
    size = leaf()
    count = leaf()
    shape = Attribute[Items | RunTimeRankFields]()
    dtype = leaf()
    optional = leaf()


MOST_KEPT = 16
"""The value of `DLB_PY_MOST_KEPT` in the runtime."""

KEEPS = Key(
    "keeps",
    ListOf(PARAMETER, "a list of parameters", least=1, most=MOST_KEPT, lone=True),
    "The parameters that the returned object keeps alive. The caller owns the returned object.",
    details=(
        "Use it for the library behind its handles, or for a plan that stores the addresses of arrays.",
        "The kept objects and arrays are released after the returned object. Arrays become objects of the class that "
        "`arrays` names.",
    ),
)
SIZE = "The size of a `bytes` result, in bytes."
SIZE_DETAILS = (
    "The bytes are copied. NULL becomes `None`.",
    "If the caller owns the memory, free it in `finally`.",
    "An `out` parameter in the expression is not returned separately.",
    "Without `size`, an array that C fills is returned whole, such as `unsigned char digest[32]`.",
)
COUNT = Key(
    "count",
    Alternatives(
        (
            Option(Words((Word("none", "NULL ends the table, although C returns a number, too."),)), "A word."),
            Option(EXPRESSION, "The number of entries."),
        )
    ),
    "The number of entries in the C table of a `strings` result.",
    default="NULL ends the table; required if C also returns a number that may be the count",
    details=(
        "The strings are copied. A NULL entry becomes `None`.",
        "An `out` parameter in the expression is not returned separately.",
    ),
)
BORROW = (
    "The parameter whose object owns the returned object and is kept alive; `static` if the returned object is "
    "never freed."
)
OWNED = flag(
    "owned",
    "The caller owns the object although it is a `const T *`: its `release` frees it. Its data is read-only.",
    "The library owns the object; `borrow` names its owner.",
    "Whether the caller owns the returned object.",
    default="`true`, unless the type is `const T *`",
)

SHAPE = Key(
    "shape",
    Alternatives(
        (
            Option(ListOf(EXPRESSION, "a list of extents", least=1, most=MAX_RANK), "One expression per axis."),
            RUN_TIME_RANK,
        )
    ),
    "The extents of an `array` result.",
    details=(
        "The elements are copied, or shared in place with `borrow`.",
        "If the caller owns the copied memory, free it in `finally`.",
        "For a buffer whose capacity is in the prototype, `double roots[degree]`, `shape` has the extents of the used "
        "part at the beginning. By default the whole buffer is used.",
        "An `out` number in the expressions is not returned separately. An `out` address of extents, `const size_t "
        "**extents`, is not returned either. It can be NULL if the rank is 0.",
        "The array has the class that `arrays` names.",
    ),
)

DTYPE = Key(
    "dtype",
    Single(Form.DTYPE),
    "The dtype of an `array` result whose C type does not determine it.",
    default="the dtype of the C type",
    details=(
        "The key is required for `void *`, for a number type that only the headers define, and for structs that "
        "consist of numbers. An example is `{of: array, dtype: float32, shape: [n, 3]}` for `const vec3 *`.",
    ),
)
