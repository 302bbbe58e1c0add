"""What the parameters of a function are."""

from __future__ import annotations

from dataclasses import replace

from dlpack_bindgen.language.imports import (
    LAYOUTS,
    REQUIRED_ALIGN,
    REQUIRED_DTYPE,
    REQUIRED_NDIM,
)
from dlpack_bindgen.language.kinds import (
    Alternatives,
    Form,
    Integer,
    Key,
    ListOf,
    Lookup,
    MapOf,
    Needs,
    Option,
    Record,
    Single,
    Word,
    Words,
)
from dlpack_bindgen.language.slots import DTYPE_FORMS, EXPRESSION, MAX_ARMS, MAX_RANK, RUN_TIME_RANK

MOST_KEPT = 16
"""See `DLB_PY_MOST_KEPT` in the runtime."""

PARAMETER = Single(Form.OF_PROTOTYPE)
_KIND_DOC = "A tensor, a handle or an `enum` of `constants`; or a word: "


def flag(name: str, yes: str, no: str, doc: str, default: str = "`false`", needs: Needs | None = None) -> Key:
    return Key(name, Words((Word("true", yes), Word("false", no))), doc, default=default, needs=needs)


_REQUIRED_DEVICE = Record(
    what="a required device",
    doc="Where the memory is that the function can work with.",
    keys=(
        Key(
            "device",
            Alternatives(
                (
                    Option(Words((Word("any", "All of them."),)), "A word."),
                    Option(Single(Form.DEVICE), "A device type."),
                    Option(ListOf(Single(Form.DEVICE), "a list of devices", least=1), "One of these."),
                )
            ),
            "The device types that are accepted.",
            required=True,
        ),
    ),
)
_REQUIRED_SHAPE = Record(
    what="a required shape",
    doc="The extents that the function relies on. A ValueError says what they are instead.",
    keys=(
        Key(
            "shape",
            ListOf(EXPRESSION, "a list of extents", least=1, most=MAX_RANK),
            "The extent of each axis, with all parameters in scope: `[n, m]`.",
            required=True,
        ),
    ),
)
_REQUIRED_COUNT = Record(
    what="a required number of elements",
    doc="What the function relies on, of whatever shape. A ValueError says how many there are instead.",
    keys=(
        Key(
            "count",
            EXPRESSION,
            "The number of elements, with all parameters in scope. `+ - * / %` are exact here and in `shape`, whatever "
            "the types of integers, outside of calls, indices and other operators; what overflows is refused, and so "
            "is the product of two negative numbers. It may read elements of other arrays: an `offsets[n]` that is "
            "not there is a ValueError.",
            required=True,
        ),
    ),
)
_COLUMN_MAJOR = Word("column_major", "Of bare arrays: compact, the first axis being the innermost, as in Fortran.")
_REQUIRE = ListOf(
    Alternatives(
        (
            Option(Words((*LAYOUTS, _COLUMN_MAJOR)), "A property by its name."),
            Option(REQUIRED_NDIM, "The rank.", tag="ndim"),
            Option(REQUIRED_DTYPE, "The dtypes.", tag="dtype"),
            Option(REQUIRED_ALIGN, "The alignment of the data. Default: that of the elements.", tag="align"),
            Option(_REQUIRED_DEVICE, "The devices.", tag="device"),
            Option(_REQUIRED_SHAPE, "The extents.", tag="shape"),
            Option(_REQUIRED_COUNT, "The number of elements.", tag="count"),
        )
    ),
    what="a list of requirements",
)
_COPY = Words(
    (
        Word("never", "Refused."),
        Word(
            "allowed",
            "On the CPU, arrays in another layout or alignment are copied, and copied back after a call that may have "
            "written. Other dtypes, ranks and extents are refused.",
        ),
    )
)
KEEPS = Key(
    "keeps",
    ListOf(PARAMETER, "a list of parameters", least=1, most=MOST_KEPT, lone=True),
    "A parameter, or several, whose object or array must outlive the one that is returned, which is the caller's: it "
    "is kept, and goes after it (a library behind its handles, the arrays whose addresses a plan has). Arrays become "
    "objects of the class that `arrays` names.",
)
_KEPT_LATER = (
    "Of an object that Python gives: what C stores in it (`net_set_input(net, x)`), which it keeps from then on, until "
    "it has gone. When that is, Python must know: of no object that the library counts references of, or never ends."
)
SIZE = (
    "How many `bytes` there are, which are copied (`finally` ends what the caller owns); an `out` parameter that it "
    "mentions is not returned as well. NULL is `None`. If it is not said of an array that is filled, such as `unsigned "
    "char digest[32]`: all of them."
)
COUNT = Key(
    "count",
    Alternatives(
        (
            Option(
                Words((Word("none", "The table ends with NULL, whatever numbers there are beside it."),)), "A word."
            ),
            Option(EXPRESSION, "The number of entries."),
        )
    ),
    "The number of `texts` in the table, which are copied; an entry that is NULL is `None`. An `out` parameter that it "
    "mentions is not returned as well.",
    default="the table ends with NULL; asked for where a number that C returns may be the count",
)
BORROW = "Where the object lives that stays the library's: in that of a parameter, which is kept; `static`: for good."
OWNED = flag(
    "owned",
    "The caller's, which its `release` ends although C has called it `const`. Nobody may write to its data.",
    "A `const T *` stays the library's, and `borrow` says where.",
    "Whether the object is the caller's.",
    default="whether what is pointed to is not `const`",
)

