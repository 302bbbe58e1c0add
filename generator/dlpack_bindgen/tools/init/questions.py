"""The questions of a draft: what a header does not tell about its functions, with what names and comments suggest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.draft import DOUBTFUL, KINDS, NEW, REST, Answer, Kind, Question, kind_of
from dlpack_bindgen.text.yaml import flow_list, flow_map, scalar

_WIDTH = 108
ACCEPTED = "accepted unread"
"""The comment beside an answer that `init --accept` has copied."""


class Point(Frozen):
    """One question about one function, or about one member of a struct."""

    question: str
    name: str
    """The function or the member."""
    suggestion: Answer | None = None
    reason: str = ""
    """Why it is suggested."""


class Answers:
    """The answers of a spec, by the kinds of their questions and by names."""

    def __init__(self, questions: Sequence[Question] = ()) -> None:
        self._given: dict[tuple[str, str], tuple[Answer, ...]] = {}
        for question in questions:
            for name, answers in question.answers.items():
                self._given[_plain(question.name), name] = answers

    def with_points(self, points: Sequence[Point]) -> Answers:
        """Returns these answers, and what is suggested in the points as further ones."""
        found = Answers()
        found._given = dict(self._given)
        for point in points:
            if point.suggestion is not None:
                found._given.setdefault((_plain(point.question), point.name), (point.suggestion,))
        return found

    def of(self, question: str, name: str) -> tuple[Answer, ...]:
        """Returns the answers about a function; nothing if the question is open. A question with a doubtful name and
        one without are the same: words can be added to the vocabulary."""
        return self._given.get((_plain(question), name), ())

    def about(self, question: str) -> dict[str, Answer]:
        """Returns the answers to a question by the names in it."""
        return {name: answers[0] for (asked, name), answers in self._given.items() if asked == _plain(question)}


def _plain(question: str) -> str:
    return question.removesuffix(NEW).removesuffix(DOUBTFUL)


class Asked(Frozen):
    """A question with all its points."""

    name: str
    points: tuple[Point, ...]
    opens: int = 0
    """The number of functions for which this is the only open question."""

    @property
    def is_about_functions(self) -> bool:
        return not self.kind.by_member

    @property
    def kind(self) -> Kind:
        found = kind_of(self.name)
        assert found is not None, self.name
        return found


def grouped(points: Sequence[Sequence[Point]]) -> tuple[Asked, ...]:
    """Returns the questions about all functions. `points` has the open points of each function. The question that opens
    most functions comes first."""
    found: dict[str, list[Point]] = {}
    opens: dict[str, int] = {}
    for several in points:
        for point in dict.fromkeys(several):
            found.setdefault(point.question, []).append(point)
        if len({point.question for point in several}) == 1:
            opens[several[0].question] = opens.get(several[0].question, 0) + 1
    asked = [Asked(name, tuple(each), opens.get(name, 0)) for name, each in found.items()]
    return tuple(sorted(asked, key=lambda each: (-each.opens, _rank(each), each.name)))


def _rank(asked: Asked) -> int:
    return [kind.name for kind in KINDS].index(asked.kind.name)


class HasQuestions(Protocol):
    @property
    def asked(self) -> tuple[Asked, ...]: ...


P = TypeVar("P", bound=HasQuestions)
_ROUNDS = 5
"""The number of proposals that accept what the one before has suggested. An answer can raise further questions."""


class Accepting(Generic[P]):
    """Makes proposals, and can accept what they suggest."""

    def __init__(self, propose: Callable[[Answers], P]) -> None:
        self._propose = propose

    def run(self, accept: bool) -> tuple[P, tuple[Asked, ...]]:
        """Returns the proposal and its questions. `accept`: with the suggestions as the answers."""
        answers = Answers()
        proposed = self._propose(answers)
        points: dict[tuple[str, str], Point] = {}
        for _ in range(_ROUNDS if accept else 0):
            new = [
                point
                for asked in proposed.asked
                for point in asked.points
                if (point.question, point.name) not in points
            ]
            points |= {(point.question, point.name): point for point in new}
            if not any(point.suggestion for point in new):
                break
            answers = answers.with_points(new)
            proposed = self._propose(answers)
        if not accept:
            return proposed, proposed.asked
        return proposed, grouped([[point] for point in points.values()])


# ---- The text of the key `draft` ----


def draft_lines(asked: Sequence[Asked], accept: bool = False) -> Iterator[str]:
    """Yields the lines of the key `draft`. `accept`: what is suggested becomes the answer."""
    if asked:
        yield "draft:"
    for each in asked:
        yield from (f"  {line}" for line in question_lines(each, accept))


def question_lines(asked: Asked, accept: bool = False) -> Iterator[str]:
    """Yields the lines of one question, from its name on."""
    words = ", ".join(f"{{{word.name}: ...}}" if word.has_value else word.name for word in asked.kind.words)
    count = f"opens {asked.opens}; " if asked.opens else ""
    yield f"{scalar(asked.name)}:  # {count}the words are: {words}"
    names = [point.name for point in asked.points]
    yield from _filled("  about: ", names)
    suggested = suggested_text(asked.points)
    if suggested:
        reasons = list(dict.fromkeys(point.reason for point in asked.points if point.reason and point.suggestion))
        yield from _commented("  ", reasons)
        yield from _wrapped_map("  suggested: ", suggested)
    answer = suggested if accept else ""
    lines = list(_wrapped_map("  answer: ", answer)) if answer else ["  answer:"]
    yield from [f"  # {ACCEPTED}", *lines] if answer else lines


def _filled(start: str, names: Sequence[str]) -> Iterator[str]:
    """Yields a list in brackets, over as many lines as it needs."""
    line = f"{start}["
    for index, name in enumerate(names):
        piece = f"{scalar(name)}{']' if index == len(names) - 1 else ','}"
        if len(line) + len(piece) + 1 > _WIDTH and not line.endswith("["):
            yield line.rstrip()
            line = " " * (len(start) - len(start.lstrip()) + 2)
        line += piece if line.endswith(("[", "  ")) and not line.endswith("] ") else f" {piece}"
    yield line


def _wrapped_map(start: str, text: str) -> Iterator[str]:
    """Yields a value in braces, over as many lines as it needs."""
    words = re.split(r"(?<=,) ", text)
    line = start
    for word in words:
        if len(line) + len(word) + 1 > _WIDTH and line.strip() != start.strip():
            yield line.rstrip()
            line = " " * (len(start) - len(start.lstrip()) + 2)
        line += word if line == start or not line.strip() else f" {word}"
    yield line


def _commented(indent: str, reasons: Sequence[str]) -> Iterator[str]:
    """Yields at most a few reasons, each a comment of one line."""
    for reason in reasons[:_MOST_REASONS]:
        text = f"{indent}# {reason}"
        yield text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3]}..."
    if len(reasons) > _MOST_REASONS:
        yield f"{indent}# and {len(reasons) - _MOST_REASONS} more sentences of this kind"


_MOST_REASONS = 6


def suggested_text(points: Sequence[Point]) -> str:
    """Returns what is suggested, as the value of an answer in YAML; empty if nothing is."""
    kind = kind_of(points[0].question)
    if kind is not None and kind.by_member:
        return flow_map({each.name: each.suggestion.value for each in points if each.suggestion is not None})
    names: dict[Answer, list[str]] = {}
    for point in points:
        if point.suggestion is not None:
            names.setdefault(point.suggestion, []).append(point.name)
    if not names:
        return ""
    complete = all(point.suggestion is not None for point in points)
    most = max(names, key=lambda each: len(names[each]))
    if complete and len(names) == 1:
        return flow_map({most.word: most.value}) if most.value else scalar(most.word)
    by_word: dict[str, dict[str, str]] = {}
    for answer, several in names.items():
        chosen = REST if complete and answer == most else several[0] if len(several) == 1 else flow_list(several)
        by_word.setdefault(answer.word, {})[answer.value] = chosen
    return _braces({word: values.get("") or _braces(values) for word, values in by_word.items()})


def _braces(values: Mapping[str, str]) -> str:
    """Returns a mapping whose values are YAML already."""
    return f"{{{', '.join(f'{scalar(key)}: {value}' for key, value in values.items())}}}"
