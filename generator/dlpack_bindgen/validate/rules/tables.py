"""Rules for string arrays that C returns: a number beside one may be its length, and then NULL need not end it."""

from __future__ import annotations

from collections.abc import Iterator

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.language.functions import RETURNS
from dlpack_bindgen.language.results import RESULT
from dlpack_bindgen.language.steps import OK
from dlpack_bindgen.language.values import Fields, is_record, text_of
from dlpack_bindgen.results.strings import COUNT
from dlpack_bindgen.text.diagnostics import Diagnostic, Report, Span
from dlpack_bindgen.text.fragments import mentions
from dlpack_bindgen.text.types import family, is_unknown
from dlpack_bindgen.validate.functions.calls import Call
from dlpack_bindgen.validate.functions.lengths import is_number_out
from dlpack_bindgen.validate.functions.parameters import written_at
from dlpack_bindgen.validate.functions.results import is_status


def check(function: Fields, call: Call, report: Report) -> None:
    """Reports returned string arrays without `count` if C returns an integer that may be the length. Integers from
    Python are ignored: the array of `char **words(int count)` can still end with NULL."""
    for table in _tables(function, call):
        number = next((name for name in _numbers(function, call) if name != table.name), None)
        if number is not None:
            message = f"'{number}' may be the number of strings in {table.text}, and without 'count' they end with NULL"
            entry = f"{table.key}: {{of: strings, {table.more}count: "
            hint = f"{entry}{number}}}{table.end}; {entry}none}}{table.end} if NULL ends the table"
            report(Diagnostic("argument-count", table.span, message, hint))


class _Table(Frozen):
    name: str
    span: Span
    text: str
    key: str
    more: str = ""
    end: str = ""


def _tables(function: Fields, call: Call) -> Iterator[_Table]:
    returns = function[RETURNS]
    has_count = is_record(returns, RESULT) and COUNT in returns
    if call.read_result is not None and call.read_result.kind == "strings" and not has_count:
        yield _Table("result", returns.span if returns is not None else written_at(function), "the result", "returns")
    for each, argument in call.pairs:
        has_count = COUNT in each.fields
        output = argument.kind.returned
        if output is not None and output.kind == "strings" and not has_count:
            name = argument.name
            yield _Table(name, each.span, f"'{name}'", f"args: {{{name}", "out: true, ", "}")


def _numbers(function: Fields, call: Call) -> Iterator[str]:
    """Yields the integers that C returns, without status codes and sizes of other values."""
    ok, values = text_of(function[OK]), [value for _, value in call.outputs()]
    sizes = [text for value in values for text in value.sizes if text != value.count]
    for each, argument in call.pairs:
        output, is_given = argument.kind.returned, argument.kind.is_number or argument.kind.value is not None
        is_out = is_number_out(argument) and output is not None and output.kind == "int"
        is_changed = argument.by_address and is_given
        is_int = is_out or (is_changed and not each.parameter.ctype.reads)
        if is_int and not is_status(ok, argument.name) and not mentions(sizes, argument.name):
            yield argument.name
    ctype, kind = call.prototype.result, call.read_result.kind if call.read_result else None
    is_int = not ctype.depth and (family(ctype.base) == "int" or (family(ctype.base) is None and is_unknown(ctype)))
    if is_int and kind in (None, "int") and not is_status(ok) and not mentions(sizes, "result"):
        yield "result"
