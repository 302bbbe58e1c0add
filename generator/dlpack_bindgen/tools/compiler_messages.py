"""The messages of gcc and clang: errors with their places, and the notes below them."""

from __future__ import annotations

import re

from dlpack_bindgen.frozen import Frozen

_MESSAGE = re.compile(
    r"(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:(?P<column>\d+):)? "
    r"(?P<severity>(?:fatal )?error|warning|note): (?P<text>.*)"
)
_QUOTES = {ord("\u2018"): "'", ord("\u2019"): "'"}
_OPTION = re.compile(r" \[-W[^\]]*\]$")


class Place(Frozen):
    file: str
    line: int
    column: int


class Message(Frozen):
    """An error of a compiler, with the notes below it."""

    place: Place
    text: str
    """The text without its place, with plain quotes, and without the name of a warning."""
    is_fatal: bool = False
    notes: tuple[Message, ...] = ()


def messages_of(output: str) -> list[Message]:
    """Returns the errors in the output of gcc or clang, in their order."""
    found: list[Message] = []
    notes: list[Message] | None = None
    pending: Message | None = None

    def finish() -> None:
        if pending is not None:
            found.append(Message(pending.place, pending.text, pending.is_fatal, tuple(notes or ())))

    for line in output.splitlines():
        match = _MESSAGE.fullmatch(line)
        if match is None:
            continue
        place = Place(match["file"], int(match["line"]), int(match["column"] or 1))
        text = _OPTION.sub("", match["text"].translate(_QUOTES))
        message = Message(place, text, match["severity"] == "fatal error")
        if match["severity"] == "note":
            if notes is not None:
                notes.append(message)
            continue
        finish()
        pending, notes = (message, []) if "error" in match["severity"] else (None, None)
    finish()
    return found
