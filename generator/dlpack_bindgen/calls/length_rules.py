"""Rules about the lengths of arrays and strings."""

from __future__ import annotations

import re
from itertools import pairwise

from dlpack_bindgen.calls.array import SIZE
from dlpack_bindgen.calls.call import Call
from dlpack_bindgen.calls.function_keys import REQUIRE, RETURNS
from dlpack_bindgen.calls.kind import Argument, Measure, ParameterEntry
from dlpack_bindgen.calls.lengths import (
    Elements,
    in_order,
    is_capacity,
    is_count,
    is_extent,
    is_free,
    is_number_out,
    is_open,
    is_undeclared_integer,
    of_array,
    reads,
)
from dlpack_bindgen.language.values import c_fragments, items_of
from dlpack_bindgen.tensor.requirements import REQUIRE_OF_ARGUMENT
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Diagnostic, Note, Report, Span
from dlpack_bindgen.text.fragments import mentions
from dlpack_bindgen.text.names import suggests

# ---- Rules for the lengths of the arrays and strings of a function, from Python and from C ----

_BEFORE_CALL = ("value", "count", "shape", "require", "expr")
"""Keys of C text that is evaluated before the call."""
_AFTER_CALL = ("size", "count", "shape", "finally")
_WHAT = {
    "count": "number of elements",
    "size": "size in bytes",
    "extent": "extent along another axis",
    "stride": "stride",
}


def check_lengths(call: Call, report: Report) -> None:
    rules = _Lengths(call, report)
    rules.given()
    rules.returned()
    rules.filled()
    rules.storages()
    rules.circles()
    rules.hidden()
    rules.shapes()


