"""The command `init`: writes the first spec of a library, from its header."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from dlpack_bindgen.emit.clang_format import FormatterError
from dlpack_bindgen.emit.render import OutputFile, render
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.spec.check import validate
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.text.yaml import load
from dlpack_bindgen.tools.init.declarations import Function, Header
from dlpack_bindgen.tools.init.proposal import Document, Entry, document
from dlpack_bindgen.tools.init.questions import Asked
from dlpack_bindgen.tools.terminal import OK, STALE_OR_INVALID, Failure, Report, print_bytes, print_line, shell_word

# ---- The check of a proposed spec: what the generator or the compiler refuses becomes a comment, entry by entry ----

Compile = Callable[[Sequence[OutputFile]], "str | None"]
"""Compiles generated files, and returns the messages of the compiler about errors, or None."""
FirstError = Callable[[str], str]
_FILE = "spec.yaml"
_NAME = re.compile(r"\w+")
_ERROR = re.compile(
    r"^(?:\./)?([^\s:]+):(\d+):(?:\d+:)? (?:(?:fatal )?error: (.*)|note: (?:in expansion of|expanded from) macro .*)$",
    re.MULTILINE,
)
"""An error, or the place of a macro whose expansion has the error before."""
_ROUNDS = 10
"""The number of compilations in which errors refuse the entries at their lines, before entries are tried in halves."""
_TRIALS = 48
"""The number of compilations that try entries in halves. Afterwards a group with an error is refused as a whole."""


def _mentioned(messages: str) -> set[str]:
    """Returns the names in the messages of a compiler, and their endings: `py_lib_f` mentions `lib_f` and `f`."""
    found: set[str] = set()
    for name in set(_NAME.findall(messages)):
        parts = name.split("_")
        found |= {"_".join(parts[index:]) for index in range(len(parts))}
    return found


class _Attempt(Frozen):
    """The generated files of a spec, and the messages of the compiler about them."""

    files: tuple[OutputFile, ...]
    messages: str


def _declaration_at(lines: Sequence[str], line: int) -> str:
    """Returns the first lines of the C function or table around a line, counted from 1. In generated C, they begin in
    column 1, where else only labels and brackets are."""
    start = line - 1
    while start > 0 and not (lines[start][:1].isalpha() and not lines[start].endswith(":")):
        start -= 1
    end = start
    while end < line - 1 and not lines[end].endswith("{"):
        end += 1
    return " ".join(lines[start : end + 1])


def refusal(text: str, compile_: Compile, first_error: FirstError) -> str | None:
    """Returns the reason why the generator or the compiler refuses a spec, or None."""
    loaded = load(_FILE, text.encode())
    specs, problems = validate([loaded])
    for problem in (*loaded.diagnostics, *problems):
        return f"the generator refuses it: {problem.message}"
    try:
        messages = compile_(render(specs))
    except FormatterError as error:
        return f"the generator refuses it: {error}"
    return f"the compiler refuses it: {first_error(messages)}" if messages is not None else None


class AcceptanceError(Exception):
    """Raised if the lines of a spec that belong to no entry are refused. The message is one line."""


class Accepted(Frozen):
    document: Document
    refused: dict[Entry, str]
    is_empty: bool


class Acceptance:
    """Finds the entries of a spec that generate C, and C that compiles."""

    def __init__(
        self, head: Sequence[str], entries: Sequence[Entry], compile_: Compile, first_error: FirstError
    ) -> None:
        self._head = head
        self._entries = entries
        self._compile = compile_
        self._first_error = first_error
        self._refused = {entry: entry.doubt for entry in entries if entry.doubt}
        self._trials = 0

    def run(self) -> Accepted:
        self._refuse_invalid()
        self._refuse_unreachable()
        if self._accepted():
            self._refuse_uncompiled()
        accepted = self._accepted()
        return Accepted(self._document(accepted), self._refused, not accepted)

    def _accepted(self) -> list[Entry]:
        kept = [entry for entry in self._entries if entry not in self._refused]
        needed = {name for entry in kept for name in entry.needs}
        return [entry for entry in kept if not entry.is_rule or entry.key in needed]

    def _document(self, chosen: Sequence[Entry]) -> Document:
        """Returns the spec of some entries; the others are comments."""
        shown = set(chosen)
        hidden = {entry: self._refused.get(entry, "") for entry in self._entries if entry not in shown}
        return document(self._head, self._entries, hidden)

    def _refuse_dependents(self) -> None:
        """Refuses entries that refer to a refused class or enum, and the parts of a refused class."""
        found = True
        while found:
            accepted = self._accepted()
            defined = {entry.defines for entry in accepted}
            found = False
            for entry in accepted:
                missing = sorted((entry.needs | set(entry.place[1:2])) - defined)
                if missing:
                    self._refused[entry] = "" if missing[0] in entry.place else f"needs {missing[0]}"
                    found = True

    # ---- The checks of the generator ----

    def _refuse_invalid(self) -> None:
        while True:
            self._refuse_dependents()
            accepted = self._accepted()
            if not accepted:
                return
            found = self._document(accepted)
            loaded = load(_FILE, found.text.encode())
            _, problems = validate([loaded])
            before = len(self._refused)
            for problem in (*loaded.diagnostics, *problems):
                owner = found.owners[problem.span.line - 1]
                if owner is not None and owner not in self._refused:
                    self._refused[owner] = f"the generator refuses it: {problem.message}"
            if len(self._refused) == before:
                if problems:
                    message = f"the first lines of the spec are refused: {problems[0].message}"
                    raise AcceptanceError(f"{message}; include the header from one with another name")
                return

    def _refuse_unreachable(self) -> None:
        """Refuses handles of which no function is accepted: Python never gets such an object. A header can declare
        their only function, which frees them, although the library lacks it."""
        used = {name for entry in self._accepted() if not entry.is_class for name in (*entry.needs, *entry.place[1:2])}
        used |= {name for entry in self._accepted() if entry.is_class for name in entry.needs}
        for entry in self._accepted():
            if entry.is_class and entry.place == ("handles",) and entry.key not in used and not entry.is_asked:
                self._refused[entry] = "open: no function below makes or takes such an object"
        self._refuse_dependents()

    # ---- The compiler ----

    def _refuse_uncompiled(self) -> None:
        for _ in range(_ROUNDS):
            attempt = self._attempt(self._accepted())
            if attempt is None:
                return
            blamed = self._blamed(attempt)
            if not blamed:
                break
            self._refused.update(blamed)
            self._refuse_dependents()
        attempt = self._attempt(self._accepted())
        if attempt is not None:
            self._refuse_in_halves(attempt.messages)

    def _blamed(self, attempt: _Attempt) -> dict[Entry, str]:
        """Returns the entries in whose C functions the compiler found errors, each with the message."""
        by_name: dict[str, list[Entry]] = {}
        for entry in self._accepted():
            if not (entry.is_class or entry.is_rule):
                for name in {*entry.names, "_".join((*entry.place[1:2], entry.key))}:
                    by_name.setdefault(name, []).append(entry)
        lines_of = {file.name: file.text.splitlines() for file in attempt.files}
        blamed: dict[Entry, str] = {}
        message = ""
        for file, line, error in _ERROR.findall(attempt.messages):
            message = error or message
            lines = lines_of.get(file, [])
            if not 0 < int(line) <= len(lines):
                continue
            for text in (_declaration_at(lines, int(line)), lines[int(line) - 1]):
                found = max((name for name in _mentioned(text) if len(by_name.get(name, ())) == 1), key=len, default="")
                if found:
                    blamed.setdefault(by_name[found][0], f"the compiler refuses it: {message}")
                    break
        return blamed

    def _refuse_in_halves(self, messages: str) -> None:
        proposed = self._accepted()
        mentioned = _mentioned(messages)
        classes = [entry for entry in proposed if entry.is_class]
        constants = [entry for entry in proposed if entry.place == ("constants",)]
        others = [entry for entry in proposed if not (entry.is_class or entry.is_rule or entry in constants)]
        good: list[Entry] = []
        for group in (classes, constants, others):
            suspects = [entry for entry in group if entry.names & mentioned]
            self._try([entry for entry in group if entry not in suspects], good)
            self._try(suspects, good)
        self._refuse_dependents()

    def _try(self, group: Sequence[Entry], good: list[Entry]) -> None:
        """Adds those entries of the group to `good` with which it still compiles, and refuses the others."""
        group = [entry for entry in group if entry not in self._refused]
        if not group:
            return
        attempt = self._attempt([*good, *group])
        self._trials += 1
        if attempt is None:
            good += group
        elif len(group) == 1 or self._trials > _TRIALS:
            reason = self._first_error(attempt.messages)
            self._refused.update(dict.fromkeys(group, f"the compiler refuses it: {reason}"))
            self._refuse_dependents()
        else:
            half = len(group) // 2
            self._try(group[:half], good)
            self._try(group[half:], good)

    def _attempt(self, chosen: Sequence[Entry]) -> _Attempt | None:
        """Compiles the C of some entries. Returns None if it compiles."""
        rules = [entry for entry in self._accepted() if entry.is_rule]
        defined = {entry.defines for entry in (*chosen, *rules)}
        usable = [entry for entry in chosen if entry.needs | set(entry.place[1:2]) <= defined]
        if not usable:
            return None
        needed = {name for entry in usable for name in entry.needs}
        found = self._document([*usable, *(entry for entry in rules if entry.key in needed)])
        loaded = load(_FILE, found.text.encode())
        specs, problems = validate([loaded])
        if problems:
            return _Attempt((), f"error: {problems[0].message}")
        try:
            files = tuple(render(specs))
        except FormatterError as error:
            return _Attempt((), f"error: {error}")
        messages = self._compile(files)
        return _Attempt(files, messages) if messages is not None else None


_FEW = 12
"""The largest number of names in a message."""


def init(arguments: argparse.Namespace, report: Report) -> int:
    if arguments.functions:
        return _add_functions(arguments, report)
    if arguments.update or arguments.renew or (arguments.accept and arguments.header.endswith(_SPECS)):
        return _update(arguments, report)
    return _draft(arguments, report)


_SPECS = (".yaml", ".yml")
_LISTED = 6
"""The number of functions that a comment names."""


def _draft(arguments: argparse.Namespace, report: Report) -> int:
    """Writes the draft of a spec for a header."""
    from dlpack_bindgen.tools.c_compiler import CompilerError, compiler, first_error
    from dlpack_bindgen.tools.init.handles import with_handles
    from dlpack_bindgen.tools.init.header import HeaderError, read
    from dlpack_bindgen.tools.init.library import import_problem, library, without_undefined
    from dlpack_bindgen.tools.init.proposal import proposal, types_of
    from dlpack_bindgen.tools.init.questions import Accepting, draft_lines

    output = arguments.output
    if arguments.header.endswith(_SPECS):
        raise Failure(
            f"{arguments.header} is a spec, and init reads a header: --update writes the entries of answered questions "
            "into a spec, --function NAME adds a function"
        )
    if arguments.header.endswith(".c"):
        raise Failure(f"{arguments.header} is a C file: name the header that declares its functions")
    if output is not None and os.path.lexists(output) and not arguments.force:
        raise Failure(f"{output} exists already: name another file with -o, or replace it with --force")
    linked = library(arguments.libraries, arguments.package)
    try:
        flags = [*_flags(arguments, report), *(linked.header_flags if linked is not None else ())]
        header = chosen(with_handles(read(arguments.header, flags)), arguments.only, arguments.without)
    except (HeaderError, CompilerError) as error:
        raise Failure(str(error)) from error
    flags_of_module = [*flags, f"-I{Path(header.path).parent}"]
    first_lines = [f"Written by `{_command(arguments)}`."]
    if compiler() is None:
        first_lines.append("No C compiler was there: the C of this spec has not been compiled.")
    if linked is not None:
        header, left_out = without_undefined(header, linked, flags_of_module)
        first_lines += _missing(left_out)
    else:
        first_lines.append(
            "No library was given: a function that it lacks makes the import fail; --library leaves such functions out."
        )
    file_name = Path(output).stem if output is not None else ""
    accepting = Accepting(lambda answers: proposal(header, arguments.type, first_lines, file_name, answers))
    proposed, asked = accepting.run(arguments.accept)
    if arguments.type is not None and not proposed.has_types:
        raise Failure(_no_such_type(arguments, types_of(header)))
    try:
        accepted = Acceptance(
            proposed.head, proposed.entries, lambda files: _compile_error(files, flags_of_module), first_error
        ).run()
    except AcceptanceError as error:
        raise Failure(str(error)) from error
    if accepted.is_empty and not asked:
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
    draft = "".join(f"{line}\n" for line in draft_lines(asked, arguments.accept))
    text = accepted.document.text + ("\n" if draft else "") + draft
    _, problems = validate([load(_FILE, text.encode())])
    if problems:
        raise Failure(
            f"the first lines of the spec are refused: {problems[0].message}; include the header from one with another "
            "name"
        )
    problem = import_problem(text, linked, flags_of_module) if linked is not None else ""
    _deliver(text, output)
    if output is not None:
        for line in _summary(text, asked, arguments.accept):
            print_line(line)
    if problem:
        report.note(f"the module of this draft cannot be imported: {problem}")
    return OK


def _summary(text: str, asked: Sequence[Asked], is_accepted: bool) -> Iterator[str]:
    """Yields lines about a draft: what it has, and what is left to do."""
    spec = _spec_of(text)
    functions = len(spec.functions) + sum(len(each.methods) + len(each.properties) for each in spec.items)
    guesses = text.count("# guess: ")
    counts = [
        _counted(len(spec.tensors), "tensor"),
        _counted(len(spec.handles), "handle"),
        _counted(functions, "function or property", "functions and properties"),
        _counted(guesses, "guess", "guesses"),
    ]
    yield f"{', '.join(counts)} to check"
    names = {name for each in spec.questions if each.is_about_functions for name in each.open_names}
    if names:
        still_open = sum(bool(each.open_names) for each in spec.questions)
        yield (
            f"{_counted(still_open, 'question')} about {_counted(len(names), 'function')}: answer them in `draft`, and "
            "run init --update; docs/init.md tells how"
        )
    if is_accepted and asked:
        yield "the answers are suggestions that nobody has read: they are marked in `draft`"


def _counted(number: int, one: str, several: str = "") -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"


def _missing(left_out: Sequence[str]) -> Iterator[str]:
    """Yields a line about the functions that a library lacks."""
    if left_out:
        count = "1 function" if len(left_out) == 1 else f"{len(left_out)} functions"
        more = ", ..." if len(left_out) > _LISTED else ""
        yield f"The library lacks {count} of the header, left out here: {', '.join(left_out[:_LISTED])}{more}"


def chosen(header: Header, only: Sequence[str], without: Sequence[str]) -> Header:
    """Returns the header with the functions and types that `--only` and `--without` choose. A function is chosen by its
    name, or by a type that it takes or returns."""
    from dlpack_bindgen.tools.init.classes import returned_object, taken_objects

    if not only and not without:
        return header

    def matches(names: Iterable[str], patterns: Sequence[str]) -> bool:
        plain = [name.removeprefix("struct ") for name in names]
        return any(fnmatchcase(name, pattern) for name in plain for pattern in patterns)

    def names_of(function: Function) -> list[str]:
        keys = {*taken_objects(function), returned_object(function)}
        types = [name for key in keys if key in header.structs for name in header.structs[key].names]
        return [function.name, *types]

    functions = tuple(
        each
        for each in header.functions
        if (not only or matches(names_of(each), only)) and not matches(names_of(each), without)
    )
    used = {key for each in functions for key in (*taken_objects(each), returned_object(each))}
    structs = {
        key: each
        for key, each in header.structs.items()
        if (not only or key in used or matches(each.names, only)) and not matches(each.names, without)
    }
    if not functions and not structs:
        raise Failure(f"no function or type of the header fits {', '.join([*only, *without])}")
    return replace(header, functions=functions, structs=structs)


def _update(arguments: argparse.Namespace, report: Report) -> int:
    """Writes the entries that the answers of a spec decide, and adds what a newer header declares."""
    from dlpack_bindgen.tools.c_compiler import CompilerError, first_error
    from dlpack_bindgen.tools.generate import loaded_and_validated
    from dlpack_bindgen.tools.init.additions import AdditionError, accepted, updated
    from dlpack_bindgen.tools.init.handles import with_handles
    from dlpack_bindgen.tools.init.header import HeaderError, read_library
    from dlpack_bindgen.tools.init.library import library, without_undefined
    from dlpack_bindgen.tools.init.proposal import proposal
    from dlpack_bindgen.tools.init.questions import Answers

    path = arguments.header
    found = loaded_and_validated(path, report)
    if found is None:
        return STALE_OR_INVALID
    loaded, spec = found
    text, notes = loaded.text, []
    if arguments.accept:
        text, names = accepted(text, spec.questions)
        notes += [f"accepted unread: {', '.join(names)}"] if names else []
        spec = _spec_of(text)
    folder = Path(path).resolve().parent
    linked = library(arguments.libraries, arguments.package)
    try:
        flags = [*_flags(arguments, report), *(linked.header_flags if linked is not None else ()), f"-I{folder}"]
        header = with_handles(read_library(spec.includes, folder, flags))
        if linked is not None:
            header, _ = without_undefined(header, linked, flags)
        classes = {item.type: item.name for item in reversed([*spec.handles, *spec.tensors])}
        proposed = proposal(header, None, (), spec.module, Answers(spec.questions), classes)
        before = proposal(header, None, (), spec.module, None, classes)
        checked = Acceptance(
            proposed.head, proposed.entries, lambda files: _compile_error(files, flags), first_error
        ).run()
        result = updated(text, spec, header, proposed, before, checked.refused, arguments.renew)
    except (HeaderError, CompilerError, AdditionError, AcceptanceError) as error:
        raise Failure(str(error)) from error
    problem = refusal(result.text, lambda files: _compile_error(files, flags), first_error)
    if problem is not None and refusal(loaded.text, lambda files: _compile_error(files, flags), first_error) is None:
        raise Failure(f"{path} stays as it is, since {problem}")
    notes += [f"it does not compile, as before: {problem}"] if problem is not None else []
    if result.text != loaded.text:
        _deliver(result.text, os.path.realpath(path), path)
    for note in (*notes, *result.notes):
        print_line(f"{path}: {note}")
    return OK


def _spec_of(text: str) -> Spec:
    """Returns the spec of a text that `init` has written or changed."""
    specs, problems = validate([load(_FILE, text.encode())])
    if problems:
        raise Failure(f"the spec would have a mistake: {problems[0].message}")
    return specs[0]


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
    from dlpack_bindgen.tools.c_compiler import CompilerError, first_error
    from dlpack_bindgen.tools.generate import loaded_and_validated
    from dlpack_bindgen.tools.init.additions import AdditionError, added
    from dlpack_bindgen.tools.init.header import HeaderError, read_all

    path = arguments.header
    if path == "-":
        raise Failure("a function is added to a file, not to stdin: name the spec")
    if path.endswith((".h", ".hpp", ".hh")):
        raise Failure(f"{path} is a header: --function adds to a spec, which stands in the place of HEADER")
    found = loaded_and_validated(path, report)
    if found is None:
        return STALE_OR_INVALID
    loaded, spec = found
    text = loaded.text
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
    from dlpack_bindgen.tools.c_compiler import preprocessor_flags
    from dlpack_bindgen.tools.init.header import database_flags

    if arguments.flags:
        return _with_absolute_folders(preprocessor_flags(arguments.flags))
    found = database_flags(Path(arguments.header))
    for note in found.notes:
        report.note(note)
    return list(found.flags)


def _with_absolute_folders(flags: Sequence[str]) -> list[str]:
    """Returns flags with the paths of folders and headers as absolute ones: the C is compiled in another folder."""
    options = ("-isystem", "-iquote", "-idirafter", "-isysroot", "--sysroot=", "-I")
    found: list[str] = []
    for flag in flags:
        option = next((each for each in options if flag.startswith(each)), "")
        before = found[-1] if found else ""
        if before in options or (before == "-include" and os.path.exists(flag)):
            found.append(os.path.abspath(flag))
        elif option and flag != option:
            found.append(option + os.path.abspath(flag.removeprefix(option)))
        else:
            found.append(flag)
    return found


def _compile_error(files: Sequence[OutputFile], flags: Sequence[str]) -> str | None:
    from dlpack_bindgen.resources import ResourceError
    from dlpack_bindgen.tools.c_compiler import CompilerError, compile_error
    from dlpack_bindgen.tools.config import cflags, python_cflags

    try:
        python = python_cflags()
    except ResourceError:
        python = []
        files = [file for file in files if not file.name.endswith("_module.c")]
    try:
        return compile_error(files, [*cflags(), *python, *flags])
    except (ResourceError, CompilerError) as error:
        raise Failure(str(error)) from error


def _command(arguments: argparse.Namespace) -> str:
    options = ["--type", arguments.type] if arguments.type is not None else []
    options += ["--pkg-config", arguments.package] if arguments.package is not None else []
    for option, values in (
        ("--library", arguments.libraries),
        ("--only", arguments.only),
        ("--without", arguments.without),
    ):
        options += [word for value in values for word in (option, value)]
    options += ["--accept"] if arguments.accept else []
    flags = ["--", *arguments.flags] if arguments.flags else []
    return " ".join(["dlpack-bindgen init", *map(shell_word, [arguments.header, *options, *flags])])


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
