"""The step from a module to formatted text, through the templates. It makes no decisions."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha1
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket, BytecodeCache

from dlpack_bindgen.emit.clang_format import LINE, LINE_END, format_files
from dlpack_bindgen.emit.module import Module
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.resources import resource_folder
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.text.literals import c_string
from dlpack_bindgen.text.names import MARK

# ---- The layout of a function that a template has printed: sections of strict conversions, labels ----

_LABELLED = re.compile(
    r"(?P<line>.*\S) (?P<label>/\* \S+(?P<advice> \((?:narrower types: .*|leave bit-fields out)\))? \*/)"
)
_CONDITION = re.compile(r"((?:} else )?if )\((.*)\) \{")
_WIDE, _FAR_TOO_WIDE = 88, 132


def labels_placed(body: str) -> str:
    """Returns the body with labels where compilers show them."""
    return "\n".join(placed for line in _conditions_joined(body.splitlines()) for placed in _placed(line))


def laid_out(body: str) -> str:
    """Returns the body with neighbouring strict sections joined, and with labels where compilers show them."""
    return labels_placed("\n".join(_sections_joined(body.splitlines())))


def _sections_joined(lines: Iterable[str]) -> list[str]:
    """Joins neighbouring sections of strict conversions."""
    found: list[str] = []
    for line in lines:
        if line == "DLB_STRICT_BEGIN" and found[-1:] == ["DLB_STRICT_END"]:
            found.pop()
        else:
            found.append(line)
    return found


def _conditions_joined(lines: Iterable[str]) -> list[str]:
    """Merges neighbouring `#if` blocks with equal conditions."""
    found: list[str] = []
    opened = ""
    for line in lines:
        if line.startswith("#if") and line == opened and found[-1] == "#endif":
            found.pop()
            continue
        if line.startswith("#") and line != "#endif":
            opened = line
        found.append(line)
    return found


def _placed(line: str) -> list[str]:
    """Returns the line with its label, also if it is slightly too long. The advice in the label does not count.

    For much longer lines the label precedes the line. In the block of a condition, it becomes the first line.
    """
    match = _LABELLED.fullmatch(line)
    width = len(line.replace(MARK, ""))
    if match is None or width <= _WIDE:
        return [line]
    text, label = match["line"], match["label"]
    condition = _CONDITION.fullmatch(text)
    if width - len(match["advice"] or "") > _FAR_TOO_WIDE or text.endswith("}"):
        return [text, label] if condition is not None else [label, text]
    if condition is None:
        return [f"{LINE}({text} {label} {LINE_END});"]
    return [f"{condition[1]}({LINE}({condition[2]} {label} {LINE_END})) {{"]


# ---- Renaming of variables in emitted C that would hide a name of the spec ----

_TOKEN = re.compile(
    r"""(?P<skipped>/\*.*?\*/|^[ \t]*\#[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')"""
    r"|(?P<elsewhere>(?:(?:->|\.)\s*|\b(?:struct|union|enum)\s+)[A-Za-z_]\w*)"
    r"|(?P<name>\b[A-Za-z_]\w*)|(?P<sign>[(){};=])",
    re.DOTALL | re.MULTILINE,
)
"""A pattern of literals, comments, directives, members, tags, names, and signs. Members and tags have name spaces of
their own."""


def resolved(text: str, of_headers: Sequence[str], declared: Sequence[str]) -> str:
    """Returns a file in which no generated variable hides a name of the spec. Variables named like one of `of_headers`
    are renamed in all functions. Variables named like one of `declared` are renamed only in functions that use the
    spec's name. The spec's names bear the mark until then."""
    taken = {match.group().replace(MARK, "") for match in re.finditer(r"\b[A-Za-z_]\w*", text)}
    chosen = {}
    for name in (*of_headers, *declared):
        chosen[name] = f"{name}_"
        while chosen[name] in taken:
            chosen[name] += "_"
    pieces = []
    for part in _parts(text):
        here = [*of_headers, *(name for name in declared if f"{name}{MARK}" in part)]
        pieces.append(_renamed(part, {name: chosen[name] for name in here}) if here else part)
    return unmarked("".join(pieces))


def unmarked(text: str) -> str:
    """Removes the mark from the names of the spec."""
    return text.replace(MARK, "")


