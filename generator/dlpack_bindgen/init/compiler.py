"""The C compiler of the machine: its include folders, flags of a compilation database, a check of the syntax."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from dlpack_bindgen.render.render import OutputFile

_DATABASE = "compile_commands.json"
_STRICT = (
    "-Werror=implicit-function-declaration",
    "-Werror=incompatible-pointer-types",
    "-Werror=int-conversion",
)
_TAKES_VALUE = frozenset({"-I", "-isystem", "-iquote", "-idirafter", "-D", "-U", "-include", "-isysroot"})
_ERROR = re.compile(r"(?:fatal )?error: (.*)")


class CompilerError(Exception):
    """Raised if the flags of the library cannot be found, or the compiler cannot run. The message is one line and names
    the remedy."""


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


def database_flags(header: Path) -> list[str]:
    """Returns the flags of the `compile_commands.json` in a folder above the header, or in `build` there. They are
    those of a source beside the header, else of the first source. Returns nothing if there is no such file."""
    database = next((path for folder in header.resolve().parents for path in _databases(folder)), None)
    if database is None:
        return []
    try:
        commands = json.loads(database.read_bytes())
        chosen = next((each for each in commands if _source(each).parent == header.resolve().parent), commands[0])
        words = chosen["arguments"] if "arguments" in chosen else shlex.split(chosen["command"])
        return _from_folder(preprocessor_flags(words[1:]), Path(chosen["directory"]))
    except OSError as error:
        raise CompilerError(f"cannot read {database}: {error.strerror or error}: add the flags, -- CFLAGS") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise CompilerError(f"{database} has no flags of a source file: add them, -- CFLAGS") from error


def _databases(folder: Path) -> list[Path]:
    return [
        path
        for path in (folder / "compile_commands.json", folder / "build" / "compile_commands.json")
        if os.path.isfile(path)
    ]


def _source(command: dict[str, str]) -> Path:
    return Path(command["directory"], command["file"]).resolve()


def _from_folder(flags: Sequence[str], folder: Path) -> list[str]:
    """Returns the flags with absolute include folders: a database has paths from the folder of its build."""
    out: list[str] = []
    previous = ""
    for flag in flags:
        joined = next((each for each in ("-I", "-isystem", "-iquote") if flag.startswith(each) and flag != each), None)
        if joined is not None:
            out.append(joined + str(folder / flag.removeprefix(joined)))
        else:
            out.append(str(folder / flag) if previous in ("-I", "-isystem", "-iquote", "-idirafter") else flag)
        previous = flag
    return out


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
