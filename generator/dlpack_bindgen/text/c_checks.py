"""Lexical checks of the C code in a spec: expressions, statements, conditions and prototypes.

They ensure that the code stays inside its slot."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal, NamedTuple

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text.ctext import COMPOUND, Token, fold, spans, tokens
from dlpack_bindgen.text.diagnostics import Code, shown
from dlpack_bindgen.text.names import C_KEYWORDS, STATEMENT_KEYWORDS

# ---- Problems in C code of a spec, and records of the facts about them ----
# `advice` derives hints from the facts.


class Problem(Frozen):
    code: Code
    message: str
    hint: str | None = None
    place: tuple[int, int] | None = None
    """The start in the code, counted from 0, and the length; None: all of the code."""
    facts: object = None
    """The record of the facts about the problem. `advice` derives a hint from it."""


class OpenQuote(Frozen):
    """A quote that is never closed."""


class Digraph(Frozen):
    """Two characters that C reads as one sign."""

    text: str
    sign: str
    tested: bool
    """Whether `%` stands for a result in the code."""


class ForeignCharacter(Frozen):
    """A character that C does not have."""

    character: str


class NotNumber(Frozen):
    """A word that begins with a digit, and is not a number of C."""

    text: str


class MissingOperator(Frozen):
    """Two adjacent values without an operator."""

    code: str


class MissingOperand(Frozen):
    """An operator without one of its operands."""

    code: str
    operator: str
    is_first: bool
    """Whether the code begins with the operator."""
    is_left: bool
    """Whether the left operand is missing."""
    tested: bool
    """Whether `%` stands for a result in the code."""


class MisspeltTest(Frozen):
    """A value of `ok` that is not a test, but names a sign or a value: `result == OK`, `= OK`, `0`."""

    sign: str | None
    value: str


# ---- Letters of other alphabets that resemble those of C ----

_ALPHABETS = ("CYRILLIC", "GREEK")


def stranger(name: str) -> str | None:
    """Returns the first letter of another alphabet in a name that also has ASCII letters, or None."""
    if name.isascii() or not any(letter.isascii() and letter.isalpha() for letter in name):
        return None
    import unicodedata  # slow, and rarely needed

    return next((letter for letter in name if unicodedata.name(letter, "").startswith(_ALPHABETS)), None)


# ---- Tokens that C code of a spec must not contain ----
# They could end their context early, or differ between compilers.

_DIGRAPHS = {"<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#"}
_PRAGMAS = ("_Pragma", "__pragma")


def token_problem(token: Token, what: str, tested: bool) -> Problem | None:
    """Returns the reason why C code cannot contain this token, or None. `what`: the kind of C code. `tested`: `%`
    stands for the result."""
    text = token.text
    if token.kind == "comment":
        return Problem("c-comment", f"a comment ('{text}') inside a C {what}", "a YAML comment is fine: # ...")
    if text in ('"', "'"):
        return Problem("c-quotes", f"a {text} is never closed in this C {what}", facts=OpenQuote())
    if token.kind == "raw":
        message = f"'{text}' begins a raw string, and some C compilers have none"
        return Problem("c-quotes", message, 'write a plain string, with a \\ before each " in it')
    if token.kind == "separated":
        message = f"the ' in '{text}' separates digits in C23, and begins a character in older C"
        return Problem("c-quotes", message, "leave it out")
    if text == "\\":
        return Problem("c-backslash", "a backslash outside a C literal")
    if text == ";" and what != "statement":
        hint = "statements belong to keys such as 'release', or to a {do: ...} of 'let'"
        return Problem("c-semicolon", f"a ';' in a C {what}", hint)
    if text in _DIGRAPHS:
        sign = _DIGRAPHS[text]
        code: Code = "c-preprocessor" if sign == "#" else "c-brackets"
        return Problem(code, f"C reads '{text}' as '{sign}'", facts=Digraph(text, sign, tested))
    if text == "#" or text in _PRAGMAS:
        return Problem("c-preprocessor", f"'{text}' starts a preprocessor directive, not a C {what}")
    if token.kind == "other":
        return Problem("c-character", f"'{text}' is not a character of C", facts=ForeignCharacter(text))
    if token.kind == "name" and (letter := stranger(text)):
        return Problem("c-character", f"the '{letter}' in '{text}' is a letter of another alphabet")
    return None


# ---- Detection of operators without an operand ----
# Possible types, designators and macro arguments are accepted.

_PREFIX = frozenset("+ - * & ! ~ ++ --".split())
_COMPARISONS = frozenset("== != < > <= >=".split())


SPELT_OPERATORS = frozenset("and or not compl bitand bitor xor not_eq and_eq or_eq xor_eq".split())
"""The operators of <iso646.h>."""
_OF_TYPES = frozenset("sizeof _Alignof alignof".split())
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


class Missing(NamedTuple):
    place: int
    """The index of the token that lacks an operand."""
    is_left: bool
    """Whether the left operand is missing."""


def missing(seen: Sequence[Token], what: str, tested: bool = False) -> Missing | None:
    """Returns the first operator that lacks an operand, or None. `tested`: `%` is a result, which a comparison may omit
    on its left."""
    if any(token.text.strip("_") == "asm" for token in seen):
        return None
    return _Scan(seen, what, tested).run()


class _Scan:
    def __init__(self, seen: Sequence[Token], what: str, tested: bool) -> None:
        self._seen = seen
        self._statement = what == "statement"
        self._tested = tested
        self._open: list[int] = []
        self._wanting: int | None = None
        """The operator whose right operand is still to come."""
        self._begins = True
        """Whether an expression begins here."""

    def run(self) -> Missing | None:
        index = 0
        while index < len(self._seen):
            if self._seen[index].text.startswith("__has_"):  # `__has_include(<image.h>)`
                index = self._behind(index + 1)
                self._value()
                continue
            if found := self._token(index):
                return found
            index += 1
        if self._wanting is not None:
            return self._nothing_behind(self._wanting)
        return self._nothing_behind(len(self._seen) - 1) if self._text(-1) == "," else None

    def _token(self, index: int) -> Missing | None:
        token = self._seen[index]
        before = self._text(index - 1) if index else ""
        if before == "->" and token.kind != "name":
            return self._nothing_behind(index - 1)
        if before == "." and token.kind == "literal":
            return self._nothing_behind(index - 1)
        if token.kind in ("name", "number", "literal"):
            self._operand(index)
        elif token.text in _OPENING:
            self._open.append(index)
            self._start()
        elif token.text in _CLOSING:
            found = self._end(index)
            self._open.pop()
            self._value()
            return found
        elif token.text in (",", ";"):
            found = self._end(index)
            self._start()
            return found
        elif token.text in ("++", "--") and not self._lacks():
            pass
        elif not self._lacks():
            self._operator(index)
        else:
            return self._unary(index, before)
        return None

    def _operand(self, index: int) -> None:
        text = self._text(index)
        if text in _OF_TYPES:
            self._want(index)
        else:
            self._value()
            # Anything may follow a keyword: `const *`, `return -1`, `a and *b`.
            self._begins = text in C_KEYWORDS or text in SPELT_OPERATORS

    def _unary(self, index: int, before: str) -> Missing | None:
        """Handles a sign in a place where a value is expected."""
        text = self._text(index)
        if text in _PREFIX:
            self._want(index)
        elif self._is_spared(index, before):
            self._value()
        elif text == "=" and self._wanting == index - 1 and before in COMPOUND:
            self._want(index)
        elif (self._begins and self._is_after_word(index)) or (text == ":" and before in ("?", "*")):
            self._operator(index)
        elif text in (*_COMPARISONS, "=") and index == 0 and self._tested:
            self._want(index)
        else:
            return Missing(index, True)
        return None

    def _operator(self, index: int) -> None:
        # A ':' in a statement may end a label, which needs no operand.
        self._want(None if self._text(index) == ":" and self._statement else index)

    def _is_spared(self, index: int, before: str) -> bool:
        """Returns whether a sign stands alone: `%` for the result, `...`, a designator, an operator as a macro
        argument."""
        text = self._text(index)
        if text == ".":
            around = "".join(token.text for token in self._seen[max(index - 2, 0) : index + 3])
            if "..." in around:
                return self._may_be_dots(index)
            return self._wanting is None and before in ("{", ",", "(")
        if text == "%":
            return self._tested
        following = self._text(index + 1) if index + 1 < len(self._seen) else ""
        return bool(self._open) and before in ("(", ",") and following in (",", ")") and self._is_call()

    def _may_be_dots(self, index: int) -> bool:
        """Returns whether `...` may stand here: at the end of parameters, or as a range in braces."""
        behind = next((token.text for token in self._seen[index:] if token.text != "."), "")
        return behind == ")" or any(self._text(place) == "{" for place in self._open)

    def _is_after_word(self, index: int) -> bool:
        return index > 0 and self._seen[index - 1].kind == "name"

    def _end(self, index: int) -> Missing | None:
        """Checks the operands before a closing bracket, a ',' or a ';'."""
        text = self._text(index)
        if self._wanting is not None and not (text in (")", ",") and self._is_type(self._wanting)):
            return self._nothing_behind(self._wanting)
        before = self._text(index - 1) if index else ""
        if before == "," and text != "}" and not self._is_macro():
            return self._nothing_behind(index - 1)
        if text == "," and before in ("", "(", "[", "{", ";") and not self._is_macro():
            return Missing(index, True)
        if text == "]" and before == "[" and len(self._open) == 1 and not self._statement and index > 1:
            return Missing(index - 1, False)
        return None

    def _is_type(self, index: int) -> bool:
        """Returns whether the `*` at `index` may end a type, as in `(image_t **)`."""
        while index >= 0 and self._text(index) == "*":
            index -= 1
        if index < 0 or index == self._wanting:
            return False
        token = self._seen[index]
        member = index > 0 and self._text(index - 1) in (".", "->")
        return (token.kind == "name" and not member) or token.text in ("(", ")", ",")

    def _is_call(self) -> bool:
        place = self._open[-1]
        return self._text(place) == "(" and place > 0 and self._seen[place - 1].kind == "name"

    def _is_macro(self) -> bool:
        """Returns whether the current parentheses may have empty arguments, as a macro's may."""
        return bool(self._open) and self._is_call() and not any(map(str.islower, self._text(self._open[-1] - 1)))

    def _lacks(self) -> bool:
        return self._begins or self._wanting is not None

    def _start(self) -> None:
        self._begins, self._wanting = True, None

    def _value(self) -> None:
        self._begins, self._wanting = False, None

    def _want(self, index: int | None) -> None:
        self._begins, self._wanting = index is None, index

    def _nothing_behind(self, index: int) -> Missing:
        return Missing(index, False)

    def _text(self, index: int) -> str:
        return self._seen[index].text

    def _behind(self, index: int) -> int:
        """Returns the index after the parentheses that begin at `index`."""
        depth = 0
        while index < len(self._seen):
            depth += {"(": 1, ")": -1}.get(self._text(index), 0)
            index += 1
            if depth <= 0:
                break
        return index


