"""The check of a proposed spec: what the generator or the compiler refuses becomes a comment, entry by entry."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.init.document import Document, document
from dlpack_bindgen.init.entries import Entry
from dlpack_bindgen.load.load import load
from dlpack_bindgen.render.clang_format import FormatterError
from dlpack_bindgen.render.render import OutputFile, render
from dlpack_bindgen.validate.validate import validate

Compile = Callable[[Sequence[OutputFile]], "str | None"]
"""Compiles generated files, and returns the messages of the compiler about errors, or None."""
FirstError = Callable[[str], str]
_FILE = "spec.yaml"
_NAME = re.compile(r"\w+")


def _mentioned(messages: str) -> set[str]:
    """Returns the names in the messages of a compiler, and their endings: `py_lib_f` mentions `lib_f` and `f`."""
    found: set[str] = set()
    for name in set(_NAME.findall(messages)):
        parts = name.split("_")
        found |= {"_".join(parts[index:]) for index in range(len(parts))}
    return found


def refusal(text: str, compile_: Compile, first_error: FirstError) -> str | None:
    """Returns the reason why the generator or the compiler refuses a spec, or None."""
    loaded = load(_FILE, text.encode())
    specs, problems = validate([loaded])
    for problem in (*loaded.diagnostics, *problems):
        return f"the generator refuses it: {problem.message}"
    try:
        messages = compile_(render(specs))
    except FormatterError as error:
        return f"the generator refuses it: {error}"
    return f"the compiler refuses it: {first_error(messages)}" if messages is not None else None


class AcceptanceError(Exception):
    """Raised if the lines of a spec that belong to no entry are refused. The message is one line."""


class Accepted(Frozen):
    document: Document
    refused: dict[Entry, str]
    is_empty: bool


class Acceptance:
    """Finds the entries of a spec that generate C, and C that compiles."""

    def __init__(
        self, head: Sequence[str], entries: Sequence[Entry], compile_: Compile, first_error: FirstError
    ) -> None:
        self._head = head
        self._entries = entries
        self._compile = compile_
        self._first_error = first_error
        self._refused = {entry: entry.doubt for entry in entries if entry.doubt}

    def run(self) -> Accepted:
        self._refuse_invalid()
        if self._accepted():
            self._refuse_uncompiled()
        accepted = self._accepted()
        return Accepted(self._document(accepted), self._refused, not accepted)

    def _accepted(self) -> list[Entry]:
        kept = [entry for entry in self._entries if entry not in self._refused]
        needed = {name for entry in kept for name in entry.needs}
        return [entry for entry in kept if not entry.is_rule or entry.key in needed]

    def _document(self, chosen: Sequence[Entry]) -> Document:
        """Returns the spec of some entries; the others are comments."""
        hidden = {entry: self._refused.get(entry, "") for entry in self._entries if entry not in chosen}
        return document(self._head, self._entries, hidden)

    def _refuse_dependents(self) -> None:
        """Refuses entries that refer to a refused class or enum, and the parts of a refused class."""
        found = True
        while found:
            accepted = self._accepted()
            defined = {entry.defines for entry in accepted}
            found = False
            for entry in accepted:
                missing = sorted((entry.needs | set(entry.place[1:2])) - defined)
                if missing:
                    self._refused[entry] = "" if missing[0] in entry.place else f"needs {missing[0]}"
                    found = True

    # ---- The checks of the generator ----

    def _refuse_invalid(self) -> None:
        while True:
            self._refuse_dependents()
            accepted = self._accepted()
            if not accepted:
                return
            found = self._document(accepted)
            loaded = load(_FILE, found.text.encode())
            _, problems = validate([loaded])
            before = len(self._refused)
            for problem in (*loaded.diagnostics, *problems):
                owner = found.owners[problem.span.line - 1]
                if owner is not None and owner not in self._refused:
                    self._refused[owner] = f"the generator refuses it: {problem.message}"
            if len(self._refused) == before:
                if problems:
                    raise AcceptanceError(f"the first lines of the spec are refused: {problems[0].message}")
                return

    # ---- The compiler ----

    def _refuse_uncompiled(self) -> None:
        messages = self._messages_of(self._accepted())
        if messages is None:
            return
        proposed = self._accepted()
        mentioned = _mentioned(messages)
        classes = [entry for entry in proposed if entry.is_class]
        constants = [entry for entry in proposed if entry.place == ("constants",)]
        others = [entry for entry in proposed if not (entry.is_class or entry.is_rule or entry in constants)]
        good: list[Entry] = []
        for group in (classes, constants, others):
            suspects = [entry for entry in group if entry.names & mentioned]
            self._try([entry for entry in group if entry not in suspects], good)
            self._try(suspects, good)
        self._refuse_dependents()

    def _try(self, group: Sequence[Entry], good: list[Entry]) -> None:
        """Adds those entries of the group to `good` with which it still compiles, and refuses the others."""
        group = [entry for entry in group if entry not in self._refused]
        if not group:
            return
        messages = self._messages_of([*good, *group])
        if messages is None:
            good += group
        elif len(group) == 1:
            self._refused[group[0]] = f"the compiler refuses it: {self._first_error(messages)}"
            self._refuse_dependents()
        else:
            half = len(group) // 2
            self._try(group[:half], good)
            self._try(group[half:], good)

    def _messages_of(self, chosen: Sequence[Entry]) -> str | None:
        rules = [entry for entry in self._accepted() if entry.is_rule]
        defined = {entry.defines for entry in (*chosen, *rules)}
        usable = [entry for entry in chosen if entry.needs | set(entry.place[1:2]) <= defined]
        if not usable:
            return None
        needed = {name for entry in usable for name in entry.needs}
        found = self._document([*usable, *(entry for entry in rules if entry.key in needed)])
        loaded = load(_FILE, found.text.encode())
        specs, problems = validate([loaded])
        if problems:
            return f"error: {problems[0].message}"
        try:
            return self._compile(render(specs))
        except FormatterError as error:
            return f"error: {error}"
