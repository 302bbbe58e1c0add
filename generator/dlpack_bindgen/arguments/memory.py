"""Helpers of the kinds that share memory with Python: arrays and objects."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dlpack_bindgen.arguments.entry import DEFAULT, WRITES, ParameterEntry
from dlpack_bindgen.arguments.requirements import Cast, NewOutput, Requirements
from dlpack_bindgen.language.names import Class, Mistake
from dlpack_bindgen.language.requirements import CAST_OF_ARGUMENT
from dlpack_bindgen.language.values import is_true, text_of
from dlpack_bindgen.text.types import CType

LIKE = "like "
_NEW = "new"
KEYS_OF_ARRAYS = ("of", "writes", "require", "copy", "cast", "optional", "default")


def writes(entry: ParameterEntry) -> bool:
    """Returns whether C writes to the memory: the key `writes`, or else whether the type lacks `const`.

    For objects, the C type is unreliable, and the key can override it. Objects passed by value are never `const`, and a
    `const T *` may own mutable data.
    """
    declared = text_of(entry.fields[WRITES])
    return not entry.ctype.reads if declared is None else declared == "true"


def writes_of_pointer(pointer: CType, entry: ParameterEntry) -> dict[str, Any]:
    """Returns the fields `writes` and `unless_const` for a prototype that has another name for the pointer type."""
    if text_of(entry.fields[WRITES]) is not None:
        return {}
    return {"writes": not pointer.reads, "unless_const": None if pointer.depth else pointer.base}


def refuse_const(entry: ParameterEntry) -> None:
    if is_true(entry.fields[WRITES]) and entry.ctype.reads:
        raise entry.mistake("argument-type", "C does not write to 'const' memory")


def cast_of(entry: ParameterEntry, has_dtype: bool) -> Cast | None:
    """Returns how elements of other dtypes are converted. `has_dtype`: the array has a required dtype, or several."""
    if entry.cast is None:
        return None
    place = entry.place(CAST_OF_ARGUMENT)
    if entry.ctype.base in entry.names.records and has_dtype:
        message = f"the elements of '{entry.parameter.name}' are records, which are not converted"
        raise Mistake("without-effect", place, message, "leave 'cast' out")
    if writes(entry):
        message = f"C may write to '{entry.parameter.name}', and would write to the converted copy"
        raise Mistake(
            "without-effect", place, message, "if C only reads it: 'writes: false', or 'const' in the prototype"
        )
    if not has_dtype:
        message = f"an array of any dtype is accepted for '{entry.parameter.name}': there is nothing to convert"
        raise Mistake("without-effect", place, message, "leave 'cast' out, or require a dtype")
    return entry.cast


def new_output(entry: ParameterEntry, what: str) -> NewOutput | None:
    """Returns the new output that `default` declares, or None without a default. `what` is the argument, in words."""
    default = text_of(entry.fields[DEFAULT])
    if default is None:
        return None
    if default == _NEW:
        return NewOutput()
    if not default.startswith(LIKE):
        message = f"the default of {what} is 'like PARAM', or 'new', of the shape that is required"
        raise entry.mistake("without-effect", message, "NULL: 'optional: true'")
    return NewOutput(default.removeprefix(LIKE).strip())


def no_keeps_message(entry: ParameterEntry) -> dict[str, str]:
    """Returns the message for `keeps` on an array, which cannot keep other arguments alive."""
    name = entry.parameter.name
    return {"keeps": f"'keeps' belongs to the object that keeps it: 'args: {{OBJECT: {{keeps: {name}}}}}'"}


def requirements_of_class(entry: ParameterEntry, of: Class) -> Requirements:
    """Returns the requirements of an object. A `dlb_array` must be compact if no layout is declared."""
    require = entry.require()
    has_layout = require.compact or require.inner_compact or require.nonnegative_strides
    return replace(require, compact=True) if of.name.text == entry.names.arrays and not has_layout else require


def refuse_order(entry: ParameterEntry, of: Class) -> None:
    if entry.require().order == "F":
        message = f"the class '{of.name.text}' has the order of the axes, not an argument"
        raise entry.mistake("without-effect", message, "'order' of the tensor, and 'require: [compact]'")


def of_arrays(of: Class) -> dict[str, str]:
    """Returns the messages for keys about arrays: `cast`, and those that a class without `import` does not accept."""
    if of.imports:
        return {"cast": f"the 'import' of '{of.name.text}' has the key 'cast', not an argument"}
    why = f"'{of.name.text}' has no 'import', so that it takes no foreign arrays"
    return {key: f"'{key}' has no place here: {why}" for key in ("require", "copy", "cast")}
