"""Access to the object, its parameters and its held values in the emitted functions of one class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text.fragments import constant, declaration, mentions, replace_names
from dlpack_bindgen.text.names import STATIC


class Declared(Protocol):
    """A variable of the spec: a parameter or a held value."""

    @property
    def ctype(self) -> str: ...

    @property
    def name(self) -> str: ...


class Variable(Frozen):
    """A variable of an emitted function."""

    declaration: str
    """The variable with its type, as C declares it."""
    value: str
    """The initial value, as a C expression."""
    label: str = ""


class Variables(Frozen):
    """The variables at the beginning of an emitted function."""

    declared: tuple[Variable, ...]
    unused: tuple[str, ...] = ()
    """Variables and parameters that the function perhaps does not use."""


class Scope(Frozen):
    """The C representation of the objects of a class.

    It is a `struct NAME_state` in the owner for classes with parameters, held values, a clone or `pass: value`.
    Otherwise it is the library's `T *` itself.
    """

    name: str
    """The name in Python, for comments and messages."""
    full_name: str
    c_name: str
    type: str
    by_value: bool
    params: tuple[Declared, ...]
    hold: tuple[Declared, ...]
    has_state: bool

    @property
    def state(self) -> str:
        return f"struct {self.c_name}_state"

    def hook(self, verb: str) -> str:
        """Returns the name of the function that the runtime calls for `verb`."""
        return f"{STATIC}{self.c_name}_{verb}"

    @property
    def self_parameter(self) -> str:
        return declaration(self.pointer, "self")

    @property
    def pointer(self) -> str:
        """Returns the type of `self`: a pointer, unless objects are passed by value."""
        return self.type if self.by_value else f"{self.type} *"

    @property
    def null(self) -> str:
        """Returns an expression of the type of `self` for unevaluated operands."""
        return f"(*({self.type} *)0)" if self.by_value else f"(({self.type} *)0)"

    @property
    def labelled_self(self) -> str:
        """Returns the parameter with its slot, for the first line of C that has the type."""
        return f"{self.self_parameter}{self.label('type')}"

    def members(self) -> tuple[str, ...]:
        """Returns the declarations of the members of the state."""
        return (self.labelled_self, *(declaration(each.ctype, each.name) for each in (*self.params, *self.hold)))

    def text(self, text: str) -> str:
        """Returns C source of the spec, adapted to a function that declares `variables`."""
        if not self.has_state:
            return text
        replacements = {held.name: f"state->{held.name}" for held in self.hold}
        if self.by_value:
            replacements["self"] = "state->self"
        return replace_names(text, replacements)

    def variables(
        self, fragments: Sequence[str | None], state_used: bool = False, certain: Sequence[str | None] | None = None
    ) -> Variables:
        """Returns the variables that the C code in `fragments` uses. The function gets a `void *object`.

        The preprocessor can leave out all strings except the `certain` ones.
        """
        declared = self._declared(fragments, state_used)
        used = declared if certain is None else self._declared(certain, state_used)
        unused = tuple(name for name in declared if name not in used) if declared else ("object",)
        return Variables(tuple(declared.values()), unused)

    def _declared(self, fragments: Sequence[str | None], state_used: bool) -> dict[str, Variable]:
        uses_self = mentions(fragments, "self")
        if not self.has_state:
            return {"self": Variable(f"{self.type} *self", "object")} if uses_self else {}
        params = [param for param in self.params if mentions(fragments, param.name)]
        if not (uses_self or params or state_used or any(mentions(fragments, held.name) for held in self.hold)):
            return {}
        found = {"state": Variable(f"{self.state} *state", "object")}
        if uses_self and not self.by_value:
            found["self"] = Variable(f"{self.type} *self", "state->self")
        return found | {
            param.name: Variable(constant(param.ctype, param.name), f"state->{param.name}") for param in params
        }

    def label(self, slot: str, advice: str = "") -> str:
        """Returns a comment with the slot for the end of a line. Compilers show it in their errors."""
        return f" /* {self.name}.{slot}{advice} */"
