"""Hints for YAML that has another meaning than its author expects, and corrections with which the rest can be read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dlpack_bindgen.text import yaml
from dlpack_bindgen.text.diagnostics import Diagnostic, Mend, shown
from dlpack_bindgen.text.yaml import quoted
from dlpack_bindgen.text.yaml_errors import FENCE, NoSpace, Unquoted


def quote_hint(text: str) -> str:
    return f"quote it: {quoted(shown(text))}"


def quoted_string(text: str) -> str:
    """Returns a string of C as a value of YAML, with both quotes."""
    escaped = shown(text).replace("\\", "\\\\").replace('"', '\\"')
    return quoted(f'"{escaped}"')


def unquoted_hint(value: Unquoted) -> str:
    is_message = value.of_key == "error" and re.match(r"[\w' ]+(?:[:?!#,]|$)", value.text)
    hint = f"quote it: {quoted_string(value.text)}" if is_message else quote_hint(value.text)
    if value.key is not None:
        missing = "a ',' is missing before it" if value.in_flow else "it begins a new line"
        return f"if '{value.key}' is a key, {missing}; else {hint}"
    return f"{hint}; a comment begins with '# '" if value.is_prose else hint


def no_space_hint(line: NoSpace) -> str:
    return f"write {line.key}: {shown(line.value)}"


def mend(problems: Sequence[Diagnostic], lines: Sequence[str]) -> list[Mend] | None:
    """Returns the corrections of several mistakes; None if one of the corrections is not clear."""
    mends = [_mend(problem, problem.span.line - 1, lines) for problem in problems]
    found = [each for each in mends if each is not None]
    return found if len(found) == len(mends) else None


def _mend(problem: Diagnostic, number: int, lines: Sequence[str]) -> Mend | None:
    line, start = lines[number], problem.span.column - 1
    raw = line[start : start + problem.span.length]
    if problem.code == "control-character":
        return Mend(number, yaml.plain(line), None)
    if problem.code == "yaml-tab":
        # One space for each tab gives valid indentation, unless other lines are indented with spaces.
        if not line[:start].strip() and any(each.startswith(" ") and each.strip() for each in lines):
            return None
        return Mend(number, line.replace("\t", " "), None)
    if problem.code == "yaml-reserved" and line.startswith(FENCE):
        return Mend(number, "", None)
    facts = problem.facts
    if isinstance(facts, Unquoted) and facts.key is None and facts.text == raw == shown(raw):
        return Mend(number, line[:start] + quoted(raw) + line[start + len(raw) :], start)
    if isinstance(facts, NoSpace):
        return Mend(number, f"{line[: facts.column]} {line[facts.column :]}", facts.column)
    return None
