"""Reader for the key `outputs`: which arrays have the library of an argument, and which arguments can decide it."""

from __future__ import annotations

from collections.abc import Sequence

from dlpack_bindgen.language.functions import FunctionFields
from dlpack_bindgen.language.names import Names
from dlpack_bindgen.language.outputs import AS_GIVEN, OWN_CLASS
from dlpack_bindgen.language.values import text_of
from dlpack_bindgen.spec.functions import Argument, Outputs
from dlpack_bindgen.validate.functions.calls import Call


def outputs(function: FunctionFields, call: Call, returned: Sequence[str], names: Names) -> Outputs | None:
    """Returns the library of the new arrays of a function, or None if they are objects of their class."""
    written = text_of(function.outputs) or (AS_GIVEN if names.outputs_as_given else OWN_CLASS)
    if written == OWN_CLASS or names.arrays is None:
        return None
    if not has_new_arrays(call, returned, names) or not deciding(call, names):
        return None
    return Outputs(names.arrays, None if written == AS_GIVEN else written)


def has_new_arrays(call: Call, returned: Sequence[str], names: Names) -> bool:
    """Returns whether the function returns a new array of the class that `arrays` names."""
    arguments = {argument.name: argument.kind for argument in call.sound()}
    kinds = [arguments[name] for name in returned if name in arguments]
    filled = [kind.returned for kind in kinds]
    values = [value.of for value in (*filled, call.result if "result" in returned else None) if value is not None]
    made = [kind.class_name or names.arrays for kind in kinds if kind.new_output is not None]
    return names.arrays in (*values, *made)


def deciding(call: Call, names: Names) -> list[Argument]:
    """Returns the arguments that can be arrays of a library. Outputs and the object of a method do not count."""
    passed = {each.name for each in call.from_python()}
    found = [argument for argument in call.sound() if argument.name in passed and argument.kind.is_operand]
    return [each for each in found if each.kind.new_output is None and _may_be_array(each, names)]


def _may_be_array(argument: Argument, names: Names) -> bool:
    of = argument.kind.class_name
    return of is None or (of in names.classes and names.classes[of].is_tensor) or of == names.arrays
