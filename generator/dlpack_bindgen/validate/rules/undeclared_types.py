"""Types that the headers of the library cannot declare, because their text does not have the name."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.language.kinds import Form
from dlpack_bindgen.language.shared import IF
from dlpack_bindgen.language.values import Fields, Items, Leaf, Table, Value
from dlpack_bindgen.text.diagnostics import Diagnostic, Report, UnknownName, listed, within
from dlpack_bindgen.text.names import HeaderNames, of_standard_headers
from dlpack_bindgen.text.types import Word, tags, type_names, words_of

_DECLARING = (
    *(Form.CTYPE, Form.STORAGE, Form.PROTOTYPE),
    *(Form.DECLARATION, Form.VARIABLE, Form.OUTPUT, Form.PARAMETER, Form.ARGUMENT),
)
"""Forms of C text that can name a type."""
_UNUSED = ("numbers", "failures")
"""Keys whose types need not be there: emitted C does not use them unless a function does."""


def check(spec: Fields, headers: HeaderNames, report: Report) -> None:
    for key, value in spec.values.items():
        for leaf in _leaves(value) if key not in _UNUSED else ():
            _check(leaf, headers, report)


def _leaves(value: Value) -> Iterator[Leaf]:
    """Yields all text that can name a type. Skips items with an `if`: the headers of some version lack their types."""
    if isinstance(value, Leaf):
        if value.form in _DECLARING:
            yield value
    elif isinstance(value, Items):
        for item in value.items:
            yield from _leaves(item)
    elif isinstance(value, Table):
        for key, item in value.entries:
            yield from (*_leaves(key), *_leaves(item))
    elif isinstance(value, Fields) and value[IF] is None:
        for item in (*value.values.values(), *(value.entry or ())):
            yield from _leaves(item)


def _check(leaf: Leaf, headers: HeaderNames, report: Report) -> None:
    text = leaf.text.partition("=")[0] if leaf.form is Form.PARAMETER else leaf.text
    words = words_of(text)
    if any(word.text.startswith("__") or word.text == "typeof" for word in words):
        return  # an operator of C or of the compiler, with an expression behind it
    if leaf.form is Form.ARGUMENT and len(words) == 1:
        return  # a word of the language
    for word in type_names(words):
        if word.text not in headers.declared and not of_standard_headers(word.text):
            report(_undeclared(leaf, word, word.text, _with_keyword(word.text, headers), headers))
    for keyword, tag in tags(words):
        keywords = headers.tags.get(tag.text, set())
        is_sure = headers.shows_tags or tag.text not in headers.known
        if keyword not in keywords and is_sure and not of_standard_headers(tag.text):
            other = _with_keyword(tag.text, headers) or (
                f"write '{tag.text}'" if tag.text in headers.declared else None
            )
            report(_undeclared(leaf, tag, f"{keyword} {tag.text}", other, headers))


def _with_keyword(name: str, headers: HeaderNames) -> str | None:
    """Returns the hint for a name that is a tag."""
    keywords = sorted(headers.tags.get(name, ()))
    return f"write '{keywords[0]} {name}'" if keywords else None


def _undeclared(leaf: Leaf, word: Word, shown: str, hint: str | None, headers: HeaderNames) -> Diagnostic:
    several = len(headers.paths) > 1
    where = f"the headers {listed(headers.paths)} do" if several else f"{listed(headers.paths)} does"
    message = f"{where} not declare the type '{shown}'"
    facts = None if hint else UnknownName(shown, headers.types)
    span = within(leaf.span, leaf.text, word.place)
    return Diagnostic("undeclared-type", span, message, hint, cause=shown, facts=facts)
