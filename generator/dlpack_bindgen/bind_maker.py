"""The functions that make objects: what they accept, what they have in scope, what they do."""

from __future__ import annotations

from dlpack_bindgen import ctext
from dlpack_bindgen.binding import Branch, ChoiceBinding, CodeBinding, MakerBinding
from dlpack_bindgen.dlpack import DEVICES, DTYPES
from dlpack_bindgen.fragments import (
    argument,
    dtype_literal,
    is_number,
    negate,
    refusals,
    replace_names,
    replace_result,
)
from dlpack_bindgen.quote import c_string
from dlpack_bindgen.spec import Choice, Construct, Let, ListedShape, OuterStride, Requirements, SetFields, Tensor

_MAX_NDIM = 64

_SCOPE = {
    "data": "void *data = source->data;",
    "ndim": "const int ndim = source->ndim;",
    "shape": "const int64_t *shape = source->shape;",
    "strides": "const int64_t *strides = source->strides;",
    "byte_strides": "const int64_t *byte_strides = source->byte_strides;",
    "itemsize": "const int64_t itemsize = source->itemsize;",
    "nbytes": "const int64_t nbytes = source->nbytes;",
    "readonly": "const int readonly = source->readonly;",
    "device_id": "const int device_id = source->device_id;",
}
"""The names of an import, in the order in which they are declared where the spec mentions them."""


def bind_importer(tensor: Tensor, c_name: str) -> MakerBinding | None:
    spec = tensor.import_
    if spec is None:
        return None
    destroy = None
    if spec.destroy is not None:
        destroy = f"{c_name}_release" if spec.destroy == tensor.release else f"{c_name}_destroy"
    return _maker(
        tensor,
        f"{c_name}_import",
        f"{c_name}_importer",
        "DLB_STRICT_BEGIN",
        spec.require,
        spec.let,
        spec.build,
        destroy,
        layout=_layout(tensor, spec.require),
        devices=tuple(DEVICES[name] for name in _devices(tensor)),
    )


def bind_allocator(tensor: Tensor, c_name: str) -> MakerBinding | None:
    spec = tensor.allocate
    if spec is None:
        return None
    return _maker(
        tensor,
        f"{c_name}_allocate",
        f"{c_name}_allocator",
        "DLB_STRICT_NONNEGATIVE_BEGIN",
        spec.require,
        spec.let,
        spec.build,
        f"{c_name}_release",
        layout=[],
        devices=(),
    )


def _maker(
    tensor: Tensor,
    name: str,
    facts: str,
    strict: str,
    require: Requirements,
    let: tuple[Let, ...],
    build: SetFields | Construct,
    destroy: str | None,
    layout: list[str],
    devices: tuple[str, ...],
) -> MakerBinding:
    low, high = _ranks(tensor, require)
    lets = [line for entry in let for line in _let(entry)]
    fields: tuple[str, ...] = ()
    construct = failed = call = None
    reason = "NULL"
    if isinstance(build, SetFields):
        fields = tuple(f"DLB_SET(source, self->{field}, {argument(value)});" for field, value in build.fields)
    else:
        construct = build.call
        failed = negate(replace_result(build.ok or "% != NULL"))
        call = c_string(build.call)
        reason = build.error or "NULL"
    texts = _texts(require, let, build)
    return MakerBinding(
        name=name,
        facts=facts,
        strict=strict,
        scope=tuple(line for word, line in _SCOPE.items() if _mentions(texts, word)),
        codes=_codes(tensor, require, texts),
        refusals=refusals(require.checks),
        lets=tuple(lets),
        checks_lets=any(line.startswith("DLB_SET") for line in lets),
        fields=fields,
        construct=construct,
        failed=failed,
        call=call,
        reason=reason,
        destroy=destroy,
        box=f"sizeof({tensor.type})" if isinstance(build, SetFields) else None,
        min_ndim=str(low),
        max_ndim=str(high),
        layout=" | ".join(layout) or None,
        order={"C": None, "F": "DLB_ORDER_F", "reversed": "DLB_ORDER_REVERSED"}[tensor.order],
        align=require.align,
        dtypes=tuple(f"{{{DTYPES[name].code}, {DTYPES[name].bits}, 1}}" for name in _dtypes(tensor, require)),
        devices=devices,
        extents=_extents(tensor),
    )


