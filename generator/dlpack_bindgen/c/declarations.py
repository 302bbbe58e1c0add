"""The parser of types and declarations in a spec."""

from __future__ import annotations

import re
from dataclasses import replace

from dlpack_bindgen.c.ctext import (
    expression_problem,
    fold,
    open_parentheses,
    remembered,
    split,
    substitution_problem,
    tokens,
)
from dlpack_bindgen.c.names import C_KEYWORDS
from dlpack_bindgen.c.problem import Problem
from dlpack_bindgen.c.prototype import normal
from dlpack_bindgen.diagnostics import shown

_WORDS = r"[A-Za-z_]\w*(?:\s+[A-Za-z_]\w*)*"
_TYPE = re.compile(_WORDS, re.ASCII)
_DECLARATION = re.compile(rf"(?P<type>{_WORDS}(?:\s*\*(?:\s*const\b)?)*)(?P<gap>\s*)(?P<name>\b[A-Za-z_]\w*)", re.ASCII)
_PROTOTYPE = re.compile(
    r"(?P<head>[A-Za-z_]\w*(?:\s*\*|\s+[A-Za-z_]\w*)*(?:\s+|\s*\*\s*))(?P<name>[A-Za-z_]\w*)\s*\((?P<given>.*)\)",
    re.ASCII,
)
_NO_TYPES = frozenset("return else goto case if while for do switch break continue sizeof typeof default".split())
_QUALIFIERS = frozenset("const volatile struct union enum extern static inline".split())
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
        typed = "*" in head or _TYPE_WORDS.union(_QUALIFIERS).intersection(head)
        used = [token.text for token in tokens(text)].count(match["name"]) > 1
        if (typed or any(map(_is_declared, given))) and not used:
            return match["name"], None if not match["given"].strip() else 0 if given == ["void"] else len(given)
    return None


def _is_declared(parameter: str) -> bool:
    return parameter.endswith("*") or not isinstance(split_declaration(parameter), Problem)


def _moved(problem: Problem, by: int) -> Problem:
    """Moves the place of a problem by `by` characters, from a part of a value to the whole value."""
    return replace(problem, place=(problem.place[0] + by, problem.place[1])) if problem.place else problem
