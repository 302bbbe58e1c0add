"""Strings and tables of strings: arguments and results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dlpack_bindgen.calls.argument_kind import (
    DEFAULT,
    TAKES,
    WRITES,
    EmittedArgument,
    Kind,
    ParameterEntry,
    PythonScope,
)
from dlpack_bindgen.calls.feature import Stage
from dlpack_bindgen.calls.number import Scalar, byte_assertions
from dlpack_bindgen.calls.result_kind import OPTIONAL, EmittedValue, Result, Source, null_is_failure
from dlpack_bindgen.calls.spec_names import Mistake, Named
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import EXPRESSION, Alternatives, Key, Option, Word, Words
from dlpack_bindgen.language.values import Leaf, is_true, text_of
from dlpack_bindgen.tensor.requirements import NOTHING, REQUIRE_OF_ARGUMENT
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import Assertion, Piece
from dlpack_bindgen.text.literals import quotes_hint
from dlpack_bindgen.text.types import CType, is_letter

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call


# ---- Helpers of the kinds that pass a string to C ----

_FILE = re.compile(r"\w+(?:\.\w+)*\.(?:png|jpe?g|gif|bmp|tiff?|txt|csv|json|xml|yaml|pdf|html)", re.ASCII)
"""Matches file names. As C text they would read a member of a struct."""


def points_to_letters(ctype: CType) -> bool:
    """Returns whether a type is a pointer to characters."""
    return ctype.depth == 1 and is_letter(CType(ctype.base))


class OneString(Kind):
    """The base class of arguments that are one string."""

    default_type = "str"
    is_read_early = True
    ends_with_call = True

    @property
    def call_value(self) -> str:
        return "path" if self.is_path else "string"

    @property
    def is_nullable(self) -> bool:
        """Returns whether None means NULL. A default of NULL is shown as None in Python."""
        return self.optional or self.default == "NULL"

    def length(self, name: str, ctype: CType) -> str:
        cast = "" if ctype.base == "size_t" else f"({ctype.base})"
        length = f"{cast}strlen({name})"
        return f"{name} != NULL ? {length} : 0" if self.may_be_missing else length

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        """Yields the problem of a default value without the quotes of C."""
        default = entry.fields[DEFAULT]
        is_word = default is not None and default.is_quoted_word and call.find(default.text) is None
        if default is not None and (is_word or _FILE.fullmatch(default.text)):
            hint = quotes_hint(default.text)
            yield Diagnostic("c-quotes", default.span, "YAML has removed the quotes of this string", hint)

    def declaration(self, emitted: EmittedArgument) -> str:
        return f"const char *{emitted.variable}"

    def initial(self, emitted: EmittedArgument) -> str:
        return emitted.body.text("NULL" if self.default is None or emitted.is_late else self.default)

    def assertions(self, emitted: EmittedArgument) -> tuple[Assertion, ...]:
        return byte_assertions(emitted.label, emitted.ctype.base)

    def read_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/string", "read_string", emitted)


# ---- Strings and paths: a `const char *` that ends with NUL ----

_ONLY_READ = "{of: str, writes: false} if C only reads it"


class String(OneString, Frozen):
    """A `const char *`. A path is encoded with the encoding of the file system."""

    words = ("str", "path")
    details = (("of", "`path`: a path; C gets it in the encoding of the file system."),)
    ctypes = "`const char *`: a `str`."

    is_path: bool = False
    optional: bool = False
    default: str | None = None

    @property
    def owner(self) -> str | None:
        return "bytes" if self.is_path else None

    @property
    def least_elements(self) -> int:
        return 0 if self.optional else 1  # the terminating '\0'

    def stub_type(self, scope: PythonScope) -> str:
        return "_Path" if self.is_path else "str"

    def origin(self, name: str) -> str:
        encoded = ", in the encoding of the file system" if self.is_path else ""
        return f"`{name}` is read during the call{encoded}."

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> String | None:
        if named not in cls.words:
            return None
        may_write = not entry.ctype.reads and text_of(entry.fields[WRITES]) != "false"
        is_pointer = points_to_letters(entry.ctype)
        if may_write or not is_pointer:
            message = "a string is passed as 'const char *'"
            if is_pointer:
                raise entry.mistake("argument-type", message, f"write {_ONLY_READ}")
            raise entry.no_pointer(message)
        keys = ("of", "default", "optional", *(() if entry.ctype.reads else ("writes",)))
        return entry.with_keys(
            keys, cls(named == "path", is_true(entry.fields[OPTIONAL]), text_of(entry.fields[DEFAULT]))
        )

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> String | None:
        if entry.ctype.depth != 1 or entry.ctype.base != "char":
            return None
        if not entry.ctype.reads:
            hint = f"{STRING_CAPACITY}; {_ONLY_READ}"
            raise entry.unclear("is not the type of a 'str': C may write to the string", hint)
        return cls.by_name(entry, "str")

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        name, length = entry.parameter.name, ctype.length
        yield from super().problems(entry, ctype, call)
        if length and entry.name is None:
            message = f"'{name}' is ambiguous: a string that '\\0' ends, or {length} bytes"
            hint = f"args: {{{name}: str}}, or {{{name}: bytes}} for an array of {length}"
            yield Diagnostic("argument-length", entry.span, message, hint)

    def declared_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/string", "owned_by_python" if self.is_path else "string", emitted)

    def read_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/string", "read_path", emitted) if self.is_path else super().read_piece(emitted)

    def passed_piece(self, emitted: EmittedArgument) -> Piece | None:
        is_same = emitted.ctype.reads and emitted.is_char
        return None if is_same else Piece("calls/string", "passed", emitted)


# ---- Tables of strings: a `const char *const *`, which ends with NULL ----


class Strings(Kind, Frozen):
    """A `const char *const *`: a table of strings that ends with NULL."""

    words = ("strings",)
    details = (
        (
            "of",
            "`strings`: a sequence of `str`. C gets a table of pointers with NULL at its end. "
            "`require: [{count: n}]` gives the length; `require: []` lets NULL end the table if only other arguments "
            "have a count.",
        ),
    )

    optional: bool = False
    count: str | None = None
    """The required number of strings, as a C expression."""

    owner = "kept"
    call_value = "strings"
    is_table_of_strings = True
    ends_with_call = True
    least_elements = 0

    def stub_type(self, scope: PythonScope) -> str:
        return "collections.abc.Sequence[str]"

    def origin(self, name: str) -> str:
        return f"`{name}` is read during the call, as a table of pointers to the strings."

    def expressions(self) -> list[str]:
        return [self.count] if self.count is not None else []

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> Strings | None:
        """Returns the argument for a table of strings. C must not write to it, but its type may lack the `const`."""
        if named not in cls.words:
            return None
        ctype, require = entry.ctype, entry.require()
        if ctype.depth != 2 or ctype.base != "char" or ctype.extents:
            raise entry.no_pointer("'strings' are passed as 'const char *const *', or without a 'const'")
        if replace(require, count=None) != NOTHING:
            message = "'require' of 'strings' allows only their number: [{count: ...}]"
            raise Mistake("without-effect", entry.place(REQUIRE_OF_ARGUMENT), message)
        count = require.count or ctype.length or None
        return entry.with_keys(("of", "optional", "require"), cls(is_true(entry.fields[OPTIONAL]), count))

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> Strings | None:
        is_table = entry.ctype.base == "char" and entry.ctype.pointers == (True, True)
        return cls.by_name(entry, "strings") if is_table else None

    def declared_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/string", "owned_by_python", emitted)

    def read_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/string", "read_strings", emitted)

    def pieces(self, stage: Stage, emitted: EmittedArgument) -> Iterator[Piece]:
        if stage is Stage.LENGTHS and self.count is not None:
            yield Piece("calls/string", "has_other_count", emitted, is_condition=True)


# ---- Strings that the library takes over: a `char *` that it frees with `free` ----


class OwnedString(OneString, Frozen):
    """A `char *` whose memory the library takes over.

    The variable of the argument is the string of Python, so that C code of the spec can read it after the call. C gets
    the variable of the owner: a copy, which is NULL when the library owns it.
    """

    details = (
        (
            "takes",
            "For a string, `char *`: Python passes a `str`. C gets a copy from `malloc`, and frees it with `free`.",
        ),
        (
            "takes",
            "`true`: if the call fails by its `ok`, the module frees the copy. Without `ok`, each call is a success.",
        ),
        ("takes", "If C is not called, the module frees the copy. An example is a `require` that does not hold."),
    )

    c_functions = ("free", "malloc", "memcpy", "strlen")

    takes_always: bool
    optional: bool = False
    default: str | None = None

    takes = True
    owner = "copy"

    @property
    def least_elements(self) -> int:
        return 0 if self.is_nullable else 1  # the terminating '\0'

    def stub_type(self, scope: PythonScope) -> str:
        return "str"

    def origin(self, name: str) -> str:
        failed = "also by a call that fails" if self.takes_always else "unless the call fails"
        return f"`{name}` is copied, and the copy is taken over, {failed}."

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> OwnedString | None:
        takes = text_of(entry.fields[TAKES])
        if named != "str" or takes not in ("true", "always"):
            return None
        if not points_to_letters(entry.ctype):
            raise entry.no_pointer("a string that the library takes over is passed as 'char *'")
        if entry.ctype.length or entry.ctype.extents:
            hint = f"write 'char *{entry.parameter.name}', or leave out 'takes'"
            raise entry.mistake("argument-type", "the library frees a 'char *', but this is an array", hint)
        found = cls(takes == "always", is_true(entry.fields[OPTIONAL]), text_of(entry.fields[DEFAULT]))
        return entry.with_keys(("of", "default", "optional", "takes"), found)

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> OwnedString | None:
        return cls.by_name(entry, "str") if entry.ctype.depth == 1 and entry.ctype.base == "char" else None

    def declared_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/string", "with_copy", emitted)

    def passed_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/string", "passed_copy", emitted)

    def late_pieces(self, emitted: EmittedArgument) -> Iterator[Piece]:
        yield Piece("calls/string", "has_no_memory", emitted, is_condition=True)
        yield Piece("calls/string", "copy", emitted, follows_checks=True)

    def pieces(self, stage: Stage, emitted: EmittedArgument) -> Iterator[Piece]:
        if stage is self.taken_at:
            yield Piece("calls/array", "taken", emitted)

    def freed_piece(self, emitted: EmittedArgument) -> Piece:
        return Piece("calls/array", "free", emitted)


# ---- Strings that end with NUL ----

STRING_CAPACITY = "write 'char NAME[64]' and {of: str, out: true}; or 'bytes', for which Python gives the buffer"
"""The hint for a `char *` whose size is unknown."""


class ReturnedString(Scalar):
    words = ("str",)
    accepts = ("optional",)

    is_string = True
    may_be_buffer = True
    may_be_null = True
    null_is_value = True
    runs_code = True

    def by_name(self, named: Named, source: Source) -> Result | None:
        is_string = is_letter(CType(source.ctype.base)) and source.ctype.depth == (0 if source.length else 1)
        return Result(self) if is_string else None

    def refusal(self, named: Named, source: Source) -> Mistake:
        if is_letter(source.ctype):
            return source.mistake("the capacity of the string is unknown", STRING_CAPACITY)
        return super().refusal(named, source)

    def by_type(self, source: Source) -> Result | None:
        is_owned_by_c = source.ctype.reads or source.parameter is not None
        is_string = source.ctype.depth == 1 and source.ctype.base == "char" and is_owned_by_c
        return Result(self) if is_string else None

    def fields(self, value: Result, source: Source) -> dict[str, Any]:
        return {"required": null_is_failure(source)}

    def has_characters(self, is_buffer: bool = False) -> bool:
        return True

    def stub_type(self, of: str | None, is_counted: bool = False) -> str:
        return "str"

    def made(self, text: str, base: str = "", table: str = "") -> str:
        return f"dlb_py_from_string({text})"

    def is_buffer(self, ctype: CType) -> bool:
        return not ctype.pointers

    def buffer_piece(self, emitted: EmittedValue) -> Piece:
        if not self.is_buffer(emitted.ctype):
            return super().buffer_piece(emitted)
        return Piece("calls/string", "filled", emitted)


# ---- Tables of strings, which end with NULL or have a number of strings ----


COUNT = Key[Leaf](
    "count",
    Alternatives(
        (
            Option(Words((Word("none", "NULL ends the table, although C returns a number, too."),)), "A word."),
            Option(EXPRESSION, "The number of entries."),
        )
    ),
    "The number of entries in the C table of a `strings` result.",
    default="NULL ends the table; required if C also returns a number that may be the count",
    details=(
        "The strings are copied. A NULL entry becomes `None`.",
        "An `out` parameter in the expression is not returned separately.",
    ),
    after="size",
)


class ReturnedStrings(Scalar):
    words = ("strings",)
    keys = (COUNT,)
    exclusive = "'{key}' is the number of 'strings'"
    accepts = ("count",)
    details = (
        (
            "of",
            "`strings` is a list of `str`. It is copied from a C table with `count` entries, or with NULL at its end. "
            "If the table itself is NULL, the list is empty.",
        ),
    )

    is_table_of_strings = True
    null_is_value = True
    runs_code = True

    def by_name(self, named: Named, source: Source) -> Result | None:
        return Result(self) if source.ctype.depth == 2 and is_letter(CType(source.ctype.base)) else None

    def fields(self, value: Result, source: Source) -> dict[str, Any]:
        """Returns the number of strings, or None if NULL ends the table."""
        count = source.fields[COUNT]
        if count is not None and count.text in ("NULL", "null", "None"):
            message = f"'{count.text}' is not a number of strings"
            raise Mistake("result-type", count.span, message, "write 'none' if NULL ends the table")
        return {"count": None if count is None or count.text == "none" else count.text}

    def has_characters(self, is_buffer: bool = False) -> bool:
        return True

    def stub_type(self, of: str | None, is_counted: bool = False) -> str:
        return "list[str | None]" if is_counted else "list[str]"

    def made(self, text: str, base: str = "", table: str = "") -> str:
        return f"dlb_py_from_strings({text})"

    def piece(self, emitted: EmittedValue) -> Piece:
        is_counted = emitted.value.count is not None
        return Piece("calls/string", "counted", emitted) if is_counted else super().piece(emitted)
