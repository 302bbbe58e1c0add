"""The command `generate`: reads specs, and writes files, names or the text of one file."""

from __future__ import annotations

import argparse
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from dlpack_bindgen.emit.clang_format import FormatterError, RefusedText, format_files
from dlpack_bindgen.resources import ResourceError, package, resource_folder
from dlpack_bindgen.spec import check as plain_validate
from dlpack_bindgen.spec.check import GetHeaders
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.text import yaml as plain_load
from dlpack_bindgen.text.diagnostics import Advisor, Diagnostic, Note
from dlpack_bindgen.text.names import STANDARD, HeaderNames, HeaderText, read
from dlpack_bindgen.text.yaml import Loaded, Mapping, Node, Scalar
from dlpack_bindgen.text.yaml import Sequence as ListNode
from dlpack_bindgen.tools.terminal import OK, STALE_OR_INVALID, Failure, Report, print_bytes, print_line, shell_word

if TYPE_CHECKING:
    from dlpack_bindgen.emit.render import OutputFile


# ---- Loading and validation of specs, with advice about their mistakes ----


def _advisor() -> Advisor:
    from dlpack_bindgen.tools.advice import GuessingAdvisor  # imported only for mistakes

    return GuessingAdvisor()


def load(file: str, data: bytes) -> Loaded:
    return plain_load.load(file, data, _advisor)


def validate(loaded: Sequence[Loaded], headers: GetHeaders | None = None) -> tuple[list[Spec], list[Diagnostic]]:
    return plain_validate.validate(loaded, cache(_advisor), headers)


# ---- The headers of the library, as far as `generate` finds them: in the output folder, and beside the spec ----
# The compiler may find other headers by its flags. The checks therefore use headers only if all of them are found. They
# do not look for headers in angle brackets, which belong to other libraries.

_MOST_BYTES = 16 * 1024 * 1024
"""The limit for all headers of a spec. Larger ones count as missing."""


def headers_of(output: str | None) -> Callable[[str, Sequence[str]], HeaderNames | None]:
    """Returns the function that reads the headers of a spec, whose files are generated into the folder `output`."""

    def names(file: str, includes: Sequence[str]) -> HeaderNames | None:
        # Compilers look first in the folder of the file that includes the header: the output folder.
        folders = [output] if output is not None else []
        return _names(includes, [*folders, os.path.dirname(file)] if os.path.isfile(file) else folders)

    return names


def _names(includes: Sequence[str], folders: Sequence[str]) -> HeaderNames | None:
    found: dict[str, HeaderText] = {}
    paths: list[str] = []
    pending = [(include, "") for include in reversed(includes)]
    left = _MOST_BYTES
    while pending:
        include, includer = pending.pop()
        if f"<{include[1:-1]}>" in STANDARD:
            paths += [include] if not includer else []
            continue
        path = _find(include, [*([os.path.dirname(includer)] if includer else []), *folders])
        if path is None:
            return None
        paths += [path] if not includer else []
        if path in found:
            continue
        data = _read(path, left)
        header = read(data.decode("latin-1")) if data is not None else None
        if data is None or header is None:
            return None
        left -= len(data)
        found[path] = header
        pending += [(each, path) for each in header.includes]
    return HeaderNames(paths, found.values())


def _find(include: str, folders: Sequence[str]) -> str | None:
    """Returns the path of a header in quotes, or None."""
    paths = [os.path.normpath(os.path.join(folder, include[1:-1])) for folder in folders]
    return next((path for path in paths if os.path.isfile(path)), None) if include.startswith('"') else None


