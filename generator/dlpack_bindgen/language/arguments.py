"""The keys that describe the parameters of a function."""

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
from dlpack_bindgen.language.results import (
    BORROW,
    COUNT,
    DTYPE,
    KEEPS,
    OWNED,
    PARAMETER,
    SHAPE,
    SIZE,
    SIZE_DETAILS,
    flag,
)
from dlpack_bindgen.language.slots import DTYPE_FORMS, EXPRESSION, MAX_ARMS, MAX_RANK

_REQUIRED_DEVICE = Record(
    what="a required device",
    doc="The devices whose memory the function can use.",
    keys=(
        Key(
            "device",
            Alternatives(
                (
                    Option(Words((Word("any", "Every device type."),)), "A word."),
                    Option(Single(Form.DEVICE), "A device type."),
                    Option(ListOf(Single(Form.DEVICE), "a list of devices", least=1), "One of several device types."),
                )
            ),
            "The accepted device types.",
            required=True,
        ),
    ),
)
_REQUIRED_SHAPE = Record(
    what="a required shape",
    doc="The extents that the function requires. Another shape raises a ValueError.",
    keys=(
        Key(
            "shape",
            ListOf(EXPRESSION, "a list of extents", least=1, most=MAX_RANK),
            "The extent of each axis; all parameters are in scope: `[n, m]`.",
            required=True,
        ),
    ),
)
_REQUIRED_COUNT = Record(
    what="a required number of elements",
    doc="The number of elements that the function requires, in any shape. Another number raises a ValueError.",
    keys=(
        Key(
            "count",
            EXPRESSION,
            "The number of elements; all parameters are in scope.",
            required=True,
            details=(
                "Here and in `shape`, `+ - * / %` are exact for all integer types, outside of calls, indices and "
                "other operators. An overflow and the product of two negative numbers are refused.",
                "The expression can read elements of other arrays. If the element does not exist, such as "
                "`offsets[n]`, the call raises a ValueError.",
            ),
        ),
    ),
)
_COLUMN_MAJOR = Word(
    "column_major",
    "The array is compact and its first axis is the innermost, as in Fortran. It applies to arrays without a class.",
)
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
        Word("never", "The array is refused."),
        Word(
            "allowed",
            "On the CPU, an array with another layout or alignment is copied. If the function may write to it, the "
            "copy is copied back after a successful call. Other dtypes, ranks and extents are refused.",
        ),
    )
)
_KEPT_LATER = (
    "For an object that Python passes: the arguments that C stores in it, as in `net_set_input(net, x)`. The object "
    "keeps them alive until it is destroyed.",
    "Python must know when the object is destroyed. `keeps` is therefore refused if the library counts references to "
    "the object, or never frees it.",
)
ARGUMENT = Record(
    what="an argument",
    doc="Describes a parameter. Without a description, the C type decides:\n\n* `T *` or `T` of a tensor or handle: "
    "an object of that class. If several classes have this type, it is an object of the only handle among them.\n"
    "* `const char *`: a `str`.\n* `DLTensor *`: any array.\n* `double *` and other pointers to numbers: an array "
    "of that dtype.\n* An unknown type: an integer.",
    keys=(
        Key(
            "of",
            Single(Form.KIND),
            "A tensor, a handle, an enum of `constants`, or a word: `int`, `float`, `bool`, `complex`, `char`, `str`, "
            "`path`, `strings`, `bytes`, `array` or `rows`.",
            details=(
                "`path`: a path; C gets it in the encoding of the file system.",
                "`strings`: a sequence of `str`. C gets a table of pointers with NULL at its end. "
                "`require: [{count: n}]` gives the length; `require: []` lets NULL end the table if only other "
                "arguments have a count.",
                "`bytes`: a buffer with elements of any type; `size_of` is its size in bytes. If C has a pointer to a "
                "type of several bytes, `require: [{shape: [n, sizeof(T)]}]` with `extent_of` counts elements. If "
                "Python passes the number of elements, use `count: n * sizeof(T)`.",
                "`array`, for `void *`: an array of any dtype. The function knows the length of the array, unless the "
                "spec declares a length.",
                "`rows`, for `float **` and similar types: an array with two axes. C gets a table of pointers to the "
                "rows.",
            ),
        ),
        Key(
            "default",
            EXPRESSION,
            "The value in C if Python passes none. Numbers and strings before the parameter are in scope.",
            details=(
                "Later parameters need a default, too, or must be `keyword_only`.",
                "For an array or object that C writes, `like PARAM` allocates a new output with the shape of `PARAM`. "
                "It has the dtype of `PARAM`, unless it has its own.",
                "For an array, `new` allocates a new output with the `shape` or `count` that is required.",
                "The call returns the new output. An array has the class that `arrays` names. If Python omits the "
                "output, it passes the later parameters by name.",
            ),
        ),
        flag(
            "optional",
            "`None` or a missing argument is NULL in C. For an `out`, NULL becomes `None`.",
            "The argument is required. For an `out`, NULL is a failure.",
            "Whether a pointer can be NULL.",
            default="`false`; `true` for an `out` that is `str` or `bytes`",
        ),
        flag(
            "out",
            "C fills the variable behind the pointer, and Python gets it as a result. In C code of the spec, the name "
            "of the parameter is that variable.",
            "The pointer refers to an argument that Python passes.",
            "Whether the parameter returns a value.",
            details=(
                "`T *` of a tensor or handle returns a new object. The function fills its struct in place.",
                "An array parameter is a buffer with the capacity in the prototype. Examples are `char text[64]` with "
                "`of: str`, `void bytes[lib_bound(n)]` with `of: bytes`, and `double roots[degree]` with `of: array`. "
                "`size` is the number of bytes that C wrote, and `shape` has the extents of the array.",
                "A value whose type has no class, such as `GError **error`, is not returned. C code of the spec can "
                "read it, `error: error->message`, and `finally` frees it.",
            ),
        ),
        Key("borrow", PARAMETER, BORROW, default="the caller owns it", needs=Needs(("out",), "it describes a result")),
        replace(OWNED, needs=Needs(("out",), "it describes a result")),
        replace(
            KEEPS,
            doc="The parameters that an `out` object, or the object of this parameter, keeps alive.",
            details=(f"For an `out`: {KEEPS.doc[0].lower()}{KEEPS.doc[1:]}", *KEEPS.details, *_KEPT_LATER),
        ),
        flag(
            "replaces",
            "The library no longer uses the arguments of earlier calls. They are released after a success.",
            "The library uses the arguments of all calls. The object keeps them all.",
            "Whether each call replaces the dependency of the call before, as a setter does.",
            needs=Needs(("keeps",), "it describes the kept arguments"),
        ),
        Key("size", EXPRESSION, SIZE, needs=Needs(("out",), "it describes a result"), details=SIZE_DETAILS),
        replace(
            COUNT,
            needs=Needs(
                ("out",), "it describes a result", "for an argument from Python, write 'require: [{count: ...}]'"
            ),
        ),
        replace(
            SHAPE,
            needs=Needs(
                ("out",), "it describes a result", "for an argument from Python, write 'require: [{shape: [...]}]'"
            ),
        ),
        replace(
            DTYPE,
            needs=Needs(
                ("out",), "it describes a result", "for an argument from Python, write 'require: [{dtype: ...}]'"
            ),
        ),
        flag(
            "writes",
            "Read-only arrays are refused.",
            "Read-only arrays are accepted, although the C type is not `const`. A `char *` can be a `str` or a `path`.",
            "Whether the function may change the data.",
            default="`true`, unless the pointer is to `const`; for a struct by value, `true`",
        ),
        flag(
            "invalidates",
            "The call is refused while exports, buffers or derived objects share the memory. It is also refused for "
            "an object that was imported from an array: the library does not own that memory.",
            "The memory stays in place. If the struct of an imported array then refers to other memory, the call "
            "raises a BufferError.",
            "Whether the function moves or frees the memory of the object, as a resize does.",
        ),
        Key(
            "takes",
            Words(
                (
                    Word(
                        "true",
                        "After a success the library owns the object, and the Python object is closed. The call is "
                        "refused in the same cases as with `invalidates`.",
                    ),
                    Word("always", "After a success and after a failure, the library owns the object and frees it."),
                    Word("false", "Python keeps the object."),
                )
            ),
            "Whether the library takes ownership of the object, and frees it.",
            default="`false`",
        ),
        Key(
            "require",
            _REQUIRE,
            "Requirements on the array.",
            default="the device `cpu`; for `DLTensor *`, any device",
            details=(
                "An empty list, `{of: bytes, require: []}`, declares that the function knows the length, or that NULL "
                "ends the `strings`.",
            ),
        ),
        Key("copy", _COPY, "Whether an array that does not meet `require` is copied.", default="`never`"),
        Key(
            "count_of",
            PARAMETER,
            "The number of elements, or of objects, of another argument. Python does not pass it.",
            details=(
                "A `vec *` whose class has a constant `shape` is one object: it has no count.",
                "Beside the `T *` of another class, the number may count an array of structs. `unit: elements` "
                "declares that C has one object, and counts its elements.",
                "An element of `bytes` is one byte, and C must have a pointer to bytes.",
            ),
        ),
        Key(
            "size_of",
            PARAMETER,
            "The size of another argument in bytes, from its first element to its last, with gaps between rows. Python "
            "does not pass it.",
        ),
        Key(
            "extent_of",
            PARAMETER,
            "The extent of one axis of another argument, in elements. Python does not pass it.",
            details=(
                "The array has the axes that such parameters name with `axis`, and no more, unless its `require` has "
                "`ndim`.",
            ),
        ),
        Key(
            "stride_of",
            PARAMETER,
            "The stride of one axis of another argument, in the given `unit`. Python does not pass it.",
            details=(
                "All other axes are compact. Their order is column-major, as in Fortran, if the last axis has a "
                "`stride_of` and the first axis does not.",
                "In an array that C only reads, the stride can be 0: one element in memory then stands for all "
                "elements of the axis. If 0 has another meaning in C, such as compact rows, add `require: "
                "[no_overlap]`.",
            ),
        ),
        Key("flags_of", PARAMETER, "The DLPack flags of another argument. Python does not pass them."),
        Key(
            "code_of",
            PARAMETER,
            "The library's code for the dtype of another argument; Python does not pass it.",
            needs=Needs(("map",), "it lists the codes"),
            details=("A `void *` with a `code_of` is an array.",),
        ),
        Key(
            "map",
            Lookup(MapOf(Form.KEY, Alternatives(DTYPE_FORMS), "a mapping from codes to dtypes", MAX_ARMS)),
            "Codes and the dtype of each, or the name of such a mapping in `maps`.",
            needs=Needs(("code_of",), "it lists the codes for that key"),
            details=("An array of another dtype is refused.",),
        ),
        Key(
            "param_of",
            PARAMETER,
            "The param with the name and type of this parameter, from the object in another argument. Python does not "
            "pass it.",
        ),
        Key(
            "axis",
            Integer(0, MAX_RANK - 1),
            "The index of the axis.",
            default="0",
            needs=Needs(("extent_of", "stride_of"), "it selects the axis for that key"),
        ),
        Key(
            "unit",
            Words(
                (
                    Word("elements", "C counts elements."),
                    Word("bytes", "C counts bytes, as image libraries do between rows."),
                )
            ),
            "The unit that C counts in.",
            default="`elements`; sometimes required, see below",
            needs=Needs(("stride_of", "count_of", "size_of", "extent_of"), "it is the unit of that number"),
            details=(
                "For a length: C counts the elements of the single object behind a `T *`, or its bytes with "
                "`size_of`. `unit` is required if the number may count an array of structs.",
                "For a stride, it is required if elements can be larger than a byte and the name of the parameter "
                "suggests bytes (`pitch`). It is also required if the array may have dtypes of several sizes.",
            ),
        ),
        flag(
            "negative",
            "The stride can be negative. The pointer refers to the first element, not to the lowest address.",
            "An array with a negative stride is refused. BLAS and other libraries expect the lowest address for a "
            "negative stride.",
            "Whether the stride may be negative: the array then runs backwards from its pointer along the axis.",
            needs=Needs(("stride_of",), "it describes a stride"),
        ),
        Key(
            "plus",
            Integer(-16, 16),
            "A number that is added to the value: -1 if n + 1 offsets describe n rows.",
            default="0",
            needs=Needs(("count_of", "size_of", "extent_of", "stride_of"), "it is added to that number"),
        ),
        Key(
            "value",
            EXPRESSION,
            "The value of the parameter. Python does not pass it.",
            details=(
                "With `of: int`, C gets the address of a number that it may change. `size_t *size` is then the "
                "capacity before the call, and the size after it.",
            ),
        ),
    ),
)
