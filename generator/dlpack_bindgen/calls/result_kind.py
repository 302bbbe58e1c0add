"""The interface of a kind of result."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from dlpack_bindgen.calls.spec_names import Class, Mistake, Named, Names
from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import (
    EXPRESSION,
    MAX_RANK,
    PARAMETER,
    Alternatives,
    Form,
    Key,
    ListOf,
    Option,
    Single,
    flag,
)
from dlpack_bindgen.language.values import Fields, Items, Leaf, is_true, needed
from dlpack_bindgen.tensor.dtype import CTypeDType, FixedDType, constant
from dlpack_bindgen.tensor.shape import RUN_TIME_RANK, EachShape, Shape
from dlpack_bindgen.text.diagnostics import Code, Span
from dlpack_bindgen.text.fragments import Piece, mentions
from dlpack_bindgen.text.types import CType, NumberKind

if TYPE_CHECKING:
    from dlpack_bindgen.calls.results import Results

# ---- The interface of a kind of result: the questions of the steps, and the records that several templates get ----
# A kind gets an `EmittedValue`, and returns the `Piece` that makes the Python object. Strings without another
# description are C expressions. Names are those of variables of the emitted function.


class Target(Frozen):
    """The variable that gets an object of Python."""

    variable: str
    is_declared: bool = False
    """Whether the statement declares the variable."""
    is_returned: bool = False
    """Whether the function returns the object instead."""


class PossibleArgument(Frozen):
    """An argument that the returned object can be."""

    test: str
    """The condition that C has returned the argument."""
    argument: str
    """The address of the argument, or the variable for an item of a list."""
    is_same: bool
    """Whether Python gets the argument itself. Otherwise it gets a view that keeps the argument alive."""
    list: str = ""
    """The argument if it is a list; empty: the argument is a single object."""
    returned: str = ""
    """The pointer that C has returned, or the object by value."""
    by_value: bool = False
    """Whether the items of the list are passed by value."""
    may_be_struct: bool = False
    """Whether `returned` may be a struct instead of a pointer, which only the compiler knows."""


class ReturnableArgument(Frozen):
    """An argument that C can return as an object of a list."""

    argument: str
    part: str
    """The constant that names the part of the argument that C can return."""
    is_same: bool
    """Whether Python gets the argument itself. Otherwise it gets a view that keeps the argument alive."""
    param: str
    """The variable with a param of the argument; empty: the object or the items can be returned."""


class EarlierObjects(Frozen):
    """Objects that the call has returned before, and that can be returned again."""

    objects: str
    """The C expression of the table, or of the address of the variable."""
    count: str
    capacity: str
    is_list: bool
    made: str
    """The variable with the Python object."""


OF = Key[Leaf]("of", Single(Form.KIND), "A tensor, a handle, an enum of `constants`, or a word: {}.", required=True)
MOST_KEPT = 16
"""The value of `DLB_PY_MOST_KEPT` in the runtime."""
KEEPS = Key[Items](
    "keeps",
    ListOf(PARAMETER, "a list of parameters", least=1, most=MOST_KEPT, lone=True),
    "The parameters that the returned object keeps alive. The caller owns the returned object.",
    details=(
        "Use it for the library behind its handles, or for a plan that stores the addresses of arrays.",
        "A function that removes an object from a container needs `keeps` if the container keeps arrays of the object. "
        "It also needs `invalidates` for the container if other functions show its objects.",
        "The kept objects and arrays are released after the returned object. Arrays become objects of the class that "
        "`arrays` names.",
    ),
)
OPTIONAL = flag(
    "optional",
    "NULL becomes `None`.",
    "NULL is a failure.",
    "The meaning of NULL.",
    default="`false`; for `str` and `bytes`, `true` unless `ok` excludes NULL",
)


class Source(Frozen):
    """A place in a prototype where C gives a value: the result, or a parameter that points to a variable."""

    ctype: CType
    """The C type of the value."""
    names: Names
    span: Span
    fields: Fields
    """The entry that describes the value, or no keys."""
    parameter: str | None = None
    """The name of the parameter; None: the result."""
    length: str | None = None
    """The capacity of the parameter's buffer; None: the variable is no buffer."""
    constructed: Class | None = None
    """The class whose constructor returns the value."""
    borrow_source: str | None = None
    """The parameter that may own a returned object, for the key `borrow` in hints."""

    def mistake(self, message: str, hint: str | None = None, code: Code | None = None) -> Mistake:
        known: Code = "result-type" if self.parameter is None else "argument-type"
        return Mistake(code or known, self.span, message, hint)


