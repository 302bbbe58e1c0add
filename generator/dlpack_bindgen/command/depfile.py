"""The depfile: a rule for make and ninja with the files that `generate` depends on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dlpack_bindgen.command.streams import Failure
from dlpack_bindgen.resources import package, resource_folder


def depfile(targets: Sequence[str], specs: Sequence[str]) -> str:
    """Returns the rule, with an empty rule for each source. If a source is deleted (a spec, or a file of an older
    dlpack-bindgen), make then runs the command instead of stopping."""
    sources = [*specs, *(str(path) for path in _own_files())]
    rule = " ".join(map(_escaped, targets)) + ":" + "".join(f" \\\n  {_escaped(source)}" for source in sources)
    return rule + "\n" + "".join(f"\n{_escaped(source)}:\n" for source in sources)


def _own_files() -> list[Path]:
    """Returns the templates and the modules of the generator, because a new version of them may change the output."""
    return [*sorted(resource_folder("templates").glob("*.j2")), *sorted(package().rglob("*.py"))]


def _escaped(path: str) -> str:
    """Escapes a path as gcc does in its own depfiles. Both make and ninja understand that."""
    if "\n" in path:
        raise Failure(f"a depfile cannot name {path}, which has a line break")
    out = ""
    for index, char in enumerate(path):
        if char in " \t":
            # Backslashes are literal except before a blank.
            before = path[:index]
            out += "\\" * (len(before) - len(before.rstrip("\\")) + 1)
        out += {"$": "$$", "#": "\\#"}.get(char, char)
    return out
