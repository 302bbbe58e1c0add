"""The key `draft`: what the header of a library does not tell about its functions, as `dlpack-bindgen init` asks it.

`generate` only counts the questions that are open. `init --update` writes the entries of functions whose questions are
answered."""

from __future__ import annotations

import re
from collections import abc
from collections.abc import Callable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TypeVar

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import TEXT, Alternatives, Form, Key, ListOf, MapOf, Option, Record
from dlpack_bindgen.language.values import (
    C_FORMS,
    Fields,
    Items,
    Leaf,
    Table,
    Value,
    c_fragments,
    needed,
    strings,
)
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, Span, UnknownName, listed, shown
from dlpack_bindgen.text.yaml import Mapping, Node, Scalar

T = TypeVar("T", bound=Node)

# ---- The kinds of questions, and the words that answer them ----

REST = "rest"
"""The names of a question that no other word of its answer has."""
NEW = ", new"
"""The end of the name of a question about functions that a newer header has added."""
DOUBTFUL = " with a doubtful name"
"""The end of the name of a question about functions whose names have a word of moving, freeing or counting."""


class AnswerWord(Frozen):
    """A word that answers a question."""

    name: str
    doc: str
    has_value: bool = False
    """Whether an expression follows the word: `{count: n}`."""
    is_further: bool = False
    """Whether a name can have the word beside another one."""


class Kind(Frozen):
    """A kind of questions."""

    name: str
    """The name of the question; of several questions of one kind, the first or the last word."""
    doc: str
    words: tuple[AnswerWord, ...]
    can_be_doubtful: bool = False
    by_member: bool = False
    """Whether an answer can also give values to the names in `about`, which are members of a struct."""

    def word(self, name: str) -> AnswerWord | None:
        return next((each for each in self.words if each.name == name), None)


_MOVES = AnswerWord("moves", "C may move or free the memory that the object shows: `invalidates`.")
_PLAIN = AnswerWord("plain", "None of these effects.")
_OF_POINTERS = (
    AnswerWord("one", "The pointer leads to one element."),
    AnswerWord("count", "`{count: n}`: n elements, an expression of the other parameters.", True),
    AnswerWord("keeps", "C keeps the address after the call, as long as the first object lives.", False, True),
)
_OF_SECOND_OBJECTS = (
    AnswerWord("reads", "C uses it during the call only."),
    AnswerWord("keeps", "The first object refers to it after the call."),
    AnswerWord("takes", "C owns it after the call, and frees it."),
    _MOVES,
)

