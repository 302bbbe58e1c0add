"""The layout of a function that a template has printed: names of variables, sections of strict conversions, labels."""

from __future__ import annotations

from collections.abc import Iterable

from dlpack_bindgen.bind.binding import Call
from dlpack_bindgen.bind.functions.locals import Locals
from dlpack_bindgen.bind.scope import function


def labels_placed(body: str) -> str:
    """Returns the body with labels where compilers show them."""
    return "\n".join(function("", body.splitlines()).lines)


def laid_out(body: str, call: Call) -> str:
    """Returns the body with the final names of variables, with neighbouring strict sections joined, and with labels
    where compilers show them."""
    lines = _sections_joined(body.splitlines())
    return labels_placed("\n".join(Locals(call.names).resolved(call.head, lines)))


def _sections_joined(lines: Iterable[str]) -> list[str]:
    """Joins neighbouring sections of strict conversions."""
    found: list[str] = []
    for line in lines:
        if line == "DLB_STRICT_BEGIN" and found[-1:] == ["DLB_STRICT_END"]:
            found.pop()
        else:
            found.append(line)
    return found
