"""The keys that create objects, `allocate` and `import`. `imports/` declares the keys of each part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dlpack_bindgen.hooks.hook import NEEDS_RELEASE
from dlpack_bindgen.imports.cast import COPY_OF_IMPORT
from dlpack_bindgen.imports.part import PARAMS_OF_MAKING, REQUIRE_OF_MAKING
from dlpack_bindgen.imports.parts import PARTS
from dlpack_bindgen.language.kinds import Key, Needs, Record, ordered_as, with_added
from dlpack_bindgen.language.requirements import REQUIREMENTS
from dlpack_bindgen.language.steps import ERROR, OK_OF_MAKING
from dlpack_bindgen.language.values import Fields


def _of_call(key: Key, call: str) -> Key:
    return replace(key, needs=Needs(("construct", "init"), call))


IMPORT = Record(
    what="an import",
    doc="Creates an object around the memory of a foreign array. In scope are `data`, `ndim`, `shape[]`, `strides[]` "
    "(in elements), `byte_strides[]`, `dtype` (a `DLDataType`), `itemsize`, `nbytes`, `readonly`, `device_id`, `code` "
    "and `device_code`. The arrays `shape`, `strides` and `byte_strides` are valid only until the object is created: "
    "the object must not store their addresses.",
    keys=with_added(
        (
            replace(
                PARAMS_OF_MAKING,
                doc="Further keyword arguments of `from_dlpack`. They are the last arguments of the C function "
                "that imports.",
                details=(
                    "A param with the C type of a class, such as `ctx *c`, takes an object of that class. The "
                    "new object keeps it alive.",
                    "A param that is any other address can be passed only from C. A call from Python uses the "
                    "default of the param, and fails without a default.",
                    "A function that takes an object of the class takes an array, too, if the call has the params. The "
                    "argument of the same name and C type is the param. Without such an argument, it is the object of "
                    "a method, if that has the C type. Otherwise it is the param of another object: of the object of "
                    "a method, or of all objects that have one, which must be equal.",
                ),
            ),
            replace(
                REQUIRE_OF_MAKING,
                kind=REQUIREMENTS,
                doc="Requirements on the foreign array, beside those that follow from the slots.",
            ),
            _of_call(OK_OF_MAKING, "it applies to that call"),
            _of_call(ERROR, "it applies to that call"),
            COPY_OF_IMPORT,
        ),
        (key for part in PARTS for key in part.keys),
    ),
    one_of=("set", "init", "construct"),
    exclusive=(("deleter", "attach"),),
)

ALLOCATE = Record(
    what="an allocation",
    doc="A call that creates an object with new memory. In scope are `shape[]`, `ndim`, `dtype` (a `DLDataType`), "
    "`itemsize`, `nbytes` and `code`.",
    keys=ordered_as(
        IMPORT,
        (
            PARAMS_OF_MAKING,
            REQUIRE_OF_MAKING,
            _of_call(OK_OF_MAKING, "it applies to that call"),
            _of_call(ERROR, "it applies to that call"),
            *(key for part in PARTS if part.is_of_allocations for key in part.keys),
        ),
    ),
    one_of=("init", "construct"),
)

ALLOCATE_OF_TENSOR = Key[Fields](
    "allocate", ALLOCATE, "Creates new objects: `Name.empty(shape)` in Python.", needs=NEEDS_RELEASE
)
IMPORT_OF_CLASS = Key[Fields](
    "import",
    IMPORT,
    "Creates objects from foreign arrays: `Name.from_dlpack(x)` in Python.",
    default="export only",
)


def factories_of(entry: Fields) -> Iterator[tuple[str, Fields]]:
    """Yields `import` and `allocate`, if the class has them, each with its key."""
    for key in (IMPORT_OF_CLASS, ALLOCATE_OF_TENSOR):
        if (making := entry[key]) is not None:
            yield key.name, making
