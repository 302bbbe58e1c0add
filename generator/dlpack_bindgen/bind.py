"""`Spec` to `Binding`: every name and every C fragment of the output is decided here, and nothing is decided later."""

from __future__ import annotations

from dlpack_bindgen import ctext
from dlpack_bindgen.bind_maker import bind_allocator, bind_importer
from dlpack_bindgen.binding import (
    Assertion,
    Binding,
    Branch,
    ChoiceBinding,
    Ender,
    MakerBinding,
    TensorBinding,
)
from dlpack_bindgen.dlpack import DEVICES
from dlpack_bindgen.fragments import (
    argument,
    dtype_literal,
    equals,
    integer,
    is_number,
    refusals,
    replace_names,
    statement,
    subtracts,
)
from dlpack_bindgen.names import snake
from dlpack_bindgen.quote import c_string, comment_lines, python_doc_lines
from dlpack_bindgen.spec import (
    Choice,
    Device,
    EachShape,
    EachStrides,
    ListedShape,
    ListedStrides,
    OuterStride,
    Spec,
    Tensor,
)

OUTPUT_FORMAT = 1
"""Raised whenever emitted files and older runtimes no longer fit together; see `DLB_FORMAT` in the runtime."""

_HOST_DEVICES = ("cpu", "cuda_host", "rocm_host", "cuda_managed")


def bind(spec: Spec) -> Binding:
    return Binding(
        license=spec.license,
        spec_file=" ".join(comment_lines(spec.file)),
        module=spec.module,
        prefix=spec.prefix,
        guard=f"{spec.module.upper()}_DLPACK_H_",
        includes=spec.includes,
        docstring=c_string(spec.doc or f"Arrays of {spec.module}, shared through DLPack."),
        doc=python_doc_lines(spec.doc or f"Arrays of {spec.module}, shared through DLPack."),
        tensors=tuple(_bind_tensor(spec, tensor) for tensor in spec.tensors),
        output_format=OUTPUT_FORMAT,
    )


def _bind_tensor(spec: Spec, tensor: Tensor) -> TensorBinding:
    c_name = f"{spec.prefix}_{snake(tensor.name)}"
    importer = bind_importer(tensor, c_name)
    allocator = bind_allocator(tensor, c_name)
    retain = f"{c_name}_retain" if tensor.retain else None
    release = f"{c_name}_release" if tensor.release else None
    head, per_axis, layout = _axes(tensor)
    data = [f"DLB_DATA(view, {argument(tensor.data)});"]
    if tensor.readonly is not None:
        data.append(f"dlb_readonly(view, ({tensor.readonly}) != 0);")
    doc = tensor.doc or f"{tensor.type}, shared through DLPack."
    return TensorBinding(
        name=tensor.name,
        full_name=f"{spec.module}.{tensor.name}",
        c_name=c_name,
        type=tensor.type,
        comment=comment_lines(f"{tensor.name}: {doc}\nThe array is {_summary(tensor)}."),
        docstring=c_string(doc),
        doc=python_doc_lines(doc),
        owner_comment=comment_lines(f"{_ownership(tensor, 'an owner')} It can be exported as often as wanted."),
        export_comment=comment_lines(_ownership(tensor, "one managed tensor")),
        wrap_comment=comment_lines(_ownership(tensor, f"a new Python object of class {tensor.name}")),
        asserts=tuple(_assertions(tensor)),
        uses_self=any("self" in ctext.names(text) for text in _described_by(tensor)),
        refusals=refusals(tensor.require),
        dtype=_dtype(tensor.dtype),
        device=_device_choice(tensor.device),
        head=tuple(head),
        per_axis=tuple(per_axis),
        layout=tuple(layout),
        data=tuple(data),
        ndim=str(len(tensor.shape.extents)) if isinstance(tensor.shape, ListedShape) else "-1",
        enders=tuple(_enders(tensor, c_name, importer)),
        retain=retain,
        release=release,
        importer=importer,
        allocator=allocator,
        allocates_dtype=_default_dtype(tensor),
        empty_doc=c_string(_empty_doc(tensor)),
    )


# ---- The description ----


