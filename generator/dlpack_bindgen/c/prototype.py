"""A C prototype of a spec -> its types and names, by pycparser."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from dlpack_bindgen.c import ctext, names
from dlpack_bindgen.c.ctext import Problem
from dlpack_bindgen.c.types import CType, Parameter, Prototype
from dlpack_bindgen.diagnostics import shown

if TYPE_CHECKING:
    from pycparser import c_ast

_NO_VLA = "write a C function that takes the address of its first element, and bind that"
_EXAMPLE = "for example: int image_blur(const image_t *src, image_t *dst, float sigma)"
_WORD = re.compile(r"[A-Za-z_]\w*|\d\w*|\S", re.ASCII)
_AT = r"(?s):(?P<line>\d+):(?P<column>\d+): (?P<what>.*)"
_BUILT_IN = frozenset(
    "void char short int long float double signed unsigned _Bool _Complex __int128 struct union enum".split()
)
_QUALIFIERS = frozenset("const volatile restrict _Atomic extern".split())
_STORAGE = frozenset("static inline typedef register auto _Thread_local _Noreturn _Alignas".split())
_OF_COMPILERS = frozenset("__attribute__ __declspec __restrict __restrict__ __extension__ _Nonnull _Nullable".split())
_PARTS_OF_MACROS = re.compile(r"API|CALL|DECL|DEPREC|DLL|ENTRY|EXPORT|EXTERN|IMPORT|INLINE|PUBLIC|VISIB", re.ASCII)
_INTEGERS = {
    "char": "char",
    "signed char": "signed char",
    "unsigned char": "unsigned char",
    "short": "short",
    "unsigned short": "unsigned short",
    "": "int",
    "unsigned": "unsigned int",
    "long": "long",
    "unsigned long": "unsigned long",
    "long long": "long long",
    "unsigned long long": "unsigned long long",
}
"""By all words but `int`, and `signed` where it changes nothing."""
_RESULT = "the result"
_ORDER = "signed unsigned long short char float double"


class _Refused(Exception):
    """Carries the problem out of the walk over the tree."""

    def __init__(self, message: str, hint: str | None = None, place: tuple[int, int] | None = None) -> None:
        super().__init__(message)
        self.problem = Problem("c-prototype", message, hint, place)


@lru_cache(maxsize=4096)
def parse(raw: str) -> Prototype | Problem:
    """The prototype, which may end with a ';'."""
    text = ctext.fold(raw).rstrip("; ")
    words = [_Word(match.group(), match.start()) for match in _WORD.finditer(text)]
    found = _statements(words) or ctext.prototype_problem(text) or _outline(words)
    if found is not None:
        return found
    spelt = _Spelling(text)
    typedefs = "".join(f"typedef int {name};" for name in sorted(set(_type_names(words))))
    try:
        return _prototype(_tree(f"{typedefs}\n{spelt.text};").ext[-1], words)
    except _Refused as refusal:
        return refusal.problem
    except SyntaxError as error:
        return spelt.problem(str(error))


# ---- Words ----


class _Word:
    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start

    @property
    def place(self) -> tuple[int, int]:
        return self.start, len(self.text)

    @property
    def is_name(self) -> bool:
        return names.is_identifier(self.text) and self.text not in names.C_KEYWORDS - {"bool"}


def _statements(words: list[_Word]) -> Problem | None:
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


def _outline(words: list[_Word]) -> Problem | None:
    """What is better said before a parser sees it."""
    depth = 0
    for word in words:
        depth += {"[": 1, "]": -1}.get(word.text, 0)
        if word.text in _STORAGE and depth == 0:
            said = " ".join(each.text for each in words if each.text in _STORAGE)
            hint = f"leave '{said}' out: a function that the header defines can be called as well"
            message = f"'{word.text}' has no place in the prototype"
            return _problem(word, message, None if "typedef" in said else hint)
        if word.text in _OF_COMPILERS:
            return _problem(word, f"'{word.text}' has no place here", "leave it out: only the types count")
        if word.text == "=":
            return _problem(word, "a C prototype has no defaults", "say 'args: {NAME: {default: VALUE}}'")
    seen = "".join(word.text for word in words)
    if "..." in seen:
        where = next(word for word in words if word.text == ".")
        message = "a variadic function cannot be called: nobody can say of what types its further arguments are"
        hint = "write a C function that takes what you need, and bind that"
        return Problem("c-prototype", message, hint, (where.start, 3))
    if "(" not in seen:
        return Problem("c-prototype", "this is no C prototype: a function has parentheses", _EXAMPLE)
    name = words[0].text
    if words[0].is_name and words[1].text == "(":
        if _behind(words, 1) < len(words):
            return _problem(words[0], f"'{name}(...)' is no type", "write what the macro stands for")
        return _problem(words[0], f"'{name}' has no type of the result", f"'void {name}(...)', say")
    start = next(index for index, word in enumerate(words) if word.text == "(")
    return _around(words, start) or next(_macros(words[start:]), None)


def _problem(word: _Word, message: str, hint: str | None = None) -> Problem:
    return Problem("c-prototype", message, hint, word.place)


def _around(words: list[_Word], start: int) -> Problem | None:
    """Macros beside the types, `LIB_API image_t *LIB_CALL f(void) LIB_PURE`; `start`: of the parameters."""
    head = [word for word in words[:start] if word.text not in _QUALIFIERS]
    after_tags = {id(word) for tag, word in pairwise(head) if tag.text in ("struct", "union", "enum")}
    found = [word for word in head if word.is_name and word.text != "complex" and id(word) not in after_tags]
    own = found[-2:-1] if words[start + 1].text == "(" else found[-1:]  # `int f OF((int a))`
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


def _behind(words: list[_Word], start: int) -> int:
    """The place behind the parenthesis that opens at `start`."""
    depths = accumulate({"(": 1, ")": -1}.get(word.text, 0) for word in words[start:])
    return next((start + index for index, depth in enumerate(depths, 1) if depth == 0), len(words))


def _macros(words: list[_Word]) -> Iterator[Problem]:
    """Names in places where C has none, among the parameters."""
    plain = [word for word in words if word.text not in _QUALIFIERS]
    for index, (first, second, third) in enumerate(zip(plain, plain[1:], [*plain[2:], _Word("", 0)], strict=False)):
        if not first.is_name or first.text == "complex":
            continue
        before = plain[index - 1] if index else first
        if second.text in _BUILT_IN and (before.text in {*_BUILT_IN, "*"} or (before.is_name and before is not first)):
            yield _problem(second, f"a ',' is missing between '{first.text}' and '{second.text}'")
        if second.text in _BUILT_IN or (second.is_name and (third.is_name or third.text == "*")):
            message = f"'{first.text}' stands before a type: a macro has no place here"
            yield _problem(first, message, "leave it out: only the types count")


def _type_names(words: list[_Word]) -> Iterator[str]:
    """The names of types that C has from headers: in each declaration, the first name before which there is no other
    type."""
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
                yield word.text


class _Spelling:
    """The text as pycparser knows C: `complex` is a macro for `_Complex`."""

    _COMPLEX = re.compile(r"\bcomplex\b", re.ASCII)

    def __init__(self, text: str) -> None:
        self._ends = [match.end() for match in self._COMPLEX.finditer(text)]
        self._length = len(text)
        self.text = self._COMPLEX.sub("_Complex", text)

    def _place(self, column: int) -> tuple[int, int] | None:
        start = column - sum(1 for index, end in enumerate(self._ends) if column >= end + index + 1)
        length = re.match(r"\w*", self.text[column:])
        return (start, max(len(length.group()), 1)) if length and start < self._length else None

    def problem(self, said: str) -> Problem:
        match = re.match(_AT, said)
        place = self._place(int(match["column"]) - 1) if match and match["line"] == "2" else None
        near = f": C cannot go on at '{shown(self._rest(match))}'" if match and place else ""
        return Problem("c-prototype", f"this is no C prototype{near}", _EXAMPLE, place)

    def _rest(self, match: re.Match[str]) -> str:
        rest = _WORD.match(self.text[int(match["column"]) - 1 :])
        return rest.group() if rest else ""


# ---- pycparser, which only specs with functions wait for ----


@lru_cache(maxsize=1)
def _parser() -> Any:
    from pycparser import c_parser

    # Versions before 3 would write tables to the working directory if they did not find theirs.
    return c_parser.CParser(lex_optimize=False, yacc_optimize=False)


def _tree(text: str) -> c_ast.FileAST:
    """Raises a SyntaxError that says what pycparser says."""
    from pycparser.c_parser import ParseError

    try:
        tree: c_ast.FileAST = _parser().parse(text, "")
    except ParseError as error:
        raise SyntaxError(str(error)) from error
    return tree


# ---- The tree ----


def _prototype(declared: Any, words: list[_Word]) -> Prototype:
    from pycparser import c_ast

    function = declared.type
    if not isinstance(declared, c_ast.Decl) or not isinstance(function, c_ast.FuncDecl):
        raise _Refused("this declares no function", _EXAMPLE)
    if function.args is None:
        raise _Refused("in C '()' leaves the parameters open", f"write '{declared.name}(void)'")
    given = list(function.args.params)
    if len(given) == 1 and isinstance(given[0], c_ast.Typename) and _is_void(given[0].type):
        given = []
    parameters = tuple(_parameter(each, index, words) for index, each in enumerate(given))
    _check_names(parameters, words)
    return Prototype(declared.name, _ctype(function.type, _RESULT), parameters)


def _is_void(tree: Any) -> bool:
    return getattr(getattr(tree, "type", None), "names", None) == ["void"]


def _parameter(tree: Any, index: int, words: list[_Word]) -> Parameter:
    from pycparser import c_ast

    if isinstance(tree, c_ast.ID) or not getattr(tree, "name", None):
        message = f"parameter {index + 1} has no name, or no type"
        raise _Refused(message, "both are needed: 'float sigma', say", _begins(words, index))
    ctype = _ctype(tree.type, f"'{tree.name}'")
    if ctype == CType("void"):
        raise _Refused(f"'{tree.name}' is void, which has no values", place=_begins(words, index))
    return Parameter(tree.name, ctype)


def _begins(words: list[_Word], index: int) -> tuple[int, int] | None:
    """The place of the first word of a parameter."""
    depth = commas = 0
    for word in words:
        if depth == 1 and commas == index:
            return word.place
        depth += {"(": 1, ")": -1}.get(word.text, 0)
        commas += word.text == "," and depth == 1
    return None


def _check_names(parameters: Iterable[Parameter], words: list[_Word]) -> None:
    seen: set[str] = set()
    all_names = [parameter.name for parameter in parameters]
    for parameter in parameters:
        name = parameter.name
        message = None
        own = next((other for other in all_names if ctext.mentions(" ".join(parameter.ctype.extents[1:]), other)), None)
        if own is not None:
            place = next(word.place for word in reversed(words) if word.text == own)
            raise _Refused(f"the rows of '{name}' have a length that C knows at run time", _NO_VLA, place)
        if name in seen:
            message = f"there are two parameters '{name}'"
        elif name == "result":
            message = "'result' is what the function returns, for 'ok', 'error' and their like"
        elif names.is_keyword(name):
            message = f"'{name}' is a keyword of C, C++ or Python"
        elif name in names.STANDARD_MACROS or names.is_reserved(name):
            message = f"'{name}' belongs to the C implementation or to the runtime"
        if message:
            place = next(word.place for word in reversed(words) if word.text == name)
            raise _Refused(message, "call it something else: the header need not have the same names", place)
        seen.add(name)


def _ctype(tree: Any, what: str) -> CType:
    """`what` names it in messages."""
    from pycparser import c_ast

    pointers: list[bool] = []
    length: str | None = None
    top = tree
    if isinstance(tree, (c_ast.PtrDecl, c_ast.ArrayDecl)) and isinstance(tree.type, c_ast.ArrayDecl):
        return _table(tree, what)
    while isinstance(tree, (c_ast.PtrDecl, c_ast.ArrayDecl)):
        if isinstance(tree, c_ast.ArrayDecl):
            if tree is not top:
                raise _Refused(f"{what} is a pointer to pointers to arrays, which cannot be passed")
            length = _length(tree)
        pointers.append("const" in _qualifiers(tree.type))
        tree = tree.type
    if isinstance(tree, c_ast.FuncDecl):
        return CType(_callback(top))
    return CType(_base(tree), tuple(reversed(pointers)), length)


def _table(tree: Any, what: str) -> CType:
    """An array of arrays of elements, or a pointer to an array."""
    from pycparser import c_ast

    extents = [_length(tree) if isinstance(tree, c_ast.ArrayDecl) else ""]
    while isinstance(tree.type, c_ast.ArrayDecl):
        tree = tree.type
        extents.append(_length(tree))
    if not isinstance(tree.type, c_ast.TypeDecl) or what == _RESULT:
        raise _Refused(f"{what} is a pointer to arrays, which is nothing that Python knows")
    if "" in extents[1:]:
        raise _Refused(f"{what} has rows of no length: only the first one may be left out")
    return CType(_base(tree.type), ("const" in _qualifiers(tree.type),), None, tuple(extents))


def _length(array: Any) -> str:
    return _text(array.dim) if array.dim is not None else ""


def _qualifiers(tree: Any) -> list[str]:
    return list(getattr(tree, "quals", None) or ())


def _base(tree: Any) -> str:
    from pycparser import c_ast

    volatile = [word for word in _qualifiers(tree) if word not in ("const", "restrict")]
    own = tree.type
    if isinstance(own, c_ast.IdentifierType):
        return " ".join([*volatile, normal(own.names)])
    tag = {c_ast.Struct: "struct", c_ast.Union: "union", c_ast.Enum: "enum"}[type(own)]
    return " ".join([*volatile, tag, own.name])


def normal(words: list[str]) -> str:
    """`long unsigned int` -> `unsigned long`."""
    kept = sorted((word for word in words if word not in ("int", "_Complex")), key=_ORDER.find)
    if "char" not in kept:
        kept = [word for word in kept if word != "signed"]
    joined = _INTEGERS.get(" ".join(kept), " ".join(kept))
    return f"{joined} _Complex" if "_Complex" in words else joined


def _callback(tree: Any) -> str:
    """A pointer to a function, without its name: `int (*)(void *)`."""
    from pycparser import c_ast

    inner = tree
    while not isinstance(inner, c_ast.TypeDecl):
        inner = inner.type
    inner.declname = None
    return _text(tree)


def _text(tree: Any) -> str:
    from pycparser import c_generator

    return " ".join(c_generator.CGenerator().visit(tree).split())


def place_of(raw: str, name: str) -> tuple[int, int] | None:
    """Where a parameter of that name stands in the text."""
    found = [_Word(match.group(), match.start()).place for match in _WORD.finditer(raw) if match.group() == name]
    return found[-1] if found else None
