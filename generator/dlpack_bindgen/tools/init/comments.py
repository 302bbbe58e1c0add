"""What the comments of a header say about functions: the direction of a parameter, NULL, and who owns an object."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Literal

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tools.init.declarations import Function

_NULL = re.compile(r"\b(?:NULL|Null|null|nullptr)\b")
_ALLOWED = re.compile(r"\b(?:may|can|could|should|pass|set to|allowed|optional)\b", re.IGNORECASE)
_FORBIDDEN = re.compile(
    r"\b(?:not (?:be|allowed|null)|can ?not|(?:must|may) not|never|returns?|returned|non-null)\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.;!?])\s+|\n\s*\n|\n(?=\s*[\\@*-])")
_OF_PARAMETER = re.compile(r"^\s*(?:[\\@]param\s*(?:\[[^\]]*\])?\s*|@(?=\w+:))(?P<name>\w+)")


def _sentences(comment: str) -> Iterator[str]:
    """Yields the sentences of a comment. A line that begins with a command such as `@param` begins one."""
    yield from (" ".join(each.split()) for each in _SENTENCE.split(comment) if each.strip())


def _has_word(sentence: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", sentence, re.IGNORECASE) is not None


# ---- NULL ----


def mentions_null(function: Function) -> bool:
    """Returns whether the comment of a function speaks of NULL."""
    return _NULL.search(function.comment) is not None


def may_be_null(function: Function, names: Collection[str]) -> bool | None:
    """Returns whether the comment allows NULL for a parameter, which has one of the names there, in the same
    sentence. None: it does not tell."""
    answer = None
    for sentence in re.split(r"\.\s|;|\n", function.comment):
        if _NULL.search(sentence) and any(_has_word(sentence, name) for name in names):
            if _FORBIDDEN.search(sentence):
                answer = False
            elif _ALLOWED.search(sentence):
                return True
    return answer


# ---- The direction of a parameter ----

Direction = Literal["in", "out", "inout", ""]
_WORDS = r"\[ *(in *[,/]? *out|in|out) *\]"
_PATTERNS = (
    rf"[\\@]param *{_WORDS} *NAME\b",
    rf"[\\@]param +NAME *{_WORDS}",
    rf"\bNAME *(?:-|:)? *{_WORDS}",
    rf"{_WORDS} *NAME\b",
    r"@NAME:[^\n]*\((in|out|inout)\b",
)
"""Where a comment tells the direction of the parameter NAME."""


def direction(function: Function, name: str) -> Direction:
    """Returns whether C reads or sets what a parameter points to, as the comment says; empty: it does not tell."""
    own = next((each.direction for each in function.parameters if each.name == name), "")
    if own:
        return _word(own)
    for pattern in _PATTERNS:
        found = re.search(pattern.replace("NAME", re.escape(name)), function.comment)
        if found is not None:
            return _word(found[1])
    return ""


def _word(text: str) -> Direction:
    plain = re.sub(r"[^a-z]", "", text.lower())
    return "inout" if plain == "inout" else "out" if plain == "out" else "in"


# ---- Ownership ----

_FREED = r"(?:free|releas|destroy|delet|dispos|unref|dealloc|clos)\w*"
_MUST = r"(?:must|should|shall|has to|have to|needs? to|is to|are to|responsib\w*)"
_CALLER = r"(?:caller|user|you|client|application)"
_NOT_FREED = re.compile(
    rf"\b(?:not|never|n't) (?:to )?(?:be )?(?:explicitly )?{_FREED}\b"
    r"|\bowned by (?!the caller|you)|\bborrowed\b|\btransfer none\b|\bbelongs? to the (?!caller)",
    re.IGNORECASE,
)
_CALLER_FREES = re.compile(
    rf"\b{_CALLER}\b.*\b{_MUST}\b.*\b{_FREED}|\b{_CALLER} (?:frees|owns)\b|\b{_MUST} be {_FREED}"
    rf"|\b{_FREED} (?:it|the result|this) (?:with|by|using)\b|\btransfer (?:full|container)\b"
    r"|\bownership\b.*\bto (?:the )?caller\b|\bnewly[ -](?:allocated|created)\b",
    re.IGNORECASE,
)
_PASSES = re.compile(
    r"\bownership\b.*\b(?:pass|transfer|move|give|take|assum)\w*|\b(?:tak|assum|gain|acquir|claim)\w*\b.*\bownership\b"
    r"|\btransfer full\b|\b(?:owns|frees|destroys|consumes|steals)\b.*\b(?:afterwards?|later)\b"
    r"|\bmust not be (?:used|freed|accessed|touched) (?:afterwards?|again|after)\b|\bis (?:consumed|stolen|freed by)\b",
    re.IGNORECASE,
)
_KEEPS = re.compile(
    rf"\b{_MUST} (?:\w+ ){{0,3}}?(?:outlive|remain|stay|live|be kept|exist|be valid|persist)\b"
    r"|\b(?:keeps?|holds?|stores?|retains?) (?:a |the )?(?:pointer|reference|address)\b"
    r"|\bnot (?:be )?copied\b|\bwithout (?:making a )?copy\w*\b|\bno copy\b",
    re.IGNORECASE,
)
_UNREF = re.compile(r"\b(?:decrement|decrease|drop|give up|release)\w* (?:a |the |its |one )?ref\w*\b", re.IGNORECASE)
_ABOUT_RESULT = re.compile(r"\b(?:returns?|returned|result|caller|newly)\b", re.IGNORECASE)


class Said(Frozen):
    """What a comment says."""

    word: str
    sentence: str


def said_of_result(function: Function) -> Said | None:
    """Returns what the comment says about the owner of the result: `new` if the caller frees it, or `part`."""
    for sentence in _sentences(function.comment):
        if _OF_PARAMETER.match(sentence):
            continue
        if not _ABOUT_RESULT.search(sentence):
            continue
        if _NOT_FREED.search(sentence):
            return Said("part", sentence)
        if _CALLER_FREES.search(sentence):
            return Said("new", sentence)
    return None


def said_of_parameter(function: Function, name: str) -> Said | None:
    """Returns what the comment says about a parameter after the call: C `takes` it, or `keeps` its address."""
    for sentence in _sentences(function.comment):
        own = _OF_PARAMETER.match(sentence)
        if not (own["name"] == name if own is not None else _has_word(sentence, name)):
            continue
        if _PASSES.search(sentence):
            return Said("takes", sentence)
        if _KEEPS.search(sentence):
            return Said("keeps", sentence)
    return None


def says_unref(function: Function) -> bool:
    """Returns whether the comment says that a function gives up a reference."""
    return _UNREF.search(function.comment) is not None
