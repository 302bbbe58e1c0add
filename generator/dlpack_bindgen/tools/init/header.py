"""The header of a library: the flags of the compiler that it needs, and its declarations, read by libclang.

This module alone uses libclang; it returns records (`declarations`)."""

from __future__ import annotations

import json
import os
import re
import shlex
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.tools.c_compiler import include_folders
from dlpack_bindgen.tools.init.declarations import (
    DeclaredType,
    Enum,
    Function,
    Header,
    Kind,
    Macro,
    Member,
    Parameter,
    Struct,
)

_MAIN = "dlpack_bindgen_init.c"
_STANDARD = ("stddef.h", "stdint.h", "stdio.h")
_BEFORE = ((), *((each,) for each in (*_STANDARD, "stdbool.h")), _STANDARD, (*_STANDARD, "stdbool.h"))
"""Headers that are included first, one list after the other, because many headers lack them."""
_STANDARD_INCLUDES = tuple(f"<{each}>" for each in (*_STANDARD, "stdbool.h", "stdlib.h", "complex.h", "sys/types.h"))
_MISSING = re.compile(r"'([^']+)' file not found")
_CPLUSPLUS = re.compile(r"unknown type name '(?:class|namespace|template|using|constexpr)'")
_NOT_DECLARED = re.compile(r"unknown type name|undeclared|^\"")
"""The messages of libclang about a name that no header declares, and about `#error`."""
_INTEGER = re.compile(r"(?:0[xX][0-9a-fA-F]+|[0-9]+)(?:[uU]?[lL]{0,2}|[lL]{1,2}[uU])")
_REAL = re.compile(r"(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?[fFlL]?")
_COLUMN_MAJOR = re.compile(
    r"\((?P<m>\w+),(?P<i>\w+),(?P<j>\w+)\).*\(?(?P=m)\)?(?:\.|->)(?P<data>\w+(?:\.\w+)*)"
    r"\[\(?(?P=m)\)?(?:\.|->)(?P<rows>\w+)\*\(?(?P=j)\)?\+\(?(?P=i)\)?\]"
)
"""A macro without its blanks, such as `AT(m,i,j)((m)->data[(m)->rows*(j)+(i)])`."""
_CHARACTER = re.compile(r"'[!-~]'")
_OPERATORS = frozenset("( ) - + * | & ~ << >>".split())
_DEEPEST = 2
"""How many structs a path to a member may pass."""


class HeaderError(Exception):
    """Raised if a header cannot be read. The message is one line and names the remedy."""


def read(name: str, flags: Sequence[str]) -> Header:
    """Reads a header of C, a path or a name in the include folders, with flags of a compiler."""
    clang = _libclang()
    folders = include_folders()
    path = _found(name, [*_given_folders(flags), *folders])
    first = ""
    for before in _BEFORE:
        unit = _parse(clang, [*(f"<{each}>" for each in before), f'"{path}"'], path.parent, flags, folders)
        errors = [each for each in unit.diagnostics if each.severity >= clang.Diagnostic.Error]
        if not errors:
            first_headers = [*_forced_headers(flags), *(f"<{each}>" for each in before)]
            return _Reader(clang, unit, path, folders).header(_include(path, flags, folders), first_headers)
        if not first:
            is_cplusplus = _includes_cplusplus(errors) or _is_cplusplus(clang, path, flags, folders)
            first = _explained(name, errors, folders, is_cplusplus)
        if "unknown type name" not in errors[0].spelling and "undeclared" not in errors[0].spelling:
            break
    raise HeaderError(first)


def read_all(includes: Sequence[str], folder: Path, flags: Sequence[str]) -> Header:
    """Reads the headers of a spec in `folder`, with all declarations that they include. `includes` has the headers as
    in `#include`, with quotes or angle brackets."""
    clang = _libclang()
    folders = include_folders()
    unit = _parse(clang, includes, folder, flags, folders)
    errors = [each for each in unit.diagnostics if each.severity >= clang.Diagnostic.Error]
    if errors:
        message = _explained("the spec", errors, folders)
        others = f"; the spec includes {named(includes)}" if len(includes) > 1 and "not found" not in message else ""
        raise HeaderError(f"{message}{others}")
    return _Reader(clang, unit, folder, folders, is_own=True).header(", ".join(includes), ())