KINDS: tuple[Kind, ...] = (
    Kind(
        "ends",
        "Functions that may end the life of an object.",
        (
            AnswerWord("ends", "It frees the object: `release`."),
            AnswerWord("unref", "It gives up a reference to the object: `release`, beside `retain` if there is one."),
            AnswerWord("moves", "It frees memory of the object, which lives on: `invalidates`."),
            _PLAIN,
        ),
    ),
    Kind(
        "results",
        "Functions that return an object, or store its address in an argument.",
        (
            AnswerWord("new", "A new object, which Python frees."),
            AnswerWord("refers", "A new object that refers to the memory of the arguments: `keeps`."),
            AnswerWord("takes", "A new object that owns the first argument afterwards."),
            AnswerWord("part", "It belongs to the first argument: `borrow`."),
            AnswerWord("same", "It is the first argument."),
            AnswerWord("static", "It belongs to the library, and lives as long as the program."),
        ),
    ),
    Kind(
        "objects",
        "Functions of one object that is not `const`.",
        (
            _PLAIN,
            _MOVES,
            AnswerWord("ends", "It frees the object: `takes: always`."),
            AnswerWord("refs", "It changes the number of references: the function is left out."),
        ),
        can_be_doubtful=True,
    ),
    Kind(
        "second object",
        "Functions of several objects of which one is not `const`.",
        _OF_SECOND_OBJECTS,
        can_be_doubtful=True,
    ),
    Kind("text", "Functions of an object and a text.", _OF_SECOND_OBJECTS, can_be_doubtful=True),
    Kind(
        "library",
        "Functions of numbers and texts, which may end or change what the library holds.",
        (_PLAIN, AnswerWord("ends", "Objects do not live after it: the function is left out.")),
    ),
    Kind("input", "A pointer to `const` numbers. The name has its type and its name.", _OF_POINTERS),
    Kind("output", "A pointer to numbers that are not `const`.", _OF_POINTERS),
    Kind(
        "bytes",
        "A pointer to `void`, or a text beside a number that may be its length.",
        (AnswerWord("text", "A text that ends with 0. The number is no length."), *_OF_POINTERS[1:]),
    ),
    Kind("structs", "A pointer to structs, or to pointers to objects, beside a number.", _OF_POINTERS),
    Kind(
        "text results",
        "Functions that return a text which is not `const`.",
        (
            AnswerWord("caller frees", "`{caller frees: free(result)}`: the statement that frees it.", True),
            AnswerWord("library's", "It belongs to the library, or to an argument."),
        ),
    ),
    Kind(
        "array results",
        "Functions that return a pointer to numbers.",
        (AnswerWord("shape", '`{shape: n}` or `{shape: "rows, columns"}`, memory of the first argument.', True),),
    ),
    Kind(
        "require",
        "`CLASS.require`: members of a struct that may change what its array is.",
        (
            AnswerWord("case", "The conditions of the draft are right."),
            AnswerWord("any", "The member says nothing about the array: its condition is left out."),
            AnswerWord("match", "A person writes `match`. The conditions stay until then."),
        ),
        by_member=True,
    ),
    Kind(
        "data",
        "`CLASS.data`: functions that the description of an array calls.",
        (AnswerWord("reads", "They only read the object."),),
    ),
)
_BY_NAME = {kind.name: kind for kind in KINDS}
OF_POINTERS = ("input", "output", "bytes", "structs")
OF_CLASSES = ("require", "data")


def kind_of(name: str) -> Kind | None:
    """Returns the kind of the question with this name, or None: no question has the name."""
    plain = name.removesuffix(NEW)
    first, _, rest = plain.partition(" ")
    if first in OF_POINTERS and rest:
        return _BY_NAME[first]
    start, dot, last = plain.rpartition(".")
    if dot and start.isidentifier() and last in OF_CLASSES:
        return _BY_NAME[last]
    found = _BY_NAME.get(plain.removesuffix(DOUBTFUL))
    if found is None or found.name in (*OF_POINTERS, *OF_CLASSES):
        return None
    return found if found.can_be_doubtful or not plain.endswith(DOUBTFUL) else None


# ---- The key ----

_NAMES = Alternatives(
    (
        Option(TEXT, "A name, a pattern such as `x_get_*`, or `rest`: all names without another word."),
        Option(ListOf(TEXT, "a list of names"), "Several names and patterns."),
    )
)
_OF_WORD = Alternatives(
    (
        *_NAMES.options,
        Option(MapOf(Form.TEXT, _NAMES, "a mapping from values to names"), "Names by the values that belong to them."),
    )
)
_ANSWER = Alternatives(
    (
        Option(TEXT, "A word, for all names."),
        Option(ListOf(TEXT, "a list of extents"), "The shape of an array result."),
        Option(MapOf(Form.TEXT, _OF_WORD, "a mapping from words to names"), "Words with the names that they are for."),
    )
)
ABOUT = Key[Items](
    "about",
    ListOf(TEXT, "a list of names", lone=True),
    "The functions, or members of a struct, that the question is about.",
    required=True,
)
SUGGESTED = Key[Value]("suggested", _ANSWER, "What names and comments of the header suggest. It has no effect.")
ANSWER = Key[Value]("answer", _ANSWER, "A word for all names, or words with names. Names without a word stay asked.")
SEEN = Key[Table](
    "seen",
    MapOf(Form.TEXT, TEXT, "a mapping from names to observations"),
    "What `init --try` saw, without a proof. It has no effect.",
)
QUESTION = Record(
    what="a question",
    doc="One question about several functions. A function has no entry until all questions about it are answered.",
    keys=(ABOUT, SUGGESTED, ANSWER, SEEN),
)
DRAFT = Key[Table](
    "draft",
    MapOf(Form.TEXT, QUESTION, "a mapping from questions to their names and answers"),
    "What the header does not tell, as `dlpack-bindgen init` asks it. `init --update` writes the entries of functions "
    "whose questions are answered; `generate` takes nothing from it.",
)