class ResultKind(ABC):
    """The base class of all kinds. The defaults are the answers of a kind to which the question does not apply."""

    # ---- Recognition ----

    words: tuple[str, ...] = ()
    """The words of the key `of` that select the kind."""
    keys: ClassVar[tuple[Key, ...]] = ()
    """The keys that only this kind has."""
    exclusive: ClassVar[str | None] = None
    """The message about such a key of another kind. `{key}` stands for its name."""
    accepts: ClassVar[tuple[str, ...]] = ()
    """The keys of an `out` that apply to the kind."""
    details: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Sentences of the reference about keys that several kinds have, each with its key."""

    def is_named(self, named: Named) -> bool:
        """Returns whether a class, an enum or a word selects the kind."""
        return named in self.words

    @abstractmethod
    def by_name(self, named: Named, source: Source) -> Result | None:
        """Returns the value, or None if its C type is not of the kind that `named` selects."""

    def hint(self, source: Source) -> str | None:
        """Returns the hint for a C type that is not of the selected kind."""
        return None

    def refusal(self, named: Named, source: Source) -> Mistake:
        """Returns the mistake for an `out` that does not point to a value of the selected kind."""
        return source.mistake(f"this does not point to '{named}'", self.hint(source))

    def by_type(self, source: Source) -> Result | None:
        """Returns the value if its C type alone selects the kind."""
        return None

    def fields(self, value: Result, source: Source) -> dict[str, Any]:
        """Returns the values of the keys that only this kind has, by the names of fields."""
        return {}

    # ---- The Python object ----

    number: NumberKind | None = None
    """The kind of number that C gives, also for a member of an enumeration; None: C gives something else."""
    zero: str = "..."
    """A value of zero, as a signature shows it."""
    is_returned: bool = True
    """Whether Python can get the value."""
    is_number: bool = False
    is_enum: bool = False
    is_string: bool = False
    """Whether C gives a string, whose memory `finally` may free."""
    is_table_of_strings: bool = False
    is_array: bool = False
    is_object: bool = False
    is_list: bool = False
    """Whether the value is a list of objects."""
    may_be_buffer: bool = False
    """Whether an array parameter can be the buffer of one value. Otherwise it is an array of several values."""
    may_be_null: bool = False
    """Whether NULL becomes None, unless the spec excludes it."""
    null_is_value: bool = False
    """Whether NULL is a value without the key `optional`."""
    runs_code: bool = False
    """Whether making the Python object can run the garbage collector, and with it any code."""

    @property
    def is_integer(self) -> bool:
        """Returns whether Python gets an `int`."""
        return self.is_number and self.number == "int"

    @property
    def has_objects(self) -> bool:
        """Returns whether Python gets an object of a class of the spec, or a list of them."""
        return self.is_object or self.is_list

    def has_characters(self, is_buffer: bool = False) -> bool:
        """Returns whether C gives characters, or fills a buffer with bytes. Each of them must be one byte wide."""
        return False

    def stub_type(self, of: str | None, is_counted: bool = False) -> str:
        """Returns the type in the stub. `of` is the class or the enumeration. With `is_counted`, C gives a number of
        values."""
        assert of is not None
        return of

    def lifetime(self, subject: str, borrow: str | None, kept: str) -> str | None:
        """Returns the sentence of the docstring about the life of the value `subject`. `borrow`: the owner of its
        memory; `kept`: the arguments that it keeps alive, in words."""
        return None

    def made(self, text: str, base: str = "", table: str = "") -> str:
        """Returns the call that makes the Python object of a C expression; empty: one call does not make it.

        `base` is the C type, if it is known, and `table` the table of an enumeration.
        """
        return ""

    @abstractmethod
    def piece(self, emitted: EmittedValue) -> Piece:
        """Returns the statements that make the Python object."""

    def is_buffer(self, ctype: CType) -> bool:
        """Returns whether a variable that is an array in the prototype is one value, and not a tuple of values."""
        return self.may_be_buffer

    def buffer_piece(self, emitted: EmittedValue) -> Piece:
        """Returns the statements for a variable that is an array in the prototype."""
        raise AssertionError("the prototype has no arrays of such values")


class Hidden(ResultKind):
    """No value, a status that only `ok` tests, or a variable that only C code of the spec reads."""

    is_returned = False

    def by_name(self, named: Named, source: Source) -> Result | None:
        return None

    def piece(self, emitted: EmittedValue) -> Piece:
        raise AssertionError("Python does not get the value")


HIDDEN = Hidden()


# ---- Values that a call returns: the result of the C function, and variables that it fills ----


class Value(Frozen):
    """A value that a call returns: the result of the C function, or a variable that it fills."""

    kind: ResultKind
    of: str | None = None
    """The name of the tensor, handle or enumeration."""
    borrow: str | None = None
    """The parameter whose object owns the returned one and keeps it alive; None: the caller owns the object; `static`:
    it is never freed."""
    keeps: tuple[str, ...] = ()
    """The parameters whose objects and arrays an owned object keeps alive until it is destroyed."""
    size: str | None = None
    """The number of bytes."""
    count: str | None = None
    """The number of strings or objects; None: NULL ends the table of strings."""
    shape: Shape | None = None
    """The shape of the array, whose class is `of`. The array is a copy, unless the library keeps owning it."""
    element: FixedDType | CTypeDType | None = None
    """The dtype of the elements of an array: that of their C type, unless the spec gives another."""
    optional: bool = False
    """Whether NULL becomes None instead of a failure."""
    required: bool = False
    """For a string or bytes: whether NULL is a failure instead of None."""
    class_type: CType | None = None
    """The C type of the class, if the prototype has another name for its struct, or for a pointer to it."""
    may_be_struct: bool = False
    """Whether the other name in the prototype may stand for the struct itself, instead of a pointer to it."""
    owned: bool = False
    """Whether the spec declares that the caller owns the value. Otherwise the caller does not own a pointer to const.
    """

    @property
    def sizes(self) -> list[str]:
        """Returns the C expressions that give the size of the value."""
        return [*(text for text in (self.size, self.count) if text), *(self.shape.expressions if self.shape else ())]


class Result(Value):
    """A value that its kind has recognized: the result of the C function, or an argument whose variable C changes."""


class Param(Frozen):
    """A param of the class of a returned object."""

    name: str
    value: str
    """The value that the function reports; empty: none."""
    has_default: bool


class EmittedValue(Frozen):
    """A value that an emitted function returns. Templates of kinds get it as `r`."""

    results: Results
    name: str
    variable: str
    ctype: CType
    """The C type. For an object, this is the type of its class."""
    written: CType | None
    """The type in the prototype, if it is another name for the struct of the class, or for a pointer to it."""
    value: Value
    to: Target
    length: str = ""
    """The length of the variable, if it is an array in the prototype."""

    @property
    def kind(self) -> ResultKind:
        return self.value.kind

    @property
    def made(self) -> str:
        """Returns the call that makes the Python object."""
        return self.made_of(self.variable)

    def made_of(self, text: str) -> str:
        """Returns the call that makes the Python object of a C expression."""
        return self.kind.made(text, self.ctype.base, self.results.body.enums.get(self.value.of or "", ""))

    @property
    def tests_null(self) -> bool:
        """Returns whether the emitted function compares the value with NULL. The runtime does it for a value that may
        be NULL, unless the size of the value is read first."""
        is_read = mentions([self.value.size], self.name)
        return (is_read or self.value.required) and not self.results.excludes_null(self.name)

    @property
    def owner(self) -> str:
        """Returns the variable that owns the memory that C has filled; empty: there is none."""
        return self.results.owner(self.name)

    @property
    def borrowed(self) -> tuple[str, ...]:
        """Returns the argument whose object owns the value; an empty list: the value is never freed, or is a copy."""
        source = self.value.borrow
        return () if source in (None, "static") else (self.results.place(source),)

    @property
    def size(self) -> str:
        """Returns the number of bytes, as a C expression; empty: the whole buffer."""
        return self.results.integer(self.value.size) if self.value.size is not None else ""

    @property
    def count(self) -> str:
        """Returns the number of strings or objects, as a C expression."""
        return self.results.integer(needed(self.value.count))

    @property
    def of(self) -> str:
        """Returns the C name of the class."""
        return self.results.body.class_of(needed(self.value.of))

    # ---- Objects ----

    @cached_property
    def returnable(self) -> tuple[ReturnableArgument, ...]:
        """Returns the arguments that an object of a list can be."""
        return self.results.returnable(self.name)

    @cached_property
    def earlier(self) -> tuple[EarlierObjects, ...]:
        """Returns the results that are made before this one, and that can have the same objects."""
        return self.results.earlier(self.name)

    @property
    def may_refer(self) -> bool:
        """Returns whether an object can refer to memory of an argument."""
        return self.results.may_refer(self.name)

    # ---- Arrays ----

    @property
    def dtype(self) -> str:
        return constant(self.value.element) if self.value.element is not None else ""

    @property
    def record(self) -> str:
        """Returns the `dlb_record` of elements that are structs; empty: they are numbers."""
        return self.value.element.record_table if self.value.element is not None else ""

    @property
    def extents(self) -> list[str]:
        shape = self.value.shape
        return list(map(self.results.integer, shape.expressions)) if shape is not None else []

    @property
    def known(self) -> tuple[str, ...]:
        """Returns pointers to extents. If one is NULL, the extents are not read."""
        return self.results.addresses(self.value.shape) if self.value.shape is not None else ()

    @cached_property
    def loop(self) -> ExtentLoop | None:
        """Returns the loop that reads the extents of an array; None: the extents are listed."""
        shape, results = self.value.shape, self.results
        if not isinstance(shape, EachShape):
            return None
        axis = results.axis()
        return ExtentLoop(
            ndim=results.body.own(f"ndim_of_{self.name}"),
            shape=results.body.own(f"shape_of_{self.name}"),
            axis=axis,
            extent=results.extent(shape, axis),
            rank=results.integer(shape.ndim),
            most=results.capacity_in_axes(shape),
        )


class ExtentLoop(Frozen):
    """A loop that reads the extents of an array."""

    ndim: str
    """The variable with the number of axes."""
    shape: str
    """The variable with the extents."""
    axis: str
    extent: str
    rank: str
    most: str
    """The capacity in axes of the array that the extents are read from."""


def null_is_failure(source: Source) -> bool:
    """Returns whether NULL is a failure for a string or for bytes. Otherwise NULL becomes None."""
    if is_true(source.fields[OPTIONAL]):
        message, hint = "NULL is None without it", "'optional: false' makes it a failure"
        raise Mistake("without-effect", source.fields.place(OPTIONAL), message, hint)
    return OPTIONAL in source.fields


def borrowed_lifetime(subject: str, borrow: str | None) -> str | None:
    """Returns the sentence of the docstring about a value whose memory the library or an argument owns; None: the
    caller owns it."""
    if borrow == "static":
        return f"{subject} stays the library's."
    return f"{subject} lives in `{borrow}`, and keeps it alive." if borrow is not None else None


DTYPE_OF_RESULT = Key[Leaf](
    "dtype",
    Single(Form.DTYPE),
    "The dtype of an `array` result whose C type does not determine it.",
    default="the dtype of the C type",
    details=(
        "The key is required for `void *`, for a number type that only the headers define, and for structs "
        "that consist of numbers. An example is `{of: array, dtype: float32, shape: [n, 3]}` for "
        "`const vec3 *`.",
    ),
    after="shape",
)


SHAPE_OF_RESULT = Key[Items | Fields](
    "shape",
    Alternatives(
        (
            Option(ListOf(EXPRESSION, "a list of extents", least=1, most=MAX_RANK), "One expression per axis."),
            RUN_TIME_RANK,
        )
    ),
    "The extents of an `array` result.",
    details=(
        "The elements are copied, or shared in place with `borrow`.",
        "If the caller owns the copied memory, free it in `finally`.",
        "For a buffer whose capacity is in the prototype, `double roots[degree]`, `shape` has the extents of "
        "the used part at the beginning. By default the whole buffer is used.",
        "An `out` number in the expressions is not returned separately. An `out` address of extents, `const "
        "size_t **extents`, is not returned either. It can be NULL if the rank is 0.",
        "The array has the class that `arrays` names.",
    ),
    after="count",
)