_CONTINUED = re.compile(r"\\[ \t]*[\r\n]")
_TRIGRAPH = re.compile(r"\?\?[=/'()!<>-]")
_CLOSES = {")": "(", "]": "[", "}": "{"}
_DEEPEST = 64
_HAS_ELEMENTS = frozenset({")", "]", "}", "*"})
"""The signs that `[` may follow, besides names and literals. An example for the last one is `(char *[]){a, b}`."""
_NO_VALUES = C_KEYWORDS | SPELT_OPERATORS
_SPELT_PREFIX = ("not", "compl")
_NUMBER = re.compile(
    r"(?:0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*(?:[pP][+-]?[0-9]+)?|0[bB][01]+|[0-9]*\.?[0-9]*(?:[eE][+-]?[0-9]+)?)"
    r"(?:[uUlLzZ]{0,3}|[uU]?(?:wb|WB)[uU]?|[fFlLdDqQwW]|[dD][fFdDlL]|(?:bf|BF|[fF])[0-9]+x?)[iIjJ]?[lLfF]?"
)
"""Numbers with the suffixes of standards and of compilers."""


def expression_problem(raw: str, tested: bool = False) -> Problem | None:
    """Returns the problem of an expression, or None. `tested`: `%` stands for a result, and a leading comparison
    applies to it."""
    return code_problem(raw, "expression", tested)


