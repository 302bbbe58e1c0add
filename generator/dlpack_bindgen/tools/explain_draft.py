"""What `explain` says about a draft: the lines that are guesses, and the questions that are open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.text.diagnostics import split_lines
from dlpack_bindgen.text.yaml import Loaded, Mapping, Node
from dlpack_bindgen.tools.explain_drawing import table, title, wrapped

_GUESS = re.compile(r"^(?P<code>[^#]*?)\s*# guess: (?P<reason>.*)$")
_COMMENT = re.compile(r"^\s*# (?P<text>.*)$")
_KEY = re.compile(r"^\s*(?:- \{?)?(?P<key>[\w.-]+):")
_MOST = 6
"""The number of names of a question that are shown."""


class Guess(Frozen):
    line: int
    """The line of the key, from 1 on."""
    key: str
    reason: str


def guesses(text: str) -> list[Guess]:
    """Returns the keys of a spec that `init` has marked as guesses, each with the reason. Keys in comments have no
    effect, and are left out."""
    return [*_guesses(split_lines(text))]


def _guesses(lines: Sequence[str]) -> Iterator[Guess]:
    for number, line in enumerate(lines):
        found = _GUESS.match(line)
        if found is None:
            continue
        reason, at = found["reason"], number
        if not found["code"].strip():  # the comment stands before the key
            at += 1
            while at < len(lines) and (more := _COMMENT.match(lines[at])) is not None:
                reason += f" {more['text']}"
                at += 1
        key = _KEY.match(lines[at]) if at < len(lines) else None
        if key is not None:
            yield Guess(at + 1, key["key"], reason)


def undecided(loaded: Loaded, spec: Spec, name: str | None) -> Iterator[str]:
    """Yields what is undecided in a spec, or in one of its classes, functions or members: `Image`, `Image.save`."""
    lines = range(1, 2**31) if name is None else _lines_of(loaded.root, name)
    found = [each for each in guesses(loaded.text) if each.line in lines]
    if found:
        yield from ["", *title("Guesses")]
        yield from wrapped("Names and comments of the header suggest these values. Check them.")
        yield from table([(f"line {each.line}, {each.key}", each.reason) for each in found])
    still_open = [(each.name, names) for each in spec.questions if (names := each.open_names)] if name is None else []
    if still_open:
        yield from ["", *title("Open questions")]
        yield from wrapped("The functions that they name are left out. docs/init.md tells how to answer.")
        yield from table([(question, _listed(names)) for question, names in still_open])


def _lines_of(root: Mapping | None, name: str) -> range:
    """Returns the lines of a class, a function, or a member of a class."""
    first, _, member = name.partition(".")
    for section in ("tensors", "handles", "functions"):
        found = _lines(root, (section, first))
        if found:
            inner = [
                each for part in ("methods", "properties", "") if (each := _lines(root, (section, first, part, member)))
            ]
            return inner[0] if member and inner else found
    return range(0)


def _lines(root: Mapping | None, path: Sequence[str]) -> range:
    """Returns the lines of the value at a path of keys."""
    node: Node | None = root
    start, end = 0, 2**31
    for name in filter(None, path):
        entries = node.entries if isinstance(node, Mapping) else ()
        index = next((number for number, (key, _) in enumerate(entries) if key.text == name), None)
        if index is None:
            return range(0)
        start, node = entries[index][0].span.line, entries[index][1]
        end = entries[index + 1][0].span.line if index + 1 < len(entries) else end
    return range(start, end)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return ", ".join(names[:_MOST]) + more