def read_library(includes: Sequence[str], folder: Path, flags: Sequence[str]) -> Header:
    """Reads the headers of a spec in `folder` as `read` does: without the declarations of other libraries. The last one
    is the header of the library, and the others are those that it needs, or belong to it."""
    without = (*_STANDARD_INCLUDES, '"dlb_array.h"')
    own = [each for each in includes if each not in without] or list(includes)
    headers = []
    for each in own:
        name = each.strip('"<>')
        path = folder / name
        headers.append(read(str(path) if path.is_file() else name, flags))
    *others, last = headers
    for other in others:
        functions = {each.name: each for each in (*other.functions, *last.functions)}
        macros = {each.name: each for each in (*other.macros, *last.macros)}
        last = replace(
            last,
            structs={**other.structs, **last.structs},
            enums={**other.enums, **last.enums},
            functions=tuple(functions.values()),
            macros=tuple(macros.values()),
        )
    return last


def named(includes: Sequence[str]) -> str:
    """Returns the headers of a spec for a message."""
    return ", ".join(each.strip('"') for each in includes)


def _libclang() -> Any:
    try:
        from clang import cindex

        cindex.Index.create()
    except ImportError as error:
        raise HeaderError("init needs libclang: pip install 'dlpack-bindgen[init]'") from error
    except cindex.LibclangError as error:
        raise HeaderError("init found no libclang library: pip install --force-reinstall libclang") from error
    return cindex


def _found(name: str, folders: Sequence[str]) -> Path:
    name = name.strip("<>")
    for path in (name, *(os.path.join(folder, name) for folder in folders)):
        if os.path.isfile(path):
            return _readable(name, Path(path).resolve())
    if os.path.isdir(name):
        raise HeaderError(f"{name} is a folder: name one header in it")
    raise HeaderError(f"{name} is neither a file nor a header in the include folders: add its folder, -- -IFOLDER")


def _readable(name: str, path: Path) -> Path:
    try:
        path.open("rb").close()
    except OSError as error:
        raise HeaderError(f"cannot read {name}: {error.strerror or error}") from error
    return path


def _given_folders(flags: Sequence[str]) -> list[str]:
    found = []
    for index, flag in enumerate(flags):
        for option in ("-I", "-isystem", "-iquote", "-idirafter"):
            if flag == option and index + 1 < len(flags):
                found.append(flags[index + 1])
            elif flag.startswith(option) and flag != option:
                found.append(flag.removeprefix(option))
    return found


def _forced_headers(flags: Sequence[str]) -> list[str]:
    """Returns the headers that flags include first, `-include HEADER`, as a spec includes them."""
    names = [name for flag, name in pairwise(flags) if flag == "-include"]
    return [Path(name).name if Path(name).is_file() else f"<{name}>" for name in names]


def _include(path: Path, flags: Sequence[str], folders: Sequence[str]) -> str:
    """Returns the header as a source includes it: by the shortest path from an include folder."""
    system = [Path(folder).resolve() for folder in folders]
    given = [Path(folder).resolve() for folder in _given_folders(flags)]
    paths = [path.relative_to(folder).as_posix() for folder in (*given, *system) if folder in path.parents]
    if not paths:
        return path.name
    shortest = min(paths, key=len)
    return f"<{shortest}>" if any(folder in path.parents for folder in system) else shortest


def _parse(
    clang: Any,
    includes: Sequence[str],
    folder: Path,
    flags: Sequence[str],
    folders: Sequence[str],
    language: Sequence[str] = ("-x", "c", "-std=gnu17"),
) -> Any:
    options = clang.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD | clang.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES
    system = [part for each in folders for part in ("-isystem", each)]
    text = "".join(f"#include {each}\n" for each in includes)
    comments = ("-fparse-all-comments", "-fretain-comments-from-system-headers")
    arguments = [*language, "-w", *comments, *flags, f"-I{folder}", *system]
    try:
        return clang.Index.create().parse(_MAIN, arguments, [(_MAIN, text)], options)
    except clang.TranslationUnitLoadError as error:
        raise HeaderError("libclang cannot read the headers: check the flags after --") from error