SHAPE = Key(
    "shape",
    Alternatives(
        (
            Option(ListOf(EXPRESSION, "a list of extents", least=1, most=MAX_RANK), "One expression per axis."),
            RUN_TIME_RANK,
        )
    ),
    "Of an `array`: its extents. It is copied (`finally` ends what the caller owns), or with `borrow` shown where it "
    "is; of what lies in room that the prototype says, `double roots[degree]`, they are those of its beginning, by "
    "default all. A number that is `out`, and that `shape` mentions, is not returned as well, nor is the address of "
    "some: `const size_t **extents`, NULL where there is nothing. `arrays` names its class.",
)

DTYPE = Key(
    "dtype",
    Single(Form.DTYPE),
    "Of an `array`: its dtype, where the C type does not say it: of a `void *`, of a number type that only the headers "
    "know, or of structs that are so many numbers: of `const vec3 *`, `{of: array, dtype: float32, shape: [n, 3]}`.",
    default="that of the C type",
)

ARGUMENT = Record(
    what="an argument",
    doc="What a parameter is, where its C type does not say it. A `T *` of one tensor or handle is that, and so is a "
    "`T`; of several classes of one type, it is the only handle. `const char *` is a `str`; `DLTensor *` any array; "
    "`double *` and its like an array of that dtype; a type that nothing is known of is an integer.",
    keys=(
        Key(
            "of",
            Single(Form.KIND),
            f"{_KIND_DOC}`int`, `float`, `bool`, `complex`, `char`, `str`, `path` (as the file system writes it), "
            "`texts` (a sequence of `str`, of which C gets a table of pointers with NULL at its end; "
            "`require: [{count: n}]` says how many, and `require: []` that NULL ends them where others are counted), "
            "`bytes` (a buffer, whatever its elements are: `size_of` counts its bytes; where C has a pointer to a type "
            "of several bytes, `require: [{shape: [n, sizeof(T)]}]` and `extent_of` count its elements, and `count: n "
            "* sizeof(T)` does for a number that Python gives), `array` (for `void *`: of any dtype; the function "
            "knows how long it is, unless something says so), `rows` (for `float **` and "
            "its like: an array of two axes, of whose rows C gets a table of pointers).",
        ),
        Key(
            "default",
            EXPRESSION,
            "What C gets where Python gives nothing; numbers and texts before it are in scope. What follows needs one "
            "too, or is `keyword_only`. For an array or an object that is written: `like PARAM`, a new one of the "
            "shape of that one, and of its dtype unless it has one of its own; for an array also `new`, of the `shape` "
            "or `count` that is required. What was made is returned; `arrays` names its class. What follows one of "
            "these is given by name where that is not given.",
        ),
        flag(
            "optional",
            "It is NULL where Python gives `None` or nothing; of an `out`, NULL is `None`.",
            "It must be given; of an `out`, NULL is a failure.",
            "Whether a pointer can be NULL.",
            default="`false`; of an `out` that is `str` or `bytes`, `true`",
        ),
        flag(
            "out",
            "It points to one variable that the function fills and that is returned; C text knows that by its name. "
            "`T *` of a tensor or handle is a new one, which the function fills where it is. "
            "`char text[64]` with `of: str` is room for a text, `char bytes[64]` or `void bytes[lib_bound(n)]` with "
            "`of: bytes` for bytes, of which `size` says how many there are, and `double roots[degree]` with "
            "`of: array` for elements, of which `shape` says it. What no class has, such as `GError **error`, is not "
            "returned: C text reads it, `error: error->message`, and `finally` ends it.",
            "It points to what Python gives.",
            "Whether a pointer is a way to return something.",
        ),
        Key("borrow", PARAMETER, BORROW, default="the caller owns it", needs=Needs(("out",), "it is about results")),
        replace(OWNED, needs=Needs(("out",), "it is about results")),
        replace(KEEPS, doc=f"Of an `out`: {KEEPS.doc[0].lower()}{KEEPS.doc[1:]} {_KEPT_LATER}"),
        flag(
            "replaces",
            "The library has forgotten what it was given before, which is let go of after a success.",
            "It has all of them, and the object keeps them.",
            "Whether the next call gives an object something else to keep, as a setter does.",
            needs=Needs(("keeps",), "it is about what the object keeps"),
        ),
        Key("size", EXPRESSION, SIZE, needs=Needs(("out",), "it is about results")),
        replace(COUNT, needs=Needs(("out",), "it is about results", "of what Python gives: 'require: [{count: ...}]'")),
        replace(
            SHAPE, needs=Needs(("out",), "it is about results", "of what Python gives: 'require: [{shape: [...]}]'")
        ),
        replace(DTYPE, needs=Needs(("out",), "it is about results", "of what Python gives: 'require: [{dtype: ...}]'")),
        flag(
            "writes",
            "Arrays that are read-only are refused.",
            "They are not, whatever the C type says, and a `char *` can be a `str` or a `path`.",
            "Whether the function may change the data.",
            default="what is pointed to is not `const`; by value, `true`",
        ),
        flag(
            "invalidates",
            "The call is refused while anything shares it (exports, buffers, objects made of it), and for objects that "
            "were made from an array, whose memory is not the library's.",
            "The memory stays where it is. A call that leaves the struct of an array with memory outside of it is a "
            "BufferError.",
            "Whether the function moves or ends the memory of the object, as a resize does.",
        ),
        Key(
            "takes",
            Words(
                (
                    Word(
                        "true",
                        "After a success, it is the library's and Python's object is closed; refused as with "
                        "`invalidates`.",
                    ),
                    Word("always", "The same after a failure: whatever comes of the call, the library ends it."),
                    Word("false", "It stays Python's."),
                )
            ),
            "Whether the function takes the object over, so that nobody else releases it.",
            default="`false`",
        ),
        Key(
            "require",
            _REQUIRE,
            "What is accepted of an array. An empty list, `{of: bytes, require: []}`: nothing else, for the function "
            "knows how long it is, or that NULL ends `texts`.",
            default="the CPU; `DLTensor *`: any device",
        ),
        Key("copy", _COPY, "What happens to arrays that do not meet `require`.", default="`never`"),
        Key(
            "count_of",
            PARAMETER,
            "Python does not give it: the number of elements, or of objects, of another one. A `vec *` whose class has "
            "a constant `shape` is one object, and nothing of it is counted. Beside the `T *` of another object, the "
            "number may be that of an array of structs: `unit: elements` says that C has one object. An argument of "
            "`bytes` has one element for each byte, so C must have a pointer to bytes.",
        ),
        Key(
            "size_of",
            PARAMETER,
            "Python does not give it: the bytes of another one, from its first "
            "element to its last, with those between rows that have a stride.",
        ),
        Key(
            "extent_of",
            PARAMETER,
            "Python does not give it: the extent of one axis of another one. That has as many axes as are asked for, "
            "unless it says `ndim` in `require`.",
        ),
        Key(
            "stride_of",
            PARAMETER,
            "Python does not give it: the stride of one axis of another one. The other axes are compact: by columns, "
            "as in Fortran, where the last axis has a stride and the first one has none. It may be 0 in an array that "
            "C only reads, whose elements are one and the same: where C takes 0 for something else, such as compact "
            "rows, `require: [no_overlap]`.",
        ),
        Key("flags_of", PARAMETER, "Python does not give it: DLPack's flags of another one."),
        Key(
            "code_of",
            PARAMETER,
            "Python does not give it: the library's code for the dtype of another one, from `map`. A `void *` of which "
            "that is asked is an array.",
            needs=Needs(("map",), "it says which codes there are"),
        ),
        Key(
            "map",
            Lookup(MapOf(Form.KEY, Alternatives(DTYPE_FORMS), "a mapping from codes to dtypes", MAX_ARMS)),
            "The codes, each with its dtype, or the name of such a mapping in `maps`: other dtypes are refused.",
            needs=Needs(("code_of",), "it is about that"),
        ),
        Key(
            "param_of",
            PARAMETER,
            "Python does not give it: what the object of another one was made with, its param of this name and type.",
        ),
        Key(
            "axis",
            Integer(0, MAX_RANK - 1),
            "Which axis.",
            default="0",
            needs=Needs(("extent_of", "stride_of"), "it says of which axis"),
        ),
        Key(
            "unit",
            Words(
                (
                    Word("elements", "Steps from element to element."),
                    Word("bytes", "Bytes, as pictures have it between their rows."),
                )
            ),
            "What C counts. Of a length, it says that C counts the elements, or with `size_of` the bytes, of the one "
            "object at a `T *`; the generator asks for it where the number may count an array of structs. Of a stride, "
            "the generator asks for it where elements can be larger than a byte and the name of the parameter is one "
            "that libraries give to bytes (`pitch`), or where the array may have dtypes of several sizes.",
            default="`elements`, where the generator does not ask",
            needs=Needs(("stride_of", "count_of", "size_of", "extent_of"), "it is about a number beside an array"),
        ),
        flag(
            "negative",
            "It may: C takes the pointer for that of the first element all the same.",
            "It may not: BLAS and others take the pointer for the lowest address then.",
            "Whether the stride may be negative, and the array run backwards from its pointer along that axis.",
            needs=Needs(("stride_of",), "it is about strides"),
        ),
        Key(
            "plus",
            Integer(-16, 16),
            "What C gets more than that: -1 where n + 1 offsets stand for n rows.",
            default="0",
            needs=Needs(("count_of", "size_of", "extent_of", "stride_of"), "it says how much more than that C gets"),
        ),
        Key(
            "value",
            EXPRESSION,
            "Python does not give it: what C gets. With `of: int`, a number that C gets by its address, and may "
            "change: `size_t *size` is the room, and after the call what is there.",
        ),
    ),
)
