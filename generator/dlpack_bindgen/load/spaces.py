"""Checks for invisible Unicode spaces, which YAML and C do not accept as spaces. They come from pasted text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from dlpack_bindgen.diagnostics import Diagnostic, Span, within
from dlpack_bindgen.load.nodes import Mapping, Node, Scalar
from dlpack_bindgen.load.nodes import Sequence as Items

_SPACE = re.compile("[\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000]")
_INDENTATION = re.compile(f"[ \t]*(?P<space>{_SPACE.pattern})")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_PROSE = ("doc", "message")
"""The keys whose values are prose."""
_MOST = 100

Report = Callable[[Diagnostic], None]


def plain(text: str) -> str:
    return _SPACE.sub(" ", text)


def in_lines(file: str, lines: Sequence[str], failed: int) -> list[Diagnostic]:
    """Returns diagnostics for spaces that prevent YAML from reading a file. These are in indentation, in the line of
    the failure (`failed`, from 0), or in the line before."""
    return list(_in_lines(file, lines, failed))[:_MOST]


def _in_lines(file: str, lines: Sequence[str], failed: int) -> Iterator[Diagnostic]:
    for number, line in enumerate(lines):
        found = _INDENTATION.match(line)
        start = found.start("space") if found else None
        if start is None and number in (failed - 1, failed) and (match := _SPACE.search(_COMMENT.sub("", line))):
            start = match.start()
        if start is not None:
            yield _problem(Span(file, number + 1, start + 1), line[start])


def replaced(node: Node, report: Report) -> Node:
    """Replaces such spaces by ASCII spaces in all values except prose, and reports each changed value."""
    if isinstance(node, Scalar):
        return _scalar(node, report)
    if isinstance(node, Items):
        return Items(tuple(replaced(item, report) for item in node.items), node.span, node.raw)
    if isinstance(node, Mapping):
        return Mapping(tuple(_entry(key, value, report) for key, value in node.entries), node.span, node.raw)
    return node


def _entry(key: Scalar, value: Node, report: Report) -> tuple[Scalar, Node]:
    is_prose = key.text in _PROSE and isinstance(value, Scalar)
    return _scalar(key, report), value if is_prose else replaced(value, report)


def _scalar(node: Scalar, report: Report) -> Scalar:
    match = _SPACE.search(node.text)
    if match is None:
        return node
    report(_problem(within(node.span, node.text, (match.start(), 1)), match.group()))
    return Scalar(plain(node.text).strip(), node.span, node.plain)


def _problem(span: Span, char: str) -> Diagnostic:
    import unicodedata  # only mistakes need it

    message = f"U+{ord(char):04X} ({unicodedata.name(char).lower()}) is not a space for YAML and C"
    return Diagnostic("control-character", span, message, "write a space, or nothing")
