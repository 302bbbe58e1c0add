"""The C compiler of the machine: its include folders, the flags that it needs for a header, checks of the syntax."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from dlpack_bindgen.emit.render import OutputFile
from dlpack_bindgen.frozen import Frozen

_STRICT = ("-Werror=implicit-function-declaration", "-Werror=incompatible-pointer-types", "-Werror=int-conversion")
_TAKES_VALUE = frozenset({"-I", "-isystem", "-iquote", "-idirafter", "-D", "-U", "-include", "-isysroot"})
_ERROR = re.compile(r"(?:fatal )?error: (.*)")


class CompilerError(Exception):
    """Raised if the compiler cannot run. The message is one line and names the remedy."""


class Compiled(Frozen):
    """The end of one run of the compiler."""

    succeeded: bool
    output: str
    messages: str


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


def needed_compiler() -> list[str]:
    """Returns the command of the C compiler. Raises CompilerError if there is none."""
    command = compiler()
    if command is None:
        given = os.environ.get("CC", "")
        install = "(Debian: apt install gcc, Fedora: dnf install gcc)"
        missing = f"{given}: set CC to gcc or clang" if given else "here: install gcc"
        raise CompilerError(f"there is no C compiler {missing} {install}")
    return command


def include_folders() -> list[str]:
    """Returns the folders that the compiler searches by itself, in its order. The wheel of libclang has no headers of
    its own, such as stddef.h."""
    command = compiler()
    if command is None:
        return []
    result = run([*command, "-E", "-v", "-x", "c", os.devnull])
    _, _, rest = result.messages.partition("#include <...> search starts here:\n")
    listed, _, _ = rest.partition("End of search list.")
    return [line.strip().removesuffix(" (framework directory)") for line in listed.splitlines() if line.strip()]


def run(command: Sequence[str], folder: str | None = None) -> Compiled:
    """Runs the compiler in a folder, with messages in English."""
    try:
        result = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
    except OSError as error:
        reason = error.strerror or error
        raise CompilerError(f"cannot run the C compiler {command[0]}: {reason}: set CC to another one") from error
    return Compiled(result.returncode == 0, result.stdout, result.stderr)


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
        result = run([*command, "-fsyntax-only", *_STRICT, *flags, "-I.", *sources], folder)
    return None if result.succeeded else result.messages


def first_error(messages: str) -> str:
    """Returns the first error in the messages of a compiler, without its place."""
    found = _ERROR.search(messages)
    return found[1] if found else messages.strip().partition("\n")[0]
