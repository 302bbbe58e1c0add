"""YAML text of single values. Scalars of a spec are taken as written, so that only the syntax decides about quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

_PLAIN_START = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`]|[-?:](?=\S)")


def scalar(value: str, in_brackets: bool = True) -> str:
    """Returns a scalar, in quotes if YAML needs them. `in_brackets`: it stands in `[...]` or `{...}`."""
    plain = (
        _PLAIN_START.match(value) is not None
        and value == value.strip()
        and value.isprintable()
        and ": " not in value
        and " #" not in value
        and not value.endswith(":")
        and not (in_brackets and set(value) & set(",[]{}:\"'"))
    )
    if plain:
        return value
    if value.isprintable():
        return "'" + value.replace("'", "''") + "'" if '"' in value or "\\" in value else f'"{value}"'
    return '"' + re.sub(r"[^ !#-\[\]-~]", lambda found: f"\\U{ord(found[0]):08x}", value) + '"'


def flow_list(items: Iterable[str]) -> str:
    """Returns a list of scalars in brackets."""
    return "[" + ", ".join(map(scalar, items)) + "]"


def flow_map(entries: Mapping[str, str]) -> str:
    """Returns a mapping of scalars in braces."""
    listed = ", ".join(f"{scalar(key)}: {scalar(value)}" for key, value in entries.items())
    return f"{{{listed}}}"
