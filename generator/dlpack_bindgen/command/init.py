"""The command `init`: writes the first spec of a library, from its header."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from dlpack_bindgen.command.report import Report
from dlpack_bindgen.command.streams import OK, STALE_OR_INVALID, Failure, print_bytes, print_line, shell_word
from dlpack_bindgen.emit.render import OutputFile

_FEW = 12
"""The largest number of names in a message."""


def init(arguments: argparse.Namespace, report: Report) -> int:
    if arguments.functions:
        return _add_functions(arguments, report)
    from dlpack_bindgen.init.acceptance import Acceptance, AcceptanceError
    from dlpack_bindgen.init.compiler import CompilerError, compiler, first_error
    from dlpack_bindgen.init.header import HeaderError, read
    from dlpack_bindgen.init.proposal import proposal, types_of

    output = arguments.output
    if output is not None and os.path.lexists(output) and not arguments.force:
        raise Failure(f"{output} exists already: name another file with -o, or replace it with --force")
    try:
        flags = _flags(arguments, report)
        header = read(arguments.header, flags)
    except (HeaderError, CompilerError) as error:
        raise Failure(str(error)) from error
    first_lines = [f"Written by `{_command(arguments)}`."]
    if compiler() is None:
        first_lines.append("No C compiler was there: the C of this spec has not been compiled.")
    file_name = Path(output).stem if output is not None else ""
    proposed = proposal(header, arguments.type, first_lines, file_name)
    if arguments.type is not None and not proposed.has_types:
        raise Failure(_no_such_type(arguments, types_of(header)))
    flags_of_module = [*flags, f"-I{Path(header.path).parent}"]
    try:
        accepted = Acceptance(
            proposed.head, proposed.entries, lambda files: _compile_error(files, flags_of_module), first_error
        ).run()
    except AcceptanceError as error:
        raise Failure(str(error)) from error
    if accepted.is_empty:
        refused = [(reason, entry.key) for entry, reason in accepted.refused.items() if reason]
        reason, key = min(refused, key=lambda each: each[0].startswith("open: "), default=("", ""))
        if reason:
            raise Failure(
                f"no declaration of {arguments.header} can be described, for example {key}: "
                f"{reason.removeprefix('open: ')}; write a header with C functions that call them"
            )
        raise Failure(
            f"{arguments.header} declares no struct, function or constant that a spec can describe: name the header "
            "that declares them"
        )
    _deliver(accepted.document.text, output)
    return OK


def _no_such_type(arguments: argparse.Namespace, known: Sequence[str]) -> str:
    from dlpack_bindgen.text.diagnostics import closest

    message = f"{arguments.header} has no struct {arguments.type} with an array or with functions"
    by_tag = {each.removeprefix("struct "): each for each in known}
    meant = closest(arguments.type, by_tag)
    if meant is not None and meant != arguments.type:
        return f"{message}; did you mean {by_tag[meant]}?"
    listed = ", ".join([*known[:_FEW], *(["..."] if len(known) > _FEW else [])])
    return f"{message}; it has: {listed}" if known else f"{message}, and no other struct: name the header that has it"


def _add_functions(arguments: argparse.Namespace, report: Report) -> int:
    """Adds functions to an existing spec, one after the other. Writes the spec only if all of them were found."""
    from dlpack_bindgen.command.generate import loaded_and_validated
    from dlpack_bindgen.init.acceptance import refusal
    from dlpack_bindgen.init.additions import AdditionError, added
    from dlpack_bindgen.init.compiler import CompilerError, first_error
    from dlpack_bindgen.init.header import HeaderError, read_all

    path = arguments.header
    if path == "-":
        raise Failure("a function is added to a file, not to stdin: name the spec")
    if path.endswith((".h", ".hpp", ".hh")):
        raise Failure(f"{path} is a header: --function adds to a spec, which stands in the place of HEADER")
    found = loaded_and_validated(path, report)
    if found is None:
        return STALE_OR_INVALID
    text, spec = found
    folder = Path(path).resolve().parent
    comments = []
    try:
        flags = _flags(arguments, report)
        header = read_all(spec.includes, folder, flags)
        for name in dict.fromkeys(arguments.functions):
            addition = added(
                text,
                spec,
                header,
                name,
                lambda whole: refusal(whole, lambda files: _compile_error(files, [*flags, f"-I{folder}"]), first_error),
            )
            text = addition.text
            comments += [f"{path}: a guess about {name}: {guess}" for guess in addition.guesses]
            if addition.reason:
                comments.append(f"{path}: {name} is a comment: {addition.reason}")
    except (HeaderError, CompilerError, AdditionError) as error:
        raise Failure(str(error)) from error
    _deliver(text, os.path.realpath(path), path)
    for comment in comments:
        print_line(comment)
    return OK


def _flags(arguments: argparse.Namespace, report: Report) -> list[str]:
    """Returns the flags after `--`, or those of the compilation database of the library."""
    from dlpack_bindgen.init.compiler import preprocessor_flags
    from dlpack_bindgen.init.database import database_flags

    if arguments.flags:
        return preprocessor_flags(arguments.flags)
    found = database_flags(Path(arguments.header))
    for note in found.notes:
        report.note(note)
    return list(found.flags)


def _compile_error(files: Sequence[OutputFile], flags: Sequence[str]) -> str | None:
    from dlpack_bindgen.command.config import ConfigError, cflags, python_cflags
    from dlpack_bindgen.header import HeaderError
    from dlpack_bindgen.init.compiler import compile_error

    try:
        python = python_cflags()
    except ConfigError:
        python = []
        files = [file for file in files if not file.name.endswith("_module.c")]
    try:
        return compile_error(files, [*cflags(), *python, *flags])
    except HeaderError as error:
        raise Failure(str(error)) from error


def _command(arguments: argparse.Namespace) -> str:
    type_ = ["--type", arguments.type] if arguments.type is not None else []
    flags = ["--", *arguments.flags] if arguments.flags else []
    return " ".join(["dlpack-bindgen init", *map(shell_word, [arguments.header, *type_, *flags])])


def _deliver(text: str, output: str | None, name: str | None = None) -> None:
    """Prints the text, or writes it to `output`, which the message calls `name`."""
    from dlpack_bindgen.emit.write import WriteError, write_file

    if output is None:
        print_bytes(text.encode())
        return
    try:
        write_file(output, text.encode())
    except WriteError as error:
        raise Failure(str(error)) from error
    print_line(f"wrote {name or output}")
