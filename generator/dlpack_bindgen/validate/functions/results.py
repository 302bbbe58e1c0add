"""Reader for results of functions, by their C types and the keys `ok` and `returns`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.functions import FINALLY, RETURNS
from dlpack_bindgen.language.names import Class, Mistake, Names
from dlpack_bindgen.language.results import RESULT
from dlpack_bindgen.language.steps import OK
from dlpack_bindgen.language.values import Fields, Items, Leaf, c_fragments, condition_of, is_record, items_of, text_of
from dlpack_bindgen.results.kind import OF, Source
from dlpack_bindgen.results.kinds import WORDS, by_type, completed, selected
from dlpack_bindgen.results.value import Value
from dlpack_bindgen.spec.functions import IS_OBJECT, Argument, Result
from dlpack_bindgen.text import ctext
from dlpack_bindgen.text.diagnostics import Report, Span
from dlpack_bindgen.text.fragments import has_members, mentions, tests_result
from dlpack_bindgen.text.types import CType, Prototype, declared, is_typedef
from dlpack_bindgen.validate.functions.parameters import span_of

NOTHING = Result(None)
_OR_NOTHING = "or 'returns: None', or the parameters that are returned"
_MEMBER = r"%\s*\.\s*[A-Za-z_]"


def result(function: Fields, prototype: Prototype, names: Names, made: Class | None, report: Report) -> Result | None:
    """Returns the result of a function. Returns None if it has a mistake, which is reported.

    `made` is the class if the function is a constructor.
    """
    if RETURNS in function and function[RETURNS] is None:
        return None
    try:
        return _Reader(function, prototype, names, made).result()
    except Mistake as mistake:
        report(mistake.diagnostic)
        return None


def tested(function: Fields, prototype: Prototype, found: Result, names: Names) -> str | None:
    """Returns the test of a call: its `ok`, or a test that the result is not NULL. Returns None without a test."""
    if own := text_of(condition_of(function[OK])):
        return own
    fails = found.required or (found.kind == "object" and not found.optional)
    if fails and found.may_be_struct:
        return IS_OBJECT
    is_pointer = prototype.result.depth or (found.class_type is not None and found.class_type.depth)
    return "% != NULL" if fails and is_pointer else _tested_by_value(prototype, found, names)


def is_null(prototype: Prototype, test: str | None) -> bool:
    """Returns whether a result that fails the test is NULL."""
    signs = [token.text for token in ctext.tokens(test or "")]
    compared = signs[:2] == ["%", "!="] and signs[2:] in (["NULL"], ["0"])
    return test == IS_OBJECT or (compared and prototype.result.depth > 0)


def _tested_by_value(prototype: Prototype, found: Result, names: Names) -> str | None:
    """Returns a test for NULL if the object is passed by value and its type may be a pointer, or None."""
    of = names.classes.get(found.of or "")
    if of is None or not of.by_value or found.optional or names.number(prototype.result.base):
        return None
    is_struct = any(has_members(leaf.text, "self") for _, leaf in c_fragments(of.fields))
    return IS_OBJECT if is_typedef(prototype.result) and not is_struct else None


def returned(function: Fields, found: Result, arguments: Sequence[Argument], params: Sequence[str]) -> tuple[str, ...]:
    """Returns the names of all returned values in order.

    `params` are the values with which returned objects are made. They are not returned by themselves.
    """
    listed = items_of(function[RETURNS])
    if listed:
        return tuple(leaf.text for leaf in listed.leaves())
    if text_of(function[RETURNS]) == "None":
        return ()
    values: list[tuple[str, Value]] = [("result", found)]
    values += [(each.name, each.kind.returned) for each in arguments if each.kind.returned is not None]
    sizes = [(name, text) for name, value in values for text in value.sizes]
    is_size = found.kind == "int" and mentions([size for of, size in sizes if of != "result"], "result")
    own = ("result",) if found.kind and not is_size else ()
    found_out = [each.name for each in arguments if _is_returned(each) and not _is_size(each, sizes)]
    found_out = [name for name in found_out if not is_status(text_of(condition_of(function[OK])), name)]
    return own + tuple(name for name in found_out if name not in params)


def _is_size(argument: Argument, sizes: Sequence[tuple[str, str]]) -> bool:
    """Returns whether the argument is only the size of another value. An array has more elements than a size reads."""
    value = argument.kind.returned
    is_array = value is not None and value.kind == "array"
    return not is_array and mentions([size for of, size in sizes if of != argument.name], argument.name)


def _is_returned(argument: Argument) -> bool:
    value = argument.kind.returned
    return value.kind != "private" if value is not None else argument.kind.new_output is not None


def is_status(ok: str | None, name: str = "%") -> bool:
    """Returns whether a success always has the same value, which Python then does not need."""
    signs = [token.text for token in ctext.tokens(ok or "")]
    return signs[:2] == [name, "=="] and not {"&&", "||", "?", "%"}.intersection(signs[2:])


def status(ok: str | None, arguments: Sequence[Argument]) -> str | None:
    """Returns the name of the value that the test reads: `result`, a filled parameter, or None for neither.

    Without a test, it is `result`.
    """
    if ok is None or tests_result(ok):
        return "result"
    filled = [each.name for each in arguments if each.kind.returned is not None or each.by_address]
    return next((name for name in filled if mentions([ok], name)), None)


class _Reader(Frozen):
    function: Fields
    prototype: Prototype
    names: Names
    made: Class | None

    def result(self) -> Result:
        returns = self.function[RETURNS]
        if isinstance(returns, Items):
            mentioned = any(leaf.text == "result" for leaf in returns.leaves())
            return self._by_type(returns.span) if mentioned else NOTHING
        if is_record(returns, RESULT) and (of := returns[OF]):
            return self._named(of, returns)
        if isinstance(returns, Leaf) and returns.text != "None":
            return self._named(returns, None)
        if (
            returns is not None
            or self.prototype.result == CType("void")
            or is_status(text_of(condition_of(self.function[OK])))
        ):
            return NOTHING
        plain = self.prototype.result.depth == 0 and not self.names.objects(self.prototype.result)
        if plain and re.search(_MEMBER, text_of(condition_of(self.function[OK])) or ""):
            return NOTHING  # the result is a struct, and `ok` tests its member
        return self._by_type(span_of(self.function, self.prototype.name))

    def _source(self, span: Span, fields: Fields | None) -> Source:
        named = [each.name for each in self.prototype.parameters if self.names.objects(each.ctype)]
        borrow_source = None if not named else named[0] if len(named) == 1 else "PARAM"
        result = self.prototype.result
        fields = fields or Fields(RESULT, {}, {}, None, span, False)
        return Source(result, self.names, span, fields, constructed=self.made, borrow_source=borrow_source)

    def _named(self, name: Leaf, record: Fields | None) -> Result:
        """Returns the result for a type in `returns`, and its other keys."""
        values = ["result", *(each.name for each in self.prototype.parameters)]
        if name.text in values and not self.names.has(name, WORDS):
            hint = f"write [{name.text}]"
            if name.text != "result":
                hint += "; 'result' beside it stands for the value that the function returns"
            raise Mistake(
                "unknown-class", name.span, "this is the kind of the result; parameters are returned in a list", hint
            )
        named, source = self.names.find(name, WORDS, "result"), self._source(name.span, record)
        kind = selected(named, source)
        value = kind.by_name(named, source)
        if value is None:
            self.names.refuse(source.ctype, name.span)
            raise source.mistake(f"the C function does not return '{name.text}'", kind.hint(source))
        found = Result(**completed(kind, value, source))
        if record is not None and found.kind not in ("object", "objects"):
            self._only_of_objects(record, found)
        return found

    def _only_of_objects(self, returns: Fields, found: Result) -> None:
        for key in ("keeps",) if found.kind == "array" else ("borrow", "owned", "keeps", "optional"):
            if key in returns.given and not (found.required and key == "optional"):
                message = f"'{key}' belongs to tensors and handles: everything else is copied"
                hint = "a string that is NULL is None without it" if key == "optional" else None
                raise Mistake("without-effect", returns.given[key], message, hint)

    def _by_type(self, span: Span) -> Result:
        ctype = self.prototype.result
        source = self._source(span, None)
        if (found := by_type(source)) is not None:
            return Result(**completed(*found, source))
        if ctype == CType("void"):
            raise Mistake("result-type", span, f"'{self.prototype.name}' returns nothing")
        self.names.refuse(ctype, span)
        pointed = self.names.meant(CType(ctype.base)) if ctype.depth == 1 else []
        for each in pointed:
            message = f"'{each.name.text}' is passed by value, as '{ctype.base}', and this is a pointer to one"
            hint = f"leave 'pass: value' of '{each.name.text}' out if C always has pointers"
            raise Mistake("result-type", span, message, hint)
        message = f"the type '{declared(ctype, '')}' of the result is unknown"
        hint = f"declare a handle or a tensor of this C type; {_OR_NOTHING}"
        if ctype.depth == 1 and ctype.base == "char":
            message = "the owner of this string is not declared"
            hint = "'returns: str' copies it; 'finally: free(result)' ends it"
            if FINALLY in self.function:
                hint = "'returns: str' copies it"
        elif ctype.depth == 2 and ctype.base == "char":
            hint = "'returns: strings' copies a table that NULL ends; 'finally' frees it; "
            hint += "{of: strings, count: N} copies N"
        elif ctype.depth == 2 and (listed := self.names.objects(CType(ctype.base, (False,)))):
            hint = f"a table of {listed[0].name.text}: 'returns: {{of: {listed[0].name.text}, count: N}}'"
        elif ctype.depth == 1 and ctype.base == "void":
            hint = "elements: 'returns: {of: array, dtype: ..., shape: [...]}'; bytes: {of: bytes, size: N}; "
            hint += f"an object: a handle 'type: void'; {_OR_NOTHING}"
        elif ctype.depth == 0 and "(" not in ctype.base:
            hint = f"declare a handle or a tensor of this C type with 'pass: value'; {_OR_NOTHING}"
        elif ctype.depth == 1 and self.names.number(ctype.base):
            hint = "returns: {of: array, shape: [...]} copies it, and with 'borrow' shows it; a tensor 'type: "
            hint += f"{ctype.base}', whose 'params' give its size, is memory of its own"
            of = next((of for each in self.prototype.parameters for of in self.names.objects(each.ctype)), None)
            if of is not None:
                hint = f"a part of '{of.name.text}' is a tensor of its C type, with this call as its 'data'; {hint}"
        raise Mistake("result-type", span, message, hint)
