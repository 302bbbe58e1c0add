"""Renaming of variables in emitted C that would hide a name of the spec."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from dlpack_bindgen.text.names import MARK

_TOKEN = re.compile(
    r"""(?P<skipped>/\*.*?\*/|^[ \t]*\#[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')"""
    r"|(?P<elsewhere>(?:(?:->|\.)\s*|\b(?:struct|union|enum)\s+)[A-Za-z_]\w*)"
    r"|(?P<name>\b[A-Za-z_]\w*)|(?P<sign>[(){};=])",
    re.DOTALL | re.MULTILINE,
)
"""A pattern of literals, comments, directives, members, tags, names, and signs. Members and tags have name spaces of
their own."""


def resolved(text: str, of_headers: Sequence[str], declared: Sequence[str]) -> str:
    """Returns a file in which no generated variable hides a name of the spec. Variables named like one of `of_headers`
    are renamed in all functions. Variables named like one of `declared` are renamed only in functions that use the
    spec's name. The spec's names bear the mark until then."""
    taken = {match.group().replace(MARK, "") for match in re.finditer(r"\b[A-Za-z_]\w*", text)}
    chosen = {}
    for name in (*of_headers, *declared):
        chosen[name] = f"{name}_"
        while chosen[name] in taken:
            chosen[name] += "_"
    pieces = []
    for part in _parts(text):
        here = [*of_headers, *(name for name in declared if f"{name}{MARK}" in part)]
        pieces.append(_renamed(part, {name: chosen[name] for name in here}) if here else part)
    return unmarked("".join(pieces))


def unmarked(text: str) -> str:
    """Removes the mark from the names of the spec."""
    return text.replace(MARK, "")


def _parts(text: str) -> Iterator[str]:
    """Splits a file after each function, declaration and definition."""
    start = depth = 0
    for match in _TOKEN.finditer(text):
        sign = match["sign"]
        depth += (sign == "{") - (sign == "}")
        if depth == 0 and sign in (";", "}"):
            yield text[start : match.end()]
            start = match.end()
    yield text[start:]


def _renamed(part: str, chosen: Mapping[str, str]) -> str:
    """Renames the parameters and variables of a function, or the parameters of pointers to functions. Members of
    structs and initialisers of tables keep their names."""
    pieces: list[str] = []
    end = depth = braces = 0
    closed = is_body = False
    for match in _TOKEN.finditer(part):
        sign, name = match["sign"], match["name"]
        if sign == "=" and not braces:
            break
        if sign == "{":
            is_body = is_body or (closed and not braces)
        braces += (sign == "{") - (sign == "}")
        depth += (sign == "(") - (sign == ")")
        if name in chosen and (is_body or depth > 0):
            pieces += [part[end : match.start()], chosen[name]]
            end = match.end()
        closed = sign == ")" or (closed and match["skipped"] is not None)
    return "".join([*pieces, part[end:]])
