"""The C that is emitted: pieces of functions, assertions and small fragments; and questions about C of the spec."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from dlpack_bindgen.dlpack import DType
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.c_checks import ends_with_block
from dlpack_bindgen.text.ctext import tokens
from dlpack_bindgen.text.literals import c_string
from dlpack_bindgen.text.names import ARRAYS_OF_AXES

# ---- Pieces of an emitted function ----
# Features yield them; drivers put them in order; templates print them.


class Piece(Frozen):
    """A statement or a condition of an emitted function: a macro of a template, and its input."""

    template: str
    """The template, such as `calls/conditions`."""
    macro: str
    input: object
    """The record that the macro reads."""
    is_condition: bool = False
    """Whether it is a C expression that is true if the call must end."""
    conditions: tuple[str, ...] = ()
    """C expressions of the spec under which the condition is tested."""
    is_enclosed: bool = False
    """Whether parentheses enclose the condition."""
    follows_checks: bool = False
    """Whether a statement needs the conditions before it to be tested."""


class Step(Frozen):
    """A statement before the call of the C function, or conditions under which the emitted function returns there."""

    statement: Piece | None
    conditions: tuple[Piece, ...] = ()
    failure: Piece | None = None
    """The statement that raises the exception, if the conditions raise none."""
    owners: tuple[Piece, ...] = ()
    """The statements that free memory before the function returns."""
    follows_blank_line: bool = False
    """Whether an empty line separates the conditions from the statements before."""
    label: str = ""
    """A comment with the key of the conditions."""


class Table(Frozen):
    """A static table that the runtime reads."""

    type: str
    """The C type of the table, or of its entries if it is an array."""
    name: str
    entries: tuple[str, ...]
    is_array: bool = False


class EmittedFunction(Frozen):
    """A C function that Python calls: a function of the module, or a method."""

    template: str
    """The template with the macro `definition`, which prints it."""
    own: Any
    """The input of this macro: the body of a call, a setter, a constructor, or a choice."""
    c_name: str
    entry: str
    """The `PyMethodDef`: name, function, calling convention, docstring; empty: Python calls it by another function."""
    condition: str | None
    """The `#if` condition."""
    tables: tuple[Table, ...] = ()
    operands: tuple[str, ...] = ()
    """The operands in the `dlb_py_function` constant."""


# ---- Assertions about types that only the compiler knows ----


class Assertion(Frozen):
    """`DLB_ASSERT_KIND(lib_int, INTEGER, "message");`."""

    name: str
    """The end of the name of the macro: `KIND`."""
    arguments: tuple[str, ...]
    message: str
    """The message, which quotes the spec."""


# ---- Small fragments of C ----

ALWAYS = "1"
"""A condition that always holds."""

_VALUE = "result"
_OPPOSITES = {"==": "!=", "!=": "=="}
_LOOSE = frozenset({"==", "!=", "&", "^", "|", "&&", "||", "?", "=", "!"})
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
LITERAL = r"""\"(?:[^"\\]|\\.)*\"|'(?:[^'\\]|\\.)+'"""
_NAME = re.compile(rf"{LITERAL}|(?P<member>(?:->|\.)\s*)?\b(?P<name>[A-Za-z_]\w*)")
_ENDS_VALUE = re.compile(r"\w+|\]|'.*'")
_BEGINS_VALUE = r"[\w('\"]"
_TOKEN = re.compile(rf"{LITERAL}|\w+|%|[^\w\s]")
_AT_ONCE = r"(?:[!(]\s*|\w+\s*\(\s*)*%"
_PIECE = re.compile(rf"{LITERAL}|.", re.DOTALL)
_BLOCK = r"\{|(if|for|while|switch)\b"
_POINTER_CAST = r"\([^()]*\*\s*\)\s*\w+$"
_NUMBER = re.compile(r"\d+", re.ASCII)
_AXIS = re.compile(rf"(?<![\w.>)])(?:{'|'.join(ARRAYS_OF_AXES)})\s*\[[^\]]*\](?!\s*(?:[=!<>]=|[<>?]|&&|\|\|))")
_CALL = re.compile(r"\b(?!sizeof\b)[A-Za-z_]\w*\s*\(")
"""The beginning of a call, as opposed to a cast or a group."""


