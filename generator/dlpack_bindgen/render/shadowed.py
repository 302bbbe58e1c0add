"""Names of Python that a module uses for its own: in its stub they would be no types any more."""

from __future__ import annotations

import re

_BUILTINS = "bool bytes classmethod complex float int memoryview object property staticmethod str tuple type"
_ONE_OF = _BUILTINS.replace(" ", "|")
_DEFINED = re.compile(rf"^ *(?:def ({_ONE_OF})\b|({_ONE_OF}):)", re.MULTILINE)
"""Not by a class, whose own name it is then in its stub."""
_USED = rf"(?:(?<=-> )|(?<=\| ))(?:{_ONE_OF})\b|(?<![\w.'\"])(?:{_ONE_OF})(?![\w(:=.'\"])"
"""Behind a sign of its own it is a type; elsewhere unless something follows that parameters and definitions have."""


def qualified(stub: str) -> str:
    """The same with `builtins.int` where there is an `int` of the module."""
    defined = {name for found in _DEFINED.findall(stub) for name in found if name}
    if not defined:
        return stub
    lines = []
    in_text = False
    for line in stub.split("\n"):
        is_code = not in_text and '"""' not in line
        in_text ^= line.count('"""') % 2 == 1
        lines.append(re.sub(_USED, lambda match: _full(match.group(), defined), line) if is_code else line)
    return "\n".join(lines).replace("\nimport ", "\nimport builtins\nimport ", 1)


def _full(name: str, defined: set[str]) -> str:
    return f"builtins.{name}" if name in defined else name
