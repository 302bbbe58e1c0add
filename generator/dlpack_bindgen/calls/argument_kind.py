"""The interface of a kind of argument: the questions of the steps."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from dlpack_bindgen.calls.feature import Stage
from dlpack_bindgen.calls.result_kind import DTYPE_OF_RESULT, KEEPS, SHAPE_OF_RESULT, Value
from dlpack_bindgen.calls.spec_names import Class, Mistake, Named, Names, likely, shared_by
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import EXPRESSION, Key, Word, Words, flag
from dlpack_bindgen.language.values import Fields, Leaf, is_true, text_of
from dlpack_bindgen.tensor.dtype import CTypeDType, FixedDType
from dlpack_bindgen.tensor.requirements import (
    CAST_OF_ARGUMENT,
    COPY_OF_ARGUMENT,
    NOTHING,
    REQUIRE_OF_ARGUMENT,
    Cast,
    Copy,
    NewOutput,
    Requirements,
    converted,
    requirements,
)
from dlpack_bindgen.text.diagnostics import Code, Diagnostic, Span
from dlpack_bindgen.text.fragments import Assertion, Piece, mentions
from dlpack_bindgen.text.literals import fit, is_floating
from dlpack_bindgen.text.types import CType, NumberKind, Parameter, declared, is_typedef, is_unknown

if TYPE_CHECKING:
    from dlpack_bindgen.calls.call import Call
    from dlpack_bindgen.calls.derived_arguments import Measure
    from dlpack_bindgen.calls.emitted_function import Body


# ---- The interface of a kind of argument: the questions of the steps ----
# A kind gets an `EmittedArgument`, and returns pieces. `calls/emitted_function.py` puts them in order.

ARRAY = "_Array"
"""The type of arrays in stubs."""

SameKind = TypeVar("SameKind", bound="Kind")


class Kind:
    """The base class of all kinds. The defaults are the answers of a kind to which the question does not apply."""

    keys: ClassVar[tuple[Key, ...]] = ()
    """The keys of an entry in `args` that only this kind has."""
    words: ClassVar[tuple[str, ...]] = ()
    """The words of the key `of` that select the kind."""
    details: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Sentences of the reference about keys that several kinds have, each with its key."""
    selectors: ClassVar[tuple[str, ...]] = ()
    """The keys that select the kind, whatever the C type."""
    has_address: ClassVar[bool] = False
    """Whether C may get the address of the value, as in Fortran."""
    c_functions: ClassVar[tuple[str, ...]] = ()
    """The functions of C that its template calls. A variable with such a name gets another name."""
    ctypes: ClassVar[str | None] = None
    """The C types that select the kind without an entry in `args`, for the reference."""

    @classmethod
    def by_keys(cls, entry: ParameterEntry) -> Kind | None:
        """Returns the argument if keys of its entry, or its place in the prototype, select the kind."""
        return None

    @classmethod
    def by_name(cls, entry: ParameterEntry, named: Named) -> Kind | None:
        """Returns the argument if the class, the enum or the word in its entry selects the kind."""
        return None

    @classmethod
    def by_type(cls, entry: ParameterEntry) -> Kind | None:
        """Returns the argument if its C type alone selects the kind."""
        return None

    def with_written_type(self: SameKind, written: CType, entry: ParameterEntry) -> SameKind:
        """Returns the kind for a prototype with another name for the struct of the class, or for a pointer to it."""
        return self

    # ---- Keys that several kinds store ----

    writes: bool = False
    """Whether C writes to the array or to the objects."""
    optional: bool = False
    """Whether Python may pass None for NULL."""
    default: str | None = None
    """The default value, as a C expression."""
    require: Requirements = NOTHING
    copy: Copy = "never"
    cast: Cast | None = None
    """The allowed conversions of other dtypes, in the words of `numpy.can_cast()`. None: other dtypes are refused."""
    new_output: NewOutput | None = None
    """The new array or object if Python passes none."""
    unless_const: str | None = None
    """A pointer type of the headers. C writes unless the type points to const, which only the compiler knows."""
    may_be_struct: bool = False
    """Whether the type in the prototype may be another name for the struct of the class instead of a pointer to it."""
    capacity: str | None = None
    """The number of bytes or elements that C may write into memory of Python."""
    value: str | None = None
    """The value, as a C expression, if the spec gives it."""

    @property
    def is_made_late(self) -> bool:
        """Returns whether the argument is allocated after other parameters are known, on which its shape depends."""
        return self.new_output is not None and self.new_output.like is None

    # ---- The argument in Python ----

    is_passed: bool = True
    """Whether Python passes the argument."""
    is_number: bool = False
    is_path: bool = False
    is_table_of_strings: bool = False
    is_read_early: bool = False
    """Whether the value is known before any array or object, so that a later default can use it."""

    @property
    def is_integer(self) -> bool:
        """Returns whether Python passes an `int`."""
        return False

    @property
    def call_value(self) -> str:
        """Returns the word for the values that a generated call passes, which `tools/try_/calls/choices.py` knows."""
        return ""

    def length(self, name: str, ctype: CType) -> str | None:
        """Returns the length of a string as a C expression of the type `ctype`."""
        return None

    @property
    def may_be_missing(self) -> bool:
        """Returns whether Python may leave the argument out, or pass None."""
        return self.optional or self.default is not None or self.new_output is not None

    @property
    def default_type(self) -> str | None:
        """Returns the Python type of the default value, if the spec can give one."""
        return None

    # ---- Arrays and objects ----

    is_array: bool = False
    """Whether Python passes an array of any producer."""
    is_pointer: bool = False
    """Whether C gets a pointer to the elements of an array, and not its length."""
    is_dltensor: bool = False
    """Whether C gets the shape, strides and dtype of an array with it."""
    is_list: bool = False
    """Whether the argument is a list of objects."""
    is_bytes: bool = False
    """Whether an array is any buffer, whose length counts bytes."""
    rows: bool = False
    """Whether C gets a table of pointers to the rows of an array."""
    element: CTypeDType | None = None
    """The dtype of the C elements of an array; None: C accepts elements of any type."""
    class_name: str | None = None
    """The class of the object, or of the objects of a list."""

    @property
    def has_elements(self) -> bool:
        """Returns whether C code of the spec can read the elements, by index."""
        return self.is_pointer or self.least_elements is not None

    @property
    def object_class(self) -> str | None:
        """Returns the class of the object; None: it is none, or a list."""
        return None if self.is_list else self.class_name

    @property
    def is_operand(self) -> bool:
        """Returns whether the argument is an array, an object or a list of objects, which the runtime converts."""
        return self.is_array or self.class_name is not None

    @property
    def has_length(self) -> bool:
        """Returns whether other arguments can be its lengths."""
        return self.is_operand or self.is_table_of_strings

    @property
    def least_elements(self) -> int | None:
        """Returns the number of characters or strings that C of the spec may read unchecked; None: it has none."""
        return None

    def operand_flags(self) -> Iterator[str]:
        """Yields the flags for the runtime that do not depend on other arguments, as C expressions."""
        if self.unless_const is not None:
            yield f"DLB_PY_WRITES_UNLESS_CONST({self.unless_const})"
        elif self.writes:
            yield "DLB_PY_WRITES"
        if self.optional:
            yield "DLB_PY_OPTIONAL"

    # ---- Life of memory ----

    invalidates: bool = False
    """Whether the argument must be the only user of its memory."""
    takes: bool = False
    """Whether the library owns the object or the memory after a success."""
    takes_always: bool = False
    """Whether the library owns it after a failure, too."""
    keeps_alive: tuple[str, ...] = ()
    """The arguments that the object keeps alive from the call until it is destroyed."""
    replaces: bool = False
    """Whether the next call replaces the arguments that the object keeps alive."""

    @property
    def needs_own(self) -> bool:
        """Returns whether the argument must be an object of the class. A temporary one for the call is not enough."""
        return self.invalidates or bool(self.keeps_alive)

    outlasts_call: bool = False
    """Whether the value stays valid after the call, whatever the result keeps alive."""
    can_be_kept: bool = False
    """Whether a returned object can keep the object or array of this argument alive."""
    ends_with_call: bool = False
    """Whether C gets memory that is valid only during the call."""
    is_acquired_last: bool = False
    """Whether the late pieces follow all other conditions, because a refused call must not run them."""

    def completed(self: SameKind, ctype: CType, extents: Mapping[int, str], known: Set[str]) -> SameKind:
        """Returns the kind with the shape or the capacity that the C type implies. `extents`: for each axis, the
        argument that is its extent; `known`: the names that have a value before the call."""
        return self

    def counted(self: SameKind, count: str) -> SameKind:
        """Returns the kind with a required number of elements."""
        return self

    def is_valid_after_call(self, name: str, kept: Container[str], is_object: bool) -> bool:
        """Returns whether the argument stays valid after the call. `kept`: the arguments that the result keeps alive;
        `is_object`: whether the C type is a pointer or an object."""
        return self.outlasts_call

    @property
    def owner(self) -> str | None:
        """Returns the suffix of the variable that owns the memory that C gets."""
        return None

    def freed_piece(self, emitted: EmittedArgument) -> Piece:
        """Returns the statement that frees the memory that C gets, which a Python object owns by default."""
        return Piece("calls/lifetimes", "object_freed", emitted)

    # ---- Values of other arguments, and values that the call returns ----

    is_returnable: bool = False
    """Whether `returns` can list the argument."""
    param_owner: str | None = None
    """The argument whose object has the value as a param."""
    codes: tuple[tuple[str, FixedDType | CTypeDType], ...] = ()
    """The library's codes for the dtypes of another argument."""

    @property
    def measure(self) -> Measure | None:
        """Returns the length, stride or flags of another argument."""
        return None

    @property
    def described(self) -> str | None:
        """Returns the array or object that the runtime must describe for the value."""
        return None

    @property
    def returned(self) -> Value | None:
        """Returns the value that the call returns in the variable that C fills."""
        return None

    @property
    def is_read_late(self) -> bool:
        """Returns whether C of the spec can read the value or the elements only when the runtime has all arrays."""
        return self.is_pointer or self.measure is not None

    def may_be_returned(self, own: CType, returned: CType, of: str, in_storage: bool) -> bool:
        """Returns whether C can return the object of the argument, of the type `own`, as an object of the class `of`.

        With `in_storage`, C returns a struct, which memory of the new object stores.
        """
        return False

    def requirements(self, measures: Sequence[Measure]) -> Requirements:
        """Returns the requirements on an array or object. `measures` are derived from it."""
        return self.require

    def accepts_numbers(self, axes: Sequence[int]) -> bool:
        """Returns whether a sequence of numbers can replace the array. `axes` are those of its measures."""
        return False

    def stub_type(self, scope: PythonScope) -> str | None:
        """Returns the type of the argument in the stub."""
        return None

    def description(self, scope: PythonScope, required: Sequence[str]) -> str | None:
        """Returns the description of an array or object in the docstring; None: its type describes it already.

        `required` lists its requirements, in words.
        """
        return None

    def notes(self) -> list[str]:
        """Returns what the docstring adds to the description of an array or object."""
        notes = []
        if self.new_output is not None:
            notes.append(
                f"a new one{f' like `{self.new_output.like}`' if self.new_output.like else ''} where none is given"
            )
        elif self.optional:
            notes.append("None will do")
        if self.copy == "allowed":
            copied = "bytes with gaps between them" if self.is_bytes else "arrays in another layout or alignment"
            notes.append(f"{copied} are copied{', and copied back' if self.writes else ''}")
        if self.cast is not None:
            notes.append(converted(self.cast))
        return notes

    def origin(self, name: str) -> str | None:
        """Returns a sentence about a parameter whose value or memory in C is not simply that of Python: where C gets it
        from. None: the signature in Python tells it."""
        return None

    def returned_value(self) -> Value | None:
        """Returns the value of the variable, as the call returns it if C changes it."""
        return None

    def expressions(self) -> list[str]:
        """Returns the C expressions of the spec that only this kind has."""
        return []

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        """Yields what is wrong with the entry in `args`, by rules that only this kind has. `ctype`: the type of the C
        variable."""
        yield from ()

    # ---- C ----

    def declaration(self, emitted: EmittedArgument) -> str:
        """Returns the variable with its type, as C declares it."""
        return declared(emitted.written, emitted.variable)

    def initial(self, emitted: EmittedArgument) -> str:
        """Returns the initial value of the variable, as a C expression."""
        return "NULL"

    def is_strict(self, emitted: EmittedArgument) -> bool:
        """Returns whether the compiler must check that the type can hold the initial value."""
        return False

    def assertions(self, emitted: EmittedArgument) -> tuple[Assertion, ...]:
        """Returns the assertions about the C type."""
        return ()

    def param_type(self, emitted: EmittedArgument) -> str:
        """Returns the C type of the argument in the table for the runtime; empty: the table only has its name."""
        return ""

    def declared_piece(self, emitted: EmittedArgument) -> Piece | None:
        """Returns the declarations before the arguments are read: of the variable, or of the owner."""
        return None

    def read_piece(self, emitted: EmittedArgument) -> Piece | None:
        """Returns the condition that the argument cannot be read from Python; None: the runtime reads arrays and
        objects together."""
        return None

    def passed_piece(self, emitted: EmittedArgument) -> Piece | None:
        """Returns what C gets; None: it gets the variable, or its address."""
        return None

    def late_pieces(self, emitted: EmittedArgument) -> Iterator[Piece]:
        """Yields the statements and conditions that follow when the runtime has the arrays and objects of the call."""
        yield from ()

    def pieces(self, stage: Stage, emitted: EmittedArgument) -> Iterable[Piece]:
        """Returns the statements or conditions about the argument at a later place of the emitted function."""
        return ()

    @property
    def taken_at(self) -> Stage | None:
        """Returns the stage at which the library has taken the argument over; None: Python keeps it."""
        if not self.takes:
            return None
        return Stage.AFTER_CALL if self.takes_always else Stage.SUCCESS