def directive_problem(raw: str) -> Problem | None:
    """Returns the problem of an `if`, the condition of a preprocessor directive, or None."""
    if directive := re.fullmatch(r"#?\s*(if|ifdef|ifndef)\s+.+", fold(raw)):
        return Problem("c-preprocessor", f"only the condition behind '#if' is expected, without '{directive[1]}'")
    if re.search(r"\bsizeof\b", raw):
        message = "the preprocessor does not know types or 'sizeof'"
        hint = "ask for a limit, such as INT_MAX == 2147483647, or a macro of the library"
        return Problem("c-preprocessor", message, hint)
    return code_problem(raw, "condition")


def substitution_problem(text: str) -> Problem:
    """Returns the problem of a `${NAME}` that is not replaced."""
    name = text[text.index("${") :].split("}")[0]
    return Problem("c-substitution", f"'{shown(name)}}}' stands for nothing here", "only 'variants' set such names")


def empty_problem(what: str) -> Problem:
    hint = "leave the key out if there is nothing to do; a 'release' of nothing is '(void)self'"
    return Problem("c-empty", f"a C {what} is expected, and this is empty", hint if what == "statement" else None)


def code_problem(
    raw: str, what: Literal["expression", "statement", "condition", "prototype"], tested: bool = False
) -> Problem | None:
    """Returns the problem of C code, or None. `tested`: `%` stands for a result."""
    text = fold(raw)
    if not text:
        return empty_problem(what)
    if "${" in text:
        return substitution_problem(text)
    if match := _CONTINUED.search(raw):
        message = "a backslash at the end of a line"
        return Problem("c-backslash", message, "YAML joins the lines of a value itself", (match.start(), 1))
    if match := _TRIGRAPH.search(raw):
        message = "C reads this '??' as the beginning of a trigraph"
        return Problem("c-preprocessor", message, 'write \'"?" "?"\'', (match.start(), 3))
    brackets: list[tuple[int, str]] = []
    seen = tokens(text)
    for index, token in enumerate(seen):
        found = token_problem(token, what, tested)
        if found and token.text == ";" and index == len(seen) - 1:
            found = replace(found, hint="leave the ';' out")
        if token.text in ("(", "[", "{"):
            brackets.append((index, token.text))
            if len(brackets) > _DEEPEST:
                found = Problem("c-brackets", f"the brackets in this C {what} nest deeper than {_DEEPEST}")
        elif token.text in _CLOSES:
            if not brackets or brackets.pop()[1] != _CLOSES[token.text]:
                found = Problem("c-brackets", f"'{token.text}' closes nothing in this C {what}")
        elif token.text == "," and not brackets and what not in ("statement", "prototype"):
            found = Problem("c-comma", "a ',' outside parentheses: one C expression is expected here")
        if found is not None:
            return replace(found, place=_place(raw, index))
    if brackets:
        index, bracket = brackets[-1]
        return Problem("c-brackets", f"'{bracket}' is never closed in this C {what}", place=_place(raw, index))
    if what == "prototype":
        return None
    return (
        _number_problem(raw, what)
        or _keyword_problem(raw, what)
        or _conditional_problem(raw, what)
        or _index_problem(raw, what)
        or _operator_problem(raw, what)
        or _operand_problem(raw, what, tested)
    )


