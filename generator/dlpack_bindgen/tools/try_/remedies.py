"""Remedies: the changes of a spec that a finding proposes."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text.yaml import Mapping, Node, Scalar, Sequence, load


class Remedy(Frozen):
    """A proposal to the user: a new value for a key of the spec, or advice in words."""

    text: str
    """The line of the report. For a new value, it begins with the key and this value."""
    key: str = ""
    """The key that gets the value; empty for advice, and if the user must choose a part of the value."""
    value: str = ""
    """The value in YAML."""
    where: tuple[str, ...] = ()
    """The keys from the function or the class of the finding to the changed key: none, `args`, or `import`."""
    of: str = ""
    """The function to change; empty: that of the finding."""

    @property
    def yaml(self) -> str:
        return f"{self.key}: {self.value}"

    @property
    def node(self) -> Node | None:
        return load("", self.yaml.encode()).root


def change(key: str, value: str, after: str = "", where: tuple[str, ...] = (), of: str = "") -> Remedy:
    """Returns the change of a key. `after`: the words behind it, such as `, if C counts bytes`."""
    return Remedy(f"{key}: {value}{f' of {of}' if of else ''}{after}", key, value, where, of)


def in_args(argument: str, value: str, after: str = "", of: str = "") -> Remedy:
    """Returns a change of `args`, with one argument: `args: {g: {takes: true}}`."""
    return change("args", f"{{{argument}: {value}}}", after, of=of)


def of_argument(argument: str, value: str, after: str = "") -> Remedy:
    """Returns a change of an argument: `n: {count_of: x}`."""
    return change(argument, value, after, ("args",))


def says(spec: Node | None, wanted: Node | None) -> bool:
    """Returns whether a node of a spec has all that another one has."""
    if isinstance(wanted, Mapping) and isinstance(spec, Mapping):
        entries = {key.text: value for key, value in spec.entries if isinstance(key, Scalar)}
        return all(
            isinstance(key, Scalar) and key.text in entries and says(entries[key.text], value)
            for key, value in wanted.entries
        )
    if isinstance(wanted, Sequence) and isinstance(spec, Sequence):
        return all(any(says(each, item) for each in spec.items) for item in wanted.items)
    return isinstance(wanted, Scalar) and isinstance(spec, Scalar) and wanted.text == spec.text


def member(node: Node | None, *path: str) -> Node | None:
    """Returns the value of a key of keys; None: the spec has no such key."""
    for name in path:
        entries = node.entries if isinstance(node, Mapping) else ()
        node = next((value for key, value in entries if isinstance(key, Scalar) and key.text == name), None)
    return node
