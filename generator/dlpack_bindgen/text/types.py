"""C types, and the parsers of prototypes, types and declarations in a spec."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, Literal, cast

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text import c_checks, ctext, names
from dlpack_bindgen.text.c_checks import Problem, expression_problem, substitution_problem
from dlpack_bindgen.text.ctext import fold, open_parentheses, remembered, split, tokens
from dlpack_bindgen.text.diagnostics import shown
from dlpack_bindgen.text.names import C_KEYWORDS

if TYPE_CHECKING:
    from pycparser import c_ast


# ---- The C types in prototypes, and their Python equivalents ----

NumberKind = Literal["int", "float", "bool", "complex", "char"]
PYTHON = {"int": "int", "float": "float", "bool": "bool", "complex": "complex", "char": "str"}
"""The Python types of the kinds of numbers."""

FAMILIES: dict[str, NumberKind] = {
    **dict.fromkeys(("signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int"), "int"),
    **dict.fromkeys(("long", "unsigned long", "long long", "unsigned long long"), "int"),
    **dict.fromkeys((f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64, "ptr", "max")), "int"),
    **dict.fromkeys(("size_t", "ssize_t", "ptrdiff_t"), "int"),
    **dict.fromkeys(("float", "double", "long double"), "float"),
    **dict.fromkeys(("float _Complex", "double _Complex", "long double _Complex"), "complex"),
    **dict.fromkeys(("bool", "_Bool"), "bool"),
    "char": "char",
}
"""The kinds of the arithmetic C types in Python."""


_LETTERS = frozenset({"char", "signed char", "unsigned char", "int8_t", "uint8_t"})
BYTES = frozenset({"void", *_LETTERS})
"""The types whose elements are bytes for every compiler. Pointers to `void` count bytes, too."""
_UNSIGNED = frozenset({"size_t", "uintptr_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t"})


class CType(Frozen):
    """The type of a parameter or a result."""

    base: str
    """The type without pointers, `const` and `restrict`: `image_t`, `unsigned long`, `double _Complex`, `struct image`,
    `void`. A callback has its full type: `int (*)(void *)`."""
    pointers: tuple[bool, ...] = ()
    """For each `*`, starting at the base: whether it points to const. `const char **` is (True, False)."""
    length: str | None = None
    """The content of the brackets of an array parameter: `3`, or an empty string; None: no brackets. The array is the
    last pointer."""
    extents: tuple[str, ...] = ()
    """The lengths in an array of arrays or a pointer to an array, which counts as one pointer. `double x[][3]` and
    `double (*x)[3]` have '' and '3'."""
    restrict: tuple[bool, ...] = ()
    """For each `*`, starting at the base: whether that pointer is `restrict`; empty if none is. `Parameter` has the
    flag of the parameter itself, which does not change the type of the function."""

    @property
    def depth(self) -> int:
        return len(self.pointers)

    @property
    def is_function(self) -> bool:
        """Whether the type is a callback."""
        return "(" in self.base

    @property
    def reads(self) -> bool:
        """Whether the innermost pointer points to const."""
        return bool(self.pointers) and self.pointers[0]


def becomes(given: CType, wanted: CType) -> bool:
    """Returns whether C accepts `given` for `wanted` without a cast: they are equal, or `wanted` only adds const."""
    if given.depth != 1 or wanted.depth != 1:
        return given == wanted
    same = (given.base, given.length, given.extents) == (wanted.base, wanted.length, wanted.extents)
    return same and (wanted.reads or not given.reads)


def declared(ctype: CType, name: str) -> str:
    """Returns a declaration, such as `const char *name`. An array parameter is declared as a pointer."""
    text = f"const {ctype.base}" if ctype.pointers and ctype.pointers[0] else ctype.base
    if ctype.extents:
        return f"{text} (*{name}){''.join(f'[{extent}]' for extent in ctype.extents[1:])}"
    restricted = ctype.restrict or (False,) * ctype.depth
    for is_const, is_restrict in zip(ctype.pointers[1:], restricted, strict=False):
        text += f"{'' if text.endswith(('*', ' ')) else ' '}*"
        text += f"{'restrict ' if is_restrict else ''}{'const ' if is_const else ''}"
    if ctype.pointers:
        text += f"{'' if text.endswith(('*', ' ')) else ' '}*"
    return f"{text}{'' if text.endswith('*') or not name else ' '}{name}"


def pointed_to(ctype: CType) -> CType:
    """Returns the type behind the outermost pointer, without its qualifier."""
    inner = ctype.restrict[:-2]
    return CType(ctype.base, ctype.pointers[:-1], restrict=(*inner, False) if any(inner) else ())


class Parameter(Frozen):
    name: str
    ctype: CType
    restrict: bool = False
    """Whether the pointer itself is `restrict`."""


class Prototype(Frozen):
    name: str
    result: CType
    parameters: tuple[Parameter, ...]


def family(base: str) -> NumberKind | None:
    """Returns the kind of an arithmetic type, or None for a type that only the headers define."""
    return FAMILIES.get(base)


def is_unsigned(base: str) -> bool:
    return "unsigned" in base.split() or base in _UNSIGNED


def is_address(ctype: str) -> bool:
    """Returns whether a type is a pointer to anything but characters. Python objects cannot become such types."""
    words = [word for word in ctype.replace("*", " * ").split() if word != "const"]
    return "*" in words and words != ["char", "*"]


def is_unknown(ctype: CType) -> bool:
    """Returns whether a type is a name from the headers. It may be a number, such as an `enum`."""
    return ctype.base not in FAMILIES and ctype.base.split()[0] not in ("void", "struct", "union", "volatile")


def is_letter(ctype: CType) -> bool:
    """Returns whether a value of the type may be a character. For a name from the headers (`xmlChar`), only the
    compiler knows."""
    return not ctype.depth and (ctype.base in _LETTERS or is_unknown(ctype))


def is_typedef(ctype: CType) -> bool:
    """Returns whether a type is a name from the headers, by value. It may be a pointer type."""
    return ctype == CType(ctype.base) and is_unknown(ctype) and " " not in ctype.base


def holds(ctype: CType, kind: str) -> bool:
    """Returns whether a variable of this type can hold a number of that kind."""
    if ctype.depth or ctype.is_function:
        return False
    known = family(ctype.base)
    return is_unknown(ctype) or known == kind or (known, kind) in (("int", "bool"), ("char", "int"), ("char", "bool"))


def as_number(word: str) -> NumberKind | None:
    return cast(NumberKind, word) if word in ("int", "float", "bool", "complex", "char") else None


# ---- Structs that are elements of arrays: records with fields ----


class Field(Frozen):
    """A member of a struct that an array shows."""

    name: str
    of: str | None = None
    """The C type of a member that is a record itself, or an array of records. None: numbers, whose type and number the
    compiler knows."""
    table: str | None = None
    """The `dlb_record` of that record."""


class RecordType(Frozen):
    ctype: str
    """The normalised C type."""
    c_name: str
    """The type as a part of C names."""
    table: str
    """The C name of its `dlb_record`."""
    fields: tuple[Field, ...]

    @property
    def neighbours(self) -> Iterator[tuple[Field, Field]]:
        return pairwise(self.fields)

    @property
    def words(self) -> str:
        """The record in documentation."""
        names = [f"`{field.name}`" for field in self.fields]
        listed = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
        return f"records with the field{'s' if len(names) > 1 else ''} {listed}"


# ---- The words of a C prototype, and checks with clearer messages than the parser's ----

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


# ---- The parser of C prototypes in a spec ----
# It uses pycparser and returns types and names.

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


_NEW_STRUCT = (
    "a struct of zeros, which Python makes, is 'new: {}'; for other values, write a C function: a 'static inline' one "
    "in a header can return a compound literal"
)


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
    found = statements(words) or c_checks.code_problem(text, "prototype") or _constructor(text) or outline(words)
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
    return Problem("c-prototype", message, _NEW_STRUCT, match.span(1))


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


# ---- The parser of types and declarations in a spec ----

_WORDS = r"[A-Za-z_]\w*(?:\s+[A-Za-z_]\w*)*"
_TYPE = re.compile(_WORDS, re.ASCII)
_DECLARATION = re.compile(rf"(?P<type>{_WORDS}(?:\s*\*(?:\s*const\b)?)*)(?P<gap>\s*)(?P<name>\b[A-Za-z_]\w*)", re.ASCII)
_PROTOTYPE = re.compile(
    r"(?P<head>[A-Za-z_]\w*(?:\s*\*|\s+[A-Za-z_]\w*)*(?:\s+|\s*\*\s*))(?P<name>[A-Za-z_]\w*)\s*\((?P<given>.*)\)",
    re.ASCII,
)
_NO_TYPES = frozenset("return else goto case if while for do switch break continue sizeof typeof default".split())
_WORDS_BEFORE_TYPES = frozenset("const volatile struct union enum extern static inline".split())
_TYPE_WORDS = frozenset("_Bool bool char double float int long short signed unsigned void".split())


def type_problem(raw: str) -> Problem | None:
    """Returns why the code cannot be the T of `T *self`, or None."""
    text = fold(raw)
    if not text:
        return Problem("c-empty", "a C type is expected, and this is empty")
    if "${" in text:
        return expression_problem(raw)
    if text.endswith("*"):
        target = text.rstrip("* ")
        hint = f"write '{_unqualified(target)}'" if _TYPE.fullmatch(target) else None
        if target == "void":
            hint = "a typedef of the library must name it"
        return Problem("c-type", "this is a pointer: the type that it points to is expected", hint)
    if "::" in text or "<" in text:
        hint = 'that is C++: describe a C struct, or a handle with C functions (extern "C")'
        return Problem("c-type", "this is not a C type", hint)
    if not _TYPE.fullmatch(text):
        return Problem("c-type", "this is not a C type", "for example: image_t, struct image, unsigned char")
    words = text.split()
    if "const" in words or "volatile" in words:
        hint = f"write '{_unqualified(text)}'; 'readonly: 1' of a tensor declares that its data must not be written"
        return Problem("c-type", "a type has no qualifiers here", hint)
    tagged = words[0] in ("struct", "union", "enum")
    own = words[1:] if tagged else words
    named = [word for word in own if word not in _TYPE_WORDS]
    is_tag = len(own) == len(named) == 1
    if (tagged and not is_tag) or len(named) > 1 or (named and len(own) > 1) or C_KEYWORDS.intersection(named):
        return Problem("c-type", "this is not a C type", "for example: image_t, struct image, unsigned char")
    return None


def _unqualified(text: str) -> str:
    return " ".join(word for word in text.split() if word not in ("const", "volatile"))


def plain_type(ctype: str) -> str:
    """Returns the common spelling of a type: `model const*` becomes `const model *`. The `const` of the variable itself
    is dropped."""
    base, *pointers = ctype.split("*")
    text = normal([word for word in base.split() if word != "const"])
    if not pointers:
        return text
    inner = "".join("*const " if pointer.strip() else "*" for pointer in pointers[:-1])
    return f"{'const ' if 'const' in base.split() else ''}{text} {inner}*"


@remembered
def split_declaration(raw: str) -> tuple[str, str] | Problem:
    """Splits `T name` into (T, name). The last identifier is the name."""
    text = fold(raw)
    if "${" in text:
        return substitution_problem(text)
    if text.endswith("]"):
        hint = "{out: T name[N], do: ...} declares one of a fixed length"
        return Problem("c-declaration", "only the 'let' of an import declares arrays of all axes", hint)
    match = _DECLARATION.fullmatch(text)
    if match is None or match["name"] in C_KEYWORDS or match["type"].split()[-1] in ("struct", "union", "enum"):
        hint = "for example: int height"
        return Problem("c-declaration", f"'{shown(text)}' is not a C declaration: a type and a name are expected", hint)
    return match["type"].strip(), match["name"]


@remembered
def split_variable(raw: str) -> tuple[str, str, bool] | Problem:
    """Splits `T name` or `T name[]` into (T, name, whether it is an array)."""
    text = fold(raw)
    bracket = text.find("[")
    if bracket >= 0 and text.endswith("]") and text[bracket + 1 : -1].strip():
        hint = f"write '{text[:bracket].rstrip()}[]'"
        return Problem("c-declaration", "the value of an array gives its length", hint)
    is_array = bool(re.search(r"\[\s*\]$", text))
    declared = split_declaration(text[:bracket] if is_array else text)
    return declared if isinstance(declared, Problem) else (*declared, is_array)


def split_output(raw: str) -> tuple[str, str, str] | Problem:
    """Splits `T name` or `T name[N]` into (T, name, brackets with their content)."""
    text = fold(raw)
    bracket = text.find("[")
    if bracket < 0 or not text.endswith("]"):
        declared = split_declaration(text)
        return declared if isinstance(declared, Problem) else (*declared, "")
    found = expression_problem(text[bracket + 1 : -1])
    declared = split_declaration(text[:bracket])
    if found is not None:
        return _moved(found, raw.index("[") + 1)
    if isinstance(declared, Problem):
        return declared
    return (*declared, text[bracket:])


def split_parameter(raw: str) -> tuple[str, str, str | None] | Problem:
    """Splits `T name = default` or `T name` into (T, name, default)."""
    declaration, sign, value = fold(raw).partition("=")
    declared = split_declaration(declaration)
    if isinstance(declared, Problem):
        return declared
    if not sign:
        return (*declared, None)
    found = expression_problem(value)
    return _moved(found, raw.index("=") + 1) if found is not None else (*declared, value.strip())


def declared_function(text: str) -> tuple[str, int | None] | None:
    """Returns a function that a statement declares but none calls: its name, and the number of its parameters if
    declared."""
    for statement in split(text, (";",))[0]:
        match = _PROTOTYPE.fullmatch(statement)
        head = re.findall(r"\w+|\*", match["head"]) if match else []
        if match is None or _NO_TYPES.intersection(head) or open_parentheses(match["given"]):
            continue
        given = split(match["given"], (",",))[0]
        typed = "*" in head or _TYPE_WORDS.union(_WORDS_BEFORE_TYPES).intersection(head)
        used = [token.text for token in tokens(text)].count(match["name"]) > 1
        if (typed or any(map(_is_declared, given))) and not used:
            return match["name"], None if not match["given"].strip() else 0 if given == ["void"] else len(given)
    return None


def _is_declared(parameter: str) -> bool:
    return parameter.endswith("*") or not isinstance(split_declaration(parameter), Problem)


def _moved(problem: Problem, by: int) -> Problem:
    """Moves the place of a problem by `by` characters, from a part of a value to the whole value."""
    return replace(problem, place=(problem.place[0] + by, problem.place[1])) if problem.place else problem
