"""Expansion of `variants` and `arrays`, before the reader sees the nodes."""

from __future__ import annotations

import re
from dataclasses import replace

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import Record
from dlpack_bindgen.text.diagnostics import (
    Diagnostic,
    Note,
    Report,
    Reporting,
    Span,
    UnknownName,
    Variant,
    closest,
    listed,
    shown,
)
from dlpack_bindgen.text.names import is_identifier
from dlpack_bindgen.text.yaml import Broken, Mapping, Node, Scalar, Sequence, load

# ---- Expansion of `variants`: one tensor node becomes several nodes, before the reader sees them ----
# The copies keep the places of their originals. Messages about a copy thus point into the file.

MAX_VARIANTS = 1000
MAX_TEXT = 4 * 1024 * 1024
"""The limit of all variants of a spec together, in characters. It keeps a small file from becoming gigabytes."""

_SUBSTITUTION = r"\$\{([^{}]*)\}?"
_VARIANTS = "variants"

Entry = tuple[Scalar, Node]


class _Variant(Frozen):
    place: Variant
    replaces: dict[str, Entry]
    """The keys of the tensor that this variant sets or replaces."""
    strings: dict[str, str]
    """The replacement of each `${KEY}`."""


def expand_variants(root: Mapping, tensor: Record, report: Report) -> Mapping:
    """Returns `root` with one tensor for each variant. Omits a tensor with mistakes in its `variants`.

    `tensor` declares the keys of tensors.
    """
    return _Expander(tensor, report).root(root)


class _Expander(Reporting):
    def __init__(self, tensor: Record, report: Report) -> None:
        self._keys = frozenset(key.name for key in tensor.keys)
        self._emit = report
        self._left = MAX_TEXT

    def root(self, root: Mapping) -> Mapping:
        return replace(root, entries=tuple((key, self._tensors(key, value)) for key, value in root.entries))

    def _tensors(self, key: Scalar, value: Node) -> Node:
        if key.text != "tensors" or not isinstance(value, Mapping):
            return value
        entries: list[Entry] = []
        for name, tensor in value.entries:
            listed = _find(tensor, _VARIANTS) if isinstance(tensor, Mapping) else None
            if listed is None or not isinstance(tensor, Mapping):
                entries.append((name, tensor))
            else:
                entries += self._expanded(name, tensor, *listed)
        if value.entries and not entries:
            return Broken(value.span)
        return replace(value, entries=tuple(entries))

    def _expanded(self, name: Scalar, tensor: Mapping, key: Scalar, listed: Node) -> list[Entry]:
        variants = self._variants(listed)
        if not variants:
            return []
        self._unused(name, tensor, listed, variants[0])
        self._left -= sum(_size(value) for _, value in tensor.entries if value is not listed) * len(variants)
        if self._left < 0:
            message = f"all variants together have more than {MAX_TEXT // 1024 // 1024} MiB of text"
            self._report("variants-too-large", key.span, message)
            return []
        if (
            len(variants) > 1
            and not self._unknown(name, variants[0])
            and self._text(name, variants[0]) == self._text(name, variants[1])
        ):
            message = f"all variants of '{shown(name.text)}' have the same name"
            self._report("variant-keys", name.span, message, "put a ${KEY} of the variants into the name")
            return []
        return [entry for variant in variants for entry in self._copy(name, tensor, variant)]

    def _variants(self, listed: Node) -> list[_Variant]:
        """Returns the variants of a list, or an empty list after a mistake."""
        if isinstance(listed, Broken):
            return []
        if not isinstance(listed, Sequence) or not 1 <= len(listed.items) <= MAX_VARIANTS:
            message = f"expected a list of variants, from 1 to {MAX_VARIANTS}: [{{KEY: VALUE, ...}}, ...]"
            self._report("wrong-type" if not isinstance(listed, Sequence) else "wrong-length", listed.span, message)
            return []
        found = [self._variant(item, len(listed.items)) for item in listed.items]
        if not all(found) or not self._same_keys(listed):
            return []
        return [variant for variant in found if variant]

    def _variant(self, item: Node, count: int) -> _Variant | None:
        if not isinstance(item, Mapping):
            if not isinstance(item, Broken):
                self._report("wrong-type", item.span, "expected a variant: a mapping {KEY: VALUE, ...}")
            return None
        span = item.span
        variant = _Variant(Variant(span.file, span.line, span.column, span.length, count), {}, {})
        sound = True
        for key, value in item.entries:
            if key.text in self._keys and key.text != _VARIANTS:
                variant.replaces[key.text] = (key, value)
            elif not is_identifier(key.text) or key.text == _VARIANTS:
                message = f"'{shown(key.text)}' is neither a key of a tensor nor the name of a '${{NAME}}'"
                self._report("variant-keys", key.span, message)
                sound = False
            elif isinstance(value, Scalar) and "${" not in value.text:
                variant.strings[key.text] = value.text
            else:
                sound = False
                if not isinstance(value, Broken):
                    message = f"'${{{key.text}}}' stands for a single value, in which nothing is replaced"
                    self._report("variant-keys", value.span, message)
        return variant if sound else None

    def _same_keys(self, listed: Sequence) -> bool:
        mappings = [item for item in listed.items if isinstance(item, Mapping)]
        expected = {key.text for key, _ in mappings[0].entries if key.text not in self._keys} if mappings else set()
        same = True
        for item in mappings[1:]:
            own = {key.text: key for key, _ in item.entries if key.text not in self._keys}
            for name in sorted(expected.symmetric_difference(own)):
                message = f"the first variant sets '{shown(name)}', and this one does not"
                if name in own:
                    message = f"this variant sets '{shown(name)}', and the first one does not"
                notes = (Note(mappings[0].span, "the first variant"),)
                self._report("variant-keys", own[name].span if name in own else item.span, message, None, notes)
                same = False
        return same

    def _unused(self, name: Scalar, tensor: Mapping, listed: Node, variant: _Variant) -> None:
        """Reports an unused key of a variant that resembles a key of a tensor. It is probably misspelled."""
        mentioned = set(_mentions(name))
        for key, value in [*tensor.entries, *variant.replaces.values()]:
            mentioned.update(_mentions(key))
            if value is not listed:
                mentioned.update(_mentions(value))
        for item in listed.items[:1] if isinstance(listed, Sequence) else ():
            for key, _ in item.entries if isinstance(item, Mapping) else ():
                meant = closest(key.text, self._keys) if key.text not in self._keys | mentioned else None
                if meant:
                    message = f"'{shown(key.text)}' is not a key of a tensor, and there is no '${{{shown(key.text)}}}'"
                    self._report("variant-keys", key.span, message, f"did you mean '{meant}'?")

    def _copy(self, name: Scalar, tensor: Mapping, variant: _Variant) -> list[Entry]:
        added = [entry for text, entry in variant.replaces.items() if _find(tensor, text) is None]
        entries = tuple(
            (self._scalar(key, variant), self._node(value, variant))
            for key, value in [
                *(
                    variant.replaces.get(key.text, (key, value))
                    for key, value in tensor.entries
                    if key.text != _VARIANTS
                ),
                *added,
            ]
        )
        copied = self._scalar(name, variant, name=True)
        return [] if copied is None else [(copied, Mapping(_sound(entries), _within(tensor.span, variant)))]

    def _node(self, node: Node, variant: _Variant) -> Node:
        span = _within(node.span, variant)
        if isinstance(node, Scalar):
            return self._scalar(node, variant) or Broken(span)
        if isinstance(node, Sequence):
            return Sequence(tuple(self._node(item, variant) for item in node.items), span)
        if isinstance(node, Mapping):
            entries = tuple((self._scalar(key, variant), self._node(value, variant)) for key, value in node.entries)
            return Mapping(_sound(entries), span)
        return Broken(span)

    def _scalar(self, node: Scalar, variant: _Variant, name: bool = False) -> Scalar | None:
        """Returns a scalar with all substitutions made. Reports an unknown `${KEY}` and returns None."""
        span = _within(node.span, variant)
        unknown = self._unknown(node, variant)
        if not unknown:
            # A value that becomes empty by substitution counts as given.
            return Scalar(self._text(node, variant), span, node.plain and "${" not in node.text)
        known = listed([*variant.strings])
        message = f"no variant sets '{shown(unknown[0])}': they set {known or 'no such name'}"
        facts = UnknownName(unknown[0], variant.strings)
        self._emit(Diagnostic("variant-substitution", span, message, facts=facts))
        return None

    def _unknown(self, node: Scalar, variant: _Variant) -> list[str]:
        return [name for name in _mentions(node) if name not in variant.strings]

    def _text(self, node: Scalar, variant: _Variant) -> str:
        if "${" not in node.text:
            return node.text
        return re.sub(_SUBSTITUTION, lambda match: variant.strings.get(match[1], match[0]), node.text)


