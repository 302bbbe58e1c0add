"""The names in C headers, and the headers that they include.

The text is not preprocessed, and both branches of an `#if` count. No compiler therefore finds a declaration of a name
that the text does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from dlpack_bindgen.c import names
from dlpack_bindgen.frozen import Frozen

_CONTINUED = re.compile(r"\\\r?\n")
_COMMENT = re.compile(r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?""", re.DOTALL)
"""A comment; or a literal, which may contain the signs of a comment."""
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*(\w*include\w*|import)\b[ \t]*(.*?)[ \t\r]*$", re.MULTILINE)
_JOINS_NAMES = ("##", "%:", "??=")
_TAGGED = r"\b(?:struct|union|enum)\s+[A-Za-z_]\w*"
_NAME = re.compile(rf"{_TAGGED}|\b[A-Za-z_]\w*", re.ASCII)
_MAY_HIDE_TAGS = re.compile(
    r"\b(?:struct|union|enum)\s+(?:__\w*|\w+\s*\(|\w+\s+\w+\s*\{)|^[ \t]*#[ \t]*define\b.*\b(?:struct|union|enum)\b",
    re.MULTILINE | re.ASCII,
)
"""An attribute or a macro between `struct` and the tag, or a macro that has `struct` in its text."""
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE | re.ASCII)
_DEFINITION = re.compile(r"^[ \t]*#[ \t]*define\b.*", re.MULTILINE)
_TYPEDEF = re.compile(r"\btypedef\b", re.ASCII)
_POINTER_TYPE = re.compile(r"[^()]*\(\s*(?:\w+\s+)?\*\s*([A-Za-z_]\w*)\s*\)", re.ASCII)
"""The beginning of a `typedef` for a pointer to a function or an array: `typedef int (*name)`."""
_BRACE_OR_END = re.compile(r"[{};]|\btypedef\b", re.ASCII)

STANDARD = frozenset(
    f"<{name}.h>"
    for name in """
    assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic
    stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
    strings unistd sys/types dlpack/dlpack
    """.split()
)
"""The headers of the C standard, those of POSIX for general types, and that of DLPack."""
_STANDARD_TYPES = frozenset(
    """
    FILE blkcnt_t blksize_t caddr_t char16_t char32_t char8_t clock_t clockid_t cnd_t comparison_fn_t complex daddr_t
    dev_t div_t double_t drand48_data errno_t error_t fd_mask fd_set femode_t fenv_t fexcept_t float_t fpos_t fpregset_t
    fsblkcnt_t fsfilcnt_t fsid_t gid_t greg_t gregset_t id_t imaxdiv_t ino_t itimerspec jmp_buf key_t lconv ldiv_t
    lldiv_t locale_t loff_t max_align_t mbstate_t mcontext_t memory_order mode_t mtx_t nlink_t obstack off_t once_flag
    pid_t ptrdiff_t quad_t random_data register_t rsize_t sig_atomic_t sig_t sigaction sigcontext sigevent sighandler_t
    siginfo_t sigjmp_buf sigset_t sigstack sigval sigval_t size_t socklen_t ssize_t stack_t suseconds_t thrd_t time_t
    timer_t timespec timeval timex timezone tm tss_t ucontext_t uid_t uint ulong useconds_t ushort uuid_t va_list
    wchar_t wctrans_t wctype_t wint_t
    """.split()
)
"""Types that these headers declare on some system. Emitted files include several of these headers."""
_STANDARD_PATTERN = re.compile(
    r"_\w*|DL\w*|dlb_\w*|Py\w*|u?int(?:ptr|max|(?:_fast|_least)?\d+)_t|u_\w+|(?:atomic|pthread|cookie)_\w+|\w+64_t",
    re.ASCII,
)
"""The pattern of other types of these headers, and of types of the runtime, DLPack and CPython."""


