"""Qualification of Python's built-in types in stubs of modules that redefine their names."""

from __future__ import annotations

import re

_BUILTINS = "bool bytes classmethod complex float int memoryview object property staticmethod str tuple type"
_ONE_OF = _BUILTINS.replace(" ", "|")
_DEFINED = re.compile(rf"^ *(?:def ({_ONE_OF})\b|({_ONE_OF}):)", re.MULTILINE)
"""A pattern of definitions that shadow a built-in name. Classes do not count: the name then means the class in the
stub."""
_USED = rf"(?:(?<=-> )|(?<=\| ))(?:{_ONE_OF})\b|(?<![\w.'\"])(?:{_ONE_OF})(?![\w(:=.'\"])"
"""A pattern of built-in names used as types. After `->` or `|`, a name is a type. Elsewhere it is a type unless a sign
of a parameter or definition follows."""


def qualified(stub: str) -> str:
    """Returns the stub with `builtins.int` in the place of `int` if the module defines an `int`; likewise for other
    types."""
    defined = {name for found in _DEFINED.findall(stub) for name in found if name}
    if not defined:
        return stub
    lines = []
    in_docstring = False
    for line in stub.split("\n"):
        is_code = not in_docstring and '"""' not in line
        in_docstring ^= line.count('"""') % 2 == 1
        lines.append(re.sub(_USED, lambda match: _full(match.group(), defined), line) if is_code else line)
    return "\n".join(lines).replace("\nimport ", "\nimport builtins\nimport ", 1)


def _full(name: str, defined: set[str]) -> str:
    return f"builtins.{name}" if name in defined else name
