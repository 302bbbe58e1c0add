"""Errors of the C compiler about generated files, as diagnostics at the strings of the spec.

`generated_code` finds the string behind a place in the generated C, and `compiler_remedies` has the words and the
 Errors in the headers of the library keep their places."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.tools.c_compiler import Compiled, run
from dlpack_bindgen.tools.compiler_messages import messages_of
from dlpack_bindgen.tools.compiler_remedies import Error, GetDeclarations, explained, names_of, of_header
from dlpack_bindgen.tools.generated_code import Generated
from dlpack_bindgen.tools.header_declarations import Declarations
from dlpack_bindgen.tools.terminal import Failure

_WITHOUT_PLACE = re.compile(r"(?:[^\s:]+: )?(?:fatal )?error: (?P<text>.*)")
_EXPANDED = re.compile(r"in (?:expansion of|definition of) macro|expanded from macro")
_TOO_MANY = "too many errors emitted, stopping now"
"""The last message of clang after 20 errors. gcc reports all errors, and does not know the option of clang."""


# ---- Diagnostics ----


def diagnostics(output: str, generated: Sequence[Generated], declarations: GetDeclarations) -> list[Diagnostic]:
    """Returns the errors in the output of a compiler, which compiled the generated files of some specs. The errors in
    headers come first. `declarations` returns those of the headers of the library."""
    in_headers: list[Diagnostic] = []
    errors: list[Error] = []
    lost: list[Diagnostic] = []
    for message in messages_of(output):
        places = [message.place, *(note.place for note in message.notes if _EXPANDED.search(note.text))]
        known = [(each, place) for place in places for each in generated if each.has(place)]
        if not known:
            in_headers.append(of_header(message))
            continue
        # The last of several macros is the outermost one.
        one, place = known[0] if known[0][1] is message.place else known[-1]
        found = one.find(place, names_of(message.text))
        if found is not None:
            errors.append(Error(message, one, place, found))
        else:
            owner = one.owner(place) or one.root
            lost.append(Diagnostic("compiler", owner.span, f"{message.text}: {one.line(place).strip()}"))
    reported = explained(errors, declarations) if not in_headers else []
    # Errors about the spec can follow from errors in a header.
    return _once_each(in_headers) or reported or _once_each(lost)


def _once_each(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    return list(dict.fromkeys(found))


# ---- The command ----


def compile_errors(generated: Sequence[Generated], command: Sequence[str], folders: Sequence[str]) -> list[Diagnostic]:
    """Checks the syntax and the assertions of the generated files, and returns the errors.

    `command` is the compiler with its flags; `folders` are searched for headers in quotes. Raises Failure if the
    compiler refuses its flags."""
    quoted = [word for folder in folders for word in ("-iquote", folder)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = [str(path) for each in generated for path in each.write(folder)]
        plain = ["-fdiagnostics-color=never", "-fmessage-length=0"]
        words = [*command, *plain, *quoted, "-fsyntax-only", *sources]
        compiled = run(words)
        if compiled.succeeded:
            return []
        if _TOO_MANY in compiled.messages:
            compiled = run([*words, "-ferror-limit=0"])

        def declarations() -> Declarations:
            headers = [str(folder / file.name) for each in generated for file in each.files if file.name.endswith(".h")]
            texts = [run([*command, *quoted, "-E", "-dD", "-x", "c", header]).output for header in headers]
            return Declarations("\n".join(texts))

        found = diagnostics(compiled.messages, generated, declarations)
    return found or _refused(compiled, command)


def _refused(compiled: Compiled, command: Sequence[str]) -> list[Diagnostic]:
    match = next(filter(None, map(_WITHOUT_PLACE.fullmatch, compiled.messages.splitlines())), None)
    reason = match["text"] if match is not None else compiled.messages.strip().partition("\n")[0] or "no message"
    raise Failure(f"{command[0]} cannot compile the generated C: {reason}")