def _number_problem(raw: str, what: str) -> Problem | None:
    """Finds numbers that no C compiler has, such as `1x` and `1_000`. A macro may make a string of a version:
    `TEXT(1.2.3)`."""
    seen = tokens(raw)
    alone = True
    for index, token in enumerate(seen):
        alone = alone and token.text != "("
        if token.kind == "number" and not _NUMBER.fullmatch(token.text) and (alone or token.text.count(".") < 2):
            message = f"'{shown(token.text)}' is not a number of C in this {what}"
            return Problem("c-number", message, place=_place(raw, index), facts=NotNumber(token.text))
    return None


def _keyword_problem(raw: str, what: str) -> Problem | None:
    """Finds keywords of statements in an expression, where only a `{ }` of an extension can have them."""
    seen = tokens(raw)
    if what == "statement" or "{" in raw:
        return None
    is_generic = any(token.text == "_Generic" for token in seen)
    for index, token in enumerate(seen):
        is_member = index > 0 and seen[index - 1].text in (".", "->")
        is_association = is_generic and token.text == "default"
        if token.text in STATEMENT_KEYWORDS and not is_member and not is_association:
            message = f"'{token.text}' is a statement, and a C {what} is expected here"
            hint = "write CONDITION ? ONE : OTHER" if token.text in ("if", "else") else None
            return Problem("c-operator", message, hint, _place(raw, index))
    return None


