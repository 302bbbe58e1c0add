"""The words of a C prototype, and checks with clearer messages than the parser's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate, pairwise

from dlpack_bindgen.c import names
from dlpack_bindgen.c.problem import Problem

OF_CPP = 'that is C++: bind a C function that does it (extern "C")'
EXAMPLE = "for example: int image_blur(const image_t *src, image_t *dst, float sigma)"
WORD = re.compile(r"[A-Za-z_]\w*|\d\w*|\S", re.ASCII)
_BUILT_IN = frozenset(
    "void char short int long float double signed unsigned _Bool _Complex __int128 struct union enum".split()
)
_KEYWORDS_OF_TAGS = frozenset(("struct", "union", "enum"))
_QUALIFIERS = frozenset("const volatile restrict _Atomic extern".split())
_STORAGE = frozenset("static inline typedef register auto _Thread_local _Noreturn _Alignas".split())
_OF_COMPILERS = frozenset("__attribute__ __declspec __extension__ _Nonnull _Nullable".split())
_PARTS_OF_MACROS = re.compile(r"API|CALL|DECL|DEPREC|DLL|ENTRY|EXPORT|EXTERN|IMPORT|INLINE|PUBLIC|VISIB", re.ASCII)


class Word:
    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start

    @property
    def place(self) -> tuple[int, int]:
        return self.start, len(self.text)

    @property
    def is_name(self) -> bool:
        return names.is_identifier(self.text) and self.text not in names.C_KEYWORDS - {"bool"}


def words_of(text: str) -> list[Word]:
    """Splits C text into words."""
    return [Word(match.group(), match.start()) for match in WORD.finditer(text)]


def statements(words: list[Word]) -> Problem | None:
    depth = 0
    for word in words:
        depth += {"(": 1, ")": -1}.get(word.text, 0)
        if word.text == "$":
            return None
        if word.text == "{":
            return _problem(word, "a '{' in a prototype: bodies, and definitions of types, stay where they are")
        if word.text == ";" or (word.text == "," and depth == 0):
            return _problem(word, "one prototype is expected", "write an entry for each function")
    return None


def outline(words: list[Word]) -> Problem | None:
    """Returns a problem that the parser would report less clearly, or None."""
    depth = 0
    for word in words:
        depth += {"[": 1, "]": -1}.get(word.text, 0)
        if word.text in _STORAGE and depth == 0:
            classes = " ".join(each.text for each in words if each.text in _STORAGE)
            hint = f"leave '{classes}' out: a function that the header defines can be called as well"
            message = f"'{word.text}' has no place in the prototype"
            return _problem(word, message, None if "typedef" in classes else hint)
        if word.text in _OF_COMPILERS:
            return _problem(word, f"'{word.text}' has no place here", "leave it out: only the types count")
        if word.text in ("&", ":") and depth == 0:
            return _problem(word, f"this is not a C prototype: C cannot go on at '{word.text}'", OF_CPP)
        if word.text in ("'", '"'):
            return _problem(word, "a prototype has no quotes", "YAML wants one pair of them, if any")
        if word.text == "=":
            return _problem(word, "a C prototype has no defaults", "write 'args: {NAME: {default: VALUE}}'")
    seen = "".join(word.text for word in words)
    if "..." in seen:
        where = next(word for word in words if word.text == ".")
        message = "a variadic function cannot be called: the types of its further arguments are unknown"
        hint = "write a C function with the parameters that you need, and bind it"
        return Problem("c-prototype", message, hint, (where.start, 3))
    if "(" not in seen:
        return Problem("c-prototype", "this is not a C prototype: a function has parentheses", EXAMPLE)
    name = words[0].text
    if words[0].is_name and words[1].text == "(":
        if _behind(words, 1) < len(words):
            return _problem(words[0], f"'{name}(...)' is not a type", "write the expansion of the macro")
        return _problem(words[0], f"'{name}' has no type of the result", f"'void {name}(...)', say")
    start = next(index for index, word in enumerate(words) if word.text == "(")
    return _around(words, start) or next(_macros(words[start:]), None)


def _problem(word: Word, message: str, hint: str | None = None) -> Problem:
    return Problem("c-prototype", message, hint, word.place)


def _around(words: list[Word], start: int) -> Problem | None:
    """Returns a problem for macros around the types: `LIB_API image_t *LIB_CALL f(void) LIB_PURE`. `start`: the index
    of the parenthesis before the parameters."""
    head = [word for word in words[:start] if word.text not in _QUALIFIERS]
    after_keywords = {id(tag) for _, tag in tags(head)}
    found = [word for word in head if word.is_name and word.text != "complex" and id(word) not in after_keywords]
    own = found[-2:-1] if words[start + 1].text == "(" else found[-1:]  # for example `int f OF((int a))`
    found = [word for word in found if word not in own]
    if not any(word.text in _BUILT_IN for word in head):
        pointed = next((index for index, word in enumerate(head) if word.text == "*"), len(head))
        types = [word for word in found if word in head[:pointed]]
        for is_macro in (str.isupper, _PARTS_OF_MACROS.search):
            types = [word for word in types if not is_macro(word.text)] or types
        found = [word for word in found if word is not (types or found)[-1]]
    found += [word for word in words[_behind(words, start) :][:1] if word.is_name]
    if not found:
        return None
    named = " and ".join(f"'{word.text}'" for word in found)
    message = f"{named} {'has' if len(found) == 1 else 'have'} no place here: no part of a type"
    return _problem(found[0], message, "leave macros out: only the types count")


def _behind(words: list[Word], start: int) -> int:
    """Returns the index after the parentheses that open at `start`."""
    depths = accumulate({"(": 1, ")": -1}.get(word.text, 0) for word in words[start:])
    return next((start + index for index, depth in enumerate(depths, 1) if depth == 0), len(words))


def _macros(words: list[Word]) -> Iterator[Problem]:
    """Yields problems for names among the parameters in places where C allows no name."""
    plain = [word for word in words if word.text not in _QUALIFIERS]
    for index, (first, second, third) in enumerate(zip(plain, plain[1:], [*plain[2:], Word("", 0)], strict=False)):
        if not first.is_name or first.text == "complex":
            continue
        before = plain[index - 1] if index else first
        if second.text in _BUILT_IN and (before.text in {*_BUILT_IN, "*"} or (before.is_name and before is not first)):
            yield _problem(second, f"a ',' is missing between '{first.text}' and '{second.text}'")
        if second.text in _BUILT_IN or (second.is_name and (third.is_name or third.text == "*")):
            message = f"'{first.text}' stands before a type: a macro has no place here"
            yield _problem(first, message, "leave it out: only the types count")


def type_names(words: list[Word]) -> Iterator[Word]:
    """Yields the names of types from headers: the first name of each declaration, unless another type precedes it."""
    depth = 0
    open_ = True
    for word in words:
        if word.text in "[]":
            depth += 1 if word.text == "[" else -1
        elif depth:
            continue
        elif word.text in "(,":
            open_ = True
        elif word.text == "*" or word.text in _BUILT_IN:
            open_ = False
        elif open_ and word.is_name:
            open_ = False
            if word.text != "complex":
                yield word


def tags(words: list[Word]) -> Iterator[tuple[str, Word]]:
    """Yields the tags of structs, unions and enumerations, each with its keyword."""
    for keyword, tag in pairwise(words):
        if keyword.text in _KEYWORDS_OF_TAGS and tag.is_name:
            yield keyword.text, tag
