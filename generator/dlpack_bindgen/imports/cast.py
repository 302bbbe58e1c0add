"""`cast`: arrays of other dtypes are converted while they are copied."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.imports.part import Part
from dlpack_bindgen.language.kinds import Key
from dlpack_bindgen.language.requirements import CAST, COPY
from dlpack_bindgen.language.values import Fields, Leaf, text_of
from dlpack_bindgen.text.diagnostics import Diagnostic

COPY_OF_IMPORT = Key[Leaf]("copy", COPY, "Whether an array that does not meet `require` is copied.", default="`never`")
CAST_OF_IMPORT = Key[Leaf](
    "cast",
    CAST,
    "Whether an array of another dtype is converted. The object gets a converted copy. The words are those of "
    "`numpy.can_cast()`.",
    default="another dtype is refused",
    details=(
        "It needs `copy: allowed` or `copy: always`. `from_dlpack(x, copy=False)` converts nothing.",
        "A value that the new dtype cannot hold raises a ValueError.",
        "If the class has several dtypes, the first one to which the dtype can be converted is used.",
        "A function that takes an object of the class takes such an array, too, unless C writes to the object: "
        "nothing is converted back.",
    ),
    after="copy",
)


class CastPart(Part):
    keys = (CAST_OF_IMPORT,)

    def problems(self, making: Fields) -> Iterator[Diagnostic]:
        """Yields a `cast` beside which no array is copied."""
        shares = COPY_OF_IMPORT not in making or text_of(making[COPY_OF_IMPORT]) == "never"
        if making[CAST_OF_IMPORT] is not None and shares:
            message = "a converted array is a copy, and this import copies no arrays"
            hint = "add 'copy: allowed', or leave 'cast' out"
            yield Diagnostic("without-effect", making.place(CAST_OF_IMPORT), message, hint)
