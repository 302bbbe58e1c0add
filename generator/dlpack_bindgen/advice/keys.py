"""Hints for unknown keys: words of other tools and languages, and keys of other records."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from dlpack_bindgen.advice.names import meant
from dlpack_bindgen.dlpack import DEVICES
from dlpack_bindgen.language import language
from dlpack_bindgen.text.diagnostics import closest, shown
from dlpack_bindgen.text.names import EXCEPTIONS
from dlpack_bindgen.text.yaml import Mapping, Scalar

_RECORD_KEYS = {
    ("include",): "header headers #include includes",
    (
        "release",
        "destroy",
        "finally",
    ): "free delete dealloc deallocate destroy destructor dtor dispose drop unref decref",
    ("retain",): "ref incref addref add_ref acquire_ref",
    ("clone",): "dup duplicate",
    ("strides",): "pitch step steps stride row_stride ld leading_dimension",
    ("shape",): "size sizes dim dims dimension dimensions extent extents cols columns width height",
    ("order",): "layout",
    ("readonly",): "const read_only immutable",
    ("data",): "ptr pointer buffer pixels storage memory address",
    ("byte_offset",): "offset",
    ("dtype",): "format element_type elem_type scalar_type typestr",
    ("require", "expr"): "assert asserts requires check checks precondition preconditions",
    ("construct", "new"): "constructor ctor create make __init__ __new__",
    ("type", "tensors"): "struct ctype c_type",
    ("tensors",): "structs class classes types",
    ("handles",): "objects",
    ("functions",): "funcs procedures",
    ("constants",): "enum enums enumerations macros",
    ("module",): "name",
    ("args",): "arguments parameters params param",
    ("params",): "context ctx",
    ("cast",): "convert conversion astype coerce",
    ("properties",): "fields attributes attrs getters",
    ("returns",): "result output restype rtype",
    ("finally",): "cleanup",
    ("out",): "intent direction",
    ("extent_of",): "shape_of",
    ("c",): "prototype proto signature declaration decl",
    ("doc",): "description docstring docs comment help",
    ("raises",): "exception exceptions",
    ("ok",): "okay success status",
    ("error",): "error_message",
    ("name",): "alias python_name",
    ("release_gil",): "allow_threads",
    ("raises", "error"): "throws",
    ("import",): "from_dlpack from_array from_numpy",
    ("arms",): "map cases",
    ("of",): "type",
    ("type", "code", "of"): "kind",
    ("default",): "else otherwise",
    ("id",): "index device_index idx",
    ("takes",): "steals consumes transfer",
    ("count_of",): "length len len_of length_of",
    ("optional",): "nullable maybe_null may_be_none null_ok null none",
    ("do", "c", "construct"): "call",
    ("expr", "require", "if"): "condition",
    ("message", "error"): "msg text reason",
    ("ndim",): "rank",
}
KEYS = {word: keys for keys, words in _RECORD_KEYS.items() for word in words.split()}
"""For each synonym the keys that it can mean. The first key that the record has is the suggestion."""

_FOLLOWS = "it follows from"
_COMPACT = (("strides", "arrays without 'strides' are compact"), ("require", "write 'require: [compact]'"))
_WRITABLE = (
    ("writes", "write 'writes: true'"),
    ("readonly", "did you mean 'readonly', its opposite?"),
    ("require", "write 'require: [writable]'"),
)
_BY_COLUMN = ("count_of", "write 'require: [column_major]'")
_FORTRAN = (("order", "write 'order: F'"), _BY_COLUMN)
_RANK = (("shape", f"{_FOLLOWS} 'shape'"), ("require", "write 'require: [{ndim: ...}]'"))
_EXPORTED = (("data", "leave it out: every tensor can be exported"),)
_DEFAULT = (("args", "write 'args: {PARAM: {default: ...}}'"),)
_REQUIRED = ("shape", "dtype", "ndim", "align", "device")
_BYTE_STRIDES = (("strides", "write 'strides: {list: [...], unit: bytes}'"),)
_OF_ARGUMENTS = ("out", "default", "optional", "writes", "invalidates", "takes", "count_of", "extent_of", "value")
ADVICE = {
    **dict.fromkeys(("contiguous", "compact", "c_contiguous"), _COMPACT),
    **dict.fromkeys(("writable", "writeable", "mutable"), _WRITABLE),
    **dict.fromkeys(("fortran", "column_major", "col_major", "f_contiguous"), _FORTRAN),
    **dict.fromkeys(("rank", "ndims"), _RANK),
    **dict.fromkeys(("itemsize", "item_size", "elemsize", "elem_size"), (("dtype", f"{_FOLLOWS} 'dtype'"),)),
    "nbytes": (("shape", f"{_FOLLOWS} 'shape' and 'dtype'"),),
    **dict.fromkeys(("export", "exports", "to_dlpack", "to_numpy"), _EXPORTED),
    **dict.fromkeys(("byte_strides", "strides_bytes"), _BYTE_STRIDES),
    "bytes": (
        ("outer", "write {each: ..., unit: bytes}, or {list: [...], unit: bytes}"),
        ("writes", "write 'of: bytes'"),
    ),
    "new": (("writes", "write 'default: new'"),),
    "like": (("writes", "write 'default: like PARAM'"),),
    **{word: (("writes", f"write 'of: {word}'"),) for word in ("rows", "array", "str", "strings", "path", "char")},
    "init": (("new", "'new', 'import' and 'allocate' each have an 'init'"),),
    **{key: (("returns", f"write 'returns: {{of: ..., {key}: ...}}'"),) for key in ("borrow", "size")},
    "keeps": (
        (
            "returns",
            "write 'returns: {of: ..., keeps: ...}'; for an object argument: 'args: {OBJECT: {keeps: ...}}'",
        ),
    ),
    **dict.fromkeys(
        ("kept_by", "stored_in", "stores", "holds"),
        (("writes", "write for the object that stores it: 'keeps: PARAM'"),),
    ),
    **{key: (("args", f"write 'args: {{PARAM: {{{key}: ...}}}}'"),) for key in _OF_ARGUMENTS},
    **dict.fromkeys(("inout", "in_out"), (("writes", "leave it out: memory that is not 'const' is read and written"),)),
    **{
        key: (
            ("count_of", f"write 'require: [{{{key}: ...}}]'"),
            ("expr", "it is required of arrays: in the 'require' of an 'import', or of an argument"),
        )
        for key in _REQUIRED
    },
    "stream": (
        ("count_of", "it belongs to the whole call, and stands beside 'c'"),
        ("tensors", "it is a key of a function, and of an import"),
    ),
    "cast": (("data", "write it in the 'import', with 'copy: allowed'"),),
    "order": (("count_of", "for Fortran order write 'require: [column_major]'; C order needs nothing"),),
    "count": (("count_of", "write 'count_of: ARRAY' of the number, or 'require: [{count: ...}]' of the array"),),
    "finally": (("borrow", "it stands beside 'c'"),),
    "readonly": (("get", "leave it out: without 'set' it is"), ("writes", "write 'writes: false'")),
    "minus": (("plus", "write 'plus: -1'"),),
    "c": (("get", "write 'get: FUNCTION(self)': an expression"),),
    **dict.fromkeys(
        ("else", "otherwise", "default"), (("when", "'default' beside 'arms' covers the remaining values"), *_DEFAULT)
    ),
    **dict.fromkeys(("nogil", "no_gil", "gil", "threads"), (("release_gil", "write 'release_gil: true'"),)),
}
"""Hints for features without a key of their own: for each word, pairs of a key of the record and a hint."""


def advice(key: str, known: Iterable[str]) -> tuple[str, str] | tuple[None, None]:
    """Returns the key of the record that replaces `key`, and a hint, or two None."""
    names = tuple(known)
    name, colon, value = key.partition(":")
    if colon and value and name in names:
        return name, f"write {name}: {shown(value)}"
    found = next(((beside, text) for beside, text in ADVICE.get(key.lower(), ()) if beside in names), None)
    if found is None and set(names) == {"of", "map", "default"} and not _is_other(key):
        found = "map", f"write map: {{{shown(key)}: ...}}"
    return found or (None, None)


def key_hint(key: str, known: Iterable[str]) -> str | None:
    """Returns a hint for an unknown key of a record, or None."""
    names = tuple(known)
    meant = meant_key(key, names)
    if meant:
        return f"did you mean '{meant}'?"
    record = records_of_keys().get(key)
    return advice(key, names)[1] or (f"it is a key of {record}" if record else None)


def meant_key(key: str, known: Iterable[str]) -> str | None:
    """Returns the known key that is a synonym of `key`, or spelled similarly. The spelling does not count if there is a
    hint for `key`, or another record has it."""
    names = tuple(known)
    found = meant(key, KEYS, names)
    if found or advice(key, names)[1] or key in records_of_keys() or _is_other(key):
        return found
    return closest(key, names)


def option(node: Mapping, tags: tuple[str, ...]) -> str | None:
    """Returns a hint for a mapping that fits none of several records: `{cuda: 0}`, `{LIB_F32: float32}`."""
    keys = [key.text for key, _ in node.entries]
    found = next((found for key in keys if (found := meant(key, KEYS, tags))), None)
    found = found or next((found for key in keys if (found := closest(key, tags))), None)
    if found:
        return f"did you mean '{found}'?"
    key, value = node.entries[0]
    if key.text == "of" and "map" in keys and isinstance(value, Scalar):
        return f"one 'match' can choose by several values: of: [..., {shown(value.text)}]"
    if record := records_of_keys().get(key.text):
        return f"that is a key of {record}"
    if key.text in DEVICES and isinstance(value, Scalar):
        return f"write {{type: {key.text}, id: {value.text}}}"
    if "of" in tags and isinstance(value, Mapping) and value.entries:
        return f"write {{of: {shown(key.text)}, map: {{{shown(value.entries[0][0].text)}: ...}}}}"
    if "enum" in tags:
        return f"write {{enum: {{{shown(key.text)}: ...}}}}"
    chosen = "..." if key.text in ("switch", "select", "case") else f"{shown(key.text)}: ..."
    return f"write a choice by a value as {{of: ..., map: {{{chosen}}}}}" if "of" in tags else None


def swapped(key: str, value: str) -> str | None:
    """Returns a hint for an exchanged key and value, such as `{ValueError: CODE}`, or None."""
    return f"write {{{shown(value)}: {key}}}" if key in EXCEPTIONS else None


def _is_other(key: str) -> bool:
    """Returns whether the key is a known synonym. Then it is not a misspelling of another key."""
    return key.lower() in KEYS or key.lower() in ADVICE


@cache
def records_of_keys() -> dict[str, str]:
    """Returns for each key the outermost record that has it. Hints for misplaced keys use it."""
    return {key.name: record.what for record in reversed(language.records()) for key in record.keys}
