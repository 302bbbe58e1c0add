"""The interface between the checks and the package `advice`. The checks are complete without advice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from dlpack_bindgen.diagnostics import Diagnostic
from dlpack_bindgen.frozen import Frozen


class UnknownName(Frozen):
    """The facts about a name that is not among the known names of the spec."""

    name: str
    known: Collection[str]


class Mend(NamedTuple):
    """A corrected line. `shifts`: the column from which it differs from the file."""

    line: int
    text: str
    shifts: int | None


class Advisor:
    """Answers the questions that a mistake raises. This class answers none of them; `advice.advisor` guesses."""

    def advised(self, diagnostic: Diagnostic) -> Diagnostic:
        """Returns the diagnostic with a hint that is derived from its facts."""
        return diagnostic

    def meant_key(self, key: str, known: Sequence[str]) -> str | None:
        """Returns the known key that replaces the unknown `key`.

        The key is then not reported as missing, and the reader prefers an interpretation that has the key.
        """
        return None

    def mends(self, problems: Sequence[Diagnostic], lines: Sequence[str]) -> list[Mend] | None:
        """Returns corrections with which YAML can read the rest of the file; None if they are not clear."""
        return None


GetAdvisor = Callable[[], Advisor]
"""Returns the advisor. Only mistakes call it, so that other runs need not import `advice`."""
