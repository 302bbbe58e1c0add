"""Names: how a spec's become C's, and which are taken."""

from __future__ import annotations

import builtins
import keyword
import re

_WORD_START = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z])")

C_KEYWORDS = frozenset(
    """
    auto break case char const continue default do double else enum extern float for goto if inline int long register
    restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
    _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local
    alignas alignof bool constexpr false nullptr static_assert thread_local true typeof typeof_unqual asm
    """.split()
)

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
"""Names that every C text of a class has in scope."""

WORDS_OF_HOOKS = {"sync": frozenset(("stream",)), "to_cpu": frozenset(("dst", "nbytes"))}
"""Further names, for the text of these keys."""

WORDS_OF_MAKING = WORDS_OF_CLASSES | frozenset(
    """
    data ndim shape strides byte_strides nbytes readonly device_id code device_code dtype user deleter
    """.split()
)
"""Names in scope for the text of `import` and `allocate`."""

SCOPE_NAMES = WORDS_OF_CLASSES.union(WORDS_OF_MAKING, *WORDS_OF_HOOKS.values())

NAMES_BESIDE_TEXT = frozenset(
    """
    answer args arrays box closure constructed error kwnames managed module nargs object out outcome owner params
    producer source state view whole
    """.split()
)
"""The variables of emitted functions that have C text of a spec, or what it declares, beside them."""

OWN_NAMES = NAMES_BESIDE_TEXT | frozenset(
    """
    array axes cls error_ctx fits given index item key kwargs message nargsf number otherwise parent prototype reach
    set_error sorted storage tensor unused value values x
    """.split()
)
"""All of them. No name of a spec is hidden: the variable gives way."""

MARK = "_DLBNAME_"
"""Ends the names of a spec that are those of such variables as well, until all C is made."""

DELETER_ROLES = ("data", "user", "object")
"""What the words of a deleter's argument list stand for, each a `void *`."""

METHODS = frozenset({"close"})
"""What every class has in Python."""

ATTRIBUTES = METHODS | frozenset("shape strides dtype device readonly nbytes itemsize ndim to".split())
"""What every tensor has."""

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
"""Those that a failure can be: every supported Python has them, and a text makes them."""


def is_system_error(exception: str) -> bool:
    """Whether it is an OSError, which has the number of an error."""
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
"""Methods that Python calls itself: how many values it gives, and what it wants; None: whatever there is."""


def called_part(key: str) -> str:
    """Of the C name of what Python calls: no identifier of C++ has two `_` in a row."""
    return f"special_{key[2:-2]}" if key in SPECIAL else key


WORDS = ("int", "float", "bool", "complex", "char", "str")
"""What values are in Python, where the name of no class or enum says it."""

RESULT_WORDS = (*WORDS, "bytes", "array", "strings")

ARGUMENT_WORDS = (*WORDS, "path", "bytes", "array", "rows", "strings")

STATIC = "dl_"
CALLED = "py_"
"""Begin the C names of what only the emitted file knows, and of what stands there for a function of the spec: libraries
often call their functions `MODULE_KEY`, and those of classes `MODULE_CLASS_KEY`, themselves."""

RUNTIME_PREFIXES = ("dlb", "DLB", "DL", "dlpack")


ROWS = r"(?:pitch|line_?size|bytes_?per_?(?:line|row)|row_?bytes|width_?step|rowstride|bpl)"
"""What libraries call the distance of rows in bytes."""
_IN_BYTES = rf"(?i:\w*(?:{ROWS}|bytes?))(?:[A-Z_]\w*)?"


def counts_bytes(name: str) -> bool:
    """Whether a stride of that name is one in bytes, most likely."""
    return re.fullmatch(_IN_BYTES, name) is not None


def is_step(name: str) -> bool:
    """Whether a function of that name returns a stride."""
    return re.search(r"(?i)stride|step", name) is not None


def snake(name: str) -> str:
    """`MatrixF32` -> `matrix_f32`, `Image2D` -> `image2d`, `HTTPBody` -> `http_body`."""
    return _WORD_START.sub("_", name).lower()


def is_identifier(text: str) -> bool:
    return text.isascii() and text.isidentifier()


def is_keyword(text: str) -> bool:
    """A keyword of C, C++ or Python, whose names the emitted files use side by side."""
    return text in C_KEYWORDS or text in CPP_KEYWORDS or keyword.iskeyword(text)


def is_reserved(text: str) -> bool:
    """Taken by the runtime, by dlpack.h, or by the C implementation."""
    first = text.split("_")[0]
    return first in RUNTIME_PREFIXES or text.startswith("__") or bool(re.match(r"_[A-Z]", text))