def argument(expression: str) -> str:
    """Returns `expression` as one macro argument. Parentheses protect the commas of a compound literal."""
    return f"({expression})" if "{" in expression else expression


def integer(expression: str) -> str:
    return f"DLB_INTEGER({argument(expression)})"


def quoting(macro: str, spelling: str, text: str, *before: str) -> str:
    """Returns a call of a macro that quotes its last argument, `text`, in messages. `spelling` is its form in the spec.
    If that differs, the messages quote `spelling`."""
    arguments = ", ".join((*before, argument(text)))
    return f"{macro}({arguments})" if text == spelling else f"{macro}_AS({c_string(spelling)}, {arguments})"


def subtracts(expression: str) -> bool:
    """Returns whether `expression` subtracts or negates outside of indices and call arguments."""
    hidden: list[bool] = []
    before = ctext.Token("sign", "")
    for token in ctext.tokens(expression):
        if token.text in _OPENING:
            hidden.append(token.text == "[" or before.kind == "name" or before.text in _CLOSING)
        elif token.text in _CLOSING:
            hidden.pop()
        elif token.text == "-" and not any(hidden):
            return True
        before = token
    return False


def is_number(expression: str) -> bool:
    return _NUMBER.fullmatch(expression) is not None


def dtype_literal(dtype: DType) -> str:
    if dtype.lanes == 1:
        return f"DLB_DTYPE({dtype.code}, {dtype.bits})"
    return f"(DLDataType){{{dtype.code}, {dtype.bits}, {dtype.lanes}}}"


def equals(expression: str, key: str) -> str:
    """Returns a comparison with a key. String literals are compared with `strcmp`, other keys with `==`."""
    if key.startswith(('"', 'u8"')):
        return f"dlb_is_string({expression}, {key})"
    return f"{operand(expression)} == {operand(key)}"


def is_call(expression: str) -> bool:
    """Returns whether `expression` is a single function call and nothing else."""
    tokens = ctext.tokens(expression)
    if len(tokens) < 3 or tokens[0].kind != "name" or tokens[1].text != "(" or tokens[-1].text != ")":
        return False
    return all(_depth(tokens[:end]) > 0 for end in range(2, len(tokens)))


def has_call(text: str) -> bool:
    """Returns whether the code calls a function, or a macro that looks like one."""
    return _CALL.search(text) is not None


def is_truth(expression: str) -> bool:
    """Returns whether the value of `expression` is clearly 0 or 1."""
    tokens = ctext.tokens(expression)
    signs = outer_signs(tokens)
    if is_number(expression):
        return True
    if tokens[0].text == "!":
        return signs <= {"!", "->", "."}
    return bool(signs & {"==", "!=", "<", ">", "<=", ">="}) and not signs & _LOOSE - {"==", "!="}


def operand(expression: str) -> str:
    """Returns `expression` as an operand, with parentheses where an adjacent operator could bind more tightly."""
    tokens = ctext.tokens(expression)
    unary = len(tokens) > 1 and tokens[0].text in ("-", "~", "&", "*")
    return f"({expression})" if outer_signs(tokens[unary:]) - {"->", "."} else expression


def outer_signs(tokens: Iterable[ctext.Token]) -> set[str]:
    """Returns the operators outside all brackets."""
    depth = 0
    found = set()
    for token in tokens:
        if token.text in _OPENING:
            depth += 1
        elif token.text in _CLOSING:
            depth -= 1
        elif depth == 0 and token.kind == "sign":
            found.add(token.text)
    return found