# ---- What is accepted ----


def _ranks(tensor: Tensor, require: Requirements) -> tuple[int, int]:
    if isinstance(tensor.shape, ListedShape):
        return len(tensor.shape.extents), len(tensor.shape.extents)
    return require.ndim or (0, _MAX_NDIM)


def _dtypes(tensor: Tensor, require: Requirements) -> list[str]:
    """A fixed dtype, or all that the map can be read backwards to; a `default` has no key to go back to."""
    if require.dtype is not None:
        return [require.dtype]
    if isinstance(tensor.dtype, str):
        return [tensor.dtype]
    return list(dict.fromkeys(name for _, name in tensor.dtype.cases))


def _devices(tensor: Tensor) -> list[str]:
    if isinstance(tensor.device.type, str):
        return [tensor.device.type]
    return list(dict.fromkeys(name for _, name in tensor.device.type.cases))


def _extents(tensor: Tensor) -> tuple[str, ...]:
    """Literal extents of the struct, which an array must have too; empty when there are none."""
    if not isinstance(tensor.shape, ListedShape) or not any(is_number(e) for e in tensor.shape.extents):
        return ()
    found = [e if is_number(e) else "-1" for e in tensor.shape.extents]
    return tuple(reversed(found)) if tensor.order == "reversed" else tuple(found)


def _layout(tensor: Tensor, require: Requirements) -> list[str]:
    """What the spec requires, and what a struct without strides of its own cannot do without."""
    wanted = {
        "DLB_WRITABLE": require.writable,
        "DLB_COMPACT": require.compact or tensor.strides is None,
        "DLB_INNER_COMPACT": require.inner_compact or isinstance(tensor.strides, OuterStride),
        "DLB_NO_OVERLAP": require.no_overlap,
        "DLB_NONNEGATIVE_STRIDES": require.nonnegative_strides,
    }
    return [name for name, needed in wanted.items() if needed]


# ---- What is done ----


def _let(let: Let) -> list[str]:
    if "*" in let.ctype or let.value.startswith("{"):
        space = "" if let.ctype.endswith("*") else " "
        return [f"{let.ctype}{space}{let.name} = {let.value};"]
    ctype = " ".join(word for word in let.ctype.split() if word != "const")  # DLB_SET assigns
    return [f"{ctype} {let.name};", f"DLB_SET(source, {let.name}, {argument(let.value)});"]


def _codes(tensor: Tensor, require: Requirements, texts: list[str]) -> tuple[CodeBinding, ...]:
    """The maps of dtypes and devices read backwards (rule 8); the runtime has checked that a key fits."""
    found = []
    if isinstance(tensor.dtype, Choice) and _mentions(texts, "code"):
        conditions = {
            name: f"dlb_same_dtype(source->dtype, {dtype_literal(name)})" for name in _dtypes(tensor, require)
        }
        found.append(_backwards(tensor, "code", tensor.dtype, conditions))
    if isinstance(tensor.device.type, Choice) and _mentions(texts, "device_code"):
        conditions = {name: f"source->device_type == {DEVICES[name]}" for name in _devices(tensor)}
        found.append(_backwards(tensor, "device_code", tensor.device.type, conditions))
    return tuple(found)


def _backwards(tensor: Tensor, name: str, choice: Choice[str], conditions: dict[str, str]) -> CodeBinding:
    """The variable has the type of `of` where that is compared: an enumeration is an integer, an array a pointer."""
    of = replace_names(choice.of, {"self": f"(({tensor.type} *)0)"})
    *branches, last = (
        Branch(conditions[value], f"{name} = {key};") for key, value in choice.cases if value in conditions
    )
    return CodeBinding(
        f"DLB_TYPE_OF({argument(of)}) {name}; /* the map of the spec, read backwards */",
        ChoiceBinding(tuple(branches), last.statement),
    )


def _texts(require: Requirements, let: tuple[Let, ...], build: SetFields | Construct) -> list[str]:
    texts = [check.expr for check in require.checks] + [entry.value for entry in let]
    if isinstance(build, SetFields):
        return [*texts, *(value for _, value in build.fields)]
    return [*texts, build.call, *(text for text in (build.ok, build.error) if text is not None)]


def _mentions(texts: list[str], name: str) -> bool:
    return any(name in ctext.names(text) for text in texts)
