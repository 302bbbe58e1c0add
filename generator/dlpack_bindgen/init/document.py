"""The text of a spec from its entries. An entry that is not accepted becomes a comment with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.init.entries import Entry, Place, wrapped

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
