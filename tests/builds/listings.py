"""The listings of a page: files, whose names stand above them, and commands."""

from __future__ import annotations

import re
from pathlib import Path

from support.build import TOP

FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`([\w.]+)`:\s*\Z")


def section(page: str, title: str) -> str:
    """Returns the text below a heading of `docs/PAGE.md`."""
    text = (TOP / "docs" / f"{page}.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def commands(page: str, title: str) -> list[str]:
    """Returns the shell listings of a section."""
    return [text for language, text in FENCE.findall(section(page, title)) if language == "sh"]


def write_files(page: str, title: str, folder: Path) -> None:
    """Writes the files of a section."""
    text = section(page, title)
    for fence in FENCE.finditer(text):
        name = FILE.search(text, 0, fence.start())
        if name is not None:
            (folder / name[1]).write_text(fence[2], encoding="utf-8")