def _read(path: str, most: int) -> bytes | None:
    """Returns the content of a regular file that has at most so many bytes, or None."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > most:
            return None
        with open(path, "rb") as file:
            return file.read(most)
    except OSError:
        return None


# ---- The search for C code in a spec that clang-format refuses although `validate` accepts it ----

_MOST = 200
"""The maximum number of strings that are tried one by one."""


def refused(loaded: Sequence[Loaded], error: RefusedText) -> list[Diagnostic]:
    """Returns one diagnostic for each C string of the specs that clang-format refuses alone. If there are none, returns
    one for all C strings in the refused text."""
    printed = _packed(error.text)
    given = [node for file in loaded for node in _scalars(file.root) if _is_in(node.text, printed)][:_MOST]
    message = f"{error}: brackets, quotes or operators of this C text do not fit together"
    alone = [node for node in given if not _is_formatted(node.text)]
    if alone or not given:
        return [Diagnostic("c-brackets", node.span, message) for node in alone]
    first, *others = given
    notes = tuple(Note(node.span, "or of this one") for node in others)
    return [Diagnostic("c-brackets", first.span, message, notes=notes)]


def _scalars(node: Node | None) -> Iterator[Scalar]:
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Scalar):
            yield node
        elif isinstance(node, ListNode):
            waiting += reversed(node.items)
        elif isinstance(node, Mapping):
            waiting += [each for entry in reversed(node.entries) for each in reversed(entry)]


def _packed(text: str) -> str:
    return "".join(text.split())


def _is_in(text: str, printed: str) -> bool:
    """Returns whether the output contains the code, which `variants` may have completed. A single name or number does
    not count."""
    parts = re.split(r"\$\{\w*\}", _packed(text))
    return re.fullmatch(r"[\w.$ {}-]*", text) is None and all(part in printed for part in parts)


def _is_formatted(text: str) -> bool:
    try:
        format_files([("", f"void f(void)\n{{\n{text};\n}}\n")])
    except FormatterError:
        return False
    return True


# ---- The depfile: a rule for make and ninja with the files that `generate` depends on ----


def depfile(targets: Sequence[str], specs: Sequence[str]) -> str:
    """Returns the rule, with an empty rule for each source. If a source is deleted (a spec, or a file of an older
    dlpack-bindgen), make then runs the command instead of stopping."""
    sources = [*specs, *(str(path) for path in _own_files())]
    rule = " ".join(map(_escaped, targets)) + ":" + "".join(f" \\\n  {_escaped(source)}" for source in sources)
    return rule + "\n" + "".join(f"\n{_escaped(source)}:\n" for source in sources)


def _own_files() -> list[Path]:
    """Returns the templates and the modules of the generator, because a new version of them may change the output."""
    return [*sorted(resource_folder("templates").rglob("*.j2")), *sorted(package().rglob("*.py"))]


def _escaped(path: str) -> str:
    """Escapes a path as gcc does in its own depfiles. Both make and ninja understand that."""
    if "\n" in path:
        raise Failure(f"a depfile cannot name {path}, which has a line break")
    out = ""
    for index, char in enumerate(path):
        if char in " \t":
            # Backslashes are literal except before a blank.
            before = path[:index]
            out += "\\" * (len(before) - len(before.rstrip("\\")) + 1)
        out += {"$": "$$", "#": "\\#"}.get(char, char)
    return out


STDIN = "-"
STDIN_NAME = "<stdin>"

# No spec is nearly as large. The limit keeps /dev/zero from filling the memory. Users see the limit of the loader.
_READ_AT_MOST = 64 * 1024 * 1024


def generate(arguments: argparse.Namespace, report: Report) -> int:
    from dlpack_bindgen.emit.write import WriteError

    loaded = _load(arguments.specs)
    specs = _validated(loaded, report, headers_of(arguments.output))
    if specs is None or (arguments.compile and not _compiles(loaded, specs, arguments, report)):
        return STALE_OR_INVALID
    try:
        return _deliver(specs, arguments, report)
    except RefusedText as error:
        found = refused(loaded, error)
        if not found:
            raise Failure(str(error)) from error
        report.problems(found, {each.file: each.text for each in loaded})
        return STALE_OR_INVALID
    except (FormatterError, ResourceError, WriteError) as error:
        raise Failure(str(error)) from error


def _compiles(loaded: Sequence[Loaded], specs: Sequence[Spec], arguments: argparse.Namespace, report: Report) -> bool:
    """Returns whether the C compiler accepts the generated C. If it does not, reports its errors."""
    from dlpack_bindgen.tools.c_compiler import CompilerError, needed_compiler
    from dlpack_bindgen.tools.compiler_errors import compile_errors
    from dlpack_bindgen.tools.config import cflags, python_cflags
    from dlpack_bindgen.tools.generated_code import Generated

    # Quoted headers stand beside the output; while an author tries a spec, also beside the spec.
    folders = [arguments.output] if arguments.output is not None else []
    folders += [os.path.dirname(path) or os.curdir for path in arguments.specs if path != STDIN]
    try:
        command = [*needed_compiler(), *arguments.flags, *cflags(), *python_cflags()]
        found = compile_errors([Generated(*each) for each in zip(loaded, specs, strict=True)], command, folders)
    except (CompilerError, ResourceError) as error:
        raise Failure(str(error)) from error
    if found:
        report.problems(found, _sources(loaded, found))
    return not found


def _sources(loaded: Sequence[Loaded], found: Sequence[Diagnostic]) -> dict[str, str]:
    """Returns the texts of the specs, and of the headers with errors."""
    texts = {each.file: each.text for each in loaded}
    spans = [*(each.span for each in found), *(note.span for each in found for note in each.notes)]
    for path in {span.file for span in spans} - texts.keys():
        data = _read(path, _MOST_BYTES)
        texts |= {path: data.decode("utf-8", "replace")} if data is not None else {}
    return texts


def _deliver(specs: Sequence[Spec], arguments: argparse.Namespace, report: Report) -> int:
    from dlpack_bindgen.emit.render import render
    from dlpack_bindgen.emit.write import diff, stale, write

    if arguments.list_outputs:
        for name in _output_names(specs):
            print_line(_shown(name, arguments.output))
        return OK
    if arguments.stdout is not None:
        _print_one(specs, arguments.stdout, arguments.jobs)
        return OK
    directory = Path(arguments.output)
    files = render(specs, arguments.jobs)
    if arguments.diff:
        changes = diff(files, directory)
        print_bytes(changes)
        return STALE_OR_INVALID if changes else OK
    if arguments.check:
        paths = [_shown(name, arguments.output) for name in stale(files, directory)]
        command = ["dlpack-bindgen", "generate", *arguments.specs, "-o", arguments.output]
        return report_stale(paths, command, report)
    _check_ways(files, arguments)
    for name in write(files, directory, _depfile(files, arguments)):
        print_line(f"wrote {directory / name}")
    for line in filter(None, map(_open_questions, specs)):
        print_line(line)
    return OK


def _open_questions(spec: Spec) -> str:
    """Returns a line about the questions of a draft that nobody has answered; empty if there are none."""
    names = [each.open_names for each in spec.questions if each.open_names]
    functions = {name for each in spec.questions if each.is_about_functions for name in each.open_names}
    if not names:
        return ""
    count = "1 question is open" if len(names) == 1 else f"{len(names)} questions are open"
    left = f"{len(functions)} functions are" if len(functions) > 1 else "1 function is"
    return f"{spec.file}: {count}: {left} left out" if functions else f"{spec.file}: {count}"


def _check_ways(files: Sequence[OutputFile], arguments: argparse.Namespace) -> None:
    """Checks that no output is a spec. Checks that the depfile is not an output, and that neither would contain the
    other."""
    paths = [_shown(file.name, arguments.output) for file in files]
    outputs = {Path(os.path.realpath(path)): path for path in paths}
    specs = {os.path.realpath(path) for path in arguments.specs if path != STDIN}
    depfile = arguments.depfile
    for path in (*paths, *([depfile] if depfile is not None else ())):
        if os.path.realpath(path) in specs:
            raise Failure(f"cannot write {path}: it is a spec")
    if depfile is None:
        return
    resolved = Path(os.path.realpath(depfile))
    if resolved in outputs:
        raise Failure(f"cannot write {depfile}: it is one of the other outputs")
    if any(resolved in output.parents for output in outputs):
        raise Failure(f"cannot write {depfile}: it is a directory")
    above = next((outputs[parent] for parent in resolved.parents if parent in outputs), None)
    if above is not None:
        raise Failure(f"cannot write {depfile}: {above} is one of the other outputs")


def _depfile(files: Sequence[OutputFile], arguments: argparse.Namespace) -> tuple[Path, bytes] | None:
    if arguments.depfile is None:
        return None
    targets = [*(_shown(file.name, arguments.output) for file in files), arguments.depfile]
    sources = [path for path in _once_each(arguments.specs) if path != STDIN]
    return Path(arguments.depfile), os.fsencode(depfile(targets, sources))


# ---- Reading ----


def specs_have_functions(paths: Sequence[str], report: Report) -> bool | None:
    """Returns whether a module of these specs calls functions. If they have errors, reports these and returns None."""
    from dlpack_bindgen.emit.render import have_functions

    specs = read_specs(paths, report)
    return None if specs is None else have_functions(specs)


def read_specs(paths: Sequence[str], report: Report) -> list[Spec] | None:
    """Returns the specs. If they have errors, reports these and returns None."""
    return _validated(_load(paths), report)


def loaded_with_headers(paths: Sequence[str], report: Report) -> tuple[list[Loaded], list[Spec]] | None:
    """Returns the files of specs, and the specs, checked with the headers beside them. If they have errors, reports
    these and returns None."""
    loaded = _load(paths)
    specs = _validated(loaded, report, headers_of(None))
    return (loaded, specs) if specs is not None else None


def loaded_and_validated(path: str, report: Report) -> tuple[Loaded, Spec] | None:
    """Returns the file of a spec, and the spec. If it has errors, reports these and returns None."""
    loaded = _load([path])
    specs = _validated(loaded, report)
    return (loaded[0], specs[0]) if specs is not None else None


def _load(paths: Sequence[str]) -> list[Loaded]:
    # One process: with two, 100 specs took 0.7 s instead of 1.05 s where processes are forked. Elsewhere two processes
    # save nothing, because the nodes must be copied between them.
    return [load(STDIN_NAME if path == STDIN else path, _read_spec(path)) for path in _once_each(paths)]


def _validated(loaded: Sequence[Loaded], report: Report, headers: GetHeaders | None = None) -> list[Spec] | None:
    """Returns the specs. If they have errors, reports these and returns None."""
    specs, problems = validate(loaded, headers)
    if not problems:
        return specs
    report.problems(problems, {each.file: each.text for each in loaded})
    return None


def _once_each(paths: Sequence[str]) -> list[str]:
    """Returns the paths in order, without duplicates of the same file."""
    keys = {path if path == STDIN else os.path.realpath(path): path for path in reversed(paths)}
    return list(keys.values())[::-1]


def _read_spec(path: str) -> bytes:
    try:
        if path == STDIN:
            return sys.stdin.buffer.read(_READ_AT_MOST) if sys.stdin is not None else b""
        with open(path, "rb") as file:
            return file.read(_READ_AT_MOST)
    except OSError as error:
        raise Failure(f"cannot read {STDIN_NAME if path == STDIN else path}: {error.strerror or error}") from error


# ---- Output ----


def _output_names(specs: Sequence[Spec]) -> list[str]:
    from dlpack_bindgen.emit.render import output_names

    return [name for spec in specs for name in output_names(spec.module)]


def _shown(name: str, output: str | None) -> str:
    return name if output is None else str(Path(output, name))


def _print_one(specs: Sequence[Spec], name: str, jobs: int | None) -> None:
    from dlpack_bindgen.emit.render import render

    spec = next((spec for spec in specs if name in _output_names([spec])), None)
    if spec is None:
        raise Failure(f"there is no output {name}; there are: {', '.join(_output_names(specs))}")
    files: list[OutputFile] = render([spec], jobs)
    print_bytes(next(file.text for file in files if file.name == name).encode())


def report_stale(paths: Sequence[str], command: Sequence[str], report: Report) -> int:
    """Prints the paths of files that are missing or out of date, and the command that writes them. Returns the exit
    code."""
    if not paths:
        return OK
    for path in paths:
        print_line(path)
    count = "1 file is" if len(paths) == 1 else f"{len(paths)} files are"
    report.failure(f"{count} missing or out of date; run: {' '.join(map(shell_word, command))}")
    return STALE_OR_INVALID
