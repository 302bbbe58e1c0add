"""Names: their conversion from the spec to C, and the names that are taken."""

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
