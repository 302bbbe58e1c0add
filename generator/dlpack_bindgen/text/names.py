"""Names: their conversion from the spec to C, the names that are taken, and the names in C headers."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Literal

from dlpack_bindgen.frozen import Frozen

_WORD_START = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])")

C_KEYWORDS = frozenset(
    """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local
    alignas alignof bool constexpr false nullptr static_assert thread_local true typeof typeof_unqual asm
    """.split()
)

STATEMENT_KEYWORDS = frozenset("break case continue default do else for goto if return switch while".split())
"""The keywords of statements. `_Generic` also has `default`."""

CPP_KEYWORDS = frozenset(
    """
    and and_eq bitand bitor catch char16_t char32_t char8_t class co_await co_return co_yield compl concept const_cast
    consteval constinit decltype delete dynamic_cast explicit export friend mutable namespace new noexcept not not_eq
    operator or or_eq private protected public reinterpret_cast requires static_cast template this throw try typeid
    typename using virtual wchar_t xor xor_eq
    """.split()
)

STANDARD_MACROS = frozenset(
    """
    EOF I NULL assert complex errno linux offsetof setjmp stderr stdin stdout unix va_arg
    """.split()
)

WORDS_OF_CLASSES = frozenset("self axis itemsize result".split())
"""The names in scope for all C code of a class."""

WORDS_OF_MAKING = WORDS_OF_CLASSES | frozenset(
    """
    data ndim shape strides byte_strides nbytes readonly device_id code device_code dtype user deleter
    """.split()
)
"""The names in scope for the code of `import` and `allocate`."""

ARRAYS_OF_AXES = ("shape", "strides", "byte_strides")
"""Those of these names that are arrays with an element for each axis."""

NAMES_BESIDE_TEXT = frozenset(
    """
    answer args arrays box closure constructed error kwnames managed module nargs object out outcome owner params
    producer source state view whole
    """.split()
)
"""The variables of emitted functions that also contain C code or declarations of the spec."""

OWN_NAMES = NAMES_BESIDE_TEXT | frozenset(
    """
    array axes cls error_ctx fits given index item key kwargs message nargsf number otherwise parent prototype reach
    set_error sorted storage tensor unused value values x
    """.split()
)
"""All variables of emitted functions. They are renamed if they would hide a name of the spec."""

MARK = "_DLBNAME_"
"""The suffix of the spec's names that equal such variables, until all C is generated."""

DELETER_ROLES = ("data", "user", "object")
"""The parameter names with a meaning in a deleter. Each is a `void *`."""

METHODS = frozenset({"close"})
"""The methods of every class in Python."""

ATTRIBUTES = METHODS | frozenset("shape strides dtype device readonly nbytes itemsize ndim to".split())
"""The attributes of every tensor."""

EXCEPTIONS = tuple(
    """
    ArithmeticError AssertionError AttributeError BlockingIOError BrokenPipeError BufferError ChildProcessError
    ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError EOFError Exception
    FileExistsError FileNotFoundError FloatingPointError ImportError IndexError InterruptedError IsADirectoryError
    KeyError LookupError MemoryError NotADirectoryError NotImplementedError OSError OverflowError PermissionError
    ProcessLookupError RecursionError ReferenceError RuntimeError StopIteration SystemError TimeoutError TypeError
    ValueError ZeroDivisionError
    """.split()
)
"""The exceptions for failures. Every supported Python has them, and a message is enough to create them."""


def is_system_error(exception: str) -> bool:
    """Returns whether an exception is an OSError, which has an errno."""
    return issubclass(getattr(builtins, exception), OSError)


SPECIAL: dict[str, tuple[int | None, frozenset[str] | None]] = {
    "__len__": (0, frozenset({"int"})),
    "__bool__": (0, frozenset({"bool", "int"})),
    "__int__": (0, frozenset({"int"})),
    "__index__": (0, frozenset({"int"})),
    "__float__": (0, frozenset({"float"})),
    "__str__": (0, frozenset({"str"})),
    "__repr__": (0, frozenset({"str"})),
    "__iter__": (0, frozenset({"object"})),
    "__next__": (0, None),
    "__call__": (None, None),
    "__getitem__": (1, None),
    "__setitem__": (2, frozenset()),
    "__delitem__": (1, frozenset()),
    "__contains__": (1, frozenset({"bool", "int"})),
}
"""Special methods: the number of arguments, and the allowed kinds of the result; None: any."""


def called_part(key: str) -> str:
    """Returns the part of a C name for a method. Identifiers of C++ must not have two adjacent `_`."""
    return f"special_{key[2:-2]}" if key in SPECIAL else key


WORDS = ("int", "float", "bool", "complex", "char", "str")
"""The words for kinds of values in Python, besides names of classes and enums."""

STATIC = "dl_"
CALLED = "py_"
"""The prefixes of C names: STATIC for names that only the emitted file uses, CALLED for wrappers of the spec's
functions. Libraries often use `MODULE_KEY` and `MODULE_CLASS_KEY` for their own functions."""

RUNTIME_PREFIXES = ("dlb", "DLB", "DL", "dlpack")


def snake(name: str) -> str:
    """Converts a name to snake case: `MatrixF32` -> `matrix_f32`, `Image2D` -> `image2d`, `HTTPBody` -> `http_body`."""
    return _WORD_START.sub("_", name).lower()


def is_identifier(text: str) -> bool:
    return text.isascii() and text.isidentifier()


def is_keyword(text: str) -> bool:
    """Returns whether a name is a keyword of C, C++ or Python. The emitted files use the names of all three."""
    return text in C_KEYWORDS or text in CPP_KEYWORDS or keyword.iskeyword(text)