def _operator_problem(raw: str, what: str) -> Problem | None:
    """Finds two adjacent values without an operator, which no C expression has. Keywords and possible extensions of
    compilers do not count as values."""
    seen = tokens(raw)
    for index, (one, other, last) in enumerate(zip(seen, seen[1:], seen[2:], strict=False)):
        if (one.text, other.text, last.kind) == ("*", "*", "number"):
            return Problem("c-operator", "C has no operator '**'", "write a product", _place(raw, index))
    if what != "expression" or "{" in raw or (len(seen) == 2 and seen[0].text == "like"):  # `default: like PARAM`
        return None
    for index, (before, token) in enumerate(pairwise(seen)):
        is_pair = _is_value(before) and (_is_value(token) or token.text in _SPELT_PREFIX)
        if is_pair or ("literal" in (before.kind, token.kind) and not _may_be_joined(seen, index)):
            message = f"there is no operator between '{shown(before.text)}' and '{shown(token.text)}'"
            return Problem("c-operator", message, place=_place(raw, index + 1), facts=MissingOperator(raw))
    return None


def _may_be_joined(seen: Sequence[Token], index: int) -> bool:
    """Returns whether no operator is missing between a token and the next one. One of them is a sign or a keyword, or
    both may be parts of one string, such as `"%" PRIu64`."""
    pair = seen[index : index + 2]
    if any(each.kind != "literal" and not _is_value(each) for each in pair):
        return True
    around = (seen[index - 1].text if index else "", *(each.text for each in seen[index + 2 : index + 3]))
    is_member = "." in around or "->" in around
    return not is_member and all(
        each.text.endswith('"') or (each.kind == "name" and each.text != "self") for each in pair
    )


def _operand_problem(raw: str, what: str, tested: bool) -> Problem | None:
    seen = tokens(raw)
    found = missing(seen, what, tested)
    if found is None or (what == "statement" and len(seen) == 1):  # for example a lone `~`, which does nothing
        return None
    operator = seen[found.place].text
    side = "before" if found.is_left else "behind"
    message = f"nothing is {side} '{operator}' in this C {what}"
    facts = MissingOperand(raw, operator, found.place == 0, found.is_left, tested)
    return Problem("c-operator", message, place=_place(raw, found.place), facts=facts)


def _is_value(token: Token) -> bool:
    named = token.kind == "name" and token.text not in _NO_VALUES and not token.text.startswith("__")
    return named or token.kind == "number"


