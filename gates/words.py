# SPDX-License-Identifier: MIT
"""Counts the private words that are left in names, comments and messages: `python gates/words.py [COMMIT]`.

A C or Python programmer cannot guess a private word; docs/glossary.md has the terms to use instead. The count is of
words, also of those that are a part of a name: `is_in_room` has one. Prints one row per word, and the sums.
"""

from __future__ import annotations

import collections
import re
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
FOLDERS = ("runtime", "generator", "templates", "docs")
# The words to look for. Except for `text`, which C source and YAML have as well, none of them should be left.
PRIVATE = """
apart bequeath bracket closely draft giver heir heirs home legacies lend lends lent obtain room rooms said settle
settled settles spare text texts trial trials turn unsettled usual
""".split()
NAMES = re.compile(r"[A-Za-z]+")


def files_of(commit: str, folder: str) -> list[str]:
    """Returns the paths of C, Python, templates and pages in a folder."""
    command = ["git", "ls-tree", "-r", "--name-only", commit, folder]
    paths = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True).stdout.split()
    return [path for path in paths if path.endswith((".c", ".h", ".py", ".j2", ".md"))]


def words_of(commit: str, path: str) -> collections.Counter[str]:
    """Returns how often each word stands in a file."""
    command = ["git", "show", f"{commit}:{path}"]
    text = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True).stdout
    return collections.Counter(word.lower() for word in NAMES.findall(text.replace("_", " ")))


def main() -> None:
    """Prints the counts of a commit, HEAD unless another one is named."""
    commit = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
    counts = {}
    for folder in FOLDERS:
        counts[folder] = sum((words_of(commit, path) for path in files_of(commit, folder)), collections.Counter[str]())
    print(f"{'word':12}", *(f"{folder:>10}" for folder in FOLDERS))
    for word in PRIVATE:
        row = [counts[folder][word] for folder in FOLDERS]
        if any(row):
            print(f"{word:12}", *(f"{count:10}" for count in row))
    sums = [sum(counts[folder][word] for word in PRIVATE) for folder in FOLDERS]
    print(f"{'all':12}", *(f"{count:10}" for count in sums))


if __name__ == "__main__":
    main()