def of_standard_headers(name: str) -> bool:
    """Returns whether headers that emitted files include in any case may declare a type of this name."""
    is_listed = name in names.C_KEYWORDS or name in _STANDARD_TYPES
    return is_listed or _STANDARD_PATTERN.fullmatch(name) is not None


class HeaderText(Frozen):
    """The text of one header, without its comments."""

    text: str
    includes: tuple[str, ...]
    """As in the file, with quotes or angle brackets."""


def read(source: str) -> HeaderText | None:
    """Returns the text of a header; None if macros may join names in it, or if they name a header."""
    text = _COMMENT.sub(_without_comment, _CONTINUED.sub("", source))
    includes = _INCLUDE.findall(text)
    is_clear = all(word == "include" and re.fullmatch(r'"[^"]+"|<[^>]+>', name) for word, name in includes)
    if not is_clear or any(sign in text for sign in _JOINS_NAMES):
        return None
    return HeaderText(text, tuple(name for _, name in includes))


def _without_comment(match: re.Match[str]) -> str:
    return " " if match.group().startswith("/") else match.group()


class HeaderNames:
    """The names in all headers of a library, of which none is missing."""

    def __init__(self, paths: Iterable[str], headers: Iterable[HeaderText]) -> None:
        """Reads the names. `paths` are those of the headers that the spec includes, for messages."""
        self.paths = tuple(paths)
        self._text = "\n".join(each.text for each in headers)
        plain, self.tags = _names(self._text)
        definitions = _DEFINITION.findall(self._text)
        typedefs = _typedefs(self._text)
        self.known = plain | set(self.tags)
        """All names, also those of parameters and members."""
        self.declared = plain
        """The names that can be types without a keyword: those in a `typedef` or in a macro. All other names, if a
        macro can declare a type."""
        if typedefs is not None and not any(map(_TYPEDEF.search, definitions)):
            self.declared = _names("\n".join([*definitions, *typedefs]))[0]

    @cached_property
    def shows_tags(self) -> bool:
        """Whether each tag stands in the text behind its keyword. No macro declares one."""
        return _MAY_HIDE_TAGS.search(self._text) is None and not self.tags.keys() & set(_MACRO.findall(self._text))

    @cached_property
    def types(self) -> tuple[str, ...]:
        """The names that are probably types: one of each `typedef`, and tags with their keywords."""
        named = map(_named, _typedefs(self._text) or ())
        tagged = (f"{keyword} {tag}" for tag, keywords in self.tags.items() for keyword in sorted(keywords))
        return (*dict.fromkeys(named), *sorted(tagged))


def _named(typedef: str) -> str:
    """Returns the name that a `typedef` probably declares: that of a pointer in parentheses, or the last one."""
    pointer = _POINTER_TYPE.match(typedef)
    return pointer[1] if pointer else _NAME.findall(typedef)[-1]


def _names(text: str) -> tuple[frozenset[str], Mapping[str, set[str]]]:
    """Returns the names with a place that is not behind `struct`, `union` or `enum`; and the tags with keywords."""
    plain, tags = set(), dict[str, set[str]]()
    for words in map(str.split, set(_NAME.findall(text))):
        if len(words) == 1:
            plain.add(words[0])
        else:
            tags.setdefault(words[1], set()).add(words[0])
    return frozenset(plain), tags


def _typedefs(text: str) -> list[str] | None:
    """Returns all declarations with `typedef`, without the members of structs. Returns None if the braces do not pair,
    as with two branches of an `#if`."""
    found: list[str] = []
    end = 0
    while (begin := _TYPEDEF.search(text, end)) is not None:
        pieces, depth, end = [], 0, begin.end()
        while depth or text[end - 1] != ";":
            sign = _BRACE_OR_END.search(text, end)
            if sign is None or sign.group() == "typedef" or (sign.group() == "}" and not depth):
                return None
            if not depth:
                pieces.append(text[end : sign.start()])
            depth += {"{": 1, "}": -1}.get(sign.group(), 0)
            end = sign.end()
        found.append("typedef" + "{}".join(pieces))
    return found
