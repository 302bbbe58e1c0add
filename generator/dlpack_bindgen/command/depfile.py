"""What a build has to run `generate` again for, as a rule that make and ninja read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dlpack_bindgen.command.streams import Failure
from dlpack_bindgen.resources import package, resource_folder


def depfile(targets: Sequence[str], specs: Sequence[str]) -> str:
    """The rule, with an empty one for each source, so that one which is gone (a spec, or a file of an older
    dlpack-bindgen) makes make run the command instead of stopping."""
    sources = [*specs, *(str(path) for path in _own_files())]
    rule = " ".join(map(_escaped, targets)) + ":" + "".join(f" \\\n  {_escaped(source)}" for source in sources)
    return rule + "\n" + "".join(f"\n{_escaped(source)}:\n" for source in sources)


def _own_files() -> list[Path]:
    """The templates and the generator: a new version of either may write something else."""
    return [*sorted(resource_folder("templates").glob("*.j2")), *sorted(package().rglob("*.py"))]


def _escaped(path: str) -> str:
    """As gcc escapes in its own depfiles, which is what make and ninja both undo."""
    if "\n" in path:
        raise Failure(f"a depfile cannot name {path}, which has a line break")
    out = ""
    for index, char in enumerate(path):
        if char in " \t":
            # Backslashes mean themselves but before a blank.
            before = path[:index]
            out += "\\" * (len(before) - len(before.rstrip("\\")) + 1)
        out += {"$": "$$", "#": "\\#"}.get(char, char)
    return out