# ---- An argument as Python sees it ----

_ANY = "typing.Any"
_MEMBERS = (f"tuple[{_ANY}, ...]", f"list[{_ANY}]", f"collections.abc.Mapping[str, {_ANY}]")


def number_type(name: str) -> str:
    """Returns the Python type of a number with a dtype or a C type."""
    if "complex" in name.lower():
        return "complex"
    return "float" if "float" in name or name.endswith("double") else "int"


class PythonScope(Frozen):
    """One argument as Python sees it, for its kind."""

    ctype: CType
    takes_numbers: bool = False
    """Whether a sequence of numbers can replace the array."""
    is_tensor: bool = False
    """Whether the class of the object is that of a tensor."""
    is_importable: bool = False
    """Whether the function accepts an array instead of the object."""
    import_params: str = ""
    """The params of its import, in words; empty: it has none, or none from the call."""
    imported_number: str | None = None
    """The dtype of a sequence of numbers that is accepted in the place of the object. None: no sequence is."""
    members: tuple[str, ...] | None = None
    """The names of members that the function accepts instead of the object, in a tuple or a mapping."""

    @property
    def may_be_temporary(self) -> bool:
        """Returns whether the function accepts values of which it makes an object for the call, which C reads."""
        return self.members is not None or self.imported_number is not None

    def object_type(self, of: str) -> str:
        """Returns the type of an object of the class `of` in the stub."""
        types = [of, *(_MEMBERS if self.members is not None else ())]
        types += [ARRAY] if self.is_importable else []
        types += [f"collections.abc.Sequence[{number_type(self.imported_number)}]"] if self.imported_number else []
        return " | ".join(types)

    def object_description(self, of: str) -> str:
        members = f", or a tuple or a mapping of its members ({', '.join(self.members)})" if self.members else ""
        params = f" with {self.import_params}" if self.import_params else ""
        alike = f", or an array that {of}.from_dlpack() takes{params}" if self.is_importable else ""
        return f"{of}{members}{alike}{', or a sequence of numbers' if self.imported_number else ''}"