def _conditional_problem(raw: str, what: str) -> Problem | None:
    """Checks that each `?` has its `:` within the same brackets. A `:` may mean something else in statements, in braces
    and in possible macros: `_Generic(x, int: 1)`."""
    if "?" not in raw and ":" not in raw:
        return None
    seen = tokens(raw)
    pending: list[list[int]] = [[]]
    alone = [what == "statement"]
    for index, token in enumerate(seen):
        if token.text in ("(", "[", "{"):
            called = token.text == "(" and index > 0 and seen[index - 1].kind == "name"
            pending.append([])
            alone.append(alone[-1] or called or token.text == "{")
        elif token.text == "?":
            pending[-1].append(index)
        elif token.text == ":" and pending[-1]:
            pending[-1].pop()
        elif token.text == ":" and not alone[-1]:
            return Problem("c-conditional", f"this ':' has no '?' in this C {what}", place=_place(raw, index))
        elif token.text == ";" or token.text in _CLOSES:
            if pending[-1]:
                break
            if token.text != ";":
                pending.pop()
                alone.pop()
    if not pending[-1]:
        return None
    message = f"this '?' has no ':' in this C {what}"
    return Problem("c-conditional", message, "CONDITION ? ONE : OTHER", _place(raw, pending[-1][-1]))


def _index_problem(raw: str, what: str) -> Problem | None:
    """Checks that each `[` follows a value with elements, except in designators (`{[0] = 1}`) and attributes
    (`[[fallthrough]]`)."""
    if "[" not in raw:
        return None
    seen = tokens(raw)
    inside: list[str] = []
    for index, token in enumerate(seen):
        if token.text in _CLOSES:
            inside.pop()
        elif token.text in ("(", "[", "{"):
            before = seen[index - 1] if index else Token("sign", "")
            fits = before.kind in ("name", "number", "literal") or before.text in _HAS_ELEMENTS
            attribute = "[" in (before.text, seen[index + 1].text)
            if token.text == "[" and not fits and not attribute and inside[-1:] != ["{"]:
                return Problem("c-brackets", f"this '[' indexes nothing in this C {what}", place=_place(raw, index))
            inside.append(token.text)
    return None


def _place(raw: str, index: int) -> tuple[int, int] | None:
    """Returns the place of a token; None if a literal with a line break hides it."""
    found = spans(raw)
    return (found[index][0], found[index][1] - found[index][0]) if index < len(found) else None


NO_TEST = Problem(
    "bad-ok",
    "'ok' neither starts with a comparison nor contains '%' for the result",
    "write for example '== 0', or 'SUCCEEDED(%)' where % stands for the result",
)


_MISSPELT_TEST = r"(?:result\s*([=!<>]=|[<>])|=)\s*(-?\w+)|(-?\d+)"
"""Matches `result == OK`, `= OK` and `0`, which test no parameter."""


def ok_condition(raw: str) -> str | Problem:
    """Returns `ok` as an expression with `%` for the result: `!= NULL` becomes `% != NULL`."""
    text = fold(raw)
    found = expression_problem(raw, tested=True)
    if found is not None:
        return found
    signs = [token.text for token in tokens(text)]
    if signs[0] in _COMPARISONS and len(signs) > 1:
        return f"% {text}"
    if "%" in signs:
        return text
    match = re.fullmatch(_MISSPELT_TEST, text)
    return replace(NO_TEST, facts=MisspeltTest(match[1], match[2] or match[3])) if match else NO_TEST


def outcome(raw: str) -> str | Problem:
    """Returns the success condition of a function, or its problem. Code without a comparison and without `%` is
    returned unchanged if it has names: it may test a parameter, which the caller checks."""
    found = ok_condition(raw)
    is_about_names = found is NO_TEST and any(token.kind == "name" for token in tokens(raw))
    return fold(raw) if is_about_names else found


# ---- Completeness checks for statements of a spec, so that none of them joins the emitted C around it ----

