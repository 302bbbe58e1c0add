# SPDX-License-Identifier: MIT
"""Says on which files the result of a gate depends, and computes a digest of each of them.

The digest of a file changes if the gate may give another result, and not with comments or layout:

* C: the preprocessing tokens. A directive ends with its line, and `#define f (x)` differs from `#define f(x)`.
* Python: the syntax tree without docstrings. It is the same with each supported CPython.
* everything else, such as YAML, templates and lists: the text.
"""

from __future__ import annotations

import ast
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
C_SUFFIXES = (".c", ".h", ".cpp", ".hpp")
SUFFIXES = (*C_SUFFIXES, ".py", ".pyi", ".j2", ".yaml", ".txt", ".jsonl", ".f90", ".supp")
"""Files with another suffix are not run: pages, licences, and the verdicts that `make mutants` writes."""
C_TOKEN = re.compile(
    r"""
      (?P<comment> /\*.*?\*/ | //[^\n]* )
    | (?P<space> [^\S\n]+ )
    | (?P<newline> \n )
    | (?:u8|[uUL])? "(?:[^"\\\n]|\\.)*"
    | [uUL]? '(?:[^'\\\n]|\\.)*'
    | \.?\d (?:[eEpP][+-] | [\w.])*
    | \w+
    | \.\.\. | <<= | >>= | [-+&|=<>\#]{2} | -> | [-+*/%&|^!=<>]= | .
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Scope:
    """The files on which the result of a gate depends: all in `folders`, except for those whose paths begin with one of
    `without`."""

    folders: tuple[str, ...]
    without: tuple[str, ...] = ()


RUNTIME = ("runtime",)
GENERATOR = ("generator", "templates")
CHECKED = ("runtime/checked/",)
"""The part of the runtime that only `dlpack-bindgen try` compiles."""
INIT = ("generator/dlpack_bindgen/tools/init/",)
TRY = (*CHECKED, "generator/dlpack_bindgen/tools/try_/")
"""The code of the commands `dlpack-bindgen init` and `dlpack-bindgen try`. Most gates do not run these commands."""
LEDGER_OF_CALLS = ("gates/try_/calls.txt", "gates/try_/reasons.txt", "gates/try_/specs.py")
"""Files that only `make try-specs` uses."""
SEEDED = (
    "gates/try_/calls.txt",
    *(f"gates/try_/{name}" for name in ("seeded.py", "errors.py", "edits.py", "quick.py", "not_found.txt")),
)
"""Files that only `make try-seeded` uses, and the list of calls, which is a result of `make try-specs`."""
NOT_MUTATED = (*INIT, "tests/init/", "tests/interop/", "tests/builds/", "tests/packaging/", "tests/gates/")
"""`make mutants` has no mutant in `init`, whose tests kill none, and does not run the others of these tests."""
SCOPES = {
    "mutants": Scope((*RUNTIME, *GENERATOR, "tests", "gates/mutants"), NOT_MUTATED),
    "coverage": Scope((*RUNTIME, "gates/coverage", "gates/starve"), CHECKED),
    "starve": Scope((*RUNTIME, "gates/starve"), CHECKED),
    "fuzz": Scope((*RUNTIME, *GENERATOR, "gates/fuzz"), (*INIT, *TRY, "gates/fuzz/seeded_bug.txt")),
    "race": Scope((*RUNTIME, "gates/race"), CHECKED),
    "try-specs": Scope((*RUNTIME, *GENERATOR, "specs", "gates/try_", "tests/libraries"), (*INIT, *SEEDED)),
    "try-seeded": Scope((*RUNTIME, *GENERATOR, "specs", "gates/try_"), (*INIT, *LEDGER_OF_CALLS)),
    "pythons": Scope((*RUNTIME, *GENERATOR, "generated", "gates/pythons"), (*INIT, *TRY)),
}
"""Each result depends on the product, and on the files of the gate. Tests count only for `mutants`, whose claim is
about them."""


def c_tokens(text: str) -> list[str]:
    """Returns the preprocessing tokens of C source, and a newline after each directive."""
    tokens: list[str] = []
    in_directive, starts_line, after_space = False, True, False
    for found in C_TOKEN.finditer(re.sub(r"\\\r?\n", "", text)):
        token, kind = found[0], found.lastgroup
        if kind == "newline":
            if in_directive:
                tokens.append("\n")
            in_directive, starts_line = False, True
        elif kind is None:
            if starts_line and token == "#":
                in_directive = True
            defines = in_directive and tokens[-2:-1] == ["define"]
            tokens.append(" (" if token == "(" and defines and after_space else token)
            starts_line = False
        after_space = kind in ("comment", "space")
    return tokens


def outline(node: object) -> object:
    """Returns a syntax tree of Python as nested tuples, without docstrings and positions.

    Versions of CPython differ in fields that are empty or 0, and in empty strings within f-strings: these are left out.
    """
    if isinstance(node, ast.JoinedStr):
        return ("JoinedStr", *(outline(value) for value in node.values if not is_string(value, "")))
    if isinstance(node, ast.Constant):
        return ("Constant", repr(node.value))
    if isinstance(node, ast.AST):
        fields = ((name, outline(value)) for name, value in ast.iter_fields(node) if name != "ctx")
        return (type(node).__name__, *((name, value) for name, value in fields if value not in (None, (), "0")))
    if isinstance(node, list):
        return tuple(outline(item) for item in node if not is_docstring(item))
    return None if node is None else repr(node)


def is_string(node: object, value: str | None = None) -> bool:
    """Tells whether an expression is a literal string, and has this value if one is given."""
    found = node.value if isinstance(node, ast.Constant) else None
    return isinstance(found, str) and value in (None, found)


def is_docstring(node: object) -> bool:
    """Tells whether a statement is only a string, as the documentation of a function, class or variable is."""
    return isinstance(node, ast.Expr) and is_string(node.value)


def digest(path: Path) -> str:
    """Returns the digest of a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in C_SUFFIXES:
        text = "\0".join(c_tokens(text))
    elif path.suffix in (".py", ".pyi"):
        text = repr(outline(ast.parse(text)))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def source_digests(gate: str, top: Path = TOP) -> dict[str, str]:
    """Returns the digest of each file on which the result of a gate depends, by its path in the repository."""
    scope = SCOPES[gate]
    paths = {path for folder in scope.folders for path in (top / folder).rglob("*") if path.suffix in SUFFIXES}
    names = {path.relative_to(top).as_posix(): path for path in paths if path.is_file()}
    return {name: digest(names[name]) for name in sorted(names) if not name.startswith(scope.without)}


def changed_files(before: dict[str, str], now: dict[str, str]) -> list[str]:
    """Returns the files that were added, changed or removed between two results of `source_digests()`."""
    return sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