def are_whole(node: Node) -> bool:
    """Returns whether the node is a mapping from names to records that need no expansion of `variants`."""
    inner = [value for _, value in node.entries] if isinstance(node, Mapping) else []
    keys = [key.text for value in inner if isinstance(value, Mapping) for key, _ in value.entries]
    return bool(keys) and all(isinstance(value, Mapping) for value in inner) and _VARIANTS not in keys


def _find(mapping: Mapping, name: str) -> Entry | None:
    return next((entry for entry in mapping.entries if entry[0].text == name), None)


def _sound(entries: tuple[tuple[Scalar | None, Node], ...]) -> tuple[Entry, ...]:
    return tuple((key, value) for key, value in entries if key is not None)


def _within(span: Span, variant: _Variant) -> Span:
    return replace(span, variant=variant.place)


def _mentions(node: Node) -> list[str]:
    """Returns the names of all `${...}` in `node`, at any depth."""
    if isinstance(node, Scalar):
        return re.findall(_SUBSTITUTION, node.text) if "${" in node.text else []
    if isinstance(node, Sequence):
        return [name for item in node.items for name in _mentions(item)]
    if isinstance(node, Mapping):
        return [name for entry in node.entries for part in entry for name in _mentions(part)]
    return []


def _size(node: Node) -> int:
    if isinstance(node, Scalar):
        return len(node.text) + 16
    if isinstance(node, Sequence):
        return 16 + sum(_size(item) for item in node.items)
    if isinstance(node, Mapping):
        return 16 + sum(_size(key) + _size(value) for key, value in node.entries)
    return 16


# ---- Expansion of `arrays: NAME` to a tensor with the runtime's struct ----
# It precedes all other reading.

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


def expand_arrays(root: Mapping, report: Report) -> Mapping:
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
