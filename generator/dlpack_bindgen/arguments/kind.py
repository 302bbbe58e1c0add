"""The interface of a kind of argument: the questions of the steps.

A kind gets a `Scope`, and returns `Facts` and `Piece`s. `bind/functions/functions.py` puts them in order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar

from dlpack_bindgen.arguments.entry import ParameterEntry
from dlpack_bindgen.arguments.facts import Facts, Scope
from dlpack_bindgen.arguments.measure import Measure
from dlpack_bindgen.arguments.requirements import NOTHING, Cast, Copy, NewOutput, Requirements, converted
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.kinds import Key
from dlpack_bindgen.language.names import Named
from dlpack_bindgen.results.value import Value, ValueKind
from dlpack_bindgen.slots.dtype import CTypeDType, FixedDType
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.statements import Piece
from dlpack_bindgen.text.types import CType

if TYPE_CHECKING:
    from dlpack_bindgen.validate.functions.calls import Call

ARRAY = "_Array"
"""The type of arrays in stubs."""

SameKind = TypeVar("SameKind", bound="Kind")


class Kind(ABC):
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
        """Whether the argument is allocated after other parameters are known, because its shape depends on them."""
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
        """Whether Python passes an `int`."""
        return False

    def length(self, name: str, ctype: CType) -> str | None:
        """Returns the length of a string as a C expression of the type `ctype`."""
        return None

    @property
    def may_be_missing(self) -> bool:
        """Whether Python may leave the argument out, or pass None."""
        return self.optional or self.default is not None or self.new_output is not None

    @property
    def default_type(self) -> str | None:
        """The Python type of the default value, if the spec can give one."""
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
    class_name: str | None = None
    """The class of the object, or of the objects of a list."""

    @property
    def has_elements(self) -> bool:
        """Whether C code of the spec can read the elements, by index."""
        return self.is_pointer or self.least_elements is not None

    @property
    def may_be_sequence(self) -> bool:
        """Whether Python can pass a sequence."""
        return self.is_pointer or self.is_list or self.is_table_of_strings

    @property
    def object_class(self) -> str | None:
        """The class of the object; None: it is none, or a list."""
        return None if self.is_list else self.class_name

    @property
    def is_operand(self) -> bool:
        """Whether the argument is an array, an object or a list of objects, which the runtime converts."""
        return self.is_array or self.class_name is not None

    @property
    def has_length(self) -> bool:
        """Whether other arguments can be its lengths."""
        return self.is_operand or self.is_table_of_strings

    @property
    def least_elements(self) -> int | None:
        """The number of characters or strings that C code of the spec may read without a check; None: it has none."""
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
        """Whether the argument must be an object of the class. A temporary object for the call is not enough."""
        return self.invalidates or bool(self.keeps_alive)

    outlasts_call: bool = False
    """Whether the value stays valid after the call, whatever the result keeps alive."""
    can_be_kept: bool = False
    """Whether a returned object can keep the object or array of this argument alive."""
    ends_with_call: bool = False
    """Whether C gets memory that is valid only during the call."""
    is_acquired_last: bool = False
    """Whether the late pieces follow all other conditions, because a refused call must not run them."""

    def completed(self: SameKind, ctype: CType, extents: Mapping[int, str], known: Sequence[str]) -> SameKind:
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
        """The suffix of the variable that owns the memory that C gets."""
        return None

    def freed(self, owner: str) -> Piece | None:
        """Returns the statement that frees the memory of the variable `owner`; None: it holds a Python object or an
        array."""
        return None

    # ---- Values of other arguments, and values that the call returns ----

    is_returnable: bool = False
    """Whether `returns` can list the argument."""
    param_owner: str | None = None
    """The argument whose object has the value as a param."""
    codes: tuple[tuple[str, FixedDType | CTypeDType], ...] = ()
    """The library's codes for the dtypes of another argument."""

    @property
    def measure(self) -> Measure | None:
        """The length, stride or flags of another argument."""
        return None

    @property
    def described(self) -> str | None:
        """The array or object that the runtime must describe for the value."""
        return None

    @property
    def returned(self) -> Value | None:
        """The value that the call returns in the variable that C fills."""
        return None

    @property
    def is_read_late(self) -> bool:
        """Whether C code of the spec can read the value or the elements only when the runtime has all arrays."""
        return self.is_pointer or self.measure is not None

    def may_be_returned(self, own: CType, returned: CType, of: str, in_storage: bool) -> bool:
        """Returns whether C can return the object of the argument, of the type `own`, as an object of the class `of`.

        With `in_storage`, C returns a struct, which memory of the new object stores.
        """
        return False

    def requirements(self, measures: Sequence[Measure]) -> Requirements:
        """Returns the requirements on an array or object. `measures` are derived from it."""
        return self.require

    def own_dtype(self, ctype: CType) -> CTypeDType | None:
        """Returns the dtype of the C elements, unless C accepts elements of any type."""
        return None

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

    def lifetime(self, subject: str, kept: str) -> str | None:
        """Returns the sentence of the docstring about the arguments that the object `subject` keeps alive. `kept`:
        these arguments, in words."""
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

    def returned_value(self) -> tuple[ValueKind, str | None] | None:
        """Returns the kind of value that the call returns in the variable, and the name of its enumeration."""
        return None

    def expressions(self) -> list[str]:
        """Returns the C expressions of the spec that only this kind has."""
        return []

    def problems(self, entry: ParameterEntry, ctype: CType, call: Call) -> Iterator[Diagnostic]:
        """Yields what is wrong with the entry in `args`, by rules that only this kind has. `ctype`: the type of the C
        variable."""
        yield from ()

    @abstractmethod
    def facts(self, scope: Scope) -> Facts:
        """Returns the facts of an argument for the template of the kind."""

    def count_piece(self, scope: Scope) -> Piece | None:
        """Returns the condition that the argument has another number of strings than C needs."""
        return None

    def late_pieces(self, scope: Scope, facts: Facts) -> Iterator[Piece]:
        """Yields the statements and conditions that follow when the runtime has the arrays and objects of the call."""
        yield from ()

    def taken_pieces(self, facts: Facts) -> Iterator[Piece]:
        """Yields the statements that follow when the library has taken over the memory of `owner`."""
        yield from ()

    def closing_pieces(self, facts: Facts, answer: str) -> Iterator[Piece]:
        """Yields the statements that follow when the result exists. They can fail: with an exception, the variable
        `answer` becomes NULL. It is NULL already if the call has failed."""
        yield from ()


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
        """Whether the function accepts values of which it makes an object for the call. C then reads the object."""
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
