"""Names that raise a question: is `n` the length of `x`?

A wrong guess reads past the end of an array. A name therefore never decides what is emitted: it makes the generator
ask, until the spec declares the meaning.
"""

from __future__ import annotations

import re
from typing import Literal

Question = Literal[
    "length",
    "count",
    "length of",
    "extent",
    "number of elements",
    "stride",
    "bytes from row to row",
    "stride in bytes",
    "function for a stride",
    "capacity",
    "capacity of",
    "length of a string",
    "number of strings",
    "several structs",
    "number of objects",
    "number",
    "function that frees",
]

_MEASURES = "n|num|len|length|size|count"
_ROWS = r"(?:pitch|line_?size|bytes_?per_?(?:line|row)|row_?bytes|width_?step|rowstride|bpl)"
_PATTERNS: dict[Question, str] = {
    # integers beside an array
    "length": r"(?i)n|nnz|(?:\w*_)?(?:len|length|count|size|num|nelems?|numel|elements|samples)|(?:n|num)_\w+",
    "count": r"(?i)n|(?:len|length|count|num|nelems?|numel|elements|samples)",  # and not `n_threads`
    "length of": rf"(?i)(?:{_MEASURES})_?{{of}}|{{of}}_?(?:{_MEASURES})",
    "extent": "m|n|k|l|h|w|rows|cols|columns|width|height|depth|nx|ny|nz",
    "number of elements": r"(?i)(?!\w*(?:byte|octet|size))"
    r"(?:n|num|count|nmemb|n?elem(ent)?s?|(n|num)_\w+|\w+_count)",
    # strides
    "stride": rf"(?i:inc[a-z]?|ld[a-z])|(?i:\w*(?:strides?|{_ROWS}))(?:[A-Z_]\w*)?",
    "bytes from row to row": rf"(?i)\w*{_ROWS}",
    "stride in bytes": rf"(?i:\w*(?:{_ROWS}|bytes?))(?:[A-Z_]\w*)?",
    "function for a stride": r"(?i)\w*(?:stride|step)\w*",
    # integers beside a buffer that C fills
    "capacity": r"(?:\w+_)?(?:capacity|cap|room|avail|out_?len|out_?size)|\w*[a-z](?:Capacity|Cap|Storage|Avail)",
    "capacity of": r"(?i){of}_?(?:len|length|size|cap|capacity|room|max|n|count)",
    # integers beside strings
    "length of a string": r"(?i)n|(?:\w+_)?(?:len|length|strlen|n?bytes)|(?:n|len|size)_?{of}"
    r"|{of}_?(?:n|size)|{of}len(?:gth)?",
    "number of strings": r"(?i)argc|n|num|count|(n|num)_?\w+|\w+_?count",
    # pointers to structs, and integers beside them. `bias`, `pos`, `axis` and `status` are singular.
    "several structs": r"(?i)all|list|array|batch|set|\w+_(?:all|list|array|batch|set)|\w\w+[^isu]s",
    "number of objects": r"(?i)(?:n|num|number)_?(?:of_?)?\w*[^isu]s|\w+_(?:n|num|count)|how_many",
    "number": r"(?i)n|num|count|nmemb|(?:n|num)_\w+|\w+_count",  # and probably not of bytes
    # functions that take a pointer
    "function that frees": r"(?i)(?:\w*(?:_|[a-z]))?(?:free|delete|destroy|dispose)",
}
_OTHER_AXIS = {
    "rows": ("cols", "columns"),
    "cols": ("rows",),
    "columns": ("rows",),
    "nrows": ("ncols",),
    "ncols": ("nrows",),
    "nrow": ("ncol",),
    "ncol": ("nrow",),
    "height": ("width",),
    "width": ("height",),
    "h": ("w",),
    "w": ("h",),
    "nx": ("ny",),
    "ny": ("nx",),
}
"""For each name of an extent, the names of extents of the other axis."""


def suggests(name: str, question: Question, of: str = "") -> bool:
    """Returns whether a name raises the question. `of` is the name of the array, buffer or string."""
    return re.fullmatch(_PATTERNS[question].replace("{of}", of), name) is not None


def suggests_other_axis(name: str, extent: str) -> bool:
    """Returns whether `name` may be the extent of the other axis beside `extent`."""
    return name.lower() in _OTHER_AXIS.get(extent.lower(), ())