# ---- An argument of a call ----


class Argument(Frozen):
    """A parameter of the C function, with its kind."""

    name: str
    ctype: CType
    """The type of the C variable. If C takes the address of a number, this is the type of the number."""
    kind: Kind
    by_address: bool = False
    restrict: bool = False
    """Whether the pointer, or a pointer that it points to, is `restrict`."""
    written: CType | None = None
    """The type in the prototype, if it is another name for the struct of the class, or for a pointer to it. `ctype`
    is then the type of the class, except for a list."""
    default_name: str | None = None
    """The name in Python of the constant, or of the member of an enum, that is the default."""


# ---- A parameter with its entry in `args`, as the kinds of arguments read it ----

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
        """Returns whether the entry has an unknown key, or a key for results only. This key may declare the type."""
        of_results = self.fields.has_any(SHAPE_OF_RESULT, DTYPE_OF_RESULT)
        return self.fields.has_unknown or (of_results and not is_true(self.fields[OUT]))

    @property
    def requires_nothing(self) -> bool:
        """Returns whether `require` is an empty list. It declares that the function knows the length."""
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


# ---- An argument of an emitted function, which its kind and the template of the kind ask ----


class Place(Frozen):
    """The place of an array or an object in an emitted function."""

    argument: str
    """The argument, as a C expression."""
    arguments_and_index: str
    """The array of all arguments and the index, as C arguments."""
    source: str
    """The C expression that identifies the argument in all calls."""


