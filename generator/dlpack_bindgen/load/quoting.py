"""Spelling of strings as scalars of YAML."""

from __future__ import annotations

import re

_FLOW_SIGNS = re.compile(r"[,\[\]{}#:]|^[*&!%@`|>'\"]|^[-?](?: |$)")


def quoted(text: str) -> str:
    """Returns `text` as a quoted YAML scalar."""
    if "'" in text and not re.search(r'["\\]', text):
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def list_in_flow(items: list[str]) -> str:
    return f"[{', '.join(map(in_flow, items))}]"


def in_flow(text: str) -> str:
    """Returns the string as a YAML scalar within `[...]` or `{...}`, quoted where necessary."""
    return quoted(text) if not text or _FLOW_SIGNS.search(text) else text