def without_empty_answers(root: Mapping) -> Mapping:
    """Returns the spec without the keys `answer` that have no value: these questions are open."""
    return _changed(root, lambda key, draft: _changed(draft, _without_empty_answer) if key == DRAFT.name else draft)


def _without_empty_answer(_: str, question: Node) -> Node:
    if not isinstance(question, Mapping):
        return question
    kept = tuple(pair for pair in question.entries if not (pair[0].text == ANSWER.name and _is_empty(pair[1])))
    return replace(question, entries=kept)


def _changed(node: T, change: Callable[[str, Node], Node]) -> T:
    """Returns a mapping with changed values. Other nodes stay as they are."""
    if not isinstance(node, Mapping):
        return node
    return replace(node, entries=tuple((key, change(key.text, value)) for key, value in node.entries))


def _is_empty(value: Node) -> bool:
    return isinstance(value, Scalar) and value.plain and not value.text


# ---- The answers, name by name ----


class Answer(Frozen):
    word: str
    value: str = ""


class Question(Frozen):
    name: str
    about: tuple[str, ...]
    answers: abc.Mapping[str, tuple[Answer, ...]]
    """The answers by the names that have one."""
    described: frozenset[str] = frozenset()
    """The names that have an entry in the spec, whoever has written it."""
    is_about_functions: bool = True
    """Whether the names are functions, and not members of a struct."""

    @property
    def open_names(self) -> list[str]:
        return [name for name in self.about if name not in self.answers and name not in self.described]


def questions(spec: Fields) -> tuple[Question, ...]:
    """Returns the questions of a spec without mistakes."""
    draft = spec[DRAFT]
    if draft is None:
        return ()
    code = (leaf.text for _, leaf in c_fragments(spec, forms=(*C_FORMS, Form.PROTOTYPE)))
    described = frozenset(word for text in code for word in re.findall(r"\w+", text))
    return tuple(_question(name.text, fields, described) for name, fields in draft.records())


def _question(name: str, fields: Fields, described: frozenset[str]) -> Question:
    about, kind = needed(fields[ABOUT]), needed(kind_of(name))
    names = strings(about)
    answers: dict[str, list[Answer]] = {}
    for each in _given(fields[ANSWER], kind, names):
        for one in each.names:
            answers.setdefault(one, []).append(each.answer)
    further = {word.name for word in kind.words if word.is_further}
    found = {one: tuple(given) for one, given in answers.items() if any(each.word not in further for each in given)}
    if kind.by_member:
        return Question(name, names, found, is_about_functions=False)
    return Question(name, names, found, described.intersection(names))


class _Given(Frozen):
    """A word of an answer with the names that it is for."""

    answer: Answer
    names: tuple[str, ...]
    span: Span


def _given(value: Value | None, kind: Kind, about: Sequence[str], report: Report = lambda _: None) -> list[_Given]:
    """Returns the words of an answer. Reports unknown words, names that are not asked, and names under two words."""
    return _Reading(kind, about, report).given(value)