def negate(condition: str) -> str:
    """Negates a condition, in a readable form where possible.

    `a < b` is not rewritten: with NaN, its negation is not `a >= b`."""
    tokens = ctext.tokens(condition)
    for sign, opposite in _OPPOSITES.items():
        left, between, right = condition.partition(f" {sign} ")
        if not between:
            continue
        parts = ctext.tokens(left), ctext.tokens(right)
        cut = (*parts[0], ctext.Token("sign", sign), *parts[1]) == tokens  # and not inside a literal
        if cut and _depth(parts[0]) == 0 and not _LOOSE & (outer_signs(parts[0]) | outer_signs(parts[1])):
            return f"{left} {opposite} {right}"
    return f"!({condition})"


def _depth(tokens: Iterable[ctext.Token]) -> int:
    return sum((token.text in _OPENING) - (token.text in _CLOSING) for token in tokens)


def replace_names(expression: str, replacements: Mapping[str, str]) -> str:
    """Replaces names in `expression`. Literals and names of members stay unchanged."""

    def replaced(match: re.Match[str]) -> str:
        name = match["name"]
        return match.group() if name is None or match["member"] else replacements.get(name, name)

    some = any(name in expression for name in replacements)
    return _NAME.sub(replaced, expression) if some else expression


def replace_result(condition: str, result: str) -> str:
    """Replaces `%` in an `ok` condition by `result`. A `%` after a value is the modulo operator."""
    pieces: list[str] = []
    end = 0
    for place in _results(condition):
        pieces += [condition[end:place], result]
        end = place + 1
    return "".join([*pieces, condition[end:]])


def tests_result(condition: str) -> bool:
    return bool(_results(condition))


def _results(condition: str) -> list[int]:
    """Returns the places where `%` stands for the result. After a cast it does, between two values it does not."""
    found: list[int] = []
    before = ""
    tokens = [*_TOKEN.finditer(condition)]
    for index, match in enumerate(tokens):
        text = match.group()
        if text == "%":
            behind = tokens[index + 1].group() if index + 1 < len(tokens) else ""
            value = before != "sizeof" and _ENDS_VALUE.fullmatch(before)
            if not (value or (before == ")" and re.match(_BEGINS_VALUE, behind))):
                found.append(match.start())
                text = _VALUE
        before = text
    return found


def passed_axis(code: str) -> str | None:
    """Returns the first extent or stride of an array, of 64 bits, that is neither cast nor compared; else None."""
    found = _AXIS.search(re.sub(r"\)\s+", ")", code))
    return found.group() if found else None


def comes_first(condition: str) -> bool:
    """Returns whether the call may replace `%`: it occurs once, and before anything that the call could change."""
    return len(_results(condition)) == 1 and "," not in condition and re.match(_AT_ONCE, condition) is not None


def comparison(condition: str) -> tuple[str, str] | None:
    """Returns sign and value of the first comparison of the result itself: (`==`, `OK`) for `% == OK || % == WAIT`."""
    text = condition.strip()
    while is_enclosed(ctext.tokens(text)):
        text = text[1:-1].strip()
    parts, signs = ctext.split(text, ("&&", "||"))
    if signs:
        return next((found for part in parts if (found := comparison(part))), None)
    if text.replace(" ", "") == "!%":
        return "==", "0"
    sides, signs = ctext.split(text, ("==", "!=", "<", "<=", ">", ">="))
    if len(signs) != 1 or "%" not in sides:
        return None
    other = sides[1 - sides.index("%")]
    return None if tests_result(other) else (signs[0], other)


def is_enclosed(tokens: Sequence[ctext.Token]) -> bool:
    """Returns whether one pair of parentheses encloses all tokens."""
    if len(tokens) < 2 or tokens[0].text != "(" or tokens[-1].text != ")":
        return False
    return all(_depth(tokens[:end]) > 0 for end in range(1, len(tokens)))


def has_members(text: str, name: str) -> bool:
    """Returns whether the code contains `name.member`."""
    return any(one.text == name and dot.text == "." for one, dot in pairwise(ctext.tokens(text)))


def mentions(fragments: Iterable[str | None], name: str) -> bool:
    return any(text is not None and ctext.mentions(text, name) for text in fragments)


