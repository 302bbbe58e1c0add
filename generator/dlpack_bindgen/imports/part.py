"""Parts of `import` and `allocate`: keys with their rules. Their modules also construct the values and emit the C."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.language.kinds import Key
from dlpack_bindgen.language.requirements import ALLOCATE_REQUIREMENTS
from dlpack_bindgen.language.steps import PARAMETERS
from dlpack_bindgen.language.values import Fields, Items
from dlpack_bindgen.spec.spec import Allocate, Import
from dlpack_bindgen.text.diagnostics import Diagnostic

PARAMS_OF_MAKING = Key[Items](
    "params",
    PARAMETERS,
    "Further keyword arguments of `empty`.",
    details=(
        "A param with the C type of a class, such as `ctx *c`, takes an object of that class. The new "
        "object keeps it alive.",
        "A new output takes the values from the arguments of the call, as an array does for an `import`.",
    ),
)
REQUIRE_OF_MAKING = Key[Items](
    "require", ALLOCATE_REQUIREMENTS, "The ranks and dtypes that can be created, and other conditions."
)


class Part:
    keys: tuple[Key, ...]
    is_of_allocations = False
    """Whether `allocate` has the keys, too."""

    def problems(self, making: Fields) -> Iterator[Diagnostic]:
        """Yields the problems of the values of these keys, apart from their structure."""
        yield from ()

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        """Yields sentences about an object that has the keys. Further lines of a sentence are the items of a list."""
        yield from ()


NARROW = 'Declare an argument of type `int` in `let`, `{int n: "shape[0]"}`. A value that does not fit is then refused.'
