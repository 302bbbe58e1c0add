"""The spec language, declared once: validator, JSON Schema and documentation all come from these declarations."""

from __future__ import annotations

from dlpack_bindgen.language.classes import CLASS_KEYS
from dlpack_bindgen.language.functions import IF
from dlpack_bindgen.language.imports import ALLOCATE, COPY, IMPORT
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
from dlpack_bindgen.language.slots import DEFAULT_BESIDE, EXPRESSION, MATCH, MAX_ARMS, SLOTS
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
)

VERSION = 1
MAX_VARIANTS = 1000

_BALANCED = Needs(("release",), "what is taken must be given back")

_TYPE = Key("type", Single(Form.CTYPE), "The C type of the object.", required=True)
_PASS = Key(
    "pass",
    Words(
        (
            Word("pointer", "`self` is a `T *`; functions may also take or return the struct itself, a `T`."),
            Word(
                "value",
                "`self` is a `T`, as all functions take it: for pointer typedefs, ids, and structs that may be copied.",
            ),
        )
    ),
    "How the object is passed around.",
    default="`pointer`",
)
_DOC = Key("doc", TEXT, "What it is, for header, docstring and stub.")
_OWNING = (
    Key("retain", STATEMENT, "Takes one reference of the library when the owner is made.", needs=_BALANCED),
    Key("clone", CLONE, "Makes a new handle when the owner is made, which is what `self` then means.", needs=_BALANCED),
    Key(
        "release",
        STATEMENT,
        "Gives the object back: with this alone, it moves into its owner.",
        default="the object is borrowed",
    ),
    Key(
        "release_on",
        Words(
            (
                Word("any", "Whichever thread is the last to use the memory."),
                Word("gil", "Any thread, while it holds Python's global lock."),
                Word("creator", "The thread that made the owner, at its next call; leaked if that thread has ended."),
            )
        ),
        "Where `release` may run.",
        default="`any`",
        needs=Needs(("release",), "it says where that runs"),
    ),
)
_PARTS = Key(
    "parts",
    ListOf(
        Record(
            what="a part",
            doc="A property of the Python object: a tuple of tensors of the same C object, which keep it alive.",
            keys=(
                Key("name", Single(Form.PROPERTY), "The name of the property.", required=True),
                Key(
                    "of",
                    Single(Form.TENSOR),
                    "The tensor, whose first parameter is the index of the part; the others are params of this class "
                    "too, or have defaults.",
                    required=True,
                ),
                Key("count", EXPRESSION, "How many there are.", required=True),
            ),
        ),
        "a list of parts",
        lone=True,
    ),
    "Tensors that this object consists of, as tuples.",
)

_GIVEN = "Arguments that are given when the object is made, and kept with it"
_RETURNED = (
    "One that a function returns gets the values of its parameters of the same names and types; an object among them "
    "is what the result borrows from or `keeps`. A number that must be given, and that no parameter is, comes "
    "from the object among the arguments that was made with one of that name and type, if there is only one. One that "
    "is a part, or a view, of an object of another class has the values of that object's params of the same names and "
    "types."
)