def _is_cplusplus(clang: Any, path: Path, flags: Sequence[str], folders: Sequence[str]) -> bool:
    """Returns whether a header that does not compile as C is a header of C++."""
    if path.suffix in (".hpp", ".hh", ".hxx"):
        return True
    flags = [flag for flag in flags if not flag.startswith("-std=")]
    unit = _parse(clang, [f'"{path}"'], path.parent, flags, folders, ("-x", "c++", "-std=gnu++17"))
    return not any(each.severity >= clang.Diagnostic.Error for each in unit.diagnostics)


def _includes_cplusplus(errors: Sequence[Any]) -> bool:
    """Returns whether the name of a missing header has no ending. `vector` and other headers of C++ have none."""
    missing = [found[1] for each in errors if (found := _MISSING.search(each.spelling)) is not None]
    return any("." not in name.rpartition("/")[2] for name in missing)


def _explained(name: str, errors: Sequence[Any], folders: Sequence[str], is_cplusplus: bool = False) -> str:
    """Returns the message about the first error: where it is, and what to do. `name`: the header, or the spec."""
    first = errors[0]
    file = first.location.file
    is_own = file is None or file.name == _MAIN
    header = name if is_own or is_cplusplus else Path(file.name).name
    place = name if is_own else f"{Path(file.name).name}:{first.location.line}"
    if is_cplusplus or any(_CPLUSPLUS.search(each.spelling) for each in errors):
        return f"{header} is a header of C++, and init reads headers of C: name the C header of the library"
    missing = _MISSING.search(first.spelling)
    if missing and not folders:
        return f"{place} includes {missing[1]}, and no C compiler is here to find it: install gcc or clang, or set CC"
    if missing:
        return f"{place} includes {missing[1]}, which is not found: install it, or add its folder, -- -IFOLDER"
    if "argument" in first.spelling and file is None:
        return f"libclang does not know a flag: {first.spelling}; leave it out after --"
    if "encoding is not supported" in first.spelling:
        return f"{place} is not in UTF-8: {first.spelling.partition(',')[0]}; convert it to UTF-8"
    if _NOT_DECLARED.search(first.spelling):
        return f"{place} does not compile: {first.spelling}; include what it needs, -- -include HEADER"
    return f"{place} does not compile: {first.spelling}; add the flags with which sources include it, -- CFLAGS"