def statements(text: str) -> list[str]:
    """Splits code of the spec into statements."""
    depth = 0
    found = [""]
    for piece in _PIECE.findall(text):
        depth += (piece in _OPENING) - (piece in _CLOSING)
        found[-1] += piece
        if piece == ";" and depth == 0:
            found.append("")
    return [statement(part.strip()) for part in found if part.strip()]


def statement(text: str) -> str:
    """Returns a statement of the spec with its final `;`."""
    ended = text.endswith(";") or (re.match(_BLOCK, text) is not None and ends_with_block(text))
    return text if ended else f"{text};"


def needs_no_check(value: str) -> bool:
    """Returns whether a value needs no range check: it is not a number, or the compiler checks it."""
    tokens = ctext.tokens(value)
    return (
        value in ("data", "NULL", "user", "deleter")
        or is_number(value)
        or re.match(_POINTER_CAST, value) is not None
        or all(token.kind == "literal" for token in tokens)
    )


def declaration(ctype: str, name: str) -> str:
    """Returns the declaration `T name`, with the star beside the name."""
    return f"{ctype}{'' if ctype.endswith('*') else ' '}{name}"


def constant(ctype: str, name: str) -> str:
    """Returns the declaration of a variable that is never assigned."""
    if ctype.endswith("*"):
        return f"{ctype}const {name}"
    constant_already = "const" in ctype.rpartition("*")[2].split()
    return f"{ctype} {name}" if constant_already else f"const {ctype} {name}"


def arrays_by_axis(expression: str) -> tuple[str, ...]:
    """Returns the members that `expression` indexes with `axis`: `self->dims` for `self->dims[axis].extent`."""
    return tuple(path for path, index in _subscripts(expression) if index == "axis")


def arrays_by_number(expression: str) -> dict[str, int]:
    """Returns the members that `expression` indexes with numbers, each with its greatest index."""
    found: dict[str, int] = {}
    for path, index in _subscripts(expression):
        if is_number(index):
            found[path] = max(found.get(path, 0), int(index))
    return found


def _subscripts(expression: str) -> Iterable[tuple[str, str]]:
    """Yields PATH and INDEX of each `PATH[INDEX]`, where PATH is a chain of members and INDEX is one token."""
    tokens = ctext.tokens(expression)
    for i in range(1, len(tokens) - 2):
        if tokens[i].text == "[" and tokens[i + 2].text == "]" and tokens[i - 1].kind == "name":
            start = i - 1
            while start >= 2 and tokens[start - 1].text in ("->", ".") and tokens[start - 2].kind == "name":
                start -= 2
            whole = start == 0 or tokens[start - 1].text not in ("->", ".")
            if whole and start < i - 1:
                yield "".join(token.text for token in tokens[start:i]), tokens[i + 1].text


# ---- Pointers into arrays that may be members of a struct ----

_INDEX = r"(?:\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*\])"
_POINTER = re.compile(
    rf"(?P<address>&\s*)?(?P<member>\w+(?:(?:->|\.)\w+)+)(?P<indices>{_INDEX}*)(?P<further>\s*\+(?:->|[^?:|&,=<>])+)?",
    re.ASCII,
)
_LAST_INDEX = re.compile(rf"{_INDEX}$")


class Within(Frozen):
    """A pointer into a member, which may be an array."""

    member: str
    """The member that holds all of the memory: `self->cells`."""
    array: str
    """The array that the pointer iterates over: `self->cells[0]` for `&self->cells[0][i]`."""


def within(pointer: str) -> Within | None:
    """Returns the member behind pointers such as `&self->cells[0][i]`, `self->cells[0]` or `self->cells + i`. Returns
    None for other expressions. These include casts, which declare that the memory is larger."""
    text = pointer
    while is_enclosed(tokens(text)):
        text = text[1:-1].strip()
    match = _POINTER.fullmatch(text)
    if match is None or (match["address"] and not match["indices"]):
        return None
    indices = _LAST_INDEX.sub("", match["indices"]) if match["address"] else match["indices"]
    return Within(match["member"], match["member"] + indices)


# ---- Detection of lvalues in C code: expressions that C can assign to ----