_LEAVING = ("return", "goto")
_LOOPS = frozenset(("for", "while"))
_CONDITION = "write 'if (...) { ... }', or a function of yours"


class Misplaced(NamedTuple):
    """A word that leaves the emitted code, or belongs to a statement outside the spec's code."""

    message: str
    hint: str


def misplaced(text: str) -> Misplaced | None:
    """Finds a word that leaves the code, or that C takes as a part of a statement around it: `else`, `case`, `break`.

    The brackets must be balanced. A call without `;` before a statement is a macro: it may expand to a loop or an `if`.
    """
    seen = tokens(text)
    for token in seen:
        if token.text in _LEAVING:
            message = f"'{token.text}' would leave the emitted function, which has more to do behind this"
            return Misplaced(message, _CONDITION)
    return _StatementReader(seen, _ends(seen)).statements(0, len(seen), ())


def ends_with_block(text: str) -> bool:
    """Returns whether the code ends with a block, so that no `;` is needed after its last `}`."""
    seen = tokens(text)
    if not seen or seen[-1].text != "}":
        return False
    start = {end: begin for begin, end in _ends(seen).items()}
    begin = start[len(seen) - 1]
    before = seen[begin - 1].text if begin else ""
    if before == ")":
        called = start[begin - 1] - 1
        return called >= 0 and seen[called].kind == "name" and seen[called].text not in ("return", "sizeof")
    return before in ("", ";", "{", "}", "else", "do", ":")


def _ends(seen: Sequence[Token]) -> dict[int, int]:
    """Returns the index of the closing bracket for each opening bracket."""
    pending: list[int] = []
    found: dict[int, int] = {}
    for index, token in enumerate(seen):
        if token.text in _OPENING:
            pending.append(index)
        elif token.text in _CLOSING:
            found[pending.pop()] = index
    return found