class _Reader:
    """The declarations of one translation unit."""

    def __init__(self, clang: Any, unit: Any, path: Path, folders: Sequence[str], is_own: bool = False) -> None:
        """Prepares to read a unit. `is_own`: all declarations count, not only those of the library at `path`."""
        self._kinds = clang.CursorKind
        self._types = clang.TypeKind
        self._deprecated = clang.AvailabilityKind.DEPRECATED
        self._unit = unit
        self._path = path
        self._common = {Path(folder).resolve() for folder in folders}
        self._own: dict[str, bool] = {}
        self._are_all_own = is_own

    def header(self, include: str, before: Sequence[str]) -> Header:
        every = list(self._unit.cursor.get_children())
        cursors = [each for each in every if self._is_own(each)]
        has_objects = any(each.spelling == "g_object_unref" for each in every)
        functions = tuple(self._functions(cursors))
        return Header(
            str(self._path),
            include,
            tuple(before),
            {each.key: each for each in self._structs(cursors, functions)},
            {each.key: each for each in self._enums(cursors)},
            functions,
            tuple(self._macros(cursors)),
            dict(self._columns(cursors)),
            has_objects,
        )

    def _is_own(self, cursor: Any) -> bool:
        file = cursor.location.file
        if file is None or self._are_all_own:
            return self._are_all_own
        if file.name not in self._own:
            self._own[file.name] = self._is_of_library(Path(file.name).resolve())
        return self._own[file.name]

    def _is_of_library(self, file: Path) -> bool:
        """Returns whether a file belongs to the library: it lies in the folder of the header. In a folder that many
        libraries share, such as /usr/include, the name of the header must have the first letters of the file, as
        `doublefann` has those of `fann`."""
        folder = self._path.parent
        if folder not in file.parents:
            return False
        if folder not in self._common:
            return True
        start = min(4, len(self._path.stem))
        first = file.stem[:start]
        return file == self._path or (file.parent == folder and len(first) == start and first in self._path.stem)

    # ---- Types ----

    def _type(self, given: Any) -> DeclaredType:
        is_const = given.is_const_qualified()
        spelling = _without_const(given.spelling) if is_const else given.spelling
        canonical = given.get_canonical()
        spelled = _without_const(canonical.spelling) if is_const else canonical.spelling
        resolved = self._resolved(given)
        kind = self._kind(canonical)
        if kind == "pointer":
            return DeclaredType(kind, spelling, spelled, is_const, target=self._type(resolved.get_pointee()))
        if kind == "array":
            length = resolved.element_count if resolved.kind == self._types.CONSTANTARRAY else None
            element = self._type(resolved.element_type)
            if "[" not in spelling and element.is_number and length is not None:
                # A spec names the elements and their number: `const float[3]` for `const vec3`.
                const = "const " if is_const or element.is_const else ""
                spelling = f"{const}{element.spelling}[{length}]"
            return DeclaredType(kind, spelling, spelled, is_const, 0, element, length)
        if kind in ("struct", "enum"):
            key = canonical.get_declaration().get_usr()
            bits = 8 * max(canonical.get_size(), 0) if kind == "enum" else 0
            return DeclaredType(kind, spelling, spelled, is_const, bits, declaration=key)
        return DeclaredType(kind, spelling, spelled, is_const, 8 * max(canonical.get_size(), 0))

    def _resolved(self, given: Any) -> Any:
        """Returns the type behind typedefs, with the typedefs of its elements."""
        while (kind := _kind_of(given)) in (self._types.TYPEDEF, self._types.ELABORATED):
            if kind == self._types.ELABORATED:
                given = given.get_named_type()
            else:
                given = given.get_declaration().underlying_typedef_type
        return given if kind != self._types.UNEXPOSED else given.get_canonical()

    def _kind(self, canonical: Any) -> Kind:
        kinds = self._types
        kind = _kind_of(canonical)
        if kind == kinds.POINTER:
            pointee = _kind_of(canonical.get_pointee())
            return "other" if pointee in (kinds.FUNCTIONPROTO, kinds.FUNCTIONNOPROTO) else "pointer"
        named: dict[Any, Kind] = {
            kinds.VOID: "void",
            kinds.BOOL: "bool",
            kinds.CHAR_S: "char",
            kinds.CHAR_U: "char",
            **dict.fromkeys((kinds.SCHAR, kinds.UCHAR, kinds.SHORT, kinds.USHORT, kinds.INT, kinds.UINT), "int"),
            **dict.fromkeys((kinds.LONG, kinds.ULONG, kinds.LONGLONG, kinds.ULONGLONG), "int"),
            **dict.fromkeys((kinds.FLOAT, kinds.DOUBLE, kinds.LONGDOUBLE), "float"),
            kinds.COMPLEX: "complex",
            kinds.ENUM: "enum",
            kinds.RECORD: "struct",
            **dict.fromkeys((kinds.CONSTANTARRAY, kinds.INCOMPLETEARRAY, kinds.VARIABLEARRAY), "array"),
        }
        return named.get(kind, "other")

    # ---- Structs ----

    def _structs(self, cursors: Sequence[Any], functions: Sequence[Function]) -> Iterator[Struct]:
        typedefs: dict[str, list[str]] = {}
        pointers: dict[str, list[str]] = {}
        declarations: dict[str, Any] = {}
        for cursor in cursors:
            if cursor.kind in (self._kinds.STRUCT_DECL, self._kinds.UNION_DECL):
                declarations.setdefault(cursor.get_usr(), cursor)
            elif cursor.kind == self._kinds.TYPEDEF_DECL:
                canonical = cursor.underlying_typedef_type.get_canonical()
                listed = typedefs
                if _kind_of(canonical) == self._types.POINTER:
                    canonical, listed = canonical.get_pointee(), pointers
                if _kind_of(canonical) == self._types.RECORD:
                    declaration = canonical.get_declaration()
                    if listed is typedefs or self._is_own(declaration):
                        declarations.setdefault(declaration.get_usr(), declaration)
                    listed.setdefault(declaration.get_usr(), []).append(cursor.spelling)
        used = Counter(spelling for function in functions for spelling in _spellings_of(function))
        passed = [given for each in functions for given in (each.result, *(one.type for one in each.parameters))]
        copied = {given.declaration for given in passed if given.kind == "struct"}
        for key, cursor in declarations.items():
            names = [*typedefs.get(key, ()), *([_tagged(cursor)] if not cursor.is_anonymous() else [])]
            pointer = max(pointers.get(key, ()), key=lambda name: used[name], default="")
            if not names and not pointer:
                continue
            spelling = max(names, key=lambda name: used[name], default="")
            definition = cursor.get_definition()
            others = [name for name in pointers.get(key, ()) if used[name]]
            is_handle = len(others) < 2 and used[pointer] > used[spelling]
            yield Struct(
                key,
                spelling,
                tuple(self._members(definition, "", False, 0)) if definition is not None else (),
                definition is not None,
                pointer if is_handle or not spelling else "",
                _comment(cursor),
                frozenset((*names, *pointers.get(key, ()))),
                max(definition.type.get_size(), 0) if definition is not None else 0,
                key in copied,
            )

    def _members(self, record: Any, path: str, in_union: bool, depth: int) -> Iterator[Member]:
        in_union = in_union or record.kind == self._kinds.UNION_DECL
        for field in record.type.get_fields():
            name = f"{path}{field.spelling}"
            canonical = field.type.get_canonical()
            is_record = _kind_of(canonical) == self._types.RECORD
            if is_record and "(" in (field.spelling or "("):  # libclang describes a field without a name
                yield from self._members(canonical.get_declaration(), path, in_union, depth)
            elif is_record and depth < _DEEPEST:
                yield Member(name, self._type(field.type), _comment(field), in_union=in_union)
                declaration = canonical.get_declaration()
                yield from self._members(declaration.get_definition() or declaration, f"{name}.", in_union, depth + 1)
            elif field.spelling:
                yield Member(name, self._type(field.type), _comment(field), field.is_bitfield(), in_union)
                if _kind_of(canonical) in (self._types.CONSTANTARRAY, self._types.INCOMPLETEARRAY) and not path:
                    yield from self._members_of_elements(name, canonical)

    def _members_of_elements(self, name: str, array: Any) -> Iterator[Member]:
        """Returns the fields of an array of structs, each as an array: `dim[axis].extent`."""
        record = array.element_type.get_canonical()
        if _kind_of(record) != self._types.RECORD:
            return
        for field in record.get_fields():
            if field.spelling:
                element = self._type(field.type)
                length = array.element_count if array.kind == self._types.CONSTANTARRAY else None
                listed = DeclaredType("array", element.spelling, target=element, length=length)
                yield Member(f"{name}[axis].{field.spelling}", listed, _comment(field), field.is_bitfield())

    # ---- Other declarations ----

    def _enums(self, cursors: Sequence[Any]) -> Iterator[Enum]:
        typedefs: dict[str, str] = {}
        declarations: dict[str, Any] = {}
        for cursor in cursors:
            if cursor.kind == self._kinds.ENUM_DECL and cursor.is_definition():
                declarations[cursor.get_usr()] = cursor
            elif cursor.kind == self._kinds.TYPEDEF_DECL:
                declaration = cursor.underlying_typedef_type.get_canonical().get_declaration()
                if declaration.kind == self._kinds.ENUM_DECL:
                    typedefs.setdefault(declaration.get_usr(), cursor.spelling)
                    declarations.setdefault(declaration.get_usr(), declaration)
        for key, cursor in declarations.items():
            tag = "" if cursor.is_anonymous() else f"enum {cursor.spelling.removeprefix('enum ')}"
            constants = [each for each in cursor.get_children() if each.kind == self._kinds.ENUM_CONSTANT_DECL]
            comments = {each.spelling: comment for each in constants if (comment := _comment(each))}
            values = tuple((each.spelling, each.enum_value) for each in constants)
            yield Enum(key, typedefs.get(key, tag), values, comments)

    def _functions(self, cursors: Sequence[Any]) -> Iterator[Function]:
        known: set[str] = set()
        for cursor in cursors:
            if cursor.kind != self._kinds.FUNCTION_DECL or cursor.spelling in known:
                continue
            if cursor.availability == self._deprecated:
                continue
            known.add(cursor.spelling)
            variadic = cursor.type.kind == self._types.FUNCTIONPROTO and cursor.type.is_function_variadic()
            parameters = tuple(
                Parameter(each.spelling or f"arg{index}", self._type(each.type))
                for index, each in enumerate(cursor.get_arguments())
            )
            yield Function(
                cursor.spelling,
                self._type(cursor.result_type),
                parameters,
                _comment(cursor),
                variadic,
                cursor.type.kind == self._types.FUNCTIONNOPROTO and not parameters,
            )

    def _macros(self, cursors: Sequence[Any]) -> Iterator[Macro]:
        found: dict[str, Macro] = {}
        for cursor in cursors:
            if cursor.kind == self._kinds.MACRO_DEFINITION and not cursor.spelling.startswith("_"):
                found.pop(cursor.spelling, None)
                tokens = [_text(token) for token in cursor.get_tokens()][1:]
                macro = _macro(cursor.spelling, tokens)
                if macro is not None:
                    found[macro.name] = macro
        return iter(found.values())

    def _columns(self, cursors: Sequence[Any]) -> Iterator[tuple[tuple[str, str], str]]:
        for cursor in cursors:
            if cursor.kind == self._kinds.MACRO_DEFINITION and not cursor.spelling.startswith("_"):
                found = _COLUMN_MAJOR.search("".join(map(_text, cursor.get_tokens())))
                if found:
                    yield (found["data"], found["rows"]), cursor.spelling


