"""The base class of the parts of an import, and the variables, arrays and memory that several of them use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import PARAMETERS, Form, Key, Needs, Single
from dlpack_bindgen.language.values import Fields, Items, Leaf
from dlpack_bindgen.tensor.item import Allocate, Construct, Declaration, Deleter, Import, Let, SetFields
from dlpack_bindgen.tensor.requirements import ALLOCATE_REQUIREMENTS
from dlpack_bindgen.tensor.slot import Scope, Variable
from dlpack_bindgen.tensor.steps import DECLARED, Flow, declared_in, let_of, returned, zeroed
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.fragments import Assertion, Piece, constant, declaration, mentions
from dlpack_bindgen.text.names import ARRAYS_OF_AXES

# ---- The base class of the parts of `import` and `allocate`, and keys without a part ----

PARAMS_OF_MAKING = Key[Items](
    "params",
    PARAMETERS,
    "Further keyword arguments of `empty`.",
    details=(
        "A param with the C type of a class, such as `ctx *c`, takes an object of that class. The new "
        "object keeps it alive.",
        "A new output takes the values from the arguments of the call, as an array does for an `import`.",
    ),
)
REQUIRE_OF_MAKING = Key[Items](
    "require", ALLOCATE_REQUIREMENTS, "The ranks and dtypes that can be created, and other conditions."
)


class Part:
    """Keys of `import` and `allocate` with one subject. Its file constructs their values and emits their C, too."""

    keys: tuple[Key, ...]
    is_of_allocations = False
    """Whether `allocate` has the keys, too."""

    def problems(self, making: Fields) -> Iterator[Diagnostic]:
        """Yields the problems of the values of these keys, apart from their structure."""
        yield from ()

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        """Yields sentences about an object that has the keys. Further lines of a sentence are the items of a list."""
        yield from ()


NARROW = 'Declare an argument of type `int` in `let`, `{int n: "shape[0]"}`. A value that does not fit is then refused.'


# ---- The state that all parts of one import or allocation share ----


class Making(Frozen):
    """The function that makes an object, while the parts add their C to it."""

    name: str
    """The function."""
    scope: Scope
    flow: Flow
    verb: str
    """`import` or `allocate`."""
    spec: Import | Allocate
    most_axes: int | None
    """The greatest number of axes; None: only the run time knows it."""
    rename: Callable[[str], str]
    """Replaces the keys of a `match` by their variables, in C source."""

    @property
    def length(self) -> str:
        """Returns the length of an array with an element for each axis."""
        return "DLB_MAX_NDIM" if self.most_axes is None else str(max(self.most_axes, 1))

    @property
    def is_attached(self) -> bool:
        """Whether a call follows that passes the deleter to the library."""
        return isinstance(self.spec, Import) and self.spec.attach is not None

    def label(self, slot: str) -> str:
        return self.scope.label(f"{self.verb}.{slot}")


# ---- The variables that C code of the spec can use in a function that makes an object ----

_WORDS = {
    "data": Variable("void *data", "source->data"),
    "ndim": Variable("const int ndim", "source->ndim"),
    "shape": Variable("const int64_t *shape", "source->shape"),
    "strides": Variable("const int64_t *strides", "source->strides"),
    "byte_strides": Variable("const int64_t *byte_strides", "dlb_byte_strides(source)"),
    "dtype": Variable("const DLDataType dtype", "source->dtype"),
    "itemsize": Variable("const int64_t itemsize", "dlb_itemsize(source->dtype)"),
    "nbytes": Variable("const int64_t nbytes", "dlb_source_nbytes(source)"),
    "readonly": Variable("const int readonly", "source->readonly"),
    "device_id": Variable("const int device_id", "source->device_id"),
}
"""The variables in the order of their declarations. Each is declared if the spec mentions it; `user` is the last."""
_LEASE = "struct dlb_lease *"
"""The type of `user`. With `void *`, no compiler would report `user` in the place of `deleter`."""


def variables(
    fragments: Sequence[str | None], params: Sequence[Declaration], struct: str, deleter: Deleter | None
) -> Iterator[Variable]:
    """Yields the variables that `fragments` mention. `struct` has the parameters of the import."""
    of_params = [*param_variables(fragments, params, struct, "source->params")]
    yield from of_params[:1]
    yield from (variable for word, variable in _WORDS.items() if mentions(fragments, word))
    if mentions(fragments, "user"):
        yield Variable(declaration(_type_of_user(deleter), "user"), "source->user")
    yield from of_params[1:]


def param_variables(
    fragments: Sequence[str | None], params: Sequence[Declaration], struct: str, place: str
) -> Iterator[Variable]:
    """Yields a pointer to the parameters, whose address is `place`, and the parameters that `fragments` mention.

    Yields nothing if they mention none.
    """
    given = [param for param in params if mentions(fragments, param.name)]
    if given:
        yield Variable(f"const {struct} *params", place)
    yield from (Variable(constant(param.ctype, param.name), f"params->{param.name}") for param in given)


def _type_of_user(deleter: Deleter | None) -> str:
    """Returns the type in which the library returns `user`, if this is a pointer type of the library."""
    parameters = deleter.parameters if deleter is not None else ()
    declared = next((ctype for ctype, name in parameters if name == "user"), _LEASE)
    return declared if declared.endswith("*") and declared.split() not in (["void", "*"], ["void*"]) else _LEASE


# ---- `let: [T name[]: shape]`: an array with an element for each axis ----

_LET = let_of(
    Form.VARIABLE,
    f"{DECLARED}. `T name[]: shape` creates a copy of an array: `shape`, `strides`, `byte_strides` or "
    "`reversed(shape)`.",
)
_ARRAY_VALUES = frozenset(text.format(name) for name in ARRAYS_OF_AXES for text in ("{}", "reversed({})"))
LET_OF_MAKING = Key[Items](
    "let",
    _LET,
    "C variables, calls and conditions that run in order before the object is created. A variable must "
    "not have a name that is already in scope.",
    after="require",
)


class ArraysPart(Part):
    keys = (LET_OF_MAKING,)
    is_of_allocations = True

    def problems(self, making: Fields) -> Iterator[Diagnostic]:
        for record in let.records() if (let := making[LET_OF_MAKING]) else ():
            declared = declared_in(record)
            value = declared.value if declared else None
            if declared and declared.is_array and value and value.text.replace(" ", "") not in _ARRAY_VALUES:
                message = (
                    "the value of an array is 'shape', 'strides' or 'byte_strides', or one of them in 'reversed(...)'"
                )
                yield Diagnostic("array-value", value.span, message)


class AxesArray(Frozen):
    """An array with an element for each axis."""

    own: Let
    declaration: str
    """Empty: the array is in the storage of the object."""
    label: str


def fill(making: Making, let: Let, is_stored: bool) -> None:
    """Fills an array with a checked element for each axis."""
    declared = "" if is_stored else f"{declaration(let.ctype, let.name)}[{making.length}]"
    making.flow.add(Piece("tensor/factory", "filled", AxesArray(let, declared, making.label(f"let.{let.name}"))))
    making.flow.leave_if_out_of_range()


# ---- The memory in the owner for an object that the module stores, and for its arrays ----

BOX = Key[Leaf](
    "box",
    Single(Form.STORAGE),
    "The C type of the storage, if the object is only the first member of a larger struct.",
    default="the tensor's `type`",
    needs=Needs(("set", "init"), "an object from a call of the library has its own storage"),
    after="undo",
)


class BoxPart(Part):
    keys = (BOX,)

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        if isinstance(made, Import) and made.box is not None:
            yield f"The struct is stored as {made.box}."


class Storage(Frozen):
    """The memory for an object and its arrays."""

    members: tuple[str, ...]
    """Declarations of the members of a struct with the object and its arrays; empty: there is no such struct."""
    assertion: Assertion | None
    """An assertion about the size of another type that the storage has."""
    variables: tuple[Variable, ...]
    """Pointers to the object and to its arrays."""
    type: str
    """The C type of the storage; empty: the library allocates the object."""
    place: str
    """The object in the storage, if it is passed by value."""
    address: str
    value: Variable | None = None
    """The object until it is stored, if it is passed by value."""
    is_const: bool = False
    """Whether the object has const members, so that it is copied, not assigned."""


def storage(making: Making) -> Storage:
    scope, spec = making.scope, making.spec
    is_const = isinstance(spec.build, SetFields) and bool(spec.build.const)
    is_own = not isinstance(spec.build, Construct)
    arrays = [step for step in spec.let if isinstance(step, Let) and step.array] if is_own else []
    other = spec.box if is_own and isinstance(spec, Import) and not scope.by_value else None
    if arrays or other:
        return _struct(making, other, arrays, is_const)
    is_pointer = is_own and not scope.by_value
    return Storage(
        members=(),
        assertion=None,
        variables=(Variable(f"{scope.type} *self", "source->box"),) if is_pointer else (),
        type=scope.type if is_own or scope.by_value else "",
        place=f"*({scope.type} *)source->box",
        address="source->box",
        value=zeroed(scope.type, "self") if is_own and scope.by_value else None,
        is_const=is_const,
    )


def _struct(making: Making, other: str | None, arrays: Sequence[Let], is_const: bool) -> Storage:
    scope, tag = making.scope, f"{making.name}_box"
    message = f"{scope.name}.import.box: {other} must be as large as {scope.type}"
    cast = f"({scope.type} *)(void *)" if other else ""
    own = () if scope.by_value else (Variable(f"{scope.type} *self", f"{cast}&box->object"),)
    return Storage(
        members=(
            f"{other or scope.type} object",
            *(f"{declaration(each.ctype, each.name)}[{making.length}]" for each in arrays),
        ),
        assertion=Assertion("STORAGE", (other, scope.type), message) if other else None,
        variables=(*own, *(Variable(f"{each.ctype.rstrip()} *{each.name}", f"box->{each.name}") for each in arrays)),
        type=f"struct {tag}",
        place="box->object",
        address="&box->object",
        value=zeroed(scope.type, "self") if scope.by_value else None,
        is_const=is_const,
    )


def store(making: Making, storage: Storage) -> Piece:
    """Stores an object that is passed by value, and returns its address."""
    making.flow.add(Piece("tensor/factory", "store", storage))
    return returned(storage.address)