def _dtype(dtype: str | Choice[str]) -> ChoiceBinding | None:
    if isinstance(dtype, str):
        return None
    return ChoiceBinding(
        branches=tuple(Branch(equals(dtype.of, key), _set_dtype(name)) for key, name in dtype.cases),
        otherwise=_unmapped("dtype", dtype.of) if dtype.default is None else _set_dtype(dtype.default),
    )


def _set_dtype(name: str) -> str:
    return f"view->tensor.dtype = {dtype_literal(name)};"


def _set_device(name: str, id_: str | None) -> str:
    if name == "cpu":
        return "view->tensor.device = DLB_CPU;"
    if id_ is None or name in _HOST_DEVICES:  # dlpack.h: memory of the host has number 0
        return f"view->tensor.device = (DLDevice){{{DEVICES[name]}, 0}};"
    return f"dlb_device(view, {DEVICES[name]}, {integer(id_)});"


def _device_choice(device: Device) -> ChoiceBinding | None:
    if isinstance(device.type, str):
        return None
    choice = device.type
    return ChoiceBinding(
        branches=tuple(Branch(equals(choice.of, key), _set_device(name, device.id)) for key, name in choice.cases),
        otherwise=_unmapped("device", choice.of) if choice.default is None else _set_device(choice.default, device.id),
    )


def _unmapped(slot: str, of: str) -> str:
    return f"return dlb_view_unmapped(view, error, {c_string(slot)}, DLB_VALUE({argument(of)}));"


def _axes(tensor: Tensor) -> tuple[list[str], list[str], list[str]]:
    """What fills shape and strides: the statements before, in and after the loop over the axes."""
    head: list[str] = []
    per_axis: list[str] = []
    layout: list[str] = []
    if isinstance(tensor.dtype, str):
        head.append(_set_dtype(tensor.dtype))
    if isinstance(tensor.device.type, str):
        head.append(_set_device(tensor.device.type, tensor.device.id))
    if isinstance(tensor.shape, EachShape):
        head.append(f"dlb_rank(view, {integer(tensor.shape.ndim)});")
        per_axis.append(f"dlb_extent(view, axis, {integer(tensor.shape.each)});")
    else:
        head.extend(f"dlb_extent(view, {i}, {integer(e)});" for i, e in enumerate(tensor.shape.extents))

    strides = tensor.strides
    setter = "dlb_byte_stride" if strides is not None and strides.unit == "bytes" else "dlb_stride"
    if isinstance(strides, EachStrides):
        per_axis.append(f"{setter}(view, axis, {integer(strides.each)});")
    elif isinstance(strides, ListedStrides):
        layout.extend(f"{setter}(view, {i}, {integer(e)});" for i, e in enumerate(strides.items))
    if tensor.order == "reversed":
        layout.append("dlb_reverse(view->tensor.shape, view->tensor.ndim);")
    if isinstance(strides, (EachStrides, ListedStrides)):
        if tensor.order == "reversed":
            layout.append("dlb_reverse(view->tensor.strides, view->tensor.ndim);")
        return head, per_axis, layout

    layout.append("dlb_compact_fortran(view);" if tensor.order == "F" else "dlb_compact(view);")
    if isinstance(strides, OuterStride):
        layout.extend(_outer_stride(tensor, setter, strides.outer))
    return head, per_axis, layout


def _outer_stride(tensor: Tensor, setter: str, outer: str) -> list[str]:
    if isinstance(tensor.shape, ListedShape):
        if not tensor.shape.extents:
            return []
        axis = str(len(tensor.shape.extents) - 1) if tensor.order == "F" else "0"
        return [f"{setter}(view, {axis}, {integer(outer)});"]
    axis = "view->tensor.ndim - 1" if tensor.order == "F" else "0"
    return [f"if (view->tensor.ndim > 0) {{ {setter}(view, {axis}, {integer(outer)}); }}"]


