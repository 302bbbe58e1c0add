"""What `init` proposes for a header: entries, and questions with their suggestions. Nothing is compiled."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dlpack_bindgen.spec.draft import Answer, Question
from dlpack_bindgen.tools.init.handles import with_handles
from dlpack_bindgen.tools.init.header import read
from dlpack_bindgen.tools.init.proposal import Proposal, proposal
from dlpack_bindgen.tools.init.questions import Answers

Given = Mapping[str, Mapping[str, str]]
"""Answers by questions and names: a word, or a word with its value, `count: n`. Several are separated by ` + `."""


class Draft:
    """A proposal by names."""

    def __init__(self, found: Proposal) -> None:
        self.head = "\n".join(found.head)
        self.entries = {
            ".".join((*each.place[1:2], each.key)): "\n".join(each.lines) for each in found.entries if not each.doubt
        }
        """The lines of the entries that are proposed, by `Class.name` or `name`."""
        self.doubts = {each.key: each.doubt for each in found.entries if each.doubt}
        """Why the other entries are comments."""
        self.asked = {each.name: {point.name: _text(point.suggestion) for point in each.points} for each in found.asked}
        """What is suggested, by questions and names; empty if nothing is."""
        self.reasons = {point.name: point.reason for each in found.asked for point in each.points if point.reason}

    @property
    def text(self) -> str:
        return "\n".join(self.entries.values())

    def questions_about(self, name: str) -> dict[str, str]:
        """Returns what is suggested about a function or a member, by the names of the questions."""
        return {question: names[name] for question, names in self.asked.items() if name in names}


def _text(answer: Answer | None) -> str:
    if answer is None:
        return ""
    return f"{answer.word}: {answer.value}" if answer.value else answer.word


def proposed(folder: Path, header: str, answers: Given | None = None, only: str | None = None) -> Draft:
    """Returns the proposal for a header with these declarations, after these answers."""
    path = folder / "lib.h"
    path.write_text(header)
    given = Answers([_question(name, names) for name, names in (answers or {}).items()])
    return Draft(proposal(with_handles(read(str(path), [])), only, (), "", given))


def _question(name: str, answers: Mapping[str, str]) -> Question:
    return Question(
        name, tuple(answers), {each: tuple(map(_answer, text.split(" + "))) for each, text in answers.items()}
    )


def _answer(text: str) -> Answer:
    word, _, value = text.partition(": ")
    return Answer(word, value)
