"""Names of C and their words, and the names of classes, methods and modules that follow from them."""

from __future__ import annotations

import keyword
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from dlpack_bindgen.text.names import ATTRIBUTES, C_KEYWORDS, CPP_KEYWORDS, is_identifier, is_keyword, is_reserved

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
