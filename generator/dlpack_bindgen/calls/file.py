"""Files: a `FILE *` that the call opens from a path, or from a file object of Python, and closes again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dlpack_bindgen.calls.argument_kind import EmittedArgument, Kind, ParameterEntry, PythonScope
from dlpack_bindgen.calls.feature import Stage
from dlpack_bindgen.calls.result_kind import OPTIONAL
from dlpack_bindgen.calls.spec_names import Named
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import Key, Word, Words
from dlpack_bindgen.language.values import Leaf, is_true
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import Piece, mentions
from dlpack_bindgen.text.types import CType

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call


_TEXT_MODES = {
    "r": "C reads the file, which must exist.",
    "r+": "C reads and writes the file, which must exist.",
    "w": "C writes the file, which is created or emptied.",
    "w+": "C reads and writes the file, which is created or emptied.",
    "wx": "C writes the file, which must not exist.",
    "w+x": "C reads and writes the file, which must not exist.",
    "a": "C writes at the end of the file, which is created if it does not exist.",
    "a+": "C reads the file and writes at its end. It is created if it does not exist.",
}
_BINARY_MODES = {
    "rb": "r",
    "rb+": "r+",
    "r+b": "r+",
    "wb": "w",
    "wb+": "w+",
    "w+b": "w+",
    "wbx": "wx",
    "wb+x": "w+x",
    "w+bx": "w+x",
    "ab": "a",
    "ab+": "a+",
    "a+b": "a+",
}
"""Each mode for binary files, with the mode for text files. They differ on Windows, where C converts line ends."""
_DEFAULT_MODE = "rb"
"""With this mode, a function that writes fails. With a mode such as `w`, a function that reads would empty its file."""


MODE = Key[Leaf](
    "mode",
    Words(
        (
            *(Word(mode, doc) for mode, doc in _TEXT_MODES.items()),
            *(Word(mode, f"`{text}` for a binary file.") for mode, text in _BINARY_MODES.items()),
        )
    ),
    "The mode in which `fopen` opens the file of a `FILE *`.",
    default=f"`{_DEFAULT_MODE}`",
    details=(
        "Of a file object, the mode only selects whether C reads or writes. The object is used at its "
        "position: `w` does not empty the file, and `a` does not move to its end.",
    ),
)


class File(Kind, Frozen):
    """A `FILE *`. Python passes a path or a file object."""

    words = ("file",)
    keys = (MODE,)
    details = (
        (
            "of",
            "`file`: a path, or a file object with `fileno()`. C gets a `FILE *`, which is closed at the end of the "
            "call. The file is opened after all checks of the arguments. The `errno` of the function is as for a "
            "`path`.",
        ),
    )

    mode: str = _DEFAULT_MODE
    optional: bool = False

    owner = "file"
    call_value = "path"
    is_path = True
    ends_with_call = True
    is_acquired_last = True

    def origin(self, name: str) -> str:
        return f"`{name}` is a FILE * with the mode {self.mode}, which is closed after the call."

    def stub_type(self, scope: PythonScope) -> str:
        return "_Path | typing.IO[typing.Any]"

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> File | None:
        if named not in cls.words:
            return None
        if not _is_file(entry.ctype):
            raise entry.mistake("argument-type", "a file is passed as 'FILE *'")
        mode = entry.fields[MODE]
        found = cls(mode.text if mode is not None else _DEFAULT_MODE, is_true(entry.fields[OPTIONAL]))
        return entry.with_keys(("of", "mode", "optional"), found)

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> File | None:
        if not _is_file(entry.ctype):
            return None
        if entry.fields[MODE] is not None:
            return cls.by_name(entry, "file")
        name = entry.parameter.name
        hint = f"args: {{{name}: {{of: file, mode: wb}}}} if it writes, or {{{name}: file}} if it only reads"
        raise entry.unclear("does not show whether the function writes to the file", hint)

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        for other in call.arguments:
            if other.kind.value is not None and mentions([other.kind.value], entry.parameter.name):
                message = f"'{entry.parameter.name}' is opened after the value of '{other.name}' is computed"
                yield Diagnostic("used-too-early", entry.span, message, "bind a C function that takes the file alone")

    def declaration(self, emitted: EmittedArgument) -> str:
        return f"FILE *{emitted.variable}"

    def declared_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/file", "file", emitted)

    def read_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/file", "read_file", emitted)

    def late_pieces(self, emitted: EmittedArgument) -> Iterator[Piece]:
        yield Piece("calls/file", "cannot_be_opened", emitted, is_condition=True)

    def pieces(self, stage: Stage, emitted: EmittedArgument) -> Iterator[Piece]:
        if stage is Stage.CLOSING:
            yield Piece("calls/file", "close", emitted)

    def freed_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/file", "release", emitted)


def _is_file(ctype: CType) -> bool:
    return ctype.base == "FILE" and ctype.depth == 1 and ctype.length is None and not ctype.extents
