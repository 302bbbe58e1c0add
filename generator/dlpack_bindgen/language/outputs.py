"""The key `outputs`: the library whose arrays Python gets."""

from __future__ import annotations

from dlpack_bindgen.language.kinds import PARAMETER, Alternatives, Key, Option, Word, Words

AS_GIVEN = "as given"
OWN_CLASS = "own class"

_WORDS = Words(
    (
        Word(AS_GIVEN, "The library of the first array among the arguments: NumPy arrays for NumPy arrays."),
        Word(OWN_CLASS, "Objects of the class that `arrays` names."),
    )
)

OUTPUTS_OF_MODULE = Key(
    "outputs",
    _WORDS,
    "The library of the arrays that functions create or return.",
    default=f"`{OWN_CLASS}`",
    details=(
        f"`{OWN_CLASS}` is also the result if no argument is an array, if the first array is an object of this module, "
        "and if the library cannot show the array. Lists and buffers are not arrays of a library.",
        "Objects of tensors and handles keep their class.",
        "A library without read-only arrays, such as PyTorch, gets a copy of read-only memory. "
        f"With `{OWN_CLASS}`, the function returns a read-only object without a copy.",
    ),
)

OUTPUTS_OF_FUNCTION = Key(
    "outputs",
    Alternatives(
        (
            Option(_WORDS, "A word."),
            Option(PARAMETER, "The library of this argument, if it is an array."),
        )
    ),
    "The library of the arrays that the function creates or returns.",
    default="the top-level `outputs`",
)