def _parts(text: str) -> Iterator[str]:
    """Splits a file after each function, declaration and definition."""
    start = depth = 0
    for match in _TOKEN.finditer(text):
        sign = match["sign"]
        depth += (sign == "{") - (sign == "}")
        if depth == 0 and sign in (";", "}"):
            yield text[start : match.end()]
            start = match.end()
    yield text[start:]


def _renamed(part: str, chosen: Mapping[str, str]) -> str:
    """Renames the parameters and variables of a function, or the parameters of pointers to functions. Members of
    structs and initialisers of tables keep their names."""
    pieces: list[str] = []
    end = depth = braces = 0
    closed = is_body = False
    for match in _TOKEN.finditer(part):
        sign, name = match["sign"], match["name"]
        if sign == "=" and not braces:
            break
        if sign == "{":
            is_body = is_body or (closed and not braces)
        braces += (sign == "{") - (sign == "}")
        depth += (sign == "(") - (sign == ")")
        if name in chosen and (is_body or depth > 0):
            pieces += [part[end : match.start()], chosen[name]]
            end = match.end()
        closed = sign == ")" or (closed and match["skipped"] is not None)
    return "".join([*pieces, part[end:]])


# ---- Qualification of Python's built-in types in stubs of modules that redefine their names ----

_BUILTINS = "bool bytes classmethod complex float int memoryview object property staticmethod str tuple type"
_ONE_OF = _BUILTINS.replace(" ", "|")
_DEFINED = re.compile(rf"^ *(?:def ({_ONE_OF})\b|({_ONE_OF}):)", re.MULTILINE)
"""A pattern of definitions that shadow a built-in name. Classes do not count: the name then means the class in the
stub."""
_USED = rf"(?:(?<=-> )|(?<=\| ))(?:{_ONE_OF})\b|(?<![\w.'\"])(?:{_ONE_OF})(?![\w(:=.'\"])"
"""A pattern of built-in names used as types. After `->` or `|`, a name is a type. Elsewhere it is a type unless a sign
of a parameter or definition follows."""


def qualified(stub: str) -> str:
    """Returns the stub with `builtins.int` in the place of `int` if the module defines an `int`; likewise for other
    types."""
    defined = {name for found in _DEFINED.findall(stub) for name in found if name}
    if not defined:
        return stub

    def full(match: re.Match[str]) -> str:
        return f"builtins.{match.group()}" if match.group() in defined else match.group()

    lines = []
    in_docstring = False
    for line in stub.split("\n"):
        is_code = not in_docstring and '"""' not in line
        in_docstring ^= line.count('"""') % 2 == 1
        lines.append(re.sub(_USED, full, line) if is_code else line)
    return "\n".join(lines).replace("\nimport ", "\nimport builtins\nimport ", 1)


# ---- A cache of compiled templates, in the folder where Python caches compiled modules ----
# Write access to that folder includes write access to the modules, so the cache is as trustworthy as they are. The
# cache is not written if Python would write nothing. If it cannot be written, the next run compiles the templates
# again.


class TemplateCache(BytecodeCache):
    def __init__(self, options: object) -> None:
        """Prepares the cache. `options` are the options of the Jinja environment, which affect compiled templates."""
        self._folder = Path(importlib.util.cache_from_source(__file__)).parent
        self._made_by = f"{jinja2.__version__} {importlib.util.MAGIC_NUMBER!r} {options}\n"

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return name

    def get_source_checksum(self, source: str) -> str:
        return sha1((self._made_by + source).encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        # Ignore damaged files, too: the templates are available.
        with contextlib.suppress(Exception), self._file(bucket).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if sys.dont_write_bytecode:
            return
        path = self._file(bucket)
        temporary = path.with_name(f"{path.name}.{os.urandom(4).hex()}")
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                with temporary.open("xb") as file:
                    bucket.write_bytecode(file)
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)

    def _file(self, bucket: Bucket) -> Path:
        return self._folder / f"{bucket.key}.{sys.implementation.cache_tag}.pyc"


C_TEMPLATES = {
    "dlpack.h.j2": "{module}_dlpack.h",
    "dlpack.c.j2": "{module}_dlpack.c",
    "module.c.j2": "{module}_module.c",
}
STUB_TEMPLATE = "stub.pyi.j2"
STUB_NAME = "{module}.pyi"
_SYNTAX: dict[str, Any] = {
    "autoescape": False,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
}
_LINE = re.compile(rf"{LINE}\((.*?) {LINE_END}\);?")