class EmittedArgument:
    """An argument of an emitted function. Templates of kinds get it as `a`."""

    def __init__(self, argument: Argument, body: Body, index: int) -> None:
        """`index` is the place among the arguments that Python passes; -1: Python does not pass it."""
        self.argument = argument
        self.body = body
        self.index = index
        self.kind, self.name, self.ctype = argument.kind, argument.name, argument.ctype
        self.written = argument.written or argument.ctype
        """The type in the prototype, which can be another name for the struct of the class, or for a pointer to it."""
        self.variable = body.variable(argument.name)
        self.owner = body.owner(argument)
        """The variable that owns the memory that C gets; empty: there is none."""
        self.label = f"{body.key}.{argument.name}"
        """The path of the argument in the spec, which a compiler shows."""

    # ---- The variable, as the kind declares it ----

    @property
    def declaration(self) -> str:
        return self.kind.declaration(self)

    @property
    def value(self) -> str:
        """Returns the initial value of the variable, as a C expression."""
        return self.kind.initial(self)

    @property
    def is_strict(self) -> bool:
        """Returns whether the compiler must check that the type can hold the initial value."""
        return self.kind.is_strict(self)

    @property
    def is_char(self) -> bool:
        """Returns whether characters have the type `char` in C."""
        return self.ctype.base == "char"

    # ---- What Python passes ----

    @property
    def param_type(self) -> str:
        """Returns the C type of the argument in the table for the runtime; empty: the table only has its name."""
        return self.kind.param_type(self)

    @property
    def is_required(self) -> bool:
        return not self.kind.may_be_missing

    @property
    def declared(self) -> Piece | None:
        """Returns the statements before the arguments are read, if Python passes the argument."""
        return self.kind.declared_piece(self) if self.index >= 0 else None

    @property
    def read(self) -> Piece | None:
        """Returns the call that reads the argument from Python, which is not 0 after a failure; None for arrays and
        objects, which the runtime reads together."""
        return self.kind.read_piece(self) if self.index >= 0 else None

    @property
    def read_arguments(self) -> str:
        """Returns the first C arguments of that call."""
        return f"&{self.body.table}, {self.index}, {self.body.given}"

    @property
    def default(self) -> str:
        """Returns the default value, as a C expression of the spec; empty: there is none."""
        return self.kind.default or ""

    @cached_property
    def is_late(self) -> bool:
        """Returns whether the default value depends on other parameters."""
        others = (each.name for each in self.body.arguments if each is not self.argument)
        return any(mentions([self.default], other) for other in others)

    @property
    def late_value(self) -> str:
        """Returns the default value that depends on other parameters, as a C expression."""
        return self.body.text(self.default) if self.is_late else ""

    @property
    def is_late_strict(self) -> bool:
        """Returns whether the compiler must check that the type can hold that default value."""
        given = self.body.call.given
        return not any(each.name == self.default and each.ctype == self.ctype for each in given)

    # ---- What C gets ----

    @cached_property
    def place(self) -> Place:
        """Returns the place of an array or an object."""
        return self.body.place(self.name)

    @property
    def passed(self) -> Piece | None:
        """Returns what C gets; None: it gets the variable, or its address."""
        return self.kind.passed_piece(self)


