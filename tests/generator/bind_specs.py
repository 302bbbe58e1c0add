"""Specs with the changes of a test, and the lines of C of their modules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from dlpack_bindgen.classes.emitted_class import EmittedClass
from dlpack_bindgen.emit.clang_format import LINE, LINE_END
from dlpack_bindgen.emit.module import Module
from dlpack_bindgen.emit.render import environment_of_templates
from dlpack_bindgen.spec.spec import Spec
from dlpack_bindgen.tensor.dtype import DType, NamedDType
from dlpack_bindgen.tensor.factory import Factory
from dlpack_bindgen.tensor.item import Handle, Import, SetFields, Tensor
from dlpack_bindgen.tensor.parts import Parts
from dlpack_bindgen.tensor.shape import ListedShape
from dlpack_bindgen.tensor.slot import Conditional
from dlpack_bindgen.tensor.slots import Arm, Match, Slots

UINT8, FLOAT32, FLOAT64 = NamedDType("uint8"), NamedDType("float32"), NamedDType("float64")
SLOTS = Slots(dtype=UINT8, shape=ListedShape(("self->height", "self->width")), data="self->pixels")
TENSOR = Tensor(name="Image", type="image_t", slots=SLOTS)
SET = SetFields((("n", "shape[0]"),))
_WHOLE = re.compile(rf"{LINE}\((.*) {LINE_END}\);?")
_FUNCTIONS: dict[type[object], str] = {
    EmittedClass: """
{% import "tensor/steps.c.j2" as steps %}{% if b.describe %}{{ steps.function(b.describe) }}{% endif %}
{% for _, each in b.hooks %}{{ steps.function(each) }}{% endfor %}""",
    Factory: '{% import "tensor/factory.c.j2" as factory %}{{ factory.functions(b) }}',
    Parts: '{% import "tensor/lifetime_hooks.c.j2" as hooks %}{{ hooks.count_parts(b) }}',
}
_HEAD = r"(?:(?P<strict>DLB_STRICT_(?:NONNEGATIVE_)?BEGIN)\n)?(?P<head>static .*\))\n\{\n"
_NEXT = r"\s*(?:DLB_STRICT_END\s*)?(?:\Z|DLB_STRICT_\w*BEGIN\n|static .*\)\n\{)"
_FUNCTION = re.compile(rf"^{_HEAD}(?P<body>(?:.*\n)*?)\}}\n(?={_NEXT})", re.M)
_LABEL = re.compile(r" ?/\* \w+(\.[\w\[\]]+)+ \*/")


def spec(*tensors: Tensor, handles: tuple[Handle, ...] = ()) -> Spec:
    return Spec("imaging.yaml", "imaging", "img", "MIT-0", None, ('"image.h"',), tensors, handles)


def tensor(slots: dict[str, object] | None = None, **changes: object) -> Tensor:
    """Makes a tensor; `slots` changes the slots outside of its matches."""
    beside = replace(SLOTS, **(slots or {}))  # type: ignore[arg-type]
    return replace(TENSOR, **{"slots": beside, **changes})  # type: ignore[arg-type]


def binding(*tensors: Tensor, handles: tuple[Handle, ...] = ()) -> Module:
    return Module(spec(*tensors, handles=handles))


def bound(slots: dict[str, object] | None = None, **changes: object) -> EmittedClass:
    return binding(tensor(slots, **changes)).classes[0]


def code(lines: Iterable[str]) -> list[str]:
    """Returns the lines without assertions, labels, comments for the formatter and empty lines."""
    stripped = (_LABEL.sub("", _WHOLE.sub(r"\1", line)) for line in lines)
    return [line for line in stripped if line and not line.startswith("DLB_ASSERT")]


class Printed(NamedTuple):
    """A function as the templates print it."""

    head: str
    lines: tuple[str, ...]
    strict: str | None


def printed(of: EmittedClass | Factory | Parts) -> list[Printed]:
    """Prints the functions of a class, of a factory or of the parts of an object."""
    template = environment_of_templates().from_string(_FUNCTIONS[type(of)])
    found = _FUNCTION.finditer(template.render(b=of))
    return [Printed(each["head"], tuple(each["body"].split("\n")[:-1]), each["strict"]) for each in found]


def members(of: Factory) -> tuple[str, ...]:
    """Returns the members of the `dlb_factory`."""
    template = environment_of_templates().from_string(
        '{% import "tensor/factory.c.j2" as factory %}{{ factory.table(b) }}'
    )
    return tuple(line.strip().removesuffix(",") for line in template.render(b=of).splitlines()[1:-1])


def described(slots: dict[str, object] | None = None, **changes: object) -> list[str]:
    """Returns the code of the description, from the first slot on if nothing comes before it."""
    return code(function(bound(slots, **changes), "describe").lines)


def function(found: EmittedClass | Factory | None, name: str) -> Printed:
    """Returns the function whose name ends with `name`."""
    assert found is not None
    return next(each for each in printed(found) if re.search(rf"_{name}\(", each.head))


def requirements(of: Factory) -> tuple[str, ...]:
    """Returns the members of the requirements of a factory."""
    assert of.requirements is not None
    return of.requirements.entries


def factory(slots: dict[str, object] | None = None, *, made: Import, **changes: object) -> Factory:
    found = bound(slots, import_=made, **changes).importer
    assert found is not None
    return found


def made(made: Import, slots: dict[str, object] | None = None, **changes: object) -> list[str]:
    """Returns the code of the import."""
    return code(function(factory(slots, made=made, **changes), "import").lines)


def either(first: object, second: object, condition: str = "defined(FIRST)") -> Conditional[object]:
    return Conditional(((condition, first),), second)


def by_dtype(*dtypes: DType, of: str = "self->type", default: Slots | None = None) -> Match:
    """Makes a match that sets the dtype, with the keys KEY0, KEY1, ..."""
    return Match((of,), tuple(Arm(((f"KEY{i}",),), Slots(dtype=dtype)) for i, dtype in enumerate(dtypes)), default)