def _kind_of(given: Any) -> Any:
    """Returns the kind of a type; None: this version of libclang's Python module does not know it, such as
    `_Float16`."""
    try:
        return given.kind
    except ValueError:
        return None


def _text(token: Any) -> str:
    """Returns the text of a token; nothing if it is not UTF-8."""
    try:
        return str(token.spelling)
    except UnicodeDecodeError:
        return ""


def _macro(name: str, tokens: Sequence[str]) -> Macro | None:
    """Returns a macro that stands for a literal, or for an integer with operators."""
    if tokens and any(map(_INTEGER.fullmatch, tokens)):
        others = [token for token in tokens if not _INTEGER.fullmatch(token)]
        if set(others) <= _OPERATORS and others.count("(") == others.count(")"):
            return Macro(name, "int", " ".join(tokens))
    while len(tokens) > 2 and (tokens[0], tokens[-1]) == ("(", ")"):
        tokens = tokens[1:-1]
    sign = "-" if tokens[:1] == ["-"] else ""
    if len(tokens) != 1 + len(sign):
        return None
    literal = tokens[-1]
    if _CHARACTER.fullmatch(literal) and not sign:
        return Macro(name, "char", literal)
    if _REAL.fullmatch(literal):
        return Macro(name, "float", sign + literal)
    return Macro(name, "str", literal) if literal.startswith('"') and not sign else None


