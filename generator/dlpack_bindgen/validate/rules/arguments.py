"""Rules between the parameters of one function: defaults, lengths, counts, order and codes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from dlpack_bindgen.arguments.array import Array
from dlpack_bindgen.arguments.derived import MEASURES, Derived
from dlpack_bindgen.arguments.dltensor import Raw
from dlpack_bindgen.arguments.dtype_code import DTypeCode
from dlpack_bindgen.arguments.entry import Given
from dlpack_bindgen.arguments.enumeration import EnumValue
from dlpack_bindgen.arguments.fixed import Fixed
from dlpack_bindgen.arguments.number import Number
from dlpack_bindgen.arguments.object import Object
from dlpack_bindgen.arguments.objects import Objects
from dlpack_bindgen.arguments.string import String
from dlpack_bindgen.arguments.strings import Strings
from dlpack_bindgen.c import ctext
from dlpack_bindgen.c.integers import bare_integer
from dlpack_bindgen.c.literals import fit, is_floating
from dlpack_bindgen.c.suggestive_names import suggests
from dlpack_bindgen.c.types import becomes, declared, family
from dlpack_bindgen.diagnostics import Code, Diagnostic, Note, Span
from dlpack_bindgen.language.names import Names
from dlpack_bindgen.language.values import Fields, Leaf
from dlpack_bindgen.slots.values import NamedDType
from dlpack_bindgen.spec.functions import Argument
from dlpack_bindgen.validate import conditions
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.declared import declared_params
from dlpack_bindgen.validate.functions.keyword_only import by_name
from dlpack_bindgen.validate.functions.lengths import LENGTHS, is_undeclared_integer
from dlpack_bindgen.validate.ranks import rank_bounds
from dlpack_bindgen.validate.rules import made, requirements, structs
from dlpack_bindgen.validate.rules.made import is_shown
from dlpack_bindgen.validate.rules.words import quoting
from dlpack_bindgen.validate.structure import Report

REFERENCES = (*MEASURES, "code_of", "param_of", "borrow")
"""Keys of an argument whose value is another parameter."""
_FILE = re.compile(r"\w+(?:\.\w+)*\.(?:png|jpe?g|gif|bmp|tiff?|txt|csv|json|xml|yaml|pdf|html)", re.ASCII)
"""Matches file names. As C text they would read a member of a struct."""
_READ = (Number, EnumValue, String)
_MEASURED = ("shape", "count")


def check(function: Fields, call: Call, known: Names, report: Report) -> None:
    rules = _Rules(function, call, known, report)
    rules.defaults()
    rules.literals()
    rules.addresses()
    rules.order()
    rules.places()
    rules.measures()
    rules.lengths()
    structs.check(call, known, report)
    rules.codes()
    rules.params()
    rules.counts()
    rules.strings()
    rules.requirements()


class _Rules:
    def __init__(self, function: Fields, call: Call, known: Names, report: Report) -> None:
        self._function = function
        self._call = call
        self._known = known
        self._emit = report

    def _pairs(self) -> list[tuple[Given, Argument]]:
        pairs = zip(self._call.given, self._call.arguments, strict=True)
        return [(each, argument) for each, argument in pairs if argument is not None]

    def defaults(self) -> None:
        for each, argument in self._pairs():
            record = each.record
            if record is None:
                continue
            if each.says("optional") and "default" in record.given:
                self._report("without-effect", record.given["optional"], "with a default, it is optional already")
            if argument.kind.fresh is not None:
                made.check(each, argument, self._call, self._known, self._emit)
            elif default := record.leaf("default"):
                self._mentioned(default, each)
                is_string = default.is_quoted_word and self._call.find(default.text) is None
                if isinstance(argument.kind, String) and (is_string or _FILE.fullmatch(default.text)):
                    message = "YAML has removed the quotes of this string"
                    self._report("c-quotes", default.span, message, quoting(default.text))

    def _mentioned(self, default: Leaf, each: Given) -> None:
        """Reports names in a default that are not numbers or strings before it. Its own name may be a type of C."""
        earlier = self._call.given[: self._call.given.index(each)]
        before = [self._call.find(other.parameter.name) for other in earlier]
        known = {argument.name for argument in before if argument and isinstance(argument.kind, _READ)}
        others = {other.parameter.name for other in self._call.given} | self._params_of_self()
        others.discard(each.parameter.name)
        for name in ctext.names(default.text):
            if name in others and name not in known:
                message = f"'{name}' is not known here: a default can use the numbers and strings before it"
                self._report("used-too-early", default.span, message)
                return

    def _params_of_self(self) -> set[str]:
        """Returns the names of the params of `self`, which are read after the numbers."""
        own = self._call.arguments[self._call.self_index] if self._call.self_index is not None else None
        of = self._known.classes.get(own.kind.of) if own and isinstance(own.kind, Object) else None
        return {param.name for param in declared_params(of)} if of else set()

    def literals(self) -> None:
        """Reports literals that their C type cannot hold. The C compiler would convert them silently."""
        for each, argument in self._pairs():
            kind, base = argument.kind, argument.ctype.base
            leaf = each.record.leaf("value" if isinstance(kind, Fixed) else "default") if each.record else None
            number = kind.kind if isinstance(kind, Number) else "int" if isinstance(kind, EnumValue) else family(base)
            plain = isinstance(kind, (Number, EnumValue, Fixed)) and argument.ctype.depth == 0
            if leaf is None or not plain or fit(leaf.text, base, number) != "differs":
                continue
            if number == "bool":
                message, hint = f"'{leaf.text}' is not a boolean", "write 0 or 1, true or false"
            elif is_floating(leaf.text):
                message, hint = f"'{leaf.text}' is not an integer, and '{base}' is one", None
                if family(base) is None and not isinstance(kind, EnumValue):
                    hint = "write 'of: float' if it is not"
            else:
                message = f"'{base}' cannot hold {leaf.text}"
                hint = f"write ({base}){leaf.text} if all bits are meant" if leaf.text.startswith("-") else None
            self._report("argument-type", leaf.span, message, hint)

    def addresses(self) -> None:
        """Reports numbers as values of pointers. The C compiler turns 0 into NULL, which is rarely meant."""
        for each, argument in self._pairs():
            leaf = each.record.leaf("value") if each.record and isinstance(argument.kind, Fixed) else None
            depth, base = argument.ctype.depth, argument.ctype.base
            if leaf is None or not depth or (bare_integer(leaf.text) is None and not is_floating(leaf.text)):
                continue
            hint = "write NULL for no address"
            if depth == 1 and base not in ("void", "char") and not self._known.objects(argument.ctype):
                hint += f', "&({base}){{{leaf.text}}}" for the address of such a number'
            message = f"'{leaf.text}' is a number, and '{argument.name}' a pointer"
            self._report("argument-type", leaf.span, message, hint)

    def order(self) -> None:
        """Reports required arguments after optional ones. New outputs may stand anywhere."""
        if None in self._call.arguments:
            return
        at_end = by_name(self._function, self._call)
        spans = {each.parameter.name: each.span for each in self._call.given}
        optional, before, late, after = list[str](), list[str](), list[str](), ""
        for argument in self._call.from_python():
            if argument.name in at_end or argument.kind.fresh is not None:
                continue
            if argument.kind.may_be_missing:
                optional.append(argument.name)
            elif optional:
                before, late, after = optional.copy(), [*late, argument.name], after or optional[-1]
        if late:
            message = f"'{late[0]}' is required, and comes after '{after}', which is optional"
            notes = (Note(spans[after], "it may be left out"), *(Note(spans[n], f"so must '{n}'") for n in late[1:]))
            default = "them defaults" if late[1:] else "it a default"
            hint = f"give {default}, or write 'keyword_only: [{', '.join(before)}]'"
            self._report("required-after-optional", spans[late[0]], message, hint, notes)

    def places(self) -> None:
        given = [argument.name for argument in self._call.from_python()]
        known = {argument.name for argument in self._call.sound()}
        last, first = self._function.leaf("positional_only"), self._function.leaf("keyword_only")
        listed = self._function.items("keyword_only")
        leaves = listed.leaves() if listed else ()
        for leaf in (last, first, *leaves):
            if leaf is not None and leaf.text in known and leaf.text not in given:
                self._report("argument-order", leaf.span, f"Python does not give '{leaf.text}'")
        for place, leaf in enumerate(leaves):
            if leaf.text in [each.text for each in leaves[:place]]:
                self._report("argument-order", leaf.span, f"'{leaf.text}' is listed twice")
            elif last is not None and leaf.text == last.text:
                self._report("argument-order", leaf.span, f"'{leaf.text}' can only be given by position")
        if last is None or first is None or not {last.text, first.text} <= set(given):
            return
        if given.index(first.text) <= given.index(last.text):
            notes = (Note(last.span, "the last one by position"),)
            self._report("argument-order", first.span, f"'{first.text}' can be given by position", notes=notes)

    def measures(self) -> None:
        for each, argument in self._pairs():
            kind = argument.kind
            if not isinstance(kind, Derived) or each.record is None:
                continue
            of = self._call.find(kind.of)
            span = next(leaf.span for key in MEASURES if (leaf := each.record.leaf(key)))
            if of is None:
                continue
            if isinstance(of.kind, (Objects, Strings)) and kind.what == "count":
                continue
            if not is_shown(of, self._known):
                what = "objects, strings or an array" if kind.what == "count" else "an array"
                shown = [f"'{other.name}'" for other in self._call.sound() if is_shown(other, self._known)]
                hint = f"did you mean {shown[0]}?" if len(shown) == 1 else None
                hint = f"write {_until_nul(argument, of)}" if isinstance(of.kind, String) else hint
                self._report("measure-of", span, f"'{kind.of}' is not {what}, which '{kind.what}_of' needs", hint)
            elif structs.is_one(of, self._known) and kind.what in LENGTHS:
                continue  # reported by structs.check()
            elif (most := self._most_axes(of)) is not None and kind.axis >= most:
                message = f"axis {kind.axis} of '{kind.of}', which has {most} {'axis' if most == 1 else 'axes'} at most"
                self._report("index-out-of-rank", each.record.given.get("axis", span), message)

    def codes(self) -> None:
        for record, argument, of in self._asked("code_of"):
            table = record.table("map")
            for key, _ in table.entries if table else ():
                conditions.compared(key, argument.name, self._emit, otherwise="write the code alone")
            span = record.values["code_of"].span
            if not is_shown(of, self._known) or (isinstance(of.kind, Array) and not of.kind.any_dtype):
                hint = "it is about a 'void *' that is an 'array', a 'DLTensor *', or a tensor"
                if of.ctype.base == "void" and isinstance(of.kind, Array):
                    hint = "leave 'dtype' out of its 'require': 'map' lists them"
                self._report("code-of", span, f"'{of.name}' is not an array of different dtypes", hint)
            elif of.kind.may_be_missing:
                self._report("code-of", span, f"'{of.name}' is not always there, and 'code_of' needs it")
            elif "map" in record.given and not self._have_codes(of):
                message = f"no dtype of '{of.name}' is in all its maps, and in its 'require'"
                self._report("code-of", record.given["map"], message)

    def _asked(self, key: str) -> Iterator[tuple[Fields, Argument, Argument]]:
        """Yields the record, the argument and the argument that `key` names, for each argument with `key`."""
        for each, argument in self._pairs():
            of = self._call.find(each.text(key) or "")
            if each.record is not None and of is not None:
                yield each.record, argument, of

    def _have_codes(self, of: Argument) -> bool:
        """Returns whether all maps of `of` have a code for at least one common dtype, and `require` accepts it."""
        kinds = [argument.kind for argument in self._call.sound()]
        coded = [
            {dtype for _, dtype in kind.codes} for kind in kinds if isinstance(kind, DTypeCode) and kind.of == of.name
        ]
        names = of.kind.require.dtypes if isinstance(of.kind, (Array, Raw, Object)) else ()
        return bool(set.intersection(*coded, *([{NamedDType(name) for name in names}] if names else [])))

    def params(self) -> None:
        for record, argument, of in self._asked("param_of"):
            span = record.values["param_of"].span
            if not isinstance(of.kind, Object):
                self._report("param-of", span, f"'{of.name}' is not an object, which 'param_of' needs")
                continue
            found = self._known.classes[of.kind.of]
            params = {param.name: param.ctype for param in declared_params(found)}
            notes = (Note(found.name.span, "the class"),)
            if of.kind.may_be_missing:
                self._report("param-of", span, f"'{of.name}' is not always there, and 'param_of' needs it")
            elif argument.name not in params:
                message = f"'{of.kind.of}' has no param '{argument.name}'"
                hint = f"it has {', '.join(params)}" if params else "declare it there with 'params'"
                self._report("param-of", span, message, hint, notes)
            elif not becomes(params[argument.name], argument.ctype):
                has, wants = declared(params[argument.name], ""), declared(argument.ctype, "")
                message = f"the param '{argument.name}' of '{of.kind.of}' is '{has}', and this is '{wants}'"
                self._report("param-of", span, message, notes=notes)

    def _most_axes(self, argument: Argument) -> int | None:
        """Returns the highest rank that the requirements and the class of the argument allow, or None."""
        kind = argument.kind
        if kind.rows:
            return 2
        found = self._known.classes.get(kind.object_class or "")
        known = rank_bounds(found.fields) if found is not None else None
        return min((bounds[1] for bounds in (kind.require.ndim, known) if bounds), default=None)

    def lengths(self) -> None:
        """Reports integers that are probably the length of the string before them. C would trust the number."""
        for (_, text), (each, argument) in pairwise(self._pairs()):
            named = suggests(argument.name, "length of a string", text.name)
            if isinstance(text.kind, String) and named and is_undeclared_integer(each, argument):
                name = argument.name
                message = f"'{name}' may be the length of '{text.name}': "
                message += "Python could give more, and C would read beyond its end"
                hint = f"args: {_until_nul(argument, text)}; {{{name}: int}} if it is another number"
                self._report("argument-length", each.span, message, hint)

    def counts(self) -> None:
        """Reports lists of objects whose length C does not get."""
        for each, argument in self._pairs():
            is_list = isinstance(argument.kind, Objects)
            counted = is_list and any(_counts(other, argument.name) for other in self._call.sound())
            if is_list and not counted and not (argument.ctype.length or "").isdecimal():
                message = f"the number of objects of '{argument.name}' is unknown: no parameter counts them"
                hint = f"args: {{N: {{count_of: {argument.name}}}}}; or a length in the prototype, '{argument.name}[3]'"
                if argument.ctype.length is None and not argument.ctype.reads:
                    hint = f"an object that C makes: args: {{{argument.name}: {{out: true}}}}; several: {hint}"
                self._report("argument-count", each.span, message, hint)

    def strings(self) -> None:
        """Reports string arrays beside an integer that is probably their length. C finds the end of a string array by
        NULL or by a number. An argument that is only declared as `strings` is checked as well."""
        pairs = self._pairs()
        counts = [other.name for _, other in pairs if isinstance(other.kind, Derived) and other.kind.what == "count"]
        required = [other.kind.count for _, other in pairs if isinstance(other.kind, Strings) and other.kind.count]
        counts += [count for count in required if not count.isdecimal()]
        for place, (each, argument) in enumerate(pairs):
            name = argument.name
            counted = isinstance(argument.kind, Strings) and any(_counts(other, name) for _, other in pairs)
            if not isinstance(argument.kind, Strings) or argument.kind.count or counted or each.is_broken:
                continue
            beside = pairs[place + 1 : place + 2] + [
                it for it in pairs[max(0, place - 1) : place] if suggests(it[1].name, "number of strings")
            ]
            number = next((pair for pair in beside if _is_free(*pair)), None)
            if number is not None:
                message = f"'{number[1].name}' may be the number of '{name}': Python could give more"
                hint = f"args: {{{number[1].name}: {{count_of: {name}}}}}; {{{number[1].name}: int}} if not"
                self._report("argument-count", number[0].span, message, hint)
            elif counts and not each.requires_nothing:
                message = f"'{counts[0]}' may be the number of '{name}': C would go on beyond their end"
                hint = f"args: {{{name}: {{of: strings, require: [{{count: {counts[0]}}}]}}}}"
                hint += f"; {{{name}: {{of: strings, require: []}}}} if NULL ends them"
                self._report("argument-count", each.span, message, hint)

    def requirements(self) -> None:
        for each, argument in self._pairs():
            required = each.record.items("require") if each.record else None
            of = self._known.classes.get(argument.kind.of) if isinstance(argument.kind, (Object, Objects)) else None
            requirements.check(required, of.fields if of else None, self._emit)
            for record in required.records() if required else ():
                key = next((key for key in _MEASURED if key in record.given), None)
                is_counted = isinstance(argument.kind, Strings) and key == "count"
                if key is not None and not is_counted and not is_shown(argument, self._known):
                    message = f"'{argument.name}' is not an array, of which '{key}' could be required"
                    self._report("measure-of", record.given[key], message)

    def _report(
        self, code: Code, span: Span, message: str, hint: str | None = None, notes: tuple[Note, ...] = ()
    ) -> None:
        self._emit(Diagnostic(code, span, message, hint, notes))


def _counts(argument: Argument, name: str) -> bool:
    kind = argument.kind
    return isinstance(kind, Derived) and kind.what == "count" and kind.of == name


def _until_nul(number: Argument, text: Argument) -> str:
    """Returns an entry of `args` that passes strlen() of a string. The result is cast if `number` is not a size_t."""
    cast = "" if number.ctype.base == "size_t" else f"({number.ctype.base})"
    length = f"{cast}strlen({text.name})"
    length = f"{text.name} != NULL ? {length} : 0" if text.kind.may_be_missing else length
    return f"{{{number.name}: {{value: {length}}}}}"


def _is_free(each: Given, argument: Argument) -> bool:
    """Returns whether the argument is an integer without any declaration in `args`."""
    is_int = isinstance(argument.kind, Number) and argument.kind.kind == "int"
    return is_int and each.record is None and each.name is None
