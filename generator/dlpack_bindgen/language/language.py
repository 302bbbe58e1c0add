"""The declaration of the spec language. The validator, the JSON Schema and the reference are derived from it."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.language.classes import CLASS_KEYS, MemberFields
from dlpack_bindgen.language.functions import IF
from dlpack_bindgen.language.imports import ALLOCATE, COPY, IMPORT, MakingFields
from dlpack_bindgen.language.kinds import (
    Alternatives,
    Anything,
    Form,
    Key,
    Kind,
    ListOf,
    Lookup,
    MapOf,
    Needs,
    Record,
    Single,
    Word,
    Words,
)
from dlpack_bindgen.language.module import MODULE_KEYS
from dlpack_bindgen.language.slots import DEFAULT_BESIDE, EXPRESSION, MATCH, MAX_ARMS, SLOTS, SlotFields
from dlpack_bindgen.language.steps import (
    ACTION_FORMS,
    ACTIONS,
    CHECKS,
    CLONE,
    CONDITION,
    HOLD,
    LET,
    PARAMETERS,
    STATEMENT,
    TEXT,
    CallFields,
)
from dlpack_bindgen.language.values import Attribute, Fields, Leaf, items, leaf, table


class PartFields(Fields):
    name = leaf()
    of = leaf()
    count = leaf()


class ClassFields(MemberFields, SlotFields):
    """A tensor, or a handle, which lacks the keys about an array."""

    type = leaf()
    pass_ = leaf()
    doc = leaf()
    if_ = leaf()
    variants = items()
    params = items()
    hold = items()
    require = items()
    acquire = items()
    restore = leaf()
    let = items()
    match = items()
    before_read = leaf()
    after_write = leaf()
    sync = Attribute[Leaf | CallFields]()
    to_cpu = Attribute[Leaf | CallFields]()
    retain = leaf()
    clone = Attribute[Leaf | CallFields]()
    release = leaf()
    release_on = leaf()
    legacy_readonly = leaf()
    copy = leaf()
    parts = items()
    allocate = Attribute[MakingFields]()
    import_ = Attribute[MakingFields]()

    @property
    def is_tensor(self) -> bool:
        return self.record is TENSOR

    def factories(self) -> Iterator[tuple[str, MakingFields]]:
        """Yields `import` and `allocate`, if the class has them, each with its key."""
        if self.import_ is not None:
            yield "import", self.import_
        if self.allocate is not None:
            yield "allocate", self.allocate


class SpecFields(Fields):
    dlpack_bindgen = leaf()
    module = leaf()
    prefix = leaf()
    license = leaf()
    doc = leaf()
    include = items()
    maps = table()
    ok = leaf()
    tensors = table()
    handles = table()
    numbers = table()
    arrays = leaf()
    functions = table()
    constants = table()
    init = items()

    def classes(self) -> Iterator[tuple[Leaf, ClassFields]]:
        """Yields the tensors and then the handles, each with its name."""
        for classes in (self.tensors, self.handles):
            if classes is not None:
                yield from classes.records(ClassFields)


VERSION = 1
MAX_VARIANTS = 1000

_BALANCED = Needs(("release",), "the object or reference must be released, too")

_TYPE = Key("type", Single(Form.CTYPE), "The C type of the object.", required=True)
_PASS = Key(
    "pass",
    Words(
        (
            Word("pointer", "`self` is a `T *`. Functions may also take or return the struct itself, a `T`."),
            Word(
                "value",
                "`self` is a `T`, and functions take a `T`. Use it for pointer typedefs, ids, and structs that may be "
                "copied.",
            ),
        )
    ),
    "Whether C code gets the address of the object or the object itself.",
    default="`pointer`",
)
_DOC = Key("doc", TEXT, "The description for the header, the docstring and the stub.")
_OWNING = (
    Key("retain", STATEMENT, "Takes one reference to the object when the owner is created.", needs=_BALANCED),
    Key(
        "clone",
        CLONE,
        "Creates another C object for the same data when the owner is created; `self` then means that object.",
        needs=_BALANCED,
    ),
    Key(
        "release",
        STATEMENT,
        "Frees the object, or gives its reference back. With `release` alone, the owner takes the object over.",
        default="the object is borrowed",
    ),
    Key(
        "release_on",
        Words(
            (
                Word("any", "In the thread that uses the memory last."),
                Word("gil", "In any thread, while it holds the GIL."),
                Word(
                    "creator",
                    "In the thread that created the owner, at its next call. If this thread has ended, the object "
                    "leaks.",
                ),
            )
        ),
        "The thread in which `release` may run.",
        default="`any`",
        needs=Needs(("release",), "it selects the thread of that call"),
    ),
)
_PARTS = Key(
    "parts",
    ListOf(
        Record(
            what="a part",
            fields=PartFields,
            doc="A property of the Python object: a tuple of tensors. They share the C object and keep it alive.",
            keys=(
                Key("name", Single(Form.PROPERTY), "The name of the property.", required=True),
                Key(
                    "of",
                    Single(Form.TENSOR),
                    "The tensor of each part. Its first param is the index of the part; each other param has a "
                    "default, or is a param of this class, too.",
                    required=True,
                ),
                Key("count", EXPRESSION, "The number of parts.", required=True),
            ),
        ),
        "a list of parts",
        lone=True,
    ),
    "Properties that are tuples of tensors: the parts of the object.",
)

_GIVEN = "Arguments that are passed when the object is created, and stored with it"
_RETURNED = (
    "Each param of a returned object gets the value of the function's parameter with an equal name and type. If such "
    "a param is an object, the result must borrow from it or keep it.",
    "If the function has no such parameter, the value of a required number comes from an argument. This argument is "
    "the only object with a param of that name and type.",
    "A part or view of another object gets the values of the params of that object with equal name and type.",
)

TENSOR = Record(
    what="a tensor",
    fields=ClassFields,
    doc="A class for a C struct that holds an array; Python shares its memory. `self`, a `T *`, is in scope in all "
    "its C code.",
    keys=(
        _TYPE,
        _PASS,
        _DOC,
        IF,
        Key(
            "variants",
            ListOf(
                MapOf(Form.MAP, Anything("any value"), "a mapping of keys"),
                "a list of variants",
                least=1,
                most=MAX_VARIANTS,
            ),
            "Creates one tensor for each item. Its keys replace the keys beside `variants`; the value of any other "
            "`KEY` replaces `${KEY}`.",
        ),
        Key(
            "params", PARAMETERS, f"{_GIVEN}: `wrap(self, plane)` in C, `frame.plane(1)` in Python.", details=_RETURNED
        ),
        Key(
            "hold",
            HOLD,
            "C variables that are computed when the owner is created, before `clone`, and stored in it. They need no "
            "cleanup.",
        ),
        Key("require", CHECKS, "Conditions that must hold at each reading. Otherwise the result is a BufferError."),
        Key("acquire", ACTIONS, "Runs before an export if no other export is alive: lock or map the memory here."),
        Key("restore", STATEMENT, "Runs after the last export is released: unlock or unmap the memory here."),
        Key(
            "let",
            LET,
            "C variables, calls and conditions that run in order at each reading, before the slots. The names `self`, "
            "`axis`, `itemsize` and `result` are reserved.",
        ),
        *SLOTS,
        Key(
            "match",
            ListOf(MATCH, "a list of matches", least=1, lone=True),
            "Sets several slots at once, by the value of C expressions.",
        ),
        Key("before_read", STATEMENT, "Runs at each export, before the struct is read: flush pending changes here."),
        Key(
            "after_write", STATEMENT, "Runs after the last writable export is released: mark the data as changed here."
        ),
        Key(
            "sync", ACTION_FORMS, "Makes the data ready for a consumer's stream. `stream`, an `intptr_t`, is in scope."
        ),
        Key(
            "to_cpu",
            ACTION_FORMS,
            "Copies the data, in compact order, to `dst`: CPU memory of `nbytes` bytes.",
            default="copies to the CPU are refused",
        ),
        *_OWNING,
        Key(
            "legacy_readonly",
            Words(
                (
                    Word("refuse", "The export fails with a BufferError."),
                    Word("copy", "The consumer gets a writable copy."),
                )
            ),
            "How read-only data is exported to a consumer without a read-only flag (DLPack before 1.0).",
            default="`refuse`",
        ),
        Key(
            "copy",
            COPY,
            "Whether a layout that DLPack cannot describe is copied for the export.",
            default="`never`",
        ),
        _PARTS,
        Key("allocate", ALLOCATE, "Creates new objects: `Name.empty(shape)` in Python.", needs=_BALANCED),
        Key(
            "import",
            IMPORT,
            "Creates objects from foreign arrays: `Name.from_dlpack(x)` in Python.",
            default="export only",
        ),
        *CLASS_KEYS,
    ),
    exclusive=(("retain", "clone"),),
    template="variants",
)

HANDLE = Record(
    what="a handle",
    fields=ClassFields,
    doc="A class for a C object that is not an array itself: a context, a file, or an object whose parts are tensors. "
    "`self`, a `T *`, is in scope.",
    keys=(
        _TYPE,
        _PASS,
        _DOC,
        IF,
        Key("params", PARAMETERS, f"{_GIVEN}: the context that `release` needs.", details=_RETURNED),
        *_OWNING,
        _PARTS,
        Key(
            "import",
            IMPORT,
            "Creates objects from foreign arrays: `Name.from_dlpack(x)` in Python. All requirements stand in its "
            "`require`.",
        ),
        *CLASS_KEYS,
    ),
    exclusive=(("retain", "clone"),),
)

SPEC = Record(
    what="a spec",
    fields=SpecFields,
    doc="One module: the C structs that it shares and the functions that it calls.",
    keys=(
        Key("dlpack-bindgen", Single(Form.VERSION), "The version of the spec language.", default=f"{VERSION}"),
        Key(
            "module",
            Single(Form.MODULE),
            "The name of the Python module, and the first part of the file names.",
            required=True,
        ),
        Key("prefix", Single(Form.PREFIX), "The first part of all C names.", default="`module`"),
        Key(
            "license",
            Single(Form.LICENSE),
            "The license of the output; the first line of each file names it.",
            default="`MIT-0`",
        ),
        Key("doc", TEXT, "The docstring of the module."),
        Key(
            "include",
            ListOf(Single(Form.INCLUDE), "a list of headers", lone=True),
            "The headers that declare the structs and functions: `image.h`, or `<gsl/gsl_matrix.h>` with its brackets.",
        ),
        Key(
            "maps",
            MapOf(
                Form.MAP,
                MapOf(
                    Form.KEY,
                    Anything("the value of a slot"),
                    "a mapping from C expressions to values",
                    MAX_ARMS,
                    DEFAULT_BESIDE,
                ),
                "a mapping from names to maps",
            ),
            "Mappings that several choices share; `map: NAME` refers to one.",
        ),
        Key(
            "ok",
            CONDITION,
            "The success condition of each `do` and `init` that has no `ok` of its own.",
            details=(
                "It does not apply to functions, whose result may be a value.",
                "A call that returns a pointer, a struct or nothing needs `ok: none`, or a condition of its own. "
                "Otherwise the C does not compile.",
            ),
        ),
        Key(
            "tensors",
            MapOf(Form.TENSOR, TENSOR, "a mapping from names to tensors"),
            "The classes of structs that hold an array.",
        ),
        Key(
            "handles",
            MapOf(Form.HANDLE, HANDLE, "a mapping from names to handles"),
            "The classes of all other C objects.",
        ),
        *MODULE_KEYS,
    ),
    some_of=("tensors", "handles", "functions", "constants"),
)


def records(kind: Kind = SPEC) -> tuple[Record, ...]:
    """Returns each record that can occur in `kind` once, outer records first."""
    if isinstance(kind, Record):
        inner = [key.kind for key in kind.keys] + ([kind.entry.value] if kind.entry else [])
        found = [kind, *(record for child in inner for record in records(child))]
    elif isinstance(kind, Alternatives):
        found = [record for option in kind.options for record in records(option.kind)]
    elif isinstance(kind, ListOf):
        found = list(records(kind.item))
    elif isinstance(kind, MapOf):
        found = list(records(kind.value))
    elif isinstance(kind, Lookup):
        found = list(records(kind.table))
    else:
        found = []
    return tuple(dict.fromkeys(found))
