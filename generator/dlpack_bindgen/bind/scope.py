"""How the emitted functions of one class reach its object, its parameters and what it holds."""

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
    """That of its members."""
    return f"{STATIC}{prefix}_{snake(name)}_enum"


class Names(Frozen):
    """What the functions of a spec refer to."""

    prefix: str
    items: Mapping[str, Tensor | Handle]
    enums: Mapping[str, str]
    """Their names in the spec -> those of their tables."""
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
    """With parameters, held values, a clone or `pass: value` the object is a `struct NAME_state` in its owner, else the
    library's `T *` itself."""

    name: str
    """As Python says it, for comments and messages."""
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
        """The function of the class that does this for the runtime."""
        return f"{STATIC}{self.c_name}_{verb}"

    @property
    def self_parameter(self) -> str:
        return f"{self.type} self" if self.by_value else f"{self.type} *self"

    @property
    def null(self) -> str:
        """`self` where nothing is evaluated."""
        return f"(*({self.type} *)0)" if self.by_value else f"(({self.type} *)0)"

    def members(self) -> tuple[str, ...]:
        """Of the state."""
        return (
            f"{self.self_parameter};",
            *(f"{declaration(param.ctype, param.name)};" for param in self.params),
            *(f"{declaration(held.ctype, held.name)};" for held in self.hold),
        )

    def text(self, text: str) -> str:
        """C text of the spec as it stands in a function that has `locals`."""
        if not self.has_state:
            return text
        replacements = {held.name: f"state->{held.name}" for held in self.hold}
        if self.by_value:
            replacements["self"] = "state->self"
        return replace_names(text, replacements)

    def locals(
        self, texts: Sequence[str | None], state_used: bool = False, certain: Sequence[str | None] | None = None
    ) -> list[str]:
        """Declares what `texts` mention, in a function whose first parameter is `void *object`. The preprocessor may
        leave out all texts but the `certain` ones."""
        declared = self._declared(texts, state_used)
        used = declared if certain is None else self._declared(certain, state_used)
        unused = [f"(void){name};" for name in declared if name not in used]
        return [*declared.values(), *unused] if declared else ["(void)object;"]

    def _declared(self, texts: Sequence[str | None], state_used: bool) -> dict[str, str]:
        uses_self = mentions(texts, "self")
        if not self.has_state:
            return {"self": f"{self.type} *self = object;"} if uses_self else {}
        params = [param for param in self.params if mentions(texts, param.name)]
        if not (uses_self or params or state_used or any(mentions(texts, held.name) for held in self.hold)):
            return {}
        found = {"state": f"{self.state} *state = object;"}
        if uses_self and not self.by_value:
            found["self"] = f"{self.type} *self = state->self;"
        return found | {param.name: f"{constant(param.ctype, param.name)} = state->{param.name};" for param in params}

    def label(self, slot: str) -> str:
        """Names the slot at the end of its line: compilers show it with their errors."""
        return f" /* {self.name}.{slot} */"


def param_of(c_name: str, place: str, name: str) -> str:
    """What the object of an argument was made with, in C; its operand says DLB_PY_KEPT."""
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
    """Whether a value of this type is stored through a check: it may be an integer, and so may its value."""
    if "*" in ctype or value.startswith("{") or ctype.split()[0] in ("struct", "union", "static"):
        return False
    return not {"float", "double", "_Complex", "complex"}.intersection(ctype.split())


def unqualified(ctype: str) -> str:
    """For a variable that is assigned after its declaration."""
    return " ".join(word for word in ctype.split() if word != "const")


def function(head: str, lines: Iterable[str], strict: str | None = None) -> Function:
    return Function(head, tuple(placed for line in _joined(lines) for placed in _placed(line)), strict)


def _joined(lines: Iterable[str]) -> list[str]:
    """With one `#if` for neighbours under the same condition."""
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
    """The label stays on the line, even if that makes it somewhat long; on one that is far too long it goes before, and
    into what a condition begins."""
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
