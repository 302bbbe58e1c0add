"""Sentences about a class and its arrays, for headers, docstrings, stubs and `explain`."""

from __future__ import annotations

from collections.abc import Sequence

from dlpack_bindgen.tensor.accepts import all_slots, axes, layouts, outcomes, ranks, record_of, words_of_layout
from dlpack_bindgen.tensor.dtype import DecodedDType
from dlpack_bindgen.tensor.item import Import, Item, Tensor
from dlpack_bindgen.tensor.requirements import Requirements, converted
from dlpack_bindgen.tensor.shape import WORDS as ORDERS
from dlpack_bindgen.tensor.shape import EachShape
from dlpack_bindgen.tensor.slot import alternatives
from dlpack_bindgen.tensor.slots import Slots
from dlpack_bindgen.tensor.strides import EachStrides, StridesValue
from dlpack_bindgen.text.literals import joined

_MANY = 4
"""The largest number of dtypes that is listed."""
_MADE = {
    "never": "that shows the memory of x, without a copy",
    "allowed": "that shows the memory of x, or of a copy",
    "always": "with a copy of x",
}
_EXPORTED = {
    "never": "Data in a layout that DLPack cannot describe is refused.",
    "allowed": "Data in a layout that DLPack cannot describe is copied for the consumer.",
    "always": "Each consumer gets a copy of the data.",
}
SHARED = ", shared through DLPack"


def class_doc(item: Item) -> str:
    if item.doc:
        return item.doc
    if not isinstance(item, Tensor):
        return f"The C library's {item.type}."
    return f"{item.type}{SHARED if record_of(item) is None else ', an array of records'}."


def owning(item: Item, made: str) -> str:
    """Describes the ownership of the caller's object after `made` is made from it."""
    if item.release is None:
        return f"Makes {made} that borrows `self`. `self` must outlive it."
    if item.retain is not None:
        return f"Makes {made} with a reference of its own to `self`. The caller keeps its reference."
    if item.clone is not None:
        return f"Makes {made} with a clone of `self`. The caller keeps `self`."
    return f"Moves `self` into {made}. `{item.release}` is called when its last share is dropped."


def params(names: Sequence[str]) -> str:
    """Returns the names of params in a sentence."""
    quoted = [f"`{name}`" for name in names]
    return " and ".join(filter(None, [", ".join(quoted[:-1]), *quoted[-1:]]))


def copies_of_exports(tensor: Tensor) -> list[str]:
    """Returns sentences about copies that consumers get."""
    has_strides = any(slots.strides is not None for slots in all_slots(tensor))
    found = [_EXPORTED[tensor.copy]] if has_strides or tensor.copy != "never" else []
    of_old = "Consumers of DLPack before 1.0 get a writable copy of read-only data."
    return [*found, of_old] if tensor.legacy_readonly == "copy" else found


# ---- Description of an array ----


def summary(tensor: Tensor) -> str:
    """Describes the array: `is uint8[height, width, channels] on the CPU`."""
    layout = [*_order(tensor), *_rows(tensor)]
    return ", ".join([_array(tensor), *layout, ""] if layout else [_array(tensor)]).rstrip() + f" on {_device(tensor)}"


def chooser(tensor: Tensor, slot: str) -> str | None:
    """Returns the expression by which a match decides the slot."""
    match = next((match for match in tensor.matches if slot in match.slots), None)
    return None if match is None else ", ".join(_short(of) for of in match.of)


def _array(tensor: Tensor) -> str:
    by = chooser(tensor, "shape")
    shapes = [shape for slots in all_slots(tensor) for shape in alternatives(slots.shape)]
    listed = [shape for shape in shapes if shape.rank is not None]
    each = next((shape for shape in shapes if shape.rank is None), None)
    if by is None and len(shapes) == len(listed) == 1:
        extents = f"[{', '.join(_short(extent) for extent in listed[0].extents)}]"
        plain = chooser(tensor, "dtype") is None and _dtypes(tensor)
        return f"is {plain}{extents}" if plain else f"is {extents} of {_dtype(tensor)}"
    if each is not None and len(shapes) == 1:
        return f"has `{_short(each.ndim)}` axes of {_dtype(tensor)}"
    ranks_of = sorted({shape.rank for shape in listed})
    axes = f"{joined(list(map(str, ranks_of)))} axes" if ranks_of and each is None else "axes"
    chosen = f" (by `{by}`)" if by is not None and by != chooser(tensor, "dtype") else ""
    return f"has {axes}{chosen} of {_dtype(tensor)}"