# ---- Helpers of the kinds that share memory with Python: arrays and objects ----

LIKE = "like "
_NEW = "new"
KEYS_OF_ARRAYS = ("of", "writes", "require", "copy", "cast", "optional", "default")


def writes(entry: ParameterEntry) -> bool:
    """Returns whether C writes to the memory: the key `writes`, or else whether the type lacks `const`.

    For objects, the C type is unreliable, and the key can override it. Objects passed by value are never `const`, and a
    `const T *` may own mutable data.
    """
    declared = text_of(entry.fields[WRITES])
    return not entry.ctype.reads if declared is None else declared == "true"


def writes_of_pointer(pointer: CType, entry: ParameterEntry) -> dict[str, Any]:
    """Returns the fields `writes` and `unless_const` for a prototype that has another name for the pointer type."""
    if text_of(entry.fields[WRITES]) is not None:
        return {}
    return {"writes": not pointer.reads, "unless_const": None if pointer.depth else pointer.base}


def refuse_const(entry: ParameterEntry) -> None:
    if is_true(entry.fields[WRITES]) and entry.ctype.reads:
        raise entry.mistake("argument-type", "C does not write to 'const' memory")


def cast_of(entry: ParameterEntry, has_dtype: bool) -> Cast | None:
    """Returns how elements of other dtypes are converted. `has_dtype`: the array has a required dtype, or several."""
    if entry.cast is None:
        return None
    place = entry.place(CAST_OF_ARGUMENT)
    if entry.ctype.base in entry.names.records and has_dtype:
        message = f"the elements of '{entry.parameter.name}' are records, which are not converted"
        raise Mistake("without-effect", place, message, "leave 'cast' out")
    if writes(entry):
        message = f"C may write to '{entry.parameter.name}', and would write to the converted copy"
        raise Mistake(
            "without-effect", place, message, "if C only reads it: 'writes: false', or 'const' in the prototype"
        )
    if not has_dtype:
        message = f"an array of any dtype is accepted for '{entry.parameter.name}': there is nothing to convert"
        raise Mistake("without-effect", place, message, "leave 'cast' out, or require a dtype")
    return entry.cast