class OutputFile(Frozen):
    name: str
    text: str


def output_names(module: str) -> list[str]:
    """Returns the names of the output files of one spec."""
    return [*(name.format(module=module) for name in C_TEMPLATES.values()), STUB_NAME.format(module=module)]


def have_functions(specs: Sequence[Spec]) -> bool:
    """Returns whether a module of these specs calls functions, so that it needs the whole runtime."""
    return any(Module(spec).has_calls for spec in specs)


def render(specs: Sequence[Spec], jobs: int | None = None) -> list[OutputFile]:
    """Returns the files of all specs, in the order of the specs. `jobs` limits the number of formatting processes."""
    modules = [Module(spec) for spec in specs]
    c_files = [file for module in modules for file in _c_files(module)]
    formatted = dict(zip((name for name, _ in c_files), format_files(c_files, jobs), strict=True))
    files = []
    for module in modules:
        for name in C_TEMPLATES.values():
            name = name.format(module=module.spec.module)
            files.append(OutputFile(name, _tidy(_keep_format(_unmark(formatted[name])))))
        files.append(OutputFile(STUB_NAME.format(module=module.spec.module), stub(module)))
    return files


def render_unformatted(spec: Spec) -> list[OutputFile]:
    """Returns the C files of a spec as the templates print them, for a compiler: each statement has a line of its own,
    with the label of its key."""
    return [OutputFile(name, _unmark(text)) for name, text in _c_files(Module(spec))]


def _c_files(module: Module) -> list[tuple[str, str]]:
    """Returns the C files, each with its name and its code as the templates print it, before clang-format."""
    environment = environment_of_templates()
    return [
        (name.format(module=module.spec.module), _named(_fill(environment, template, module), module.spec))
        for template, name in C_TEMPLATES.items()
    ]


def stub(module: Module) -> str:
    """Returns the text of the stub."""
    return qualified(_tidy(unmarked(_fill(environment_of_templates(), STUB_TEMPLATE, module))))


@functools.cache
def environment_of_templates() -> Environment:
    """Returns the Jinja environment. It keeps the compiled templates for further specs of the process."""
    cache = TemplateCache(_SYNTAX)
    environment = Environment(
        loader=FileSystemLoader(resource_folder("templates")),
        bytecode_cache=cache,
        undefined=StrictUndefined,
        **_SYNTAX,
    )
    add_filters(environment)
    return environment


class _Templates(dict[str, dict[str, object]]):
    """The macros of the templates of pieces. The key is the name of the template without `.c.j2`."""

    def __init__(self, environment: Environment) -> None:
        super().__init__()
        self._environment = environment

    def __missing__(self, name: str) -> dict[str, object]:
        found = self[name] = vars(self._environment.get_template(f"{name}.c.j2").module)
        return found


def add_filters(environment: Environment) -> None:
    """Adds the filters of the templates. `c_string` quotes a text for C, and the others lay out bodies of functions.

    Adds `templates` as well, in which a template finds the macros of a piece."""
    environment.filters |= {"c_string": c_string, "labels_placed": labels_placed, "laid_out": laid_out}
    environment.globals["templates"] = _Templates(environment)


def _fill(environment: Environment, template: str, module: Module) -> str:
    return environment.get_template(template).render(module=module)


def _named(text: str, spec: Spec) -> str:
    """Renames variables that would hide a name of the spec."""
    names = spec.names_of_headers, spec.declared_names
    return resolved(text, *names) if any(names) else text


def _unmark(text: str) -> str:
    """Removes the macro that keeps lines whole."""
    return _LINE.sub(r"\1", text)


def _keep_format(text: str) -> str:
    """Adds a comment below the banner that tells the user's own clang-format, of any version, to skip the file."""
    return text.replace("*/\n", "*/\n/* clang-format off */\n", 1)


def _tidy(text: str) -> str:
    """Removes trailing blanks, and empty lines after `{`, before `}` or beside another one. The text ends with one
    newline."""
    text = "\n".join([line.rstrip(" \t") for line in text.split("\n")])
    text = re.sub(r"\n{3,}", "\n\n", text)
    text = text.replace("{\n\n", "{\n")
    text = re.sub(r"\n(\n *\})", r"\1", text)
    return text.strip("\n") + "\n"
