"""The declarations of a C header, as records, and the words in their names."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Literal

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text.names import ATTRIBUTES, C_KEYWORDS, CPP_KEYWORDS, is_identifier, is_keyword, is_reserved

# ---- The declarations of a C header, as records ----
# `header` reads them, and all other modules derive a spec from them.

Kind = Literal["void", "bool", "char", "int", "float", "complex", "enum", "struct", "pointer", "array", "other"]


class DeclaredType(Frozen):
    """A C type as the header spells it."""

    kind: Kind
    """The kind behind all typedefs. `char` is plain `char` alone; a union is a `struct`; functions are `other`."""
    spelling: str
    """The type in the words of the header, without its own `const`: `const double *`, `image_t`."""
    canonical: str = ""
    """The type without typedefs, such as `unsigned char`."""
    is_const: bool = False
    bits: int = 0
    """The size of a number on this machine; 0 for other types."""
    target: DeclaredType | None = None
    """The type behind a pointer, or of the elements of an array."""
    length: int | None = None
    """The number of elements of an array, if it is constant."""
    declaration: str = ""
    """The key of the struct or enum, behind all typedefs, in `Header`."""

    @property
    def is_integer(self) -> bool:
        return self.kind in ("int", "char", "enum", "bool")

    @property
    def is_number(self) -> bool:
        return self.kind in ("int", "char", "bool", "float", "complex")

    @property
    def pointed(self) -> DeclaredType | None:
        """The type behind a pointer or an array parameter, else None."""
        return self.target if self.kind in ("pointer", "array") else None


class Member(Frozen):
    """A field of a struct. Fields of an anonymous struct count as fields of the struct that contains it."""

    name: str
    """The path to the field, such as `size` or `dims.n`."""
    type: DeclaredType
    comment: str = ""
    is_bit_field: bool = False
    in_union: bool = False


class Struct(Frozen):
    key: str
    spelling: str
    """The type as a spec names it: `image_t` or `struct image`."""
    members: tuple[Member, ...] = ()
    is_complete: bool = False
    """Whether the header has the fields of the struct. If not, the struct is opaque."""
    pointer_typedef: str = ""
    """The typedef of a pointer to the struct, such as `fftw_plan`; empty if there is none."""
    comment: str = ""
    names: frozenset[str] = frozenset()
    """The typedefs of the struct and of pointers to it, and its tag: `image_t`, `struct image`."""
    size: int = 0
    """The size in bytes on this machine; 0 for an opaque struct."""
    is_copied: bool = False
    """Whether a function takes or returns the struct by value. A copy has no memory behind the struct."""

    @property
    def member_names(self) -> frozenset[str]:
        return frozenset(each.name for each in self.members)

    @property
    def flexible(self) -> Member | None:
        """The array at the end of the struct, `x[]` or `x[1]`, whose memory can go on behind the struct."""
        own = [each for each in self.members if "[" not in each.name]
        last = own[-1] if own else None
        if last is None or self.is_copied or "." in last.name or last.in_union or last.type.kind != "array":
            return None
        return last if last.type.length in (None, 0, 1) else None

    def shares_memory(self, member: Member) -> bool:
        """Returns whether a member of a union has its memory in common with other types. If the union is an array of
        numbers, and all others have numbers of the same type, the array is the whole union."""
        if not member.in_union:
            return False
        element = member.type.target
        if member.type.kind != "array" or element is None or not element.is_number:
            return True
        numbers = {each.type.canonical for each in self.members if each.type.is_number}
        others = [each for each in self.members if each is not member and each.type.kind != "struct"]
        return not (all(each.type.is_number and each.in_union for each in others) and numbers <= {element.canonical})


class Enum(Frozen):
    key: str
    spelling: str
    """The typedef or `enum tag`; empty for an enum without a name."""
    values: tuple[tuple[str, int], ...]
    comments: Mapping[str, str] = field(default_factory=dict)
    """The comments of the constants that have one."""


class Parameter(Frozen):
    name: str
    type: DeclaredType
    direction: str = ""
    """The comment in the prototype that tells the direction, such as `in` for `/* in */`."""


class Function(Frozen):
    name: str
    result: DeclaredType
    parameters: tuple[Parameter, ...]
    comment: str = ""
    is_variadic: bool = False
    has_unknown_parameters: bool = False
    """Whether the header has `()`, which does not tell the parameters in C before C23."""


class Macro(Frozen):
    """A macro that stands for one literal."""

    name: str
    kind: Literal["int", "float", "str", "char"]
    value: str


class Header(Frozen):
    """The declarations of one library: those of a header, and of the headers of the same library that it includes."""

    path: str
    include: str
    """The header as `include` of a spec names it: `image.h` or `<gsl/gsl_matrix.h>`."""
    before: tuple[str, ...]
    """Headers that must be included first, because the header lacks them, as `include` of a spec names them."""
    structs: Mapping[str, Struct]
    enums: Mapping[str, Enum]
    functions: tuple[Function, ...]
    macros: tuple[Macro, ...]
    columns: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Macros that read an element of a column-major matrix, by the member with the data and that with the rows."""
    has_objects_of_glib: bool = False
    """Whether the header includes GLib's reference-counted objects."""