def is_reserved(text: str) -> bool:
    """Returns whether a name is reserved for the runtime, dlpack.h, or the C implementation."""
    first = text.split("_")[0]
    return first in RUNTIME_PREFIXES or text.startswith("__") or bool(re.match(r"_[A-Z]", text))


# ---- Names that raise a question: is `n` the length of `x`? ----
# A wrong guess reads past the end of an array. A name therefore never decides what is emitted: it makes the generator
# ask, until the spec declares the meaning.

Question = Literal[
    "length",
    "count",
    "length of",
    "extent",
    "number of elements",
    "stride",
    "bytes from row to row",
    "stride in bytes",
    "function for a stride",
    "capacity",
    "capacity of",
    "length of a string",
    "number of strings",
    "several structs",
    "number of objects",
    "number",
    "function that frees",
]

_MEASURES = "n|num|len|length|size|count"
_ROWS = r"(?:pitch|line_?size|bytes_?per_?(?:line|row)|row_?bytes|width_?step|rowstride|bpl)"
_PATTERNS: dict[Question, str] = {
    # integers beside an array
    "length": r"(?i)n|nnz|(?:\w*_)?(?:len|length|count|size|num|nelems?|numel|elements|samples)|(?:n|num)_\w+",
    "count": r"(?i)n|(?:len|length|count|num|nelems?|numel|elements|samples)",  # and not `n_threads`
    "length of": rf"(?i)(?:{_MEASURES})_?{{of}}|{{of}}_?(?:{_MEASURES})",
    "extent": "m|n|k|l|h|w|rows|cols|columns|width|height|depth|nx|ny|nz",
    "number of elements": r"(?i)(?!\w*(?:byte|octet|size))"
    r"(?:n|num|count|nmemb|n?elem(ent)?s?|(n|num)_\w+|\w+_count)",
    # strides
    "stride": rf"(?i:inc[a-z]?|ld[a-z])|(?i:\w*(?:strides?|{_ROWS}))(?:[A-Z_]\w*)?",
    "bytes from row to row": rf"(?i)\w*{_ROWS}",
    "stride in bytes": rf"(?i:\w*(?:{_ROWS}|bytes?))(?:[A-Z_]\w*)?",
    "function for a stride": r"(?i)\w*(?:stride|step)\w*",
    # integers beside a buffer that C fills
    "capacity": r"(?:\w+_)?(?:capacity|cap|room|avail|out_?len|out_?size)|\w*[a-z](?:Capacity|Cap|Storage|Avail)",
    "capacity of": r"(?i){of}_?(?:len|length|size|cap|capacity|room|max|n|count)",
    # integers beside strings
    "length of a string": r"(?i)n|(?:\w+_)?(?:len|length|strlen|n?bytes)|(?:n|len|size)_?{of}"
    r"|{of}_?(?:n|size)|{of}len(?:gth)?",
    "number of strings": r"(?i)argc|n|num|count|(n|num)_?\w+|\w+_?count",
    # pointers to structs, and integers beside them. `bias`, `pos`, `axis` and `status` are singular.
    "several structs": r"(?i)all|list|array|batch|set|\w+_(?:all|list|array|batch|set)|\w\w+[^isu]s",
    "number of objects": r"(?i)(?:n|num|number)_?(?:of_?)?\w*[^isu]s|\w+_(?:n|num|count)|how_many",
    "number": r"(?i)n|num|count|nmemb|(?:n|num)_\w+|\w+_count",  # and probably not of bytes
    # functions that take a pointer
    "function that frees": r"(?i)(?:\w*(?:_|[a-z]))?(?:free|delete|destroy|dispose)",
}
_OTHER_AXIS = {
    "rows": ("cols", "columns"),
    "cols": ("rows",),
    "columns": ("rows",),
    "nrows": ("ncols",),
    "ncols": ("nrows",),
    "nrow": ("ncol",),
    "ncol": ("nrow",),
    "height": ("width",),
    "width": ("height",),
    "h": ("w",),
    "w": ("h",),
    "nx": ("ny",),
    "ny": ("nx",),
}
"""For each name of an extent, the names of extents of the other axis."""


def suggests(name: str, question: Question, of: str = "") -> bool:
    """Returns whether a name raises the question. `of` is the name of the array, buffer or string."""
    return re.fullmatch(_PATTERNS[question].replace("{of}", of), name) is not None


def suggests_other_axis(name: str, extent: str) -> bool:
    """Returns whether `name` may be the extent of the other axis beside `extent`."""
    return name.lower() in _OTHER_AXIS.get(extent.lower(), ())


# ---- The names in C headers, and the headers that they include ----
# The text is not preprocessed, and both branches of an `#if` count. No compiler therefore finds a declaration of a name
# that the text does not have.

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
    is_listed = name in C_KEYWORDS or name in _STANDARD_TYPES
    return is_listed or _STANDARD_PATTERN.fullmatch(name) is not None


class HeaderText(Frozen):
    """The text of one header, without its comments."""

    text: str
    includes: tuple[str, ...]
    """As in the file, with quotes or angle brackets."""


def read(source: str) -> HeaderText | None:
    """Returns the text of a header; None if macros may join names in it, or if they name a header."""
    text = _COMMENT.sub(lambda found: " " if found[0].startswith("/") else found[0], _CONTINUED.sub("", source))
    includes = _INCLUDE.findall(text)
    is_clear = all(word == "include" and re.fullmatch(r'"[^"]+"|<[^>]+>', name) for word, name in includes)
    if not is_clear or any(sign in text for sign in _JOINS_NAMES):
        return None
    return HeaderText(text, tuple(name for _, name in includes))


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
