"""A parameter with its entry in `args`, as the kinds of arguments read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar, cast

from dlpack_bindgen.arguments.requirements import Cast, Copy, Requirements, requirements
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import EXPRESSION, Key, Word, Words, flag
from dlpack_bindgen.language.names import Class, Mistake, Names, likely, shared_by
from dlpack_bindgen.language.requirements import CAST_OF_ARGUMENT, COPY_OF_ARGUMENT, REQUIRE_OF_ARGUMENT
from dlpack_bindgen.language.values import Fields, Leaf, is_true, text_of
from dlpack_bindgen.results.array import DTYPE_OF_RESULT, SHAPE_OF_RESULT
from dlpack_bindgen.results.kind import KEEPS
from dlpack_bindgen.text.diagnostics import Code, Span
from dlpack_bindgen.text.types import CType, Parameter, declared, is_typedef

K = TypeVar("K")


OUT = flag(
    "out",
    "C fills the variable behind the pointer, and Python gets it as a result. In C code of the spec, the name "
    "of the parameter is that variable.",
    "The pointer refers to an argument that Python passes.",
    "Whether the parameter returns a value.",
    details=(
        "`T *` of a tensor or handle returns a new object. The function fills its struct in place.",
        "An array parameter is a buffer with the capacity in the prototype. Examples are `char text[64]` with "
        "`of: str`, `void bytes[lib_bound(n)]` with `of: bytes`, and `double roots[degree]` with `of: array`. "
        "`size` is the number of bytes that C wrote, and `shape` has the extents of the array.",
        "A value whose type has no class, such as `GError **error`, is not returned. C code of the spec can "
        "read it, `error: error->message`, and `finally` frees it.",
    ),
    after="optional",
)
DEFAULT = Key[Leaf](
    "default",
    EXPRESSION,
    "The value in C if Python passes none. Numbers and strings before the parameter are in scope.",
    details=(
        "Later parameters need a default, too, or must be `keyword_only`.",
        "For an array or object that C writes, `like PARAM` allocates a new output with the shape of `PARAM`. "
        "It has the dtype of `PARAM`, unless it has its own.",
        "`new` allocates a new output with the `shape` or `count` that is required. If its class can have several "
        "dtypes, the dtype must be required, too.",
        "The call returns the new output. An array has the class that `arrays` names. The class of an object needs "
        "`allocate`. If Python omits the output, it passes the later parameters by name.",
    ),
)
WRITES = flag(
    "writes",
    "Read-only arrays are refused.",
    "Read-only arrays are accepted, although the C type is not `const`. A `char *` can be a `str` or a `path`.",
    "Whether the function may change the data.",
    default="`true`, unless the pointer is to `const`; for a struct by value, `true`",
)
TAKES = Key[Leaf](
    "takes",
    Words(
        (
            Word(
                "true",
                "After a success the library owns the object, and the Python object is closed. The call is "
                "refused in the same cases as with `invalidates`.",
            ),
            Word("always", "After a success and after a failure, the library owns the object and frees it."),
            Word("false", "Python keeps the object."),
        )
    ),
    "Whether the library takes ownership of the argument, and frees it.",
    default="`false`",
)


class ParameterEntry(Frozen):
    """A parameter with its entry in `args` and its role in the rest of the function."""

    parameter: Parameter
    name: Leaf | None
    fields: Fields
    """The keys of the entry, or none."""
    has_entry: bool
    span: Span
    """The place for messages."""
    names: Names
    """The meaning of names and C types in the spec."""
    is_bounded: bool
    """Whether a condition of the function limits its value."""
    is_in_finally: bool
    """Whether `finally` mentions it."""
    is_coded: bool
    """Whether another parameter is the code of its dtype, by `code_of`."""
    is_counted: bool
    """Whether another parameter is the number of its elements, by `count_of`."""
    is_extent: bool
    """Whether the shape of a returned array mentions it. True if a shape has mistakes."""
    is_broken: bool
    """Whether its entry in `args` has a mistake. The mistake is reported already."""
    own_class: Class | None = None
    """The class, if the parameter is the object of a method."""
    by_address: bool = False
    """Whether C takes the address of a declared number. The type of the parameter is then that of the number."""

    @property
    def ctype(self) -> CType:
        return self.parameter.ctype

    @property
    def is_misread(self) -> bool:
        """Whether the entry has an unknown key, or a key for results only. This key may declare the type."""
        of_results = self.fields.has_any(SHAPE_OF_RESULT, DTYPE_OF_RESULT)
        return self.fields.has_unknown or (of_results and not is_true(self.fields[OUT]))

    @property
    def requires_nothing(self) -> bool:
        """Whether `require` is an empty list. It declares that the function knows the length."""
        listed = self.fields[REQUIRE_OF_ARGUMENT]
        return listed is not None and listed.count == 0

    def require(self) -> Requirements:
        return requirements(self.fields[REQUIRE_OF_ARGUMENT], None)

    @property
    def copy(self) -> Copy:
        return cast(Copy, text_of(self.fields[COPY_OF_ARGUMENT]) or "never")

    @property
    def cast(self) -> Cast | None:
        return cast("Cast | None", text_of(self.fields[CAST_OF_ARGUMENT]))

    def class_among(self, classes: list[Class]) -> Class | None:
        """Returns the likely class of the C type, or None. Raises Mistake if there are several."""
        found = likely(classes)
        if len(found) > 1:
            message = f"{shared_by(found)} share this C type"
            raise self.mistake("ambiguous-class", message, "name one of them in 'args'")
        return found[0] if found else None

    def with_keys(
        self, keys: Sequence[str], kind: K, why: Mapping[str, str] | None = None, cause: str | None = None
    ) -> K:
        """Returns `kind`. Raises Mistake if the entry in `args` has a key other than `keys`.

        `why` maps some other keys to messages. `cause` identifies the common cause of these mistakes.
        """
        given = self.fields.given
        for key, span in given.items():
            needs = getattr(self.fields.record.key(key), "needs", None)
            alone = needs is not None and given.keys().isdisjoint(needs.keys)
            if key not in keys and not alone:  # reported already
                if why and key in why:
                    raise Mistake("without-effect", span, why[key], cause=cause)
                known = ", ".join(f"'{name}'" for name in keys)
                message = f"'{key}' does not apply to this kind of parameter"
                raise Mistake("without-effect", span, message, f"the keys that apply are {known}")
        return kind

    def place(self, key: Key) -> Span:
        """Returns the place of a key, or of the parameter if its entry lacks the key."""
        return self.fields.place(key, self.span)

    def mistake(self, code: Code, message: str, hint: str | None = None, cause: str | None = None) -> Mistake:
        return Mistake(code, self.span, message, hint, cause)

    def unclear(self, why: str, hint: str | None = None, cause: str | None = None) -> Mistake:
        message = f"the type '{declared(self.ctype, '')}' of '{self.parameter.name}' {why}"
        return self.mistake("argument-unclear", message, hint, cause)

    def no_pointer(self, message: str) -> Mistake:
        """Returns the mistake for a type that must be a pointer. The hint considers typedefs of pointers and arrays."""
        base, name = self.ctype.base, self.parameter.name
        hint = f"if '{base}' stands for a pointer or an array, write that: '... *{name}' or '... {name}[N]'"
        return self.mistake("argument-type", message, hint if is_typedef(self.ctype) else None)


def kept(fields: Fields) -> tuple[Leaf, ...]:
    """Returns the names in `keeps`."""
    return keeps.leaves() if (keeps := fields[KEEPS]) else ()