class _Reading:
    def __init__(self, kind: Kind, about: Sequence[str], report: Report) -> None:
        self._kind = kind
        self._about = about
        self._report = report
        self._found: list[_Given] = []
        self._rest: list[tuple[Answer, Span]] = []
        self._places: dict[str, Span] = {}
        """The places at which names have a word."""

    def given(self, value: Value | None) -> list[_Given]:
        if isinstance(value, Leaf):
            if self._word(value):
                self._found.append(_Given(Answer(value.text), tuple(self._about), value.span))
        elif isinstance(value, Items):
            self._shape(value)
        elif isinstance(value, Table):
            for key, names in value.entries:
                if self._kind.by_member and key.text in self._about:
                    self._member(key, names)
                elif self._word(key, has_value=True):
                    self._names_of_word(key, names)
        for answer, span in self._rest:
            left = tuple(name for name in self._about if name not in self._places or self._is_further(answer))
            self._found.append(_Given(answer, left, span))
        return self._found

    def _is_further(self, answer: Answer) -> bool:
        word = self._kind.word(answer.word)
        return word is not None and word.is_further

    def _word(self, word: Leaf, has_value: bool = False) -> bool:
        known = self._kind.word(word.text)
        if known is not None and (has_value or not known.has_value):
            return True
        words = [f"{{{each.name}: ...}}" if each.has_value else each.name for each in self._kind.words]
        message = f"'{shown(word.text)}' is no answer to this question; the words are {listed(words)}"
        if known is not None:
            message = f"'{word.text}' needs a value: {{{word.text}: ...}}"
        facts = UnknownName(word.text, tuple(each.name for each in self._kind.words)) if known is None else None
        self._report(Diagnostic("unknown-answer", word.span, message, facts=facts))
        return False

    def _shape(self, value: Items) -> None:
        if self._kind.word("shape") is not None:
            answer = Answer("shape", ", ".join(strings(value)))
            self._found.append(_Given(answer, tuple(self._about), value.span))
        else:
            message = "a list of extents answers only a question about array results"
            self._report(Diagnostic("unknown-answer", value.span, message, "write a word, or {word: [names]}"))

    def _member(self, name: Leaf, value: Value) -> None:
        values = [value.text] if isinstance(value, Leaf) else [*strings(value)] if isinstance(value, Items) else []
        word = "any" if values == ["any"] else "case"
        self._add(Answer(word, "" if word == "any" else ", ".join(values)), name.text, name.span)

    def _names_of_word(self, word: Leaf, value: Value) -> None:
        known = self._kind.word(word.text)
        if known is not None and known.has_value:
            if isinstance(value, Leaf):
                self._add_rest(Answer(word.text, value.text), value.span)
            elif isinstance(value, Items):
                self._add_rest(Answer(word.text, ", ".join(strings(value))), value.span)
            elif isinstance(value, Table):
                for text, names in value.entries:
                    self._names(Answer(word.text, text.text), names)
        elif isinstance(value, Table):
            message = f"'{word.text}' has no value: names are expected"
            self._report(Diagnostic("unknown-answer", value.span, message))
        else:
            self._names(Answer(word.text), value)

    def _names(self, answer: Answer, value: Value) -> None:
        leaves = (value,) if isinstance(value, Leaf) else value.leaves() if isinstance(value, Items) else ()
        for leaf in leaves:
            if leaf.text == REST:
                self._add_rest(answer, leaf.span)
                continue
            names = [name for name in self._about if fnmatchcase(name, leaf.text)]
            if not names:
                message = f"'{shown(leaf.text)}' is none of the names in 'about'"
                facts = UnknownName(leaf.text, tuple(self._about))
                self._report(Diagnostic("not-asked", leaf.span, message, facts=facts))
            for name in names:
                self._add(answer, name, leaf.span)

    def _add_rest(self, answer: Answer, span: Span) -> None:
        before = next((place for other, place in self._rest if not self._is_further(other)), None)
        if before is not None and not self._is_further(answer):
            notes = (Note(before, "the other one"),)
            message = "two words have the rest of the names"
            self._report(Diagnostic("answered-twice", span, message, notes=notes))
        else:
            self._rest.append((answer, span))

    def _add(self, answer: Answer, name: str, span: Span) -> None:
        if not self._is_further(answer):
            before = self._places.get(name)
            if before is not None:
                notes = (Note(before, "the other one"),)
                self._report(Diagnostic("answered-twice", span, f"'{name}' has two answers", notes=notes))
                return
            self._places[name] = span
        self._found.append(_Given(answer, (name,), span))


# ---- The check ----


def check_draft(draft: Table | None, report: Report) -> None:
    """Checks the names of the questions, and their answers."""
    for name, fields in draft.records() if draft is not None else ():
        kind, about = kind_of(name.text), fields[ABOUT]
        if kind is None:
            known = [*(each.name for each in KINDS[:6]), "input TYPE NAME", "CLASS.require", "CLASS.data"]
            message = f"'{shown(name.text)}' is no question; questions are, for example, {listed(known)}"
            report(Diagnostic("unknown-question", name.span, message))
            continue
        for key in (SUGGESTED, ANSWER):
            _given(fields[key], kind, strings(about) if about is not None else (), report)