TENSOR = Record(
    what="a tensor",
    doc="A C struct whose memory is shared; `self`, a `T *`, is in scope in all its C text.",
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
            "One tensor for each: keys of a tensor replace those beside `variants`, and any other `KEY` stands for "
            "`${KEY}` in the name and in all values.",
        ),
        Key("params", PARAMETERS, f"{_GIVEN}: `wrap(self, plane)` in C, `frame.plane(1)` in Python. {_RETURNED}"),
        Key(
            "hold",
            HOLD,
            "C variables that are computed when the owner is made, before `clone`, and kept in it: values that "
            "nobody needs to free.",
        ),
        Key("require", CHECKS, "What must hold whenever the struct is read."),
        Key("acquire", ACTIONS, "Runs before the first of the exports that live at a time: locks, maps."),
        Key("restore", STATEMENT, "Runs after the last of them has gone."),
        Key(
            "let",
            LET,
            "At each reading: C variables, calls and conditions, in order, before the slots. No variable is called "
            "`self`, `axis`, `itemsize` or `result`, which have a meaning there.",
        ),
        *SLOTS,
        Key("match", ListOf(MATCH, "a list of matches", least=1, lone=True), "Slots that are chosen together."),
        Key("before_read", STATEMENT, "Runs at each export, before anything is read: a flush."),
        Key("after_write", STATEMENT, "Runs when the last writable export has gone: a mark that pixels have changed."),
        Key("sync", ACTION_FORMS, "Makes the data ready on a stream; `stream`, an `intptr_t`, is in scope."),
        Key(
            "to_cpu",
            ACTION_FORMS,
            "Copies the data into `dst`, `nbytes` bytes in compact order, on the CPU.",
            default="requests for a copy on the CPU are refused",
        ),
        *_OWNING,
        Key(
            "legacy_readonly",
            Words(
                (
                    Word("refuse", "A BufferError."),
                    Word("copy", "A writable copy."),
                )
            ),
            "What read-only data becomes for consumers that do not know the flag.",
            default="`refuse`",
        ),
        Key(
            "copy",
            COPY,
            "What happens to layouts that cannot be exported as they are.",
            default="`never`",
        ),
        _PARTS,
        Key("allocate", ALLOCATE, "Makes `Name.empty(shape)`.", needs=_BALANCED),
        Key("import", IMPORT, "Makes `Name.from_dlpack(x)`.", default="export only"),
        *CLASS_KEYS,
    ),
    exclusive=(("retain", "clone"),),
    template="variants",
)

HANDLE = Record(
    what="a handle",
    doc="A C object that is no tensor itself: a context, a file, or something that has tensors as its parts; `self`, a "
    "`T *`, is in scope.",
    keys=(
        _TYPE,
        _PASS,
        _DOC,
        IF,
        Key("params", PARAMETERS, f"{_GIVEN}: the context that `release` needs. {_RETURNED}"),
        *_OWNING,
        _PARTS,
        Key("import", IMPORT, "Makes `Name.from_dlpack(x)`; all that is required stands in its `require`."),
        *CLASS_KEYS,
    ),
    exclusive=(("retain", "clone"),),
)

SPEC = Record(
    what="a spec",
    doc="One module: which C structs it shares, which functions it calls, and how.",
    keys=(
        Key("dlpack-bindgen", Single(Form.VERSION), "The version of the spec language.", default=f"{VERSION}"),
        Key("module", Single(Form.MODULE), "The name of the Python module and of the files.", required=True),
        Key("prefix", Single(Form.PREFIX), "What the C names begin with.", default="`module`"),
        Key(
            "license", Single(Form.LICENSE), "The license of the output, which its first line names.", default="`MIT-0`"
        ),
        Key("doc", TEXT, "What the module is."),
        Key(
            "include",
            ListOf(Single(Form.INCLUDE), "a list of headers", lone=True),
            "The headers that declare the structs: `image.h`, or `<gsl/gsl_matrix.h>` with its brackets.",
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
            "Mappings that several choices share: `map: NAME` takes one.",
        ),
        Key(
            "ok",
            CONDITION,
            "When calls succeed that say nothing themselves, for every `do` and `init` of the spec; not for functions, "
            "whose result may be a value. A call that returns no such status, but a pointer, a struct or nothing, "
            "needs `ok: none` or a test of its own: else the C does not compile.",
        ),
        Key("tensors", MapOf(Form.TENSOR, TENSOR, "a mapping from names to tensors"), "The structs."),
        Key("handles", MapOf(Form.HANDLE, HANDLE, "a mapping from names to handles"), "Objects that are no tensors."),
        *MODULE_KEYS,
    ),
    some_of=("tensors", "handles", "functions", "constants"),
)


def records(kind: Kind = SPEC) -> tuple[Record, ...]:
    """Every record that can occur in `kind`, outermost first, each once."""
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