def _without_const(spelling: str) -> str:
    """Removes the `const` of the type itself: after the last `*`, else at the start."""
    head, star, tail = spelling.rpartition("*")
    if star:
        return head + star + " ".join(word for word in tail.split() if word != "const")
    return " ".join(word for word in spelling.split() if word != "const")


def _tagged(cursor: Any) -> str:
    tag = "union" if cursor.kind.name == "UNION_DECL" else "struct"
    return f"{tag} {cursor.spelling.removeprefix(tag).strip()}"


def _spellings_of(function: Function) -> Iterator[str]:
    for given in (function.result, *(each.type for each in function.parameters)):
        target: DeclaredType | None = given
        while target is not None:
            yield target.spelling
            target = target.target if target.spelling.endswith(("*", "]")) else None


def _comment(cursor: Any) -> str:
    """Returns the comment at a declaration, in one line without its marks; nothing if it is not UTF-8."""
    try:
        raw = cursor.raw_comment or _comment_before(cursor)
    except UnicodeDecodeError:  # an old header in Latin-1, which libclang reads as bytes
        return ""
    lines = [re.sub(r"^\s*(?:/\*[*!]?<?|//[/!]?<?|\*)?\s?|\s*\*/\s*$", "", line) for line in raw.splitlines()]
    plain = [line for line in lines if re.search(r"[A-Za-z]", line)]
    return " ".join(" ".join(plain).split()).strip("*-=#/ ")


