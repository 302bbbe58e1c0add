"""The text of a spec from its entries: the parts that the generator accepts or refuses one by one."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from dlpack_bindgen.frozen import Frozen

# ---- YAML text of single values ----
# Scalars of a spec are taken as written, so that only the syntax decides about quotes.

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


# ---- The entries of a spec: the parts that the generator accepts or refuses one by one ----

_WIDTH = 108
_COMMA = re.compile(r", (?=(?:[^\"']|\"[^\"]*\"|'[^']*')*$)")
"""A comma between the items of a list or mapping, outside of quotes."""
Place = tuple[str, ...]
"""The keys that lead to an entry: `("functions",)`, `("tensors", "Image", "methods")`."""


class Entry(Frozen):
    """A key of the spec with its lines. Entries are compared by identity, because a header can have thousands."""

    place: Place
    key: str
    lines: tuple[str, ...]
    """The lines in YAML, from the key on, without the indentation of the place."""
    needs: frozenset[str] = field(default=frozenset())
    """The names of classes and enums that the entry refers to."""
    names: frozenset[str] = field(default=frozenset())
    """The names of C by which the messages of a compiler mention the entry."""
    doubt: str = ""
    """The reason why the entry stays a comment; empty if it is proposed."""
    is_class: bool = False

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    def defines(self) -> str:
        """The name that other entries can need: of a class, a constant or a rule."""
        return self.key if self.is_class or self.place == ("constants",) or self.is_rule else ""

    @property
    def is_rule(self) -> bool:
        """Whether the entry is a rule about failures. A spec has it only if a function needs it."""
        return self.place == ("failures",)


def block(key: str, values: Sequence[tuple[str, str, str]], comments: Sequence[str] = ()) -> tuple[str, ...]:
    """Returns the lines of a mapping: the key, comments, and keys with their values and the reasons of guesses. A
    value of several lines is a mapping in YAML."""
    lines = [f"{key}:", *(f"  # {line}" for comment in comments for line in wrapped(comment))]
    for name, value, guess in values:
        line = f"  {name}: {value}"
        if "\n" in value:
            lines += [f"  # {part}" for part in wrapped(f"guess: {guess}")] if guess else []
            lines += [f"  {name}:", *(f"    {part}" for part in value.splitlines())]
            continue
        if len(line) > _WIDTH:
            lines += [f"  # {part}" for part in wrapped(f"guess: {guess}")] if guess else []
            lines += _split(name, value)
            continue
        beside = f"{line}  # guess: {guess}"
        if not guess or len(beside) <= _WIDTH:
            lines.append(beside if guess else line)
        else:
            lines += [*(f"  # {part}" for part in wrapped(f"guess: {guess}")), line]
    return tuple(lines)


def _split(name: str, value: str) -> list[str]:
    """Returns the lines of a long value: a prototype, or a list or mapping in brackets."""
    if value.startswith(("[", "{")):
        parts = _COMMA.split(value)
        lines = [f"  {name}: {parts[0]}"]
        for part in parts[1:]:
            if len(lines[-1]) + len(part) < _WIDTH - 2:
                lines[-1] += f", {part}"
            else:
                lines[-1] += ","
                lines.append(f"    {part}")
        return lines
    if value.startswith(("'", '"')):
        return [f"  {name}: {value}"]
    return [f"  {name}: >-", *(f"    {line}" for line in wrapped(value))]


def wrapped(comment: str) -> list[str]:
    """Returns the lines of a comment, without `#`. Lines of YAML in it, which begin with blanks, stay whole."""
    if comment.startswith(" "):
        return [comment]
    return textwrap.wrap(comment, _WIDTH, break_on_hyphens=False, break_long_words=False)


# ---- The text of a spec from its entries ----
# An entry that is not accepted becomes a comment with the reason.

SECTIONS = ("failures", "constants", "tensors", "handles", "functions")
_PARTS = ("new", "properties", "methods")


class Document(Frozen):
    text: str
    owners: tuple[Entry | None, ...]
    """The entry to which each line of the text belongs."""


class _Line(Frozen):
    text: str
    owner: Entry | None = None


def document(head: Sequence[str], entries: Sequence[Entry], refused: Mapping[Entry, str]) -> Document:
    """Returns the text of a spec: the lines of `head`, and the entries in the order of their sections. `refused` has
    the reason for each entry that must not count."""
    lines = [_Line(line) for line in head]
    for section in SECTIONS:
        lines += _section(section, [entry for entry in entries if entry.place[0] == section], refused)
    return Document("".join(f"{line.text}\n" for line in lines), tuple(line.owner for line in lines))


def _section(section: str, entries: Sequence[Entry], refused: Mapping[Entry, str]) -> Iterator[_Line]:
    if not entries:
        return
    top = [entry for entry in entries if len(entry.place) == 1]
    parts: dict[Place, list[Entry]] = {}
    for entry in entries:
        parts.setdefault(entry.place, []).append(entry)
    if section == "failures":
        for entry in top:
            yield from _entry(entry, 0, {}) if entry not in refused else ()
        return
    is_empty = all(entry in refused for entry in top)
    yield _Line("")
    yield _Line(f"# {section}:" if is_empty else f"{section}:")
    for entry in top:
        yield from _entry(entry, 2, refused)
        for part in _PARTS:
            yield from _part(part, parts.get((section, entry.key, part), ()), entry in refused, refused)


def _part(part: str, entries: Sequence[Entry], is_comment: bool, refused: Mapping[Entry, str]) -> Iterator[_Line]:
    """Returns the constructor, the properties or the methods of a class. `is_comment`: the class is a comment."""
    if not entries:
        return
    if part == "new":
        for entry in entries:
            yield from _entry(entry, 4, refused, 2 if is_comment else None)
        return
    commented = is_comment or all(entry in refused for entry in entries)
    yield _Line(f"  #   {part}:" if is_comment else f"    # {part}:" if commented else f"    {part}:")
    for entry in entries:
        yield from _entry(entry, 6, refused, 2 if is_comment else 4 if commented else None)


def _entry(
    entry: Entry, indent: int, refused: Mapping[Entry, str], comment_indent: int | None = None
) -> Iterator[_Line]:
    """Returns the lines of an entry. With a reason in `refused` they are comments at the place of the entry, or at
    `comment_indent` inside a larger comment."""
    reason = refused.get(entry)
    if reason is None and comment_indent is None:
        for line in entry.lines:
            yield _Line(" " * indent + line, entry)
        return
    at = indent if comment_indent is None else comment_indent
    blank = " " * (indent - at)
    if reason:
        for line in wrapped(reason):
            yield _Line(f"{' ' * at}# {blank}# {line}" if blank else f"{' ' * at}# {line}", entry)
    for line in entry.lines:
        yield _Line(f"{' ' * at}# {blank}{line}", entry)