class _StatementReader:
    """A reader of statements. Its lists name incomplete statements: `if`, `loop`, `switch`, `do`, `macro`, `else`.
    After the substatement, an `if` is renamed to `then`, and a `do` to `done`."""

    def __init__(self, seen: Sequence[Token], ends: dict[int, int]) -> None:
        self._seen = seen
        self._ends = ends

    def statements(self, index: int, end: int, around: tuple[str, ...]) -> Misplaced | None:
        """Finds a misplaced word between two indices. `around`: the kinds of the enclosing statements."""
        pending: list[str] = []
        while index < end:
            text = self._text(index)
            if pending and pending[-1] == "then":
                pending.pop()
                if text == "else":
                    pending.append("else")
                    index += 1
                else:
                    _complete(pending)
                continue
            kinds = (*around, *pending)
            if found := self._alone(index, kinds):
                return found
            if text == "while" and pending and pending[-1] == "done":
                pending.pop()
                index = self._behind(index + 1)
                index += self._text(index) == ";"
                _complete(pending)
            elif text in ("if", "switch") or text in _LOOPS:
                pending.append("loop" if text in _LOOPS else text)
                index = self._behind(index + 1)
            elif text == "do":
                pending.append("do")
                index += 1
            elif text in ("case", "default"):
                index = self._behind_label(index, end)
            elif text == "{":
                if found := self.statements(index + 1, self._ends[index], (*kinds, "block")):
                    return found
                index = self._ends[index] + 1
                _complete(pending)
            elif self._is_macro(index, end):
                pending.append("macro")
                index = self._ends[index + 1] + 1
            else:
                stop = self._behind_expression(index, end)
                if found := self._inside(index, stop, kinds):
                    return found
                index = stop
                _complete(pending)
        _complete(pending)
        return Misplaced("a 'do' has no 'while'", "do { ... } while (...)") if {"do", "done"} & {*pending} else None

    def _alone(self, index: int, kinds: tuple[str, ...]) -> Misplaced | None:
        """Finds a misplaced word at the beginning of a statement."""
        text = self._text(index)
        following = self._text(index + 1)
        if text == "else":
            return Misplaced("this 'else' has no 'if'", "if (...) { ... } else { ... }")
        if text in ("case", "default") and not {"switch", "macro"} & {*kinds}:
            return Misplaced(f"this '{text}' has no 'switch'", f"switch (...) {{ {text} ... }}")
        if text == "break" and not {"switch", "loop", "do", "macro"} & {*kinds}:
            return Misplaced("this 'break' has no loop", _CONDITION)
        if text == "continue" and not {"loop", "do", "macro"} & {*kinds}:
            return Misplaced("this 'continue' has no loop", _CONDITION)
        is_label = self._seen[index].kind == "name" and following == ":" and text not in C_KEYWORDS
        if is_label and not kinds:  # inside a statement of the spec, a label is harmless
            return Misplaced(f"'{text}:' is a label, and nothing may jump to it", "leave it out")
        return None

    def _is_macro(self, index: int, end: int) -> bool:
        """Returns whether a call precedes a statement without `;`: `LIST_FOREACH(item, list) { ... }`."""
        if self._seen[index].kind != "name" or self._text(index) in C_KEYWORDS or self._text(index + 1) != "(":
            return False
        behind = self._ends[index + 1] + 1
        if behind >= end:
            return False
        token = self._seen[behind]
        text = token.text
        return text == "{" or text in STATEMENT_KEYWORDS or (token.kind == "name" and "_" not in text[:1])

    def _behind(self, index: int) -> int:
        """Returns the index after the parentheses that open at `index`, or `index` if there are none."""
        return self._ends[index] + 1 if self._text(index) == "(" else index

    def _behind_label(self, index: int, end: int) -> int:
        chosen = 0
        while index < end:
            text = self._text(index)
            if text in _OPENING:
                index = self._ends[index]
            chosen += text == "?"
            if text == ":" and chosen == 0:
                return index + 1
            chosen -= text == ":"
            index += 1
        return end

    def _behind_expression(self, index: int, end: int) -> int:
        """Returns the index after the next `;`."""
        while index < end:
            text = self._text(index)
            index = self._ends[index] + 1 if text in _OPENING else index + 1
            if text == ";":
                break
        return index

    def _inside(self, index: int, end: int, kinds: tuple[str, ...]) -> Misplaced | None:
        """Searches an expression for statements in `({ ... })`, function bodies, and words after a macro."""
        while index < end:
            text = self._text(index)
            if text == "{" and self._is_body(index):
                hint = "define it in a header, and call it here"
                return Misplaced("this defines a function, and calls nothing", hint)
            if text == "(" and self._text(index + 1) == "{":
                if found := self.statements(index + 2, self._ends[index + 1], kinds):
                    return found
                index = self._ends[index]
            elif text in ("break", "continue") or (text == "else" and not {"if", "macro"} & {*kinds}):
                found = self._alone(index, kinds)  # after a macro
                if found:
                    return found
            index += 1
        return None

    def _is_body(self, index: int) -> bool:
        """Returns whether a `{` begins a function body: it follows `TYPE NAME(...)`."""
        if index == 0 or self._text(index - 1) != ")":
            return False
        begin = next(start for start, end in self._ends.items() if end == index - 1)
        if begin < 2 or self._seen[begin - 1].kind != "name" or self._text(begin - 1) in C_KEYWORDS:
            return False
        before = self._seen[begin - 2]
        return before.text == "*" or (before.kind == "name" and before.text not in STATEMENT_KEYWORDS)

    def _text(self, index: int) -> str:
        return self._seen[index].text if index < len(self._seen) else ""


def _complete(pending: list[str]) -> None:
    """Completes a statement, and the pending statements that end with it."""
    while pending and pending[-1] in ("else", "loop", "switch"):
        pending.pop()
    if pending and pending[-1] in ("if", "macro"):
        pending[-1] = "then"
    elif pending and pending[-1] == "do":
        pending[-1] = "done"
