"""Access to the object, its parameters and its held values in the emitted functions of one class."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from dlpack_bindgen.bind.binding import LINE, LINE_END, Function
from dlpack_bindgen.c.fragments import constant, declaration, mentions, replace_names
from dlpack_bindgen.c.names import MARK, STATIC, snake
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.spec import Declaration, Handle, Let, Spec, Tensor

_LABELLED = re.compile(r"(?P<line>.*\S) (?P<label>/\* \S+ \*/)")
_CONDITION = re.compile(r"((?:} else )?if )\((.*)\) \{")
_WIDE, _FAR_TOO_WIDE = 88, 132


def enum_table(prefix: str, name: str) -> str:
    """Returns the name of the table of an enumeration's members."""
    return f"{STATIC}{prefix}_{snake(name)}_enum"


class Names(Frozen):
    """The classes and enumerations that functions of a spec refer to."""

    prefix: str
    items: Mapping[str, Tensor | Handle]
    enums: Mapping[str, str]
    """Names of enumerations in the spec, mapped to the names of their tables."""
    arrays: str | None
    """The class of arrays that functions make."""

    @staticmethod
    def of(spec: Spec) -> Names:
        items: list[Tensor | Handle] = [*spec.tensors, *spec.handles]
        return Names(
            spec.prefix,
            {item.name: item for item in items},
            {each.name: enum_table(spec.prefix, each.name) for each in spec.enums},
            spec.arrays,
        )

    def c_name(self, item: str) -> str:
        return f"{self.prefix}_{snake(item)}"


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
    params: tuple[Declaration, ...]
    hold: tuple[Let, ...]
    has_state: bool

    @property
    def state(self) -> str:
        return f"struct {self.c_name}_state"

    def hook(self, verb: str) -> str:
        """Returns the name of the function that the runtime calls for `verb`."""
        return f"{STATIC}{self.c_name}_{verb}"

    @property
    def self_parameter(self) -> str:
        return f"{self.type} self" if self.by_value else f"{self.type} *self"

    @property
    def null(self) -> str:
        """Returns an expression of the type of `self` for unevaluated operands."""
        return f"(*({self.type} *)0)" if self.by_value else f"(({self.type} *)0)"

    def members(self) -> tuple[str, ...]:
        """Returns the members of the state."""
        return (
            f"{self.self_parameter};",
            *(f"{declaration(param.ctype, param.name)};" for param in self.params),
            *(f"{declaration(held.ctype, held.name)};" for held in self.hold),
        )

    def text(self, text: str) -> str:
        """Returns C source of the spec, adapted to a function that declares `locals`."""
        if not self.has_state:
            return text
        replacements = {held.name: f"state->{held.name}" for held in self.hold}
        if self.by_value:
            replacements["self"] = "state->self"
        return replace_names(text, replacements)

    def locals(
        self, fragments: Sequence[str | None], state_used: bool = False, certain: Sequence[str | None] | None = None
    ) -> list[str]:
        """Declares the variables that the C code in `fragments` uses. The function gets a `void *object`.

        The preprocessor can leave out all strings except the `certain` ones.
        """
        declared = self._declared(fragments, state_used)
        used = declared if certain is None else self._declared(certain, state_used)
        unused = [f"(void){name};" for name in declared if name not in used]
        return [*declared.values(), *unused] if declared else ["(void)object;"]

    def _declared(self, fragments: Sequence[str | None], state_used: bool) -> dict[str, str]:
        uses_self = mentions(fragments, "self")
        if not self.has_state:
            return {"self": f"{self.type} *self = object;"} if uses_self else {}
        params = [param for param in self.params if mentions(fragments, param.name)]
        if not (uses_self or params or state_used or any(mentions(fragments, held.name) for held in self.hold)):
            return {}
        found = {"state": f"{self.state} *state = object;"}
        if uses_self and not self.by_value:
            found["self"] = f"{self.type} *self = state->self;"
        return found | {param.name: f"{constant(param.ctype, param.name)} = state->{param.name};" for param in params}

    def label(self, slot: str) -> str:
        """Returns a comment with the slot for the end of a line. Compilers show it in their errors."""
        return f" /* {self.name}.{slot} */"


def param_of(c_name: str, place: str, name: str) -> str:
    """Returns the C expression of a param of an argument. The operand needs the flag DLB_PY_KEPT."""
    return f"((const struct {c_name}_state *)dlb_py_state_of(&{place}))->{name}"


def scope_of(module: str, c_name: str, item: Tensor | Handle) -> Scope:
    hold = item.hold if isinstance(item, Tensor) else ()
    return Scope(
        name=item.name,
        full_name=f"{module}.{item.name}",
        c_name=c_name,
        type=item.type,
        by_value=item.by_value,
        params=item.params,
        hold=hold,
        has_state=bool(item.params or hold or item.by_value or item.clone is not None),
    )


def checked(ctype: str, value: str) -> bool:
    """Returns whether a value is stored through a check. This holds if both type and value can be integers."""
    if "*" in ctype or value.startswith("{") or ctype.split()[0] in ("struct", "union", "static"):
        return False
    return not {"float", "double", "_Complex", "complex"}.intersection(ctype.split())


def unqualified(ctype: str) -> str:
    """Returns the type for a variable that is assigned after its declaration."""
    return " ".join(word for word in ctype.split() if word != "const")


def function(head: str, lines: Iterable[str], strict: str | None = None) -> Function:
    return Function(head, tuple(placed for line in _joined(lines) for placed in _placed(line)), strict)


def _joined(lines: Iterable[str]) -> list[str]:
    """Merges neighbouring `#if` blocks with equal conditions."""
    found: list[str] = []
    opened = ""
    for line in lines:
        if line.startswith("#if") and line == opened and found[-1] == "#endif":
            found.pop()
            continue
        if line.startswith("#") and line != "#endif":
            opened = line
        found.append(line)
    return found


def _placed(line: str) -> list[str]:
    """Returns the line with its label, also if it is slightly too long.

    For much longer lines the label precedes the line. In the block of a condition, it becomes the first line.
    """
    match = _LABELLED.fullmatch(line)
    width = len(line.replace(MARK, ""))
    if match is None or width <= _WIDE:
        return [line]
    text, label = match["line"], match["label"]
    condition = _CONDITION.fullmatch(text)
    if width > _FAR_TOO_WIDE or text.endswith("}"):
        return [text, label] if condition is not None else [label, text]
    if condition is None:
        return [f"{LINE}({text} {label} {LINE_END});"]
    return [f"{condition[1]}({LINE}({condition[2]} {label} {LINE_END})) {{"]
