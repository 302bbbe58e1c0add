"""Divisors of slots: what the struct has may be zero, and C would end the process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.names import is_identifier
from dlpack_bindgen.diagnostics import Diagnostic, shown, within
from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.slots import SLOT_NAMES
from dlpack_bindgen.validate.structure import Report
from dlpack_bindgen.validate.values import Fields, Leaf, c_texts

_KEYS = (*SLOT_NAMES, "match", "let")
_BEHIND = {"(": ")", "[": "]"}


def check(tensor: Fields, report: Report) -> None:
    require = tensor.values.get("require")
    required = [_plain(leaf.text) for _, leaf in c_texts(require)] if require else []
    for key in _KEYS:
        value = tensor.values.get(key)
        for _, leaf in c_texts(value, key, (Form.EXPRESSION,)) if value else ():
            if "/" in leaf.text or "%" in leaf.text:
                _divisors(leaf, required, report)


def _divisors(leaf: Leaf, required: list[str], report: Report) -> None:
    seen = ctext.tokens(leaf.text)
    spans = ctext.spans(leaf.text)
    for index, token in enumerate(seen):
        if token.text not in ("/", "%") or index + 1 == len(seen):
            continue
        words = list(_operand([each.text for each in seen], index + 1))
        divisor = "".join(words)
        of_struct = "self" in words and not words[0].isupper()  # as macros are
        said = any(divisor in text for text in required) or _plain(leaf.text).count(divisor) > 1
        if not of_struct or said or "?" in words or "sizeof" in words:
            continue
        start, end = spans[index + 1][0], spans[index + len(words)][1]
        text = leaf.text[start:end]
        message = f"'{shown(text)}' may be 0, and C cannot divide by that"
        report(
            Diagnostic("divided", within(leaf.span, leaf.text, (start, end - start)), message, f"require: [{text} > 0]")
        )
        return


def _operand(words: Sequence[str], start: int) -> Iterator[str]:
    """What stands behind a sign of division, with the members, indices and arguments that belong to it."""
    index = start
    while index < len(words):
        word = words[index]
        if word in _BEHIND:
            end = _closing(words, index)
            yield from words[index:end]
            index = end
            if word == "(" and index < len(words) and (is_identifier(words[index]) or words[index] == "("):
                continue  # a cast, most likely
        elif is_identifier(word) or word[:1].isdigit() or (word in ("*", "&", "-", "+") and index == start):
            yield word
            index += 1
            if word in ("*", "&", "-", "+"):
                continue
        else:
            return
        if index < len(words) and words[index] in ("->", "."):
            yield words[index]
            index += 1
        elif index >= len(words) or words[index] not in _BEHIND:
            return


def _closing(words: Sequence[str], start: int) -> int:
    depth = 0
    for index in range(start, len(words)):
        depth += (words[index] in _BEHIND) - (words[index] in _BEHIND.values())
        if depth == 0:
            return index + 1
    return len(words)


def _plain(text: str) -> str:
    return "".join(token.text for token in ctext.tokens(text))