class _Lengths:
    def __init__(self, call: Call, report: Report) -> None:
        self._function = call.fields
        self._call = call
        self._emit = report

    def given(self) -> None:
        """Reports arrays of unknown length, first those beside an integer whose name suggests the length."""
        measured = [self._call.find(measure.of) for measure in self._call.measures()]
        unknown = not all(argument is not None and argument.kind.has_length for argument in measured)
        conditions = self._function[REQUIRE]
        broken = REQUIRE in self._function and (not conditions or conditions.count != len(conditions.items))
        misread = self._function.has_unknown or any(each.is_misread for each in self._call.entries)
        if broken or not self._call.is_whole or unknown or misread:
            return
        pairs = self._call.pairs
        self._capacities(pairs)
        left = [
            (each, argument)
            for each, argument in pairs
            if is_open(each, argument, self._call.read_arguments) and not _is_like_another(argument)
        ]
        if self._named(pairs, left):
            return
        free = next((each for each, argument in pairs if is_free(each, argument)), None)
        tables = [(each, argument) for each, argument in left if argument.ctype.extents or argument.kind.rows]
        for each, argument in tables:
            self._rows(each, argument, free.parameter.name if free else "N")
        if tables:
            return
        if free is not None and left:
            array, hint = left[0][1], None
            extents = [argument.name for each, argument in pairs if is_extent(each, argument)]
            if len(extents) > 1:
                hint = f"declare the length of each array: args: {{{_required(array, ' * '.join(extents[:2]))}, ...}}"
                axes = f"{extents[0]}: {{extent_of: {array.name}}}, {extents[1]}: {{extent_of: {array.name}, axis: 1}}"
                hint += "" if array.kind.is_bytes else f"; or whose axes they are: {{{axes}, ...}}"
            self._is_length(free, array, hint)
            return
        if left:
            self._open(left)
        self._several(pairs)

    def _several(self, pairs: list[tuple[ParameterEntry, Argument]]) -> None:
        """Reports an output of one number before an integer whose name suggests the number of items."""
        fragments = [leaf.text for _, leaf in c_fragments(self._function)]
        for (each, filled), (count, argument) in pairwise(pairs):
            if is_number_out(filled) and is_count(count, argument) and not mentions(fragments, filled.name):
                name, length = filled.name, argument.name
                message = f"'{length}' may be the number of '{name}', and '{name}' holds one number only"
                required = f"args: {{{name}: {{require: [{{count: {length}}}]}}}}, and Python gives the array"
                self._report(each.span, message, f"{required}; {{{length}: int}} if not")

    def _named(self, pairs: list[tuple[ParameterEntry, Argument]], left: list[tuple[ParameterEntry, Argument]]) -> bool:
        """Reports integers named after an array of unknown length. Returns whether there are any."""
        asked = False
        for each, argument in pairs:
            of = of_array(each, argument, self._call.read_arguments)
            array = next((other for _, other in left if other.name == of), None)
            if array is not None:
                self._is_length(each, array)
                asked = True
        return asked

    def _is_length(self, each: ParameterEntry, array: Argument, hint: str | None = None) -> None:
        name = each.parameter.name
        message = (
            f"'{name}' may be the length of '{array.name}': Python could give more, and C would read beyond its end"
        )
        way = f"{{size_of: {array.name}}}}}" if array.kind.is_bytes else f"{{count_of: {array.name}}}}}, or extent_of"
        default_hint = f"args: {{{name}: {way}; {{{name}: int}} if it is another number"
        self._report(each.span, message, hint or default_hint)

    def returned(self) -> None:
        """Reports arrays in `returns` without their own declaration, which C probably fills. Their length would only be
        inferred from another array."""
        found = [
            (each, argument.kind.require.count)
            for each, argument in self._call.pairs
            if argument.kind.is_pointer and argument.kind.require.count and not each.has_entry
            if argument.name in self._returned() and not argument.ctype.reads
        ]
        if not found:
            return
        names = [each.parameter.name for each, _ in found]
        arrays = ", ".join(f"{each.parameter.name}: {{require: [{{count: {count}}}]}}" for each, count in found)
        many = len(names) > 1
        message = f"{_names(names)} either filled by C or given by Python: declare which"
        ways = ("numbers", "arrays") if many else ("a number", "an array")
        hint = f"{ways[0]}: args: {{{_outs(names)}}}; {ways[1]}: {{{arrays}}}"
        notes = tuple(Note(each.span, f"'{each.parameter.name}'") for each, _ in found[1:])
        self._emit(Diagnostic("argument-unclear", found[0][0].span, message, hint, notes))

    def _returned(self) -> list[str]:
        listed = items_of(self._function[RETURNS])
        return [leaf.text for leaf in listed.leaves()] if listed else []

    def circles(self) -> None:
        """Reports values and lengths that depend on each other, or on elements of an array of unknown length."""
        left = in_order(self._call.arguments).left
        while outer := [each for each in left if not any(reads(other, [each]) for other in left)]:
            left = [each for each in left if each not in outer]
        if not left:
            return
        span = next(each.span for each, argument in self._call.pairs if argument in left)
        for name, measure in [(each.name, each.kind.measure) for each in left]:
            if measure is not None:
                message = f"the shape of a new '{measure.of}' is made of '{name}', which is a length of that array"
                self._emit(Diagnostic("default-made", span, message, f"let Python give it: args: {{{name}: int}}"))
                return
        fixed = [each.name for each in left if each.kind.value is not None]
        values = _listed("value", fixed)
        arrays = _listed("length", [each.name for each in left if each.kind.value is None])
        hint = f"leave the value of '{fixed[0]}' away: then Python gives it" if fixed else self._open_hint(left[0])
        if not arrays:
            self._emit(Diagnostic("used-too-early", span, f"{values} made of each other", hint))
        elif values:
            self._report(span, f"{values} read from elements, and {arrays} made of them", hint)
        elif len(left) > 1:
            self._report(span, f"{arrays} read from each other's elements", hint)
        else:
            self._report(span, f"{arrays} read from its own elements before it is known", hint)

    @staticmethod
    def _open_hint(argument: Argument) -> str:
        """Returns a hint that leaves the length of the array to the function."""
        name = argument.name
        prototype = f"'*{name}' in the prototype, and " if argument.ctype.length else ""
        knows = "{of: bytes, require: []}" if argument.kind.is_bytes else "{of: array}"
        return f"{prototype}args: {{{name}: {knows}}} if the function knows; the elements that C text reads are checked"

    def hidden(self) -> None:
        """Reports C text that reads elements by an index without a check, or a table of rows before the call."""
        elements = Elements(self._call.arguments)
        tables = [argument.name for argument in self._call.arguments if argument.kind.rows]
        for key, text in c_fragments(self._function):
            named = [name for name in tables if key in _BEFORE_CALL and ctext.mentions(text.text, name)]
            if named:
                self._report(text.span, f"'{named[0]}' is a table of rows, which is not read before the call")
            if key in _BEFORE_CALL and (hidden := elements.reads(text.text).hidden):
                message = f"'{hidden[0]}' must be read with a plain index, so that the element can be checked"
                found = self._call.find(hidden[0])
                plain = "" if found and found.kind.is_dltensor else f"write '{hidden[0]}[...]', or "
                hint = f"{plain}call a function that knows how long '{hidden[0]}' is"
                self._report(text.span, message, hint)

    def shapes(self) -> None:
        """Reports shapes with a parameter that is derived from another axis, or another property, of the array
        itself."""
        for each, argument in self._call.pairs:
            shape = argument.kind.require.shape if not argument.kind.is_list else None
            for axis, extent in enumerate(shape or ()):
                measure = self._call.find(extent)
                kind = measure.kind.measure if measure else None
                if kind is None or kind.of != argument.name or kind.what == "flags" or each.is_broken:
                    continue
                if kind.what == "extent" and shape and extent in shape[kind.axis : kind.axis + 1]:
                    continue  # of this axis, or of several: a square array
                if kind.what == "count" and shape and len(shape) == 1:
                    continue
                axes = f", axis: {axis}" if axis else ""
                what = f"'{extent}' is the {_WHAT[kind.what]} of '{argument.name}'"
                message = f"{what}, and not its extent along axis {axis}"
                self._report(each.span, message, f"args: {{{extent}: {{extent_of: {argument.name}{axes}}}}}")

    def filled(self) -> None:
        """Reports outputs whose capacity is not known before the call."""
        names = [each.parameter.name for each in self._call.entries]
        late = [argument.name for argument in self._call.arguments if argument.kind.returned is not None]
        for each, argument in self._call.pairs:
            name, length = argument.name, argument.ctype.length
            if argument.kind.returned is None or not length:
                continue
            measure = next(
                (each for each in (late if argument.kind.capacity else names) if ctext.mentions(length, each)), None
            )
            if measure is not None:
                hint = f"an array in memory that Python owns: {{{name}: {{out: true, of: array}}}}"
                if measure in late:
                    hint = f"args: {{{measure}: {{of: int, value: ...}}}} if C reads the capacity there"
                self._report(each.span, f"the buffer of '{name}' is made before '{measure}' is known", hint)

    def storages(self) -> None:
        """Reports `sizeof` of an output in a Python object, and uses of it after its length has changed."""
        for each, argument in self._call.pairs:
            value, size = argument.kind.returned, argument.kind.capacity
            if value is None or size is None:
                continue
            name, own = argument.name, each.fields[SIZE]
            for key, text in c_fragments(self._function):
                if re.search(rf"\bsizeof\s*\(?\s*{name}\b", text.text):
                    what = f"({size}) * sizeof({argument.ctype.base})" if value.kind.is_array else size
                    message = f"'{name}' is a pointer here, and its capacity is '{size}'"
                    self._report(text.span, message, f"write '{what}' for 'sizeof {name}'")
                elif value.size and text is not own and key in _AFTER_CALL and ctext.mentions(text.text, name):
                    self._report(text.span, f"'{name}' is Python's by then, and its 'size' gives its length")

    def _capacities(self, pairs: list[tuple[ParameterEntry, Argument]]) -> None:
        """Reports integers that are probably the capacity of an output: by their name, or beside the output."""
        for place, (_, filled) in enumerate(pairs):
            length, returned = filled.ctype.length, filled.kind.returned
            if returned is None or not length:
                continue
            is_buffer, is_array = returned.kind.may_be_buffer, returned.kind.is_array
            behind = pairs[place + 1 : place + 2]
            has_length = any(argument.kind.value is not None or is_free(each, argument) for each, argument in behind)
            beside = behind if has_length else pairs[max(0, place - 1) : place]
            asked = [pair for pair in beside if is_free(*pair)]
            named = [pair for pair in pairs if is_buffer and is_capacity(*pair, filled.name)]
            asked += [pair for pair in named if pair not in asked]
            for each, argument in asked:
                if not ctext.mentions(length, argument.name):
                    size = f"sizeof {filled.name}" if is_buffer and not filled.kind.capacity else length
                    hint = f"args: {{{argument.name}: {{value: {size}}}}}; {{{argument.name}: int}} if not"
                    message = f"'{argument.name}' may be the capacity of '{filled.name}': Python could give more"
                    self._report(each.span, message, hint)
            for each, argument in beside if is_buffer and not is_array else ():
                value = argument.kind.value
                if value and value.isdecimal() and length.isdecimal() and int(value) > int(length):
                    message = f"'{filled.name}' holds {length} bytes, and '{argument.name}' is {value}"
                    hint = f"args: {{{argument.name}: {{value: sizeof {filled.name}}}}}"
                    self._report(each.span, message, hint)

    def _rows(self, each: ParameterEntry, argument: Argument, count: str) -> None:
        name, inner = argument.name, ", ".join(argument.ctype.extents[1:])
        if argument.kind.rows:
            measured = f"{count}: {{extent_of: {name}}}, M: {{extent_of: {name}, axis: 1}}"
            hint = f"args: {{{measured}}}, or {{{name}: {{of: rows, require: [{{shape: [{count}, M]}}]}}}}"
            message = (
                f"the number of rows of '{name}', and of their elements, is not declared: C would go on beyond them"
            )
            self._report(each.span, message, hint)
            return
        hint = f"args: {{{count}: {{extent_of: {name}}}}}, or {{{name}: {{require: [{{shape: [{count}, {inner}]}}]}}}}"
        self._report(each.span, f"the number of rows of '{name}' is not declared: C would go on beyond them", hint)

    def _open(self, left: list[tuple[ParameterEntry, Argument]]) -> None:
        """Reports all arrays of unknown length in one diagnostic: they probably have one cause."""
        arrays, names = [argument for _, argument in left], [argument.name for _, argument in left]
        measures = [(each.name, measure) for each in self._call.arguments if (measure := each.kind.measure)]
        counts = [_counted(name, measure.plus) for name, measure in measures if self._counts(measure)]
        count = counts[0] if len(counts) == 1 else "N"
        required = [REQUIRE_OF_ARGUMENT in each.fields for each, _ in left]
        entries = [_required(array, count, others) for array, others in zip(arrays, required, strict=True)]
        numbers = [array.name for array in arrays if array.ctype.base != "void"]
        filled = [array.name for array in arrays if array.name in numbers and not array.ctype.reads]
        filled = [name for name in filled if name in self._returned()] or filled[:1]
        number = f"; exactly one number that C fills: {{{_outs(filled)}}}" if filled and not any(required) else ""
        if buffer := next((array.name for array in arrays if array.name in filled and array.kind.is_bytes), None):
            number = f"; bytes that C fills have one, and {{{buffer}: {{of: bytes, out: true}}}}"
        has_entry = left[0][0].has_entry
        knows = f"{names[0]}: {{of: array, ...}}" if has_entry else f"{names[0]}: array"
        if arrays[0].kind.is_bytes and not required[0]:
            knows = f"{names[0]}: {{of: bytes, require: []}}"
        if measures and not counts:
            number += f"; 'size_of' counts bytes and 'count_of' elements, perhaps for '{measures[0][0]}'"
        several = len(left) > 1
        length = f", or {'lengths' if several else 'a length'} in the prototype" if len(numbers) == len(left) else ""
        hint = f"args: {{{', '.join(entries)}}}{length}{number}; {{{knows}}} if the function knows"
        message = (
            f"nothing declares how long {_names(names)}: C would go on beyond {'their ends' if several else 'its end'}"
        )
        notes = tuple(Note(each.span, f"'{argument.name}'") for each, argument in left[1:])
        self._emit(Diagnostic("argument-length", left[0][0].span, message, hint, notes))

    def _counts(self, measure: Measure) -> bool:
        """Returns whether the parameter counts elements. A size in bytes counts elements of one byte."""
        of = self._call.find(measure.of)
        return measure.what != "size" or (of is not None and of.kind.is_bytes)

    def _report(self, span: Span, message: str, hint: str | None = None) -> None:
        self._emit(Diagnostic("argument-length", span, message, hint))


