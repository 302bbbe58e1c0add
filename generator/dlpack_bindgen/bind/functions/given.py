"""Parameters with a value from the spec. A silent conversion in C becomes a compile-time error."""

from __future__ import annotations

from collections.abc import Sequence

from dlpack_bindgen.bind.functions.ctypes import is_callback
from dlpack_bindgen.bind.functions.locals import Locals
from dlpack_bindgen.c.literals import fit, is_floating
from dlpack_bindgen.c.types import CType, declared, family, is_unknown
from dlpack_bindgen.spec.functions import Argument, Fixed, Number

STRICT_BEGIN, STRICT_END = "DLB_STRICT_BEGIN", "DLB_STRICT_END"


def given(argument: Argument, names: Locals, value: str, label: str) -> list[str]:
    """Declares the variable of a parameter. `label` identifies the spec in the line that a compiler shows."""
    variable = names[argument.name]
    is_bool = local_type(argument) == "bool"
    if is_floating(value) and value[-1] not in "fFlL" and argument.ctype == CType("float"):
        value += "f"
    line = f"{f'bool {variable}' if is_bool else declared(argument.ctype, variable)} = {names.text(value)};"
    return [STRICT_BEGIN, f"{line} /* {label} */", STRICT_END] if _is_checked(argument, value) else [line]


def joined(lines: Sequence[str]) -> list[str]:
    """Joins neighbouring strict sections into one."""
    found: list[str] = []
    for line in lines:
        if line == STRICT_BEGIN and found[-1:] == [STRICT_END]:
            found.pop()
        else:
            found.append(line)
    return found


def must_be_real(argument: Argument) -> bool:
    """Returns whether a type that only the header defines gets a value with a fraction."""
    kind, ctype = argument.kind, argument.ctype
    return isinstance(kind, Fixed) and ctype.depth == 0 and is_unknown(ctype) and is_floating(kind.value)


def local_type(argument: Argument) -> str:
    is_bool = isinstance(argument.kind, Number) and argument.kind.kind == "bool"
    return "bool" if is_bool else declared(argument.ctype, "").strip()


def _is_checked(argument: Argument, value: str) -> bool:
    """Returns whether only the compiler can check that a number fits. Enumerations have separate checks."""
    ctype = argument.ctype
    if ctype.depth or is_callback(ctype) or value.startswith("{") or not isinstance(argument.kind, Number | Fixed):
        return False
    kind = argument.kind.kind if isinstance(argument.kind, Number) else family(ctype.base)
    if kind is None and (not is_unknown(ctype) or is_floating(value)):
        return False
    return fit(value, ctype.base, kind) == "unknown"