def _dtype(tensor: Tensor) -> str:
    by = chooser(tensor, "dtype")
    names = _dtypes(tensor)
    if by is None:
        return names or "the dtype that the struct says"
    return f"{names} (by `{by}`)" if names else f"the dtype that `{by}` says"


def _dtypes(tensor: Tensor) -> str:
    """Returns the dtypes in words if the spec lists only a few."""
    names = list(dict.fromkeys(each.words for each in outcomes(tensor, "dtype")))
    return joined(names) if None not in names and len(names) <= _MANY else ""


def _order(tensor: Tensor) -> list[str]:
    orders = {str(order) for order in outcomes(tensor, "order")}
    return [ORDERS[orders.pop()]] if len(orders) == 1 and orders <= ORDERS.keys() else []


def _rows(tensor: Tensor) -> list[str]:
    strides = tensor.slots.strides
    words = strides.words if isinstance(strides, StridesValue) else None
    return [_short(words)] if words is not None else []


def _device(tensor: Tensor) -> str:
    by = chooser(tensor, "device")
    if by is not None:
        return f"the device that `{by}` says"
    return joined(_devices(tensor))


def _devices(tensor: Tensor) -> list[str]:
    return list(dict.fromkeys(device.words for device in outcomes(tensor, "device")))


def _short(expression: str) -> str:
    return expression.replace("self->", "").replace("self.", "")


# ---- Imported arrays ----


def made_of_arrays(item: Item) -> Tensor:
    """Returns the tensor whose arrays are imported.

    A handle has no slots: it accepts every array that passes its `require`.
    """
    if isinstance(item, Tensor):
        return item
    slots = Slots(dtype=DecodedDType("", "", ""), shape=EachShape("", ""), strides=EachStrides(""))
    return Tensor(item.name, item.type, slots=slots, by_value=item.by_value, release=item.release, import_=item.import_)


def taken(tensor: Tensor, made: Import) -> str:
    """Returns the layouts that are used without a copy, those that are copied, and the dtypes that are converted."""
    sentences = [accepted(tensor, made.require)]
    if made.copy == "allowed":
        others = "arrays in another layout or alignment"
        copied = f"read-only arrays and {others}" if made.require.writable else others
        sentences.append(f"On the CPU, {copied} are copied.")
    if made.cast is not None:
        sentences.append(f"{converted(made.cast).capitalize()}.")
    return " ".join(sentences)


def accepted(tensor: Tensor, require: Requirements) -> str:
    """Returns a sentence about accepted arrays."""
    dtypes = joined(require.dtypes) or _dtypes(tensor)
    low, high = ranks(tensor, require)
    layout = layouts(tensor, require)
    words = words_of_layout(layout, require.align)
    first = [*(["writable"] if "DLB_WRITABLE" in layout else []), *([dtypes] if dtypes else [])]
    device = joined(_devices(tensor))
    taken = f"{' '.join([*first, 'arrays'])}{axes(low, high)} on {device}"
    return f"Takes {', '.join([taken, *words])}."


# ---- Python ----


def default_dtype(tensor: Tensor | None) -> str | None:
    """Returns the default dtype of `empty()` as Python shows it."""
    if tensor is None:
        return None
    if tensor.allocate is not None and tensor.allocate.require.dtypes:
        return repr(tensor.allocate.require.dtypes[0])
    dtypes = alternatives(tensor.slots.dtype)
    return dtypes[0].default if len(dtypes) == 1 and chooser(tensor, "dtype") is None else None


def empty_summary(tensor: Tensor | None) -> str:
    """Returns the sentence about the objects that `empty` makes."""
    if tensor is not None and tensor.type == "dlb_array":
        return "A new array of that shape, whose elements are 0."
    return "A new object of that shape, made by the library; its elements are what the library leaves there."


def from_paragraphs(item: Item) -> list[str]:
    """Returns the paragraphs of the docstring of `from_dlpack`: about the objects, and about the arrays."""
    made = item.import_
    if made is None:
        return [f"An object {_MADE['never']}."]
    return [f"An object {_MADE[made.copy]}.", taken(made_of_arrays(item), made)]
