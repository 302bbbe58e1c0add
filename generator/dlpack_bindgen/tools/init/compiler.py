"""The C compiler of the machine, and the flags of `compile_commands.json` that a header needs."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from dlpack_bindgen.emit.render import OutputFile
from dlpack_bindgen.frozen import Frozen

# The C compiler of the machine: its include folders, the flags that it needs for a header, a check of the syntax.

_STRICT = (
    "-Werror=implicit-function-declaration",
    "-Werror=incompatible-pointer-types",
    "-Werror=int-conversion",
)
_TAKES_VALUE = frozenset({"-I", "-isystem", "-iquote", "-idirafter", "-D", "-U", "-include", "-isysroot"})
_ERROR = re.compile(r"(?:fatal )?error: (.*)")


class CompilerError(Exception):
    """Raised if the compiler cannot run. The message is one line and names the remedy."""


def compiler() -> list[str] | None:
    """Returns the command of the C compiler: `CC`, else the first of cc, gcc and clang that is there; None if there is
    none."""
    given = os.environ.get("CC", "")
    try:
        chosen = shlex.split(given)
    except ValueError as error:
        raise CompilerError(f"CC is not a command: {given}: set it to a C compiler, such as gcc") from error
    commands = [chosen] if chosen else [["cc"], ["gcc"], ["clang"]]
    return next((command for command in commands if shutil.which(command[0])), None)


def include_folders() -> list[str]:
    """Returns the folders that the compiler searches by itself, in its order. The wheel of libclang has no headers of
    its own, such as stddef.h."""
    command = compiler()
    if command is None:
        return []
    try:
        result = subprocess.run(
            [*command, "-E", "-v", "-x", "c", os.devnull],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
    except OSError as error:
        reason = error.strerror or error
        raise CompilerError(f"cannot run the C compiler {command[0]}: {reason}: set CC to another one") from error
    _, _, rest = result.stderr.partition("#include <...> search starts here:\n")
    listed, _, _ = rest.partition("End of search list.")
    return [line.strip().removesuffix(" (framework directory)") for line in listed.splitlines() if line.strip()]


def preprocessor_flags(flags: Sequence[str]) -> list[str]:
    """Returns those flags that change what a header declares: include folders, macros and the standard of C."""
    kept: list[str] = []
    waiting = list(flags)
    while waiting:
        flag = waiting.pop(0)
        if flag in _TAKES_VALUE and waiting:
            kept += [flag, waiting.pop(0)]
        elif flag.startswith(("-I", "-D", "-U", "-isystem", "-iquote", "-std=", "-f", "-m", "-pthread", "--sysroot")):
            kept.append(flag)
    return kept


def compile_error(files: Sequence[OutputFile], flags: Sequence[str]) -> str | None:
    """Checks the syntax and the assertions of generated C, and returns the messages of the compiler; None: the C files
    compile."""
    command = compiler()
    if command is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            Path(folder, file.name).write_text(file.text, encoding="utf-8")
        sources = [file.name for file in files if file.name.rpartition(".")[2] == "c"]
        result = subprocess.run(
            [*command, "-fsyntax-only", *_STRICT, *flags, "-I.", *sources],
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
    return result.stderr if result.returncode else None


def first_error(messages: str) -> str:
    """Returns the first error in the messages of a compiler, without its place."""
    found = _ERROR.search(messages)
    return found[1] if found else messages.strip().partition("\n")[0]


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
