"""Parameters with a value from the spec. A silent conversion in C becomes a compile-time error."""

from __future__ import annotations

from dlpack_bindgen.arguments.scalars import initial_value, is_checked
from dlpack_bindgen.bind.functions.locals import Locals
from dlpack_bindgen.c.literals import is_floating
from dlpack_bindgen.c.types import declared, family, is_unknown
from dlpack_bindgen.spec.functions import Argument, Fixed

STRICT_BEGIN, STRICT_END = "DLB_STRICT_BEGIN", "DLB_STRICT_END"


def given(argument: Argument, names: Locals, value: str, label: str) -> list[str]:
    """Declares the variable of a parameter. `label` identifies the spec in the line that a compiler shows."""
    ctype = argument.ctype
    line = f"{declared(ctype, names[argument.name])} = {names.text(initial_value(ctype, value))};"
    is_strict = is_checked(ctype, family(ctype.base), value)
    return [STRICT_BEGIN, f"{line} /* {label} */", STRICT_END] if is_strict else [line]


def must_be_real(argument: Argument) -> bool:
    """Returns whether a type that only the header defines gets a value with a fraction."""
    kind, ctype = argument.kind, argument.ctype
    return isinstance(kind, Fixed) and ctype.depth == 0 and is_unknown(ctype) and is_floating(kind.value)
