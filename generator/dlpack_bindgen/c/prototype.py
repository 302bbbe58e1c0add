"""The parser of C prototypes in a spec. It uses pycparser and returns types and names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dlpack_bindgen.c import ctext, names
from dlpack_bindgen.c.problem import Problem
from dlpack_bindgen.c.types import CType, Parameter, Prototype
from dlpack_bindgen.c.words import EXAMPLE, WORD, Word, outline, statements, type_names, words_of
from dlpack_bindgen.diagnostics import shown

if TYPE_CHECKING:
    from pycparser import c_ast

_NO_VLA = "write a C function that takes the address of its first element, and bind it"
_AT = r"(?s):(?P<line>\d+):(?P<column>\d+): (?P<what>.*)"
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
"""The common names of integer types. A key has all words of a type but `int`, and `signed` only where it matters."""
_CONSTRUCTOR = re.compile(r"(?:const\s+)?([A-Za-z_]\w*)[\s*]+\1\s*\(", re.ASCII)
_RESULT = "the result"
_RESTRICT = re.compile(r"\b__restrict(?:__)?\b", re.ASCII)
"""The spelling of `restrict` that compilers accept in every version of C."""
_ORDER = "signed unsigned long short char float double"


class _Refused(Exception):
    """Carries a problem out of the tree traversal."""

    def __init__(self, message: str, hint: str | None = None, place: tuple[int, int] | None = None) -> None:
        super().__init__(message)
        self.problem = Problem("c-prototype", message, hint, place)


@lru_cache(maxsize=4096)
def parse(raw: str) -> Prototype | Problem:
    """Parses a prototype, with or without a final ';'."""
    text = _RESTRICT.sub(lambda match: "restrict".ljust(len(match.group())), ctext.fold(raw).rstrip("; "))
    words = words_of(text)
    found = statements(words) or ctext.prototype_problem(text) or _constructor(text) or outline(words)
    if found is not None:
        return found
    spelt = _Spelling(text)
    typedefs = "".join(f"typedef int {name};" for name in sorted({word.text for word in type_names(words)}))
    try:
        return _prototype(_tree(f"{typedefs}\n{spelt.text};").ext[-1], words)
    except _Refused as refusal:
        return refusal.problem
    except SyntaxError as error:
        return spelt.problem(str(error))


def _constructor(text: str) -> Problem | None:
    """Finds a function with the name of its type, `options options(void)`, as in C++."""
    match = _CONSTRUCTOR.match(text)
    if match is None:
        return None
    message = f"'{match[1]}' is the type of the result, and C has no function with the name of a type"
    return Problem("c-prototype", message, "a struct of zeros, which Python makes, is 'new: {}'", match.span(1))


class _Spelling:
    """The prototype as pycparser accepts it: the macro `complex` becomes `_Complex`."""

    _COMPLEX = re.compile(r"\bcomplex\b", re.ASCII)

    def __init__(self, text: str) -> None:
        self._ends = [match.end() for match in self._COMPLEX.finditer(text)]
        self._length = len(text)
        self.text = self._COMPLEX.sub("_Complex", text)

    def _place(self, column: int) -> tuple[int, int] | None:
        start = column - sum(1 for index, end in enumerate(self._ends) if column >= end + index + 1)
        length = re.match(r"\w*", self.text[column:])
        return (start, max(len(length.group()), 1)) if length and start < self._length else None

    def problem(self, message: str) -> Problem:
        match = re.match(_AT, message)
        place = self._place(int(match["column"]) - 1) if match and match["line"] == "2" else None
        near = f": C cannot go on at '{shown(self._rest(match))}'" if match and place else ""
        return Problem("c-prototype", f"this is not a C prototype{near}", EXAMPLE, place)

    def _rest(self, match: re.Match[str]) -> str:
        rest = WORD.match(self.text[int(match["column"]) - 1 :])
        return rest.group() if rest else ""


# ---- pycparser: slow to import, and needed only for specs with functions ----


@lru_cache(maxsize=1)
def _parser() -> Any:
    from pycparser import c_parser

    # Without these options, versions before 3 write missing tables to the working directory.
    return c_parser.CParser(lex_optimize=False, yacc_optimize=False)


def _tree(text: str) -> c_ast.FileAST:
    """Parses C code. Raises SyntaxError with the message of pycparser."""
    from pycparser.c_parser import ParseError

    try:
        tree: c_ast.FileAST = _parser().parse(text, "")
    except ParseError as error:
        raise SyntaxError(str(error)) from error
    return tree


# ---- The tree ----


def _prototype(declared: Any, words: list[Word]) -> Prototype:
    from pycparser import c_ast

    function = declared.type
    if not isinstance(declared, c_ast.Decl) or not isinstance(function, c_ast.FuncDecl):
        raise _Refused("this does not declare a function", EXAMPLE)
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


def _parameter(tree: Any, index: int, words: list[Word]) -> Parameter:
    from pycparser import c_ast

    if isinstance(tree, c_ast.ID) or not getattr(tree, "name", None):
        message = f"parameter {index + 1} has no name, or no type"
        raise _Refused(message, "both are needed: 'float sigma', say", _begins(words, index))
    ctype = _ctype(tree.type, f"'{tree.name}'")
    if ctype == CType("void"):
        raise _Refused(f"'{tree.name}' is void, which has no values", place=_begins(words, index))
    return Parameter(tree.name, ctype, "restrict" in (*_qualifiers(tree.type), *getattr(tree.type, "dim_quals", ())))


def _begins(words: list[Word], index: int) -> tuple[int, int] | None:
    """Returns the place of the first word of a parameter."""
    depth = commas = 0
    for word in words:
        if depth == 1 and commas == index:
            return word.place
        depth += {"(": 1, ")": -1}.get(word.text, 0)
        commas += word.text == "," and depth == 1
    return None


def _check_names(parameters: Iterable[Parameter], words: list[Word]) -> None:
    seen: set[str] = set()
    all_names = [parameter.name for parameter in parameters]
    for parameter in parameters:
        name = parameter.name
        message = None
        mentioned = ctext.names(" ".join(parameter.ctype.extents[1:]))
        own = next((other for other in all_names if other in mentioned), None) if mentioned else None
        if own is not None:
            place = next(word.place for word in reversed(words) if word.text == own)
            raise _Refused(f"the rows of '{name}' have a length that C knows at run time", _NO_VLA, place)
        if name in seen:
            message = f"there are two parameters '{name}'"
        elif name == "result":
            message = "'result' is the value that the function returns, in 'ok', 'error' and similar keys"
        elif names.is_keyword(name):
            message = f"'{name}' is a keyword of C, C++ or Python"
        elif name in names.STANDARD_MACROS or names.is_reserved(name):
            message = f"'{name}' belongs to the C implementation or to the runtime"
        if message:
            place = next(word.place for word in reversed(words) if word.text == name)
            raise _Refused(message, "call it something else: the header need not have the same names", place)
        seen.add(name)


def _ctype(tree: Any, what: str) -> CType:
    """Returns the type of a declarator. `what` is the name of the parameter in messages."""
    from pycparser import c_ast

    pointers: list[bool] = []
    restrict: list[bool] = []
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
        restrict.append(tree is not top and "restrict" in _qualifiers(tree))
        tree = tree.type
    if isinstance(tree, c_ast.FuncDecl):
        return CType(_callback(top))
    return CType(_base(tree), tuple(reversed(pointers)), length, (), tuple(reversed(restrict)) if any(restrict) else ())


def _table(tree: Any, what: str) -> CType:
    """Returns the type of an array of arrays, or of a pointer to an array."""
    from pycparser import c_ast

    extents = [_length(tree) if isinstance(tree, c_ast.ArrayDecl) else ""]
    while isinstance(tree.type, c_ast.ArrayDecl):
        tree = tree.type
        extents.append(_length(tree))
    if not isinstance(tree.type, c_ast.TypeDecl) or what == _RESULT:
        raise _Refused(f"{what} is a pointer to arrays, which Python cannot receive")
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
    """Returns the common name of a type: `long unsigned int` becomes `unsigned long`."""
    kept = sorted((word for word in words if word not in ("int", "_Complex")), key=_ORDER.find)
    if "char" not in kept:
        kept = [word for word in kept if word != "signed"]
    joined = _INTEGERS.get(" ".join(kept), " ".join(kept))
    return f"{joined} _Complex" if "_Complex" in words else joined


def _callback(tree: Any) -> str:
    """Returns the type of a pointer to a function, without its name: `int (*)(void *)`."""
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
    """Returns the place of the parameter with that name, or None."""
    return _places(raw).get(name)


@lru_cache(maxsize=64)
def _places(raw: str) -> dict[str, tuple[int, int]]:
    """Returns the last place of each word."""
    return {word.text: word.place for word in words_of(raw)}
