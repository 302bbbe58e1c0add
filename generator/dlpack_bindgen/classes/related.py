"""Classes with one C type: methods that convert between them, and params that a part inherits."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.classes.class_docs import params
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tensor.item import Declaration, Handle, Item, Tensor
from dlpack_bindgen.tensor.params import stub_parameters, text_signature
from dlpack_bindgen.text.literals import c_strings
from dlpack_bindgen.text.names import snake
from dlpack_bindgen.text.types import is_address, plain_type

_FEW = 16
"""The largest number of classes of one C type that all convert to each other.

The number of methods grows with the square.
"""


class View(Frozen):
    """A method that returns the same object as an instance of another class."""

    of: Tensor
    c_name: str
    """C name of that class."""
    parts: str
    """C expression of the table of parts that contains the object, or NULL."""
    inherited: Sequence[str]
    """The params that the view gets from the object."""
    condition: str | None
    """The `#if` condition of that class, if it differs from the condition of this class."""

    @property
    def method(self) -> str:
        return snake(self.of.name)

    @property
    def asked(self) -> list[Declaration]:
        """Returns the params that Python passes or leaves at their defaults."""
        return [param for param in self.of.params if param.name not in self.inherited]

    @property
    def stub(self) -> str:
        return stub_parameters(self.asked)

    @property
    def doc(self) -> str:
        """Returns the docstring, as a C string literal."""
        same = f", with the same {params(self.inherited)}" if self.inherited else ""
        shown = f"{self.method}($self, /{text_signature(self.asked)})"
        return c_strings(f"{shown}\n--\n\nThis object, seen as {self.of.name}{same}.")

    @property
    def is_in_stub(self) -> bool:
        """Returns whether a stub can define the name: a keyword of Python is not possible there."""
        return not keyword.iskeyword(self.method)


class RelatedClasses:
    def __init__(self, items: Sequence[Item], functions: Iterable[Call]) -> None:
        self._families: dict[tuple[str, bool], list[Item]] = {}
        for item in items:
            self._families.setdefault((item.type, item.by_value), []).append(item)
        self._objects = {item.type for item in items if item.by_value}
        self._reported = set(_reported(functions))
        parts = {part.of for item in items for part in item.parts}
        self._params = {item.name: _types(item, item.name in parts) for item in items}
        """C types of the params of each class, by name.

        The index of a part is omitted, because it differs for each part.
        """

    def shares(self, item: Item) -> bool:
        return len(self._family(item)) > 1

    def shared(self, item: Item) -> Mapping[str, str]:
        """Returns the params that another class of the C type has too, with their types."""
        others = [each for each in self._family(item) if each is not item]
        own = self._params[item.name].items()
        return {
            name: ctype for name, ctype in own if any(self._params[each.name].get(name) == ctype for each in others)
        }

    def inherited(self, whole: Item, part: Tensor) -> list[str]:
        """Returns the params that `part` inherits from `whole`."""
        known = self._params[whole.name]
        return [name for name, ctype in self._params[part.name].items() if known.get(name) == ctype]

    def methods(self, whole: Item) -> list[Tensor]:
        """Returns the tensors that an object can be converted to."""
        family = self._family(whole)
        others = [each for each in family if each is not whole and isinstance(each, Tensor)]
        found = [each for each in others if self._can_be_seen(whole, each)]
        if isinstance(whole, Handle) or len(family) <= _FEW:
            return found
        chosen = [each for each in found if len(self.inherited(whole, each)) < len(each.params)]
        return chosen if len(chosen) <= _FEW else []

    def _family(self, item: Item) -> list[Item]:
        return self._families[item.type, item.by_value]

    def _can_be_seen(self, whole: Item, part: Tensor) -> bool:
        """Returns whether an object of `whole` can be exposed as `part`.

        Python cannot pass addresses, or values such as sizes that only a function reports. A part can inherit
        references, and all params of a handle. It cannot inherit the reported size of another array.
        """
        inherited = self.inherited(whole, part)
        for param in part.params:
            reported = (part.name, param.name) in self._reported and param.name in self._params[part.name]
            if param.name in inherited:
                if reported and isinstance(whole, Tensor) and not self._refers(param):
                    return False
            elif reported or (param.value is None and self._cannot_be_given(param)):
                return False
        return True

    def _refers(self, param: Declaration) -> bool:
        return "*" in param.ctype or plain_type(param.ctype) in self._objects

    def _cannot_be_given(self, param: Declaration) -> bool:
        ctype = plain_type(param.ctype)
        return is_address(ctype) or ctype in self._objects or ctype.startswith(("struct ", "union "))


def _types(item: Item, is_part: bool) -> dict[str, str]:
    return {param.name: plain_type(param.ctype) for param in item.params[int(is_part) :]}


def _reported(functions: Iterable[Call]) -> Iterator[tuple[str, str]]:
    """Yields classes and params whose values are reported by the functions that return them."""
    for function in functions:
        arguments = {argument.name: argument.kind.returned for argument in function.arguments}
        for bound in function.params:
            made = function.result if bound.returned == "result" else arguments[bound.returned]
            assert made is not None
            yield made.of or "", bound.param.name