# ---- Names of C and their words, and the names of classes, methods and modules that follow from them ----

_WORD = re.compile(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_TAGS = ("struct ", "union ", "enum ")


def words(name: str) -> list[str]:
    """Returns the words of a name in lower case: `gsl_matrixView2` is gsl, matrix, view2."""
    return [word.lower() for word in _WORD.findall(name)]


def stem(name: str) -> list[str]:
    """Returns the words of a type without its tag and without an ending that only marks types."""
    for tag in _TAGS:
        name = name.removeprefix(tag)
    found = words(name)
    while len(found) > 1 and found[-1] in ("t", "s", "struct", "ptr", "impl"):
        found.pop()
    return found


def library_words(names: Iterable[str]) -> list[str]:
    """Returns the words with which most of the names begin, such as `gsl`; an empty list if there are none."""
    lists = [found for found in map(words, names) if len(found) > 1]
    if not lists:
        return []
    first, count = Counter(found[0] for found in lists).most_common(1)[0]
    return [first] if 2 * count >= len(lists) and len(lists) > 1 else []


def without(prefix: Sequence[str], name: str) -> str:
    """Returns a name without the words of `prefix` at its start, in its own case; the whole name if it is nothing
    else."""
    rest = name
    for word in prefix:
        rest = rest.lstrip("_")
        if rest[: len(word)].lower() != word:
            return name
        rest = rest[len(word) :]
    rest = rest.lstrip("_")
    return rest if rest and not rest[0].isdigit() else name


def class_name(spelling: str, library: Sequence[str]) -> str:
    """Returns the name of a class in Python: `MatrixFloat` for `gsl_matrix_float`."""
    found = stem(spelling)
    if len(found) > len(library) and found[: len(library)] == list(library):
        found = found[len(library) :]
    name = "".join(word.capitalize() for word in found)
    return f"T{name}" if not name or name[0].isdigit() else name


def python_name(name: str, taken: Iterable[str] = ()) -> str:
    """Returns a name for a function or an attribute. Adds `_` to a keyword of Python and to a taken name."""
    name = name.lstrip("_") or "value"
    if not name.isupper():
        name = _HUMP.sub("_", name).lower()
    reserved = {*ATTRIBUTES, *taken}
    while keyword.iskeyword(name) or name in C_KEYWORDS or name in CPP_KEYWORDS or name in reserved:
        name += "_"
    return name


def module_name(stem_of_file: str) -> str:
    """Returns the name of the module for the file of a header: `gdk_pixbuf` for `gdk-pixbuf.h`."""
    name = re.sub(r"\W+", "_", stem_of_file, flags=re.ASCII).strip("_").lower() or "module"
    name = f"m{name}" if name[0].isdigit() else name
    if is_reserved(name):
        return f"py_{name}"
    return f"{name}_" if is_keyword(name) else name


def is_module_name(name: str) -> bool:
    """Returns whether a spec can have a module of this name."""
    return is_identifier(name) and not is_keyword(name) and not is_reserved(name)


def common_words(names: Sequence[str]) -> list[str]:
    """Returns the words with which all names begin, if each name has more words."""
    lists = [words(name) for name in names]
    if len(lists) < 2:
        return []
    shared: list[str] = []
    for column in zip(*(found[:-1] for found in lists), strict=False):
        if len(set(column)) > 1:
            break
        shared.append(column[0])
    return shared


# ---- The words by which libraries name fields, parameters and functions ----
# Each set has one meaning.


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


# ---- Fields of structs, and functions that read them: the words of the name, joined ----

IGNORED = _set("get n num number of no image img the count cnt total")
"""Words that do not change the meaning of a field: `n_channels`, `get_width`."""
DATA = tuple(
    """
    data pixels pixel pix samples values vals buffer buf elements elems storage cells voxels coeffs base ptr mem raw
    array block entries planes
    """.split()
)
"""Words of the pointer to the elements, the clearest one first."""
NO_DATA = _set(
    """
    name path file filename title comment text label str string msg message error description key user priv
    private opaque ctx context shape dims dim extents sizes size strides stride steps step next prev parent palette cmap
    colormap lut map index indices offsets owner refcount refs lock mutex allocator meta metadata tag aux extra
    """
)
BEGIN = _set("begin start first base")
END = _set("end last finish limit")
"""Last words of pointers to the first element of an array, and behind the last one."""
RANK = _set("ndim rank nd dim dims ndims dimension dimensions naxis naxes axes ndimensions")
VECTOR_OF_EXTENTS = _set("shape dims dim extents extent size sizes ne dimensions len lens lengths n d axes")
EXTENT_OF_AXIS = _set("extent size dim n len length count")
DEPTH = _set("depth slices nz nslices layers frames d zsize sizez")
HEIGHT = _set("height h rows nrows nrow ny size1 row m ysize sizey nr rowcount lines")
WIDTH = _set("width w cols ncols ncol columns ncolumns nx size2 col n xsize sizex nc colcount")
DISPLAYED = _set("display displayed visible")
"""First words of an extent of the part of an image that is displayed."""
CHANNELS = _set("channels nchannels components ncomp comps bands c chans ncomponents samplesperpixel spp")
LENGTH = _set("n l size len length nelem nelements elements npoints points nsamples samples nframes frames")
STORED = _set("nnz nonzeros nzmax nnzmax")
"""Words of the number of elements that a sparse matrix stores. Its data is shorter than rows by columns."""
COUNTING = _set("n num nb nr number count cnt total len length size of")
"""Words of an integer that counts the elements of another member: `n_colors`, `color_count`."""
NUMBER = _set("n num nb nr number count cnt")
"""Words of a function that counts things: `num_channels`."""
NO_COUNT = _set("next new name node net near null none nested native network")
"""Words with an `n` at the start that does not stand for a number."""
CODE_WORDS = _set("id type kind flag flags mode version status")
"""Last words of an integer that counts nothing."""
THINGS_IN_ROWS = _set("data row sample point record vector item observation")
"""Things in the singular, of which an array has one in each row."""
ROWS_OF_PIXELS = _set("pixels tpixels rows lines scanlines")
"""Last words of pointers to the rows of an image."""
INPUT = _set("in input")
OUTPUT = _set("out output")
STRIDE_IN_BYTES = _set(
    "rowsizebytes rowsize pitch linesize rowstride rowbytes bytesperline bytesperrow widthstep linestride nb step"
)
STRIDE_IN_ELEMENTS = _set("tda ld lda ldim leading inc")
STRIDE = _set("stride strides rowstep linestep ystride") | STRIDE_IN_BYTES | STRIDE_IN_ELEMENTS
STRIDE_OF_AXIS = _set("sm stride")
DTYPE = _set("dtype type datatype elemtype format fmt depth kind sampleformat eltype scalartype elementtype")
BYTES_OF_PIXEL = _set("bytesperpixel pixelsize pixelbytes bytespp")
BITS_OF_PIXEL = _set("bitsperpixel pixelbits")
CODE_OF_PIXELS = _set("format mode coding pixfmt")
"""Last words of a field whose enum lists formats of pixels."""
DEVICE = _set("device devicetype location backend memtype memorytype memory place space")
SURE_DEVICE = _set("device devicetype backend memtype memorytype")
DEVICE_NUMBER = _set("deviceid deviceindex ordinal deviceordinal")
ITEM_SIZE = _set("itemsize elemsize elementsize esize eltsize bytesperelement bytespersample")
ITEM_BITS = _set("bits bitspersample bitspercomponent bitdepth bitsperchannel")
COLORS = _set("colors ncolors colours")
"""Words of an integer that counts the samples of a pixel, or the entries of a palette."""
BYTE_OFFSET = _set("byteoffset offsetbytes")
OFFSET = _set("offset start storageoffset")
READONLY = _set("readonly isreadonly immutable isimmutable")
WRITABLE = _set("writable writeable iswritable iswriteable")
HIDDEN = _set("refcount refs ref owner mutex lock reserved padding private")
"""Words of fields that no property shows."""

# ---- Planes: functions that take a selector ----

PLANE = _set("plane channel component comp band")
"""Words of a part of an object that a function takes as a selector."""
NO_PLANE = _set("row rows line lines scanline scanlines pixel sample user")
"""Words of functions that return a part of a plane, or no elements."""
SEVERAL_SAMPLES = _set("interleaved packed rgb rgba bgr bgra argb abgr")
"""Words of a selector for a plane whose pixels have several samples."""
WRITABILITY = _set("readonly const constant immutable ro writable writeable mutable rw")
"""Words of functions that return the same memory, for reading or for writing."""

# ---- Functions: any word of the name ----

RELEASE = (
    "unref",
    "decref",
    "destroy",
    "free",
    "delete",
    "nuke",
    "nix",
    "dispose",
    "release",
    "close",
    "del",
    "kill",
    "finalize",
    "unload",
    "drop",
)
"""Words of functions that free an object, the clearest one first."""
RELEASE_ENDINGS = ("free", "destroy", "cleanup", "deinit", "fini")
RELEASE_BEFORE = ("free", "destroy", "delete", "dispose", "dealloc", "unref")
"""Starts of words of functions that free: `freegroup`, `destroyall`."""
FREE_BEFORE = ("freez", "freetype", "freeform", "freedom", "freehand", "freeman")
"""Starts of words that begin as `free`, and free nothing."""
RELEASE_PARTLY = _set("clear uninit cleanup deinit fini dealloc deallocate discard")
"""Words of functions that free the memory of an object, or only empty it."""
ENDING = _set(
    """
    drop terminate term shutdown end stop exit quit finish done fini uninit teardown unload unmap purge reclaim recycle
    discard abandon forget expire cancel disconnect detach unlink unregister cleanup cleanse clear deinit dealloc
    deallocate erase trash wipe reset collect evict
    """
)
"""Words of functions that may end the life of an object, beside those that free."""
SETTING = _set(
    """
    set register add attach assign insert push put give own steal adopt consume absorb append prepend transfer
    bind hook link connect install mount embed wrap share swap exchange keep enqueue submit queue init initialize
    """
)
"""Words of functions that may keep an argument, or take it over."""
RETAIN = _set("ref incref addref retain reference")
CREATE_ORDER = ("new", "create", "alloc", "calloc", "allocate", "make", "init", "build", "open", "load", "read", "from")
"""Words of functions that create an object, the likeliest constructor first."""
CREATE = frozenset(CREATE_ORDER) | _set("copy clone dup duplicate parse empty zeros wrap plan")
UNSET = _set("alloc allocate malloc new create make empty")
"""Words of functions that create an array, and may set no element."""
ZEROED = _set("calloc zeros zero")
CREATE_ENDINGS = ("alloc", "create", "new")
CREATE_FOR_SURE = _set("new create copy clone dup")
COPY = _set("copy clone dup duplicate")
BORROW = _set("get at peek view current default parent first next last find lookup")
"""Words of functions whose result belongs to their argument."""
MOVE = _set(
    """
    resize realloc reallocate reserve grow shrink append push prepend insert erase remove pop reshape alloc allocate
    wrap crop trim truncate extend expand enlarge unpack convert copy merge
    concat concatenate
    """
)
"""Words of functions that may move or free the memory of an array."""
MOVE_OF_ITSELF = _set(
    """
    resize realloc reallocate reserve grow shrink append push prepend insert erase remove pop reshape trim truncate
    extend expand enlarge merge concat concatenate
    """
)
"""Words of functions that change an object that exists. Others, such as `unpack`, can also create one."""
MOVE_AT_ENDS = ("resize", "realloc", "append", "reserve", "convert", "unpack", "decode", "insert")
"""Starts and ends of such words: `convertsamples`, `vecresize`."""
EXTENTS = _set("size length len capacity count shape dims dimensions ndim rows cols columns width height")
"""Words after `set` in functions that change the size of an array."""
ADD_BEFORE = ("addr", "addit", "adder")
"""Starts of words that begin as `add`, and are about something else: `address`, `additional`."""
ARITHMETIC = _set("sub subtract mul multiply div divide scale axpy axpby dot norm")
EXCHANGE = _set("swap exchange steal move transfer")
"""Words of functions that exchange two objects, or the memory of both."""
IN_OUT = _set("inout io")
PART = _set("data pixels buffer row rows cache list array all member members buf")
"""Words of functions that free only a part of an object, or more than it."""
PROPERTY = _set(
    """
    is has width height rows cols columns channels depth size length count type format name version id rate duration
    stride pitch index flags capacity dimension dimensions ndim rank status state
    """
)
"""Words of functions whose result is an attribute of the object."""
QUESTION = _set("is has can")

# ---- Parameters ----

COUNT = _set(
    "ndim ndims rank nd n len length count size num nelem nelements npoints nsamples samples elements total points"
)
INDEX = _set("index idx i j k pos position offset id ident number which key flags flag mode type kind code version")
"""Words of an integer that is no length."""
COUNT_OF_BYTES = _set("nbytes bytes bytelen bytesize bufsize buflen")
PARAMETER_STRIDE = _set("stride inc tda ld lda ldb ldc incx incy")
ROWS = _set("rows nrows height h m ny nr")
COLUMNS = _set("cols ncols columns ncolumns width w nx nc")
PATH = _set("path file filename fname pathname filepath dir folder directory")
PATH_ENDINGS = ("filename", "filepath", "pathname", "file")
PRINT = _set("print fprint printf fprintf dump show display report")
"""Words of functions that write text to a file."""
WRITE = _set("write fwrite save export output put store serialize encode")
READ = _set("read fread load import scan fscan parse input decode")
OPTIONS = _set("options option opts opt params parameters config configuration settings attributes attrs attr hints")
"""Words of an argument that changes the defaults of a function."""
OUTPUT_OBJECT = _set("out output result ret dest dst new created")
"""Words of the address of a pointer by which a function returns an object."""
FORMAT = _set("format fmt template")
"""Words of a text that tells how C reads further arguments."""
SINGLE_OUTPUT = _set("width height rows cols columns channels count depth stride pitch index w h nrows ncols ndim rank")
SUCCESS = _set("ok success successful succeeded noerror noerr")
"""Words of constants that stand for success."""
SUCCESS_AMONG_FAILURES = _set("none no")
"""Words of constants that stand for success if another word is about failures: `LIB_ERROR_NONE`, `LIB_NO_ERROR`."""
FAILURE = _set("error err errors errno status errorcode errcode fail failure fault")
STATUS = _set("code status error err errno errcode errorcode retcode rc ret result")
"""Last words of a member, and words of a type, that hold a status."""
MESSAGE = _set("message msg text description what reason errmsg string str")