def _is_like_another(argument: Argument) -> bool:
    """Returns whether the default of the argument is a new array like another array."""
    made = argument.kind.new_output
    return made is not None and made.like is not None


def _listed(what: str, names: list[str]) -> str:
    verb = "s of {} are" if len(names) > 1 else " of {} is"
    return f"the {what}{verb.format(' and '.join(map(repr, names)))}" if names else ""


def _required(array: Argument, count: str, more: bool = False) -> str:
    """Returns the entry of `args` that requires `count` elements. `more`: the array has other requirements."""
    word = "of: bytes, " if array.kind.is_bytes else ""
    return f"{array.name}: {{{word}require: [{{count: {count}}}{', ...' if more else ''}]}}"


def _outs(names: list[str]) -> str:
    return ", ".join(f"{name}: {{out: true}}" for name in names)


def _names(names: list[str]) -> str:
    """Returns the quoted names with their verb: `'a' is`, or `'a', 'b' and 'c' are`."""
    quoted = [f"'{name}'" for name in names]
    return f"{', '.join(quoted[:-1])} and {quoted[-1]} are" if len(names) > 1 else f"{quoted[0]} is"


def _counted(name: str, plus: int) -> str:
    """Returns the number of elements as an expression of the parameter that is derived from it."""
    return f"{name} {'-' if plus > 0 else '+'} {abs(plus)}" if plus else name