def _slots(tensor: Tensor) -> list[tuple[str, str]]:
    """The slots that must be integers, each with its expression."""
    slots: list[tuple[str, str]] = []
    if tensor.device.id is not None and tensor.device.type not in _HOST_DEVICES:
        slots.append(("device.id", tensor.device.id))
    if isinstance(tensor.shape, EachShape):
        slots += [("shape.ndim", tensor.shape.ndim), ("shape.each", tensor.shape.each)]
    else:
        slots += [(f"shape[{i}]", e) for i, e in enumerate(tensor.shape.extents)]
    if isinstance(tensor.strides, EachStrides):
        slots.append(("strides.each", tensor.strides.each))
    elif isinstance(tensor.strides, OuterStride):
        slots.append(("strides.outer", tensor.strides.outer))
    elif isinstance(tensor.strides, ListedStrides):
        slots += [(f"strides[{i}]", e) for i, e in enumerate(tensor.strides.items)]
    return slots


def _assertions(tensor: Tensor) -> list[Assertion]:
    found = [_assertion(tensor, "POINTER", "data", tensor.data, "a pointer")]
    for slot, expression in _slots(tensor):
        if subtracts(expression):
            what = "a signed integer (cast its parts), or it wraps around"
            found.append(_assertion(tensor, "SIGNED", slot, expression, what))
        elif not is_number(expression):
            found.append(_assertion(tensor, "INTEGER", slot, expression, "an integer"))
    return found


def _assertion(tensor: Tensor, kind: str, slot: str, expression: str, what: str) -> Assertion:
    outside_the_loop = argument(replace_names(expression, {"axis": "0"}))
    return Assertion(
        f"DLB_ASSERT_{kind}", outside_the_loop, c_string(f"{tensor.name}.{slot}: {expression} must be {what}")
    )


def _described_by(tensor: Tensor) -> list[str]:
    texts = [tensor.data, *(expression for _, expression in _slots(tensor)), *(c.expr for c in tensor.require)]
    if tensor.readonly is not None:
        texts.append(tensor.readonly)
    if isinstance(tensor.dtype, Choice):
        texts += [tensor.dtype.of, *(key for key, _ in tensor.dtype.cases)]
    if isinstance(tensor.device.type, Choice):
        texts += [tensor.device.type.of, *(key for key, _ in tensor.device.type.cases)]
    return texts


# ---- Lifetime ----


def _enders(tensor: Tensor, c_name: str, importer: MakerBinding | None) -> list[Ender]:
    found = []
    if tensor.retain is not None:
        found.append(_ender(f"{c_name}_retain", tensor.retain))
    if tensor.release is not None:
        found.append(_ender(f"{c_name}_release", tensor.release))
    if importer is not None and importer.destroy == f"{c_name}_destroy":
        assert tensor.import_ is not None and tensor.import_.destroy is not None
        found.append(_ender(importer.destroy, tensor.import_.destroy))
    return found


def _ender(name: str, text: str) -> Ender:
    return Ender(name, "self" in ctext.names(text), statement(text))


def _ownership(tensor: Tensor, made: str) -> str:
    if tensor.release is None:
        return f"Makes {made} that borrows `self`, which must live longer."
    if tensor.retain is not None:
        return f"Makes {made} with a reference of its own to `self`; yours stays yours."
    return f"Moves `self` into {made}; `{tensor.release}` runs when its last share goes."


# ---- Words ----


def _summary(tensor: Tensor) -> str:
    """What the array is: `uint8[height, width, channels] on the CPU`."""
    dtype = tensor.dtype if isinstance(tensor.dtype, str) else f"dtype({_short(tensor.dtype.of)})"
    if isinstance(tensor.shape, ListedShape):
        shape = ", ".join(_short(extent) for extent in tensor.shape.extents)
    else:
        shape = f"{_short(tensor.shape.ndim)} axes"
    device = tensor.device.type
    place = "the CPU" if device == "cpu" else device if isinstance(device, str) else f"device({_short(device.of)})"
    return f"{dtype}[{shape}] on {place}"


def _short(expression: str) -> str:
    return expression.replace("self->", "")


def _default_dtype(tensor: Tensor) -> str | None:
    if tensor.allocate is not None and tensor.allocate.require.dtype is not None:
        return repr(tensor.allocate.require.dtype)
    return repr(tensor.dtype) if isinstance(tensor.dtype, str) else None


def _empty_doc(tensor: Tensor) -> str:
    default = _default_dtype(tensor)
    dtype = "dtype" if default is None else f"dtype={default}"
    return f"empty($type, /, shape, *, {dtype})\n--\n\nA new object of that shape, made by the library."