def is_place(expression: str) -> bool:
    """Returns whether an expression is a member, an element, a dereferenced pointer, or a name. Only the compiler knows
    whether a name is a constant."""
    tokens = ctext.tokens(expression)
    while is_enclosed(tokens):
        tokens = tokens[1:-1]
    pointed = False
    while tokens and tokens[0].text == "*":
        tokens, pointed = tokens[1:], True
    if pointed:
        return not outer_signs(tokens) - {"->", "."}
    ends_well = bool(tokens) and (tokens[-1].kind == "name" or tokens[-1].text == "]")
    return ends_well and not outer_signs(tokens) - {"->", "."} and not _has_operand_of_word(tokens)


def is_own_member(place: str) -> bool:
    """Returns whether an lvalue lies inside the struct of `self`, not behind a pointer. Elements may lie behind a
    pointer, so they do not count."""
    tokens = [token.text for token in ctext.tokens(place)]
    steps = tokens[1::2]
    names = all(token.isidentifier() for token in tokens[::2])
    return names and tokens[:1] == ["self"] and len(tokens) % 2 == 1 and set(steps[1:]) <= {"."} and bool(steps)


def is_behind_pointer(place: str) -> bool:
    """Returns whether an lvalue is read through a pointer in the struct of `self`. Elements do not count."""
    outer = [token.text for token, _ in _outer_tokens(place)]
    return outer[:1] == ["*"] or "->" in (outer[2:] if outer[:2] == ["self", "->"] else outer)


def arrays_of(place: str) -> list[str]:
    """Returns the expressions whose elements an lvalue reads: for `self->rows[1][0]`, `self->rows` and
    `self->rows[1]`."""
    tokens = [token.text for token in ctext.tokens(place)]
    return [" ".join(tokens[:index]) for token, index in _outer_tokens(place) if token.text == "["]


def _outer_tokens(place: str) -> Iterator[tuple[ctext.Token, int]]:
    """Yields the tokens outside of all brackets and parentheses, and opening brackets there, with their indices."""
    depth = 0
    for index, token in enumerate(ctext.tokens(place)):
        depth -= token.text in _CLOSING
        if depth == 0 and token.text not in _CLOSING:
            yield token, index
        depth += token.text in _OPENING


def _has_operand_of_word(tokens: tuple[ctext.Token, ...]) -> bool:
    """Returns whether a value follows a cast, `sizeof` or another name."""
    depth = 0
    before = ctext.Token("sign", "")
    for token in tokens:
        if depth == 0 and token.kind != "sign" and (before.kind == "name" or before.text == ")"):
            return True
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        before = token
    return False


# ---- Detection of variables in C code, as opposed to types and functions ----

# Patterns around a name that is not a variable. They are unambiguous, because the C code is valid.
_CALL_OR_TYPE = re.compile(r"\s*(?:\(|[A-Za-z_]|\*[\s*]*(?:const\b|[),]))")
_CAST = re.compile(r"(?:^|[^\w\s)\]])\s*\(\s*\Z"), re.compile(r"\s*\)\s*[\w(\"'{]")
_DECLARATION = re.compile(r"(?:^|[;{}(])\s*\Z"), re.compile(r"\s*\*[\s*]*\w+\s*(?:=(?!=)|;)")
_QUALIFIED = re.compile(r"\b(?:const|volatile|static)\s+\Z")


def is_variable(before: str, after: str) -> bool:
    """Returns whether a name between `before` and `after` is a variable: it is neither called nor a type."""
    if _CALL_OR_TYPE.match(after) or _QUALIFIED.search(before):
        return False
    return not any(left.search(before) and right.match(after) for left, right in (_CAST, _DECLARATION))


def mentions_variable(text: str, name: str) -> bool:
    """Returns whether the code has a variable of that name. Members, types and called functions do not count."""
    if not ctext.mentions(text, name):
        return False
    found = re.finditer(rf"{LITERAL}|(?:->|\.)\s*\w+|\b(?P<name>{name})\b", text)
    return any(match["name"] and is_variable(text[: match.start()], text[match.end() :]) for match in found)
