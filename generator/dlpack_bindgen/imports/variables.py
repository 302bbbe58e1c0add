"""The variables that C code of the spec can use in a function that makes an object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dlpack_bindgen.slots.scope import Variable
from dlpack_bindgen.spec.spec import Declaration, Deleter
from dlpack_bindgen.text.fragments import constant, declaration, mentions

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
        yield Variable(f"const struct {struct} *params", place)
    yield from (Variable(constant(param.ctype, param.name), f"params->{param.name}") for param in given)


def _type_of_user(deleter: Deleter | None) -> str:
    """Returns the type in which the library returns `user`, if this is a pointer type of the library."""
    parameters = deleter.parameters if deleter is not None else ()
    declared = next((ctype for ctype, name in parameters if name == "user"), _LEASE)
    return declared if declared.endswith("*") and declared.split() not in (["void", "*"], ["void*"]) else _LEASE