def new_output(entry: ParameterEntry, what: str) -> NewOutput | None:
    """Returns the new output that `default` declares, or None without a default. `what` is the argument, in words."""
    default = text_of(entry.fields[DEFAULT])
    if default is None:
        return None
    if default == _NEW:
        return NewOutput()
    if not default.startswith(LIKE):
        message = f"the default of {what} is 'like PARAM', or 'new', of the shape that is required"
        raise entry.mistake("without-effect", message, "NULL: 'optional: true'")
    return NewOutput(default.removeprefix(LIKE).strip())


def no_keeps_message(entry: ParameterEntry) -> dict[str, str]:
    """Returns the message for `keeps` on an array, which cannot keep other arguments alive."""
    name = entry.parameter.name
    return {"keeps": f"'keeps' belongs to the object that keeps it: 'args: {{OBJECT: {{keeps: {name}}}}}'"}


def requirements_of_class(entry: ParameterEntry, of: Class) -> Requirements:
    """Returns the requirements of an object. A `dlb_array` must be compact if no layout is declared."""
    require = entry.require()
    has_layout = require.compact or require.inner_compact or require.nonnegative_strides
    return replace(require, compact=True) if of.name.text == entry.names.arrays and not has_layout else require


def refuse_order(entry: ParameterEntry, of: Class) -> None:
    if entry.require().order == "F":
        message = f"the class '{of.name.text}' has the order of the axes, not an argument"
        raise entry.mistake("without-effect", message, "'order' of the tensor, and 'require: [compact]'")


def array_key_messages(of: Class) -> dict[str, str]:
    """Returns the messages for keys about arrays: `cast`, and those that a class without `import` does not accept."""
    if of.imports:
        return {"cast": f"the 'import' of '{of.name.text}' has the key 'cast', not an argument"}
    why = f"'{of.name.text}' has no 'import', so that it takes no foreign arrays"
    return {key: f"'{key}' has no place here: {why}" for key in ("require", "copy", "cast")}


# ---- Literals of numbers and enums as default values and as fixed values ----


def literal_problems(
    literal: Leaf | None, ctype: CType, number: NumberKind | None, floating_hint: str | None = None
) -> Iterator[Diagnostic]:
    """Yields the problem of a literal that its C type cannot hold. The C compiler would convert it silently."""
    base = ctype.base
    if literal is None or ctype.depth or fit(literal.text, base, number) != "differs":
        return
    text, hint = literal.text, floating_hint
    if number == "bool":
        message, hint = f"'{text}' is not a boolean", "write 0 or 1, true or false"
    elif is_floating(text):
        message = f"'{text}' is not an integer, and '{base}' is one"
    else:
        message = f"'{base}' cannot hold {text}"
        hint = f"write ({base}){text} if all bits are meant" if text.startswith("-") else None
    yield Diagnostic("argument-type", literal.span, message, hint)


def initial_value(ctype: CType, value: str) -> str:
    """Returns the value as the initial one of a variable. A `float` gets a literal of its own type."""
    return f"{value}f" if is_floating(value) and value[-1] not in "fFlL" and ctype == CType("float") else value


def is_checked(ctype: CType, number: NumberKind | None, value: str) -> bool:
    """Returns whether only the compiler can check that a variable can hold the value."""
    if ctype.depth or ctype.is_function or value.startswith("{"):
        return False
    if number is None and (not is_unknown(ctype) or is_floating(value)):
        return False
    return fit(value, ctype.base, number) == "unknown"
