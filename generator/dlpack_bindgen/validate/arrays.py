"""Expansion of `arrays: NAME` to a tensor with the runtime's struct. It precedes all other reading."""

from __future__ import annotations

from dataclasses import replace

from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, Span
from dlpack_bindgen.text.yaml import Mapping, Node, Scalar, Sequence, load

HEADER = '"dlb_array.h"'

_TENSOR = b"""
type: dlb_array
doc: An array that a function has made.
data: self->data
dtype: {code: self->dtype.code, bits: self->dtype.bits, lanes: self->dtype.lanes}
shape: {ndim: self->ndim, each: "self->shape[axis]"}
strides: {each: "self->strides[axis]", unit: elements, compact_when: self->strides == NULL}
release: dlb_array_free(self)
allocate: {construct: "dlb_array_new(ndim, shape, dtype)", ok: "!= NULL", error: '"no memory"'}
import:
  box: dlb_array_box
  set:
    data: data
    dtype: dtype
    ndim: ndim
    shape: ((dlb_array_box *)self)->shape
    strides: ((dlb_array_box *)self)->strides
    "shape[axis]": "shape[axis]"
    "strides[axis]": "strides[axis]"
"""
"""The tensor that describes `dlb_array` of `dlb_array.h`."""


def expand(root: Mapping, report: Report) -> Mapping:
    """Returns `root` with the tensor that `arrays` names. All nodes of the tensor have the place of `arrays`.

    Reports a tensor of the spec that has this name already.
    """
    named = next((value for key, value in root.entries if key.text == "arrays"), None)
    tensors = next((value for key, value in root.entries if key.text == "tensors"), None)
    is_empty = isinstance(tensors, Mapping) and not tensors.entries  # reported by the reader
    if not isinstance(named, Scalar) or is_empty:
        return root
    known = {key.text: key for key, _ in tensors.entries} if isinstance(tensors, Mapping) else {}
    if named.text in known:
        notes = (Note(known[named.text].span, "the tensor"),)
        message = f"'{named.text}' is a tensor of the spec, and new arrays have a class of their own"
        report(Diagnostic("duplicate-name", named.span, message, notes=notes))
        return root
    tensor = load("", _TENSOR).root
    assert tensor is not None
    entry = (named, _placed(tensor, named.span))
    if isinstance(tensors, Mapping):
        added = replace(tensors, entries=(*tensors.entries, entry))
        return replace(root, entries=tuple((key, added if value is tensors else value) for key, value in root.entries))
    table = Scalar("tensors", named.span, True), Mapping((entry,), named.span)
    return replace(root, entries=(*root.entries, table)) if tensors is None else root


def _placed(node: Node, span: Span) -> Node:
    if isinstance(node, Mapping):
        entries = tuple((replace(key, span=span), _placed(value, span)) for key, value in node.entries)
        return replace(node, entries=entries, span=span)
    if isinstance(node, Sequence):
        return replace(node, items=tuple(_placed(item, span) for item in node.items), span=span)
    return replace(node, span=span)
