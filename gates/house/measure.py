# SPDX-License-Identifier: MIT
"""Measures how far a change and a value spread over the files of the generator.

    make house                                        files and lines of each package
    make house HOUSE='files A^..A'                    product files that a range of commits changes
    make house HOUSE='walk SPEC.yaml VALUE'           files that a value of a spec passes, and changes of file

A feature is easy to change if it stands in few files, and easy to follow if its values pass few files.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from types import FrameType

TOP = Path(__file__).resolve().parents[2]
PACKAGE = "generator/dlpack_bindgen/"
PRODUCT = (PACKAGE, "templates/", "runtime/")
IGNORED = "frozen.py"
"""The base class of all records: each value passes it."""
MOST_LETTERS, MOST_ITEMS, MOST_DEPTH = 400, 60, 2
"""Longer strings and lists are not searched for a value: they hold the whole spec."""


def package_of(file: str) -> str:
    """Returns the folder of the generator, `(top)` for a module beside these folders, or a folder of the product."""
    inside = file.removeprefix(PACKAGE)
    first, slash, _ = inside.partition("/")
    return first if slash else "(top)"


# ---- A change ----


def changed_files(span: str, tree: Path = TOP) -> list[tuple[str, str, str]]:
    """Returns added lines, removed lines and the name of each product file that a range of commits changes.

    An `__init__` is left out: nobody reads it.
    """
    command = ["git", "-C", str(tree), "diff", "--numstat", "-M", span, "--", *PRODUCT]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [line.split("\t") for line in lines]
    return [(added, removed, name) for added, removed, name in rows if not name.endswith("/__init__.py")]


def print_change(span: str) -> None:
    """Prints the product files that a range of commits changes, and their number in each package."""
    rows = changed_files(span)
    packages = Counter(package_of(name) for _, _, name in rows)
    for added, removed, name in rows:
        print(f"{added:>6} +{removed:>6} -  {name.removeprefix(PACKAGE)}")
    runtime = packages["runtime"]
    print(
        f"{len(rows)} product files: {len(rows) - runtime} of the generator and its templates, {runtime} of the runtime"
    )
    print(", ".join(f"{package} {count}" for package, count in packages.most_common()))


# ---- The path of a value ----


def strings_in(item: object, depth: int = 0) -> Iterator[str]:
    """Yields the strings of a value: itself, those of a short list, and the text of a record."""
    if isinstance(item, str):
        yield item
    elif depth < MOST_DEPTH and isinstance(item, list | tuple) and len(item) < MOST_ITEMS:
        for each in item:
            yield from strings_in(each, depth + 1)
    elif depth < MOST_DEPTH and hasattr(item, "__dict__"):
        for name in ("text", "message", "facts", "own"):
            if name in vars(item):
                yield from strings_in(vars(item)[name], depth + 1)


class Walk:
    """The path of a value: the calls of the generator whose arguments contain it."""

    def __init__(self, value: str) -> None:
        self.value = value
        self.files: list[str] = []
        """One entry for each change of file."""
        self.functions: set[tuple[str, str]] = set()

    def profile(self, frame: FrameType, event: str, _: object) -> None:
        """Records a call, for `sys.setprofile`."""
        code = frame.f_code
        _, inside, file = code.co_filename.rpartition(PACKAGE)
        if event != "call" or not inside or file == IGNORED:
            return
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        arguments = (frame.f_locals.get(name) for name in names)
        found = (text for argument in arguments for text in strings_in(argument) if len(text) < MOST_LETTERS)
        if any(self.value in text for text in found):
            self.functions.add((file, code.co_name))
            if self.files[-1:] != [file]:
                self.files.append(file)

    def without(self, package: str) -> list[str]:
        """Returns the changes of file if the files of a package do not count."""
        return [file for file, _ in groupby(each for each in self.files if package_of(each) != package)]


def path_of_value(spec: Path, value: str) -> Walk:
    """Generates the module of a spec, and records the calls with a value."""
    from dlpack_bindgen.cli import main as run

    path = Walk(value)
    with tempfile.TemporaryDirectory() as folder:
        sys.setprofile(path.profile)
        try:
            code = run(["generate", str(spec), "-o", folder])
        finally:
            sys.setprofile(None)
    if code != 0:
        sys.exit(code)
    return path


def print_path(spec: Path, value: str) -> None:
    """Prints the files that a value passes, with and without those of `text`."""
    path = path_of_value(spec, value)
    rest = path.without("text")
    print("\n".join(dict.fromkeys(path.files)))
    print(f"{value}: {len(set(path.files))} files, {len(path.files)} changes of file, {len(path.functions)} functions")
    print(f"without text: {len(set(rest))} files, {len(rest)} changes of file")


# ---- The size ----


def sizes(tree: Path = TOP) -> dict[str, Counter[str]]:
    """Returns the numbers of files, lines, empty lines and lines with imports of each package and of the templates."""
    packages: dict[str, Counter[str]] = {}
    for top, pattern in ((tree / PACKAGE, "*.py"), (tree / "templates", "*.j2")):
        for path in sorted(top.rglob(pattern)):
            lines = path.read_text(encoding="utf-8").splitlines()
            file = path.relative_to(tree).as_posix()
            counts = packages.setdefault("templates" if pattern == "*.j2" else package_of(file), Counter())
            counts["files"] += 1
            counts["lines"] += len(lines)
            counts["empty"] += sum(not line.strip() for line in lines)
            counts["imports"] += sum(line.startswith(("from ", "import ")) for line in lines)
    return packages


def print_sizes() -> None:
    """Prints the sizes, the largest package first, and their sum."""
    packages = sizes()
    total = sum(packages.values(), Counter())
    for package, counts in [*sorted(packages.items(), key=lambda item: -item[1]["lines"]), ("all", total)]:
        print(f"{package:12}" + "".join(f"{counts[name]:8} {name}" for name in ("files", "lines", "empty", "imports")))


def main() -> None:
    """Runs one of the three measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("size")
    commands.add_parser("files").add_argument("span", metavar="A..B")
    walk = commands.add_parser("walk")
    walk.add_argument("spec", type=Path)
    walk.add_argument("value")
    options = parser.parse_args()
    if options.command == "size":
        print_sizes()
    elif options.command == "files":
        print_change(options.span)
    else:
        print_path(options.spec, options.value)


if __name__ == "__main__":
    main()