def _comment_before(cursor: Any) -> str:
    """Returns the comment that ends in the line before a declaration. libclang does not find it if the declaration
    begins with a macro."""
    file = cursor.location.file
    if file is None or cursor.kind.name != "FIELD_DECL":
        return ""
    before = _lines_of(file.name)[: cursor.extent.start.line - 1]
    if not before or not before[-1].endswith("*/"):
        return ""
    begin = len(before) - 1
    while begin > 0 and "/*" not in before[begin]:
        begin -= 1
    return "\n".join(before[begin:]) if before[begin].lstrip().startswith("/*") else ""


@cache
def _lines_of(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8", errors="replace").splitlines()


# ---- The compilation database of a library, `compile_commands.json`, and those of its flags that `init` uses ----
# The file was perhaps written by somebody else than the user of `init`. Only flags that change what a header declares
# are therefore used: none of them chooses a program, a plugin, a file with more flags or a file that is written.

_NAME = "compile_commands.json"
_REPOSITORIES = (".git", ".hg")
_BUILD_FILES = ("CMakeLists.txt", "meson.build")
_LARGEST = 32
"""The largest database, in MiB."""
_LONGEST = 1 << 20
"""The largest number of characters of a command."""
_HARMLESS = re.compile(
    r"-ansi|-std=(?:c|gnu)[0-9][0-9a-z]|-std=iso9899:[0-9]+|-pthread|-fopenmp"
    r"|-m(?:16|32|64|x32)|-m(?:arch|cpu|fpu|float-abi|abi)=[\w.+-]+|-m(?:no-)?(?:mmx|s?sse|avx|fma|f16c)[\w.]*"
    r"|-m(?:no-)?(?:align-double|ms-bitfields)|-mlong-double-(?:64|80|128)"
    r"|-f(?:no-)?(?:short-enums|short-wchar|(?:un)?signed-(?:char|bitfields)|pack-struct|ms-extensions)"
    r"|-fpack-struct=[0-9]+"
)
"""Flags that change types, or macros that the compiler defines."""
_FOLDERS = {
    "--sysroot=": "-isysroot",
    "--sysroot": "-isysroot",
    **{flag: flag for flag in ("-I", "-isystem", "-iquote", "-idirafter", "-isysroot")},
}
"""Flags with a folder of headers, and what is written for each. `--sysroot` would choose programs, too."""
_MACROS = ("-D", "-U")


class DatabaseFlags(Frozen):
    """Flags of a compilation database, and sentences about the databases that were found."""

    flags: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class _UnusableError(Exception):
    """Raised if a file is not a usable database. The message continues the sentence 'is not used, because'."""


class _Entry(Frozen):
    """How one source is compiled."""

    folder: Path
    source: str
    words: tuple[str, ...]
    """The command, with its program."""


def database_flags(header: Path) -> DatabaseFlags:
    """Returns the flags of the nearest usable database above a header: those of a source beside the header, else of the
    first source."""
    folder = Path(os.path.realpath(header)).parent
    notes = []
    for path in _databases(folder):
        try:
            entries = _entries(path)
        except _UnusableError as error:
            notes.append(f"{path} is not used, because {error}; choose the flags with -- CFLAGS")
            continue
        chosen = next((each for each in entries if _source_folder(each) == folder), entries[0])
        notes.append(f"the flags are those of {chosen.source} in {path}; choose others with -- CFLAGS")
        return DatabaseFlags(tuple(_harmless_flags(chosen)), tuple(notes))
    return DatabaseFlags((), tuple(notes))


# ---- The files ----


def _databases(folder: Path) -> Iterator[Path]:
    """Yields the databases in the folders from the header to the top of its project, and in `build` of each."""
    for each in _project_folders(folder):
        for path in (each / _NAME, each / "build" / _NAME):
            if os.path.lexists(path):
                yield path


def _project_folders(folder: Path) -> Sequence[Path]:
    """Returns the folders up to the nearest one that is the top of a project: that of a repository, or the highest one
    with a build file. Without such a folder, returns that of the header."""
    folders = [folder, *folder.parents]
    with_build_files = [index for index, each in enumerate(folders) if _has_one(each, _BUILD_FILES)]
    tops = [index for index, each in enumerate(folders) if _has_one(each, _REPOSITORIES)] + with_build_files[-1:]
    return folders[: min(tops, default=0) + 1]


def _has_one(folder: Path, names: Sequence[str]) -> bool:
    return any(os.path.lexists(folder / name) for name in names)


def _entries(path: Path) -> list[_Entry]:
    """Returns the entries of a database that have the documented form, at least one."""
    try:
        listed = json.loads(_content(path).decode("utf-8-sig"))
    except OSError as error:
        raise _UnusableError(f"of this error: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise _UnusableError("it is not in UTF-8") from error
    except RecursionError as error:
        raise _UnusableError("it is nested too deeply") from error
    except ValueError as error:
        raise _UnusableError("it is not JSON") from error
    found = [entry for each in listed if (entry := _entry(path, each))] if isinstance(listed, list) else []
    if not found:
        raise _UnusableError("it has no flags of a source file")
    return found


def _content(path: Path) -> bytes:
    # Without O_NONBLOCK, opening a named pipe would block forever.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb", closefd=True) as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _UnusableError("it is not a regular file")
        content = file.read(_LARGEST * 1024 * 1024 + 1)
    if len(content) > _LARGEST * 1024 * 1024:
        raise _UnusableError(f"it is larger than {_LARGEST} MiB")
    return content


# ---- One entry ----


def _entry(database: Path, given: object) -> _Entry | None:
    """Returns an entry, or None if it has another form."""
    match given:
        case {"directory": str(folder), "file": str(source), "arguments": list(words)}:
            pass
        case {"directory": str(folder), "file": str(source), "command": str(command)} if len(command) <= _LONGEST:
            try:
                words = shlex.split(command)
            except ValueError:
                return None
        case _:
            return None
    if not (words and folder and all(isinstance(each, str) and _is_usable(each) for each in (folder, source, *words))):
        return None
    return _Entry(database.parent / folder, source, tuple(words))


def _is_usable(text: str) -> bool:
    """Returns whether the system takes a string as a path or as an argument: JSON can have halves of characters."""
    return "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


def _source_folder(entry: _Entry) -> Path:
    return Path(os.path.realpath(entry.folder / entry.source)).parent


def _harmless_flags(entry: _Entry) -> Iterator[str]:
    """Yields the flags that are used, with the folders as absolute paths. A value stands in the word of its flag: as a
    word of its own, `@FILE` would be a file with more flags."""
    waiting = iter(entry.words[1:])
    folders = [entry.folder]
    for word in waiting:
        if _HARMLESS.fullmatch(word):
            yield word
        elif word == "-include":
            header = _first_header(next(waiting, ""), folders)
            yield from ("-include", header) if header is not None else ()
        elif option := next((each for each in (*_FOLDERS, *_MACROS) if word.startswith(each)), None):
            value = word.removeprefix(option) or next(waiting, "")
            if value and option in _MACROS:
                yield option + value
            elif value:
                folders.append(entry.folder / value)
                yield f"{_FOLDERS[option]}{entry.folder / value}"


def _first_header(name: str, folders: Sequence[Path]) -> str | None:
    """Returns the path of a header that a flag includes first, or the name of a standard header; else None."""
    if not name:
        return None
    found = next((path for folder in folders if os.path.lexists(path := folder / name)), None)
    if found is None:
        return name if re.fullmatch(r"\w[\w./+-]*", name) else None
    return str(found) if found.is_file() else None
