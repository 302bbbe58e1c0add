"""The parts of an import in their order, with the keys `import` and `allocate`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from dlpack_bindgen.language.keys import EXPRESSION, Key, Needs, Record, ordered_as, with_added
from dlpack_bindgen.language.values import Fields, Leaf, text_of
from dlpack_bindgen.tensor import import_set, steps
from dlpack_bindgen.tensor.import_calls import (
    ATTACH,
    DELETER,
    DETACH,
    INIT_OF_MAKING,
    AttachPart,
    ConstructPart,
    DeleterPart,
    DestroyPart,
    InitPart,
    read_attach,
    read_construct,
    read_deleter,
    read_destroy,
    read_init,
)
from dlpack_bindgen.tensor.import_parts import (
    BOX,
    LET_OF_MAKING,
    PARAMS_OF_MAKING,
    REQUIRE_OF_MAKING,
    ArraysPart,
    BoxPart,
    Part,
)
from dlpack_bindgen.tensor.import_set import CONST, SET_OF_IMPORT
from dlpack_bindgen.tensor.item import Allocate, Construct, Import, Init
from dlpack_bindgen.tensor.lifetime_hooks import NEEDS_RELEASE
from dlpack_bindgen.tensor.requirements import CAST, COPY, ERROR, REQUIREMENTS, Cast, Copy, requirements
from dlpack_bindgen.tensor.steps import OK_OF_MAKING, declared_in
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic
from dlpack_bindgen.text.names import WORDS_OF_MAKING

# ---- `cast`: arrays of other dtypes are converted while they are copied ----

COPY_OF_IMPORT = Key[Leaf]("copy", COPY, "Whether an array that does not meet `require` is copied.", default="`never`")
CAST_OF_IMPORT = Key[Leaf](
    "cast",
    CAST,
    "Whether an array of another dtype is converted. The object gets a converted copy. The words are those of "
    "`numpy.can_cast()`.",
    default="another dtype is refused",
    details=(
        "It needs `copy: allowed` or `copy: always`. `from_dlpack(x, copy=False)` converts nothing.",
        "A value that the new dtype cannot hold raises a ValueError.",
        "If the class has several dtypes, the first one to which the dtype can be converted is used.",
        "A function that takes an object of the class takes such an array, too, unless C writes to the object: "
        "nothing is converted back.",
    ),
    after="copy",
)


class CastPart(Part):
    keys = (CAST_OF_IMPORT,)

    def problems(self, making: Fields) -> Iterator[Diagnostic]:
        """Yields a `cast` beside which no array is copied."""
        shares = COPY_OF_IMPORT not in making or text_of(making[COPY_OF_IMPORT]) == "never"
        if making[CAST_OF_IMPORT] is not None and shares:
            message = "a converted array is a copy, and this import copies no arrays"
            hint = "add 'copy: allowed', or leave 'cast' out"
            yield Diagnostic("without-effect", making.place(CAST_OF_IMPORT), message, hint)


# ---- `stream`: the stream on which the library works on the array ----

STREAM_OF_IMPORT = Key[Leaf](
    "stream",
    EXPRESSION,
    "The stream on which the library works on the array, a handle or an integer. The producer makes the data "
    "ready for this stream. Only `params` are in scope.",
    default="the default stream of the device; or the keyword `stream` of `from_dlpack`",
    details=(
        "It becomes the argument `stream` of `__dlpack__` of the producer, as an `intptr_t`. A handle of 0 is "
        "the default stream of the device: on CUDA, the producer gets 1.",
        "A producer on a device without streams, such as the CPU, does not get it.",
    ),
    after="cast",
)


class StreamPart(Part):
    keys = (STREAM_OF_IMPORT,)

    def problems(self, making: Fields) -> Iterator[Diagnostic]:
        """Yields variables that have no value yet when the producer is called."""
        if (stream := making[STREAM_OF_IMPORT]) is None:
            return
        steps = let.items if (let := making[LET_OF_MAKING]) else ()
        later = WORDS_OF_MAKING | {declared.name for step in steps if (declared := declared_in(step))}
        for name in sorted(later.intersection(ctext.names(stream.text))):
            message = f"'{name}' is not known yet: the producer gets the stream before its array exists"
            hint = "use a parameter: 'params: [intptr_t stream = 0]', with 'stream: stream'"
            yield Diagnostic("stream-too-early", stream.span, message, hint)

    def in_words(self, made: Import | Allocate) -> Iterator[str]:
        if isinstance(made, Import) and made.stream is not None:
            yield f"The producer makes the data ready for the stream {made.stream}."


# ---- The list of the parts of `import` and `allocate`, and the construction of both from a valid spec ----

PARTS: tuple[Part, ...] = (
    ArraysPart(),
    import_set.SetPart(),
    InitPart(),
    ConstructPart(),
    BoxPart(),
    DeleterPart(),
    AttachPart(),
    DestroyPart(),
    CastPart(),
    StreamPart(),
)


def read_allocation(fields: Fields | None, ranks: tuple[int, int] | None, ok: str | None) -> Allocate | None:
    if fields is None:
        return None
    require = requirements(fields[REQUIRE_OF_MAKING], ranks)
    return Allocate(
        _made(fields, ok), steps.params(fields[PARAMS_OF_MAKING]), steps.steps(fields[LET_OF_MAKING], ok), require
    )


def read_import(
    fields: Fields | None, ranks: tuple[int, int] | None, release: str | None, ok: str | None
) -> Import | None:
    """Returns the import. `release` is the default of `destroy`, `ok` the default test of calls."""
    if fields is None:
        return None
    return Import(
        build=import_set.read(members, fields[CONST]) if (members := fields[SET_OF_IMPORT]) else _made(fields, ok),
        params=steps.params(fields[PARAMS_OF_MAKING]),
        let=steps.steps(fields[LET_OF_MAKING], ok),
        require=requirements(fields[REQUIRE_OF_MAKING], ranks),
        box=text_of(fields[BOX]),
        deleter=read_deleter(fields[ATTACH] or fields[DELETER]),
        attach=read_attach(fields[ATTACH], ok),
        detach=text_of(fields[DETACH]),
        destroy=read_destroy(fields, release),
        copy=cast(Copy, text_of(fields[COPY_OF_IMPORT]) or "never"),
        cast=cast(Cast | None, text_of(fields[CAST_OF_IMPORT])),
        stream=text_of(fields[STREAM_OF_IMPORT]),
    )


def _made(fields: Fields, ok: str | None) -> Init | Construct:
    return read_init(fields, ok) if text_of(fields[INIT_OF_MAKING]) else read_construct(fields)


# ---- The keys `import` and `allocate`, which consist of the keys of their parts ----


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
    "import", IMPORT, "Creates objects from foreign arrays: `Name.from_dlpack(x)` in Python.", default="export only"
)


def factories_of(entry: Fields) -> Iterator[tuple[str, Fields]]:
    """Yields `import` and `allocate`, if the class has them, each with its key."""
    for key in (IMPORT_OF_CLASS, ALLOCATE_OF_TENSOR):
        if (making := entry[key]) is not None:
            yield key.name, making
