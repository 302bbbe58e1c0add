"""Elements of arrays and strings that C code of a function reads before the call. Python gives their lengths."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.spec.lengths import lengths
from dlpack_bindgen.text.expressions import Element, Reads, reads
from dlpack_bindgen.text.literals import integer_value


class Elements:
    def __init__(self, arguments: Sequence[Argument]) -> None:
        arrays = [argument for argument in arguments if argument.kind.has_elements]
        self._tensors = [argument.name for argument in arguments if argument.kind.is_dltensor]
        self._depths = {argument.name: max(1, len(argument.ctype.extents)) for argument in arrays}
        self._known = {argument.name: _least(argument) for argument in arrays}

    def reads(self, text: str) -> Reads:
        return reads(text, self._depths, self._tensors)

    def unknown(self, text: str) -> list[Element]:
        """Returns the elements that may lie outside their arrays."""
        return [each for each in self.reads(text).elements if not self._is_known(each)]

    def _is_known(self, element: Element) -> bool:
        index = integer_value(element.indices[0])
        return len(element.indices) == 1 and index is not None and 0 <= index < self._known[element.array]


def _least(argument: Argument) -> int:
    """Returns the guaranteed number of contiguous elements that the CPU can read."""
    kind = argument.kind
    if kind.least_elements is not None:
        return kind.least_elements
    if kind.optional or kind.require.devices != ("cpu",) or kind.require.dtypes:
        return 0
    shape, counts = lengths(argument)
    known = [integer_value(count) or 0 for count in (*counts, argument.ctype.length or "0")]
    return max(0, *known, prod(integer_value(extent) or 0 for extent in shape) if shape else 0)
