"""Classes of other modules."""

from __future__ import annotations

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.keys import Form, Key, Single
from dlpack_bindgen.language.values import Fields, Leaf, text_of
from dlpack_bindgen.tensor.item import External, Item
from dlpack_bindgen.tensor.slot import Scope
from dlpack_bindgen.text.diagnostics import Diagnostic, Report
from dlpack_bindgen.text.literals import c_string, comment_lines
from dlpack_bindgen.text.types import plain_type

FROM = Key[Leaf](
    "from",
    Single(Form.ORIGIN),
    "The module of Python that has the class: `package.module`, or `.module` in the package of this "
    "module. `module:Name` if the class has another name there. Functions take and return its objects.",
    default="it is a class of this module",
    details=(
        "The class may be a tensor or a handle there. Functions of this module get its C object, not its array.",
        "The other module is imported at the first use. It must be generated too, and must write `type` "
        "and `pass` in the same way.",
        "Only `type`, `pass`, `doc` and `if` may stand beside it: the other module has everything else.",
    ),
    after="type",
)


# ---- Rules for classes of other modules (`from`) ----

_OWN_KEYS = ("type", "from", "pass", "doc", "if")
"""The keys about the use of the class in this module."""


def check_external_classes(name: Leaf, fields: Fields, report: Report) -> None:
    """Reports keys that belong to the spec of the other module."""
    origin = fields[FROM]
    if origin is None:
        return
    for key, span in fields.given.items():
        if key not in _OWN_KEYS:
            message = f"'{name.text}' is a class of '{origin.text}', whose spec has its '{key}'"
            report(Diagnostic("without-effect", span, message, "leave it out"))


def read_external(name: str, fields: Fields) -> External | None:
    origin = text_of(fields[FROM])
    if origin is None:
        return None
    module, _, named = origin.partition(":")
    return External(module, named or name)


# ---- The type of this module that stands for a class of another module ----


class ExternalClass(Frozen):
    """A class of another module, in C and in the stub."""

    item: Item
    origin: External
    scope: Scope

    @property
    def full_name(self) -> str:
        return f"{self.origin.module.lstrip('.')}.{self.origin.name}"

    @property
    def comment(self) -> tuple[str, ...]:
        return comment_lines(f"{self.item.name}: {self.item.doc or f'objects of {self.full_name}.'}")

    @property
    def class_name(self) -> str:
        """Returns the initialisers of the constant that names the class."""
        return ", ".join(map(c_string, (self.origin.module, self.origin.name, plain_type(self.item.type))))

    @property
    def imported(self) -> str:
        """Returns the name in an import of the stub."""
        name = self.origin.name
        return f"{name} as {self.item.name}" if name != self.item.name else name

    @property
    def type_members(self) -> list[str]:
        """Returns the members of the `dlb_type`."""
        external = f".external = &{self.scope.hook('external')}"
        names = [f".name = {c_string(self.full_name)}", *self.scope.members_of_type]
        return [*names, ".release_on = DLB_RELEASE_GIL", ".writable = 1", external]