# ---- Rules for numbers beside strings, and beside tables of strings: such a number may be their length ----


def check_string_lengths(call: Call, report: Report) -> None:
    _lengths(call, report)
    _counts(call, report)


def _lengths(call: Call, report: Report) -> None:
    """Reports integers that are probably the length of the string before them. C would trust the number."""
    for (_, string), (each, argument) in pairwise(call.pairs):
        is_named = suggests(argument.name, "length of a string", string.name)
        length = string.kind.length(string.name, argument.ctype) if is_named else None
        if length is not None and is_undeclared_integer(each, argument):
            name = argument.name
            message = f"'{name}' may be the length of '{string.name}': "
            message += "Python could give more, and C would read beyond its end"
            hint = f"args: {{{name}: {{value: {length}}}}}; {{{name}: int}} if it is another number"
            report(Diagnostic("argument-length", each.span, message, hint))


def _counts(call: Call, report: Report) -> None:
    """Reports string arrays beside an integer that is probably their length. C finds the end of a string array by NULL
    or by a number. An argument that is only declared as `strings` is checked as well."""
    pairs = call.pairs
    measures = [(other.name, other.kind.measure) for _, other in pairs]
    counts = [name for name, measure in measures if measure is not None and measure.what == "count"]
    tables = [other.kind for _, other in pairs if other.kind.is_table_of_strings]
    counts += [count for kind in tables for count in kind.expressions() if not count.isdecimal()]
    for place, (each, argument) in enumerate(pairs):
        name, kind = argument.name, argument.kind
        is_counted = kind.expressions() or any(measure.what == "count" for measure in call.measures(name))
        if not kind.is_table_of_strings or is_counted or each.is_broken:
            continue
        before = [pair for pair in pairs[max(0, place - 1) : place] if suggests(pair[1].name, "number of strings")]
        number = next((pair for pair in pairs[place + 1 : place + 2] + before if _is_free(*pair)), None)
        if number is not None:
            message = f"'{number[1].name}' may be the number of '{name}': Python could give more"
            hint = f"args: {{{number[1].name}: {{count_of: {name}}}}}; {{{number[1].name}: int}} if not"
            report(Diagnostic("argument-count", number[0].span, message, hint))
        elif counts and not each.requires_nothing:
            message = f"'{counts[0]}' may be the number of '{name}': C would go on beyond their end"
            hint = f"args: {{{name}: {{of: strings, require: [{{count: {counts[0]}}}]}}}}"
            hint += f"; {{{name}: {{of: strings, require: []}}}} if NULL ends them"
            report(Diagnostic("argument-count", each.span, message, hint))


def _is_free(each: ParameterEntry, argument: Argument) -> bool:
    """Returns whether the argument is an integer without any declaration in `args`."""
    return argument.kind.is_integer and not each.has_entry and each.name is None
