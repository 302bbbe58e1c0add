"""Arguments by position and by name: which ones fit, the messages about others, and the signatures that tools see."""

from __future__ import annotations

import inspect
import pydoc
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from functions.libraries import HERE
from support.build import LIMITED, SUFFIX, compile_c, import_extension

Arguments = tuple[tuple[object, ...], dict[str, object]]


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """Builds functions of equal signatures with PyArg_ParseTupleAndKeywords()."""
    path = tmp_path_factory.mktemp("reference") / f"reference{SUFFIX}"
    compile_c(["-shared", *LIMITED, HERE / "calls_reference.c"], path)
    return import_extension("reference", path)


def outcome(function: Callable[..., Any], arguments: Arguments) -> object:
    try:
        return function(*arguments[0], **arguments[1])
    except TypeError as error:
        return str(error)


SAME: dict[str, list[Arguments]] = {
    "one": [((), {}), ((5,), {}), ((), {"value": 5})],
    "two": [
        ((1, 2), {}),
        ((1,), {"b": 2}),
        ((), {"b": 2, "a": 1}),
        ((), {}),
        ((1,), {}),
        ((), {"b": 2}),
    ],
    "options": [
        ((), {}),
        ((3,), {}),
        ((), {"b": 4}),
        ((3,), {"b": 4}),
        ((3, 4), {}),
        ((3, 4, 5), {}),
        ((3,), {"a": 4}),
    ],
    "ahead": [((3, 4), {})],
    "half": [((3,), {}), ((3,), {"b": 4}), ((), {"a": 3}), ((), {}), ((), {"b": 4})],
}


@pytest.mark.parametrize("name, arguments", [(name, each) for name, several in SAME.items() for each in several])
def test_arguments_are_sorted_and_refused_as_by_cpython(
    calls: ModuleType, reference: ModuleType, name: str, arguments: Arguments
) -> None:
    assert outcome(getattr(calls, name), arguments) == outcome(getattr(reference, name), arguments)


TOO_MANY: list[tuple[str, Arguments, str]] = [
    ("one", ((5, 6), {}), "one() takes exactly 1 argument (2 given)"),
    ("one", ((5,), {"value": 6}), "argument for one() given by name ('value') and position (1)"),
    ("two", ((1, 2, 3), {}), "two() takes exactly 2 arguments (3 given)"),
    ("two", ((1, 2), {"a": 3}), "argument for two() given by name ('a') and position (1)"),
    ("two", ((1, 2), {"b": 3}), "argument for two() given by name ('b') and position (2)"),
    ("half", ((3, 4), {}), "half() takes exactly 1 positional argument (2 given)"),
]


@pytest.mark.parametrize("name, arguments, expected", TOO_MANY)
def test_too_many_arguments_are_refused(calls: ModuleType, name: str, arguments: Arguments, expected: str) -> None:
    """CPython's parser counts positions and names together here. The message about one of them is clearer."""
    assert outcome(getattr(calls, name), arguments) == expected


def two(a: int, b: int) -> None: ...
def ahead(a: int, b: int, /) -> None: ...
def named(*, a: int, b: int) -> None: ...
def nothing() -> None: ...


@pytest.mark.parametrize(
    "model, arguments",
    [
        (two, ((1, 2), {"c": 3})),
        (two, ((1,), {"c": 3, "b": 2})),
        (two, ((), {"a": 1, "b": 2, "é": 3})),
        (two, ((1, 2), {"": 3})),
        (two, ((1,), {"b\0": 3})),
        (two, ((1,), {"bb": 3})),
        (ahead, ((), {"a": 1, "b": 2})),
        (ahead, ((1,), {"b": 2})),
        (named, ((), {"a": 1, "b": 2, "c": 3})),
    ],
)
def test_wrong_keywords_are_refused_as_by_functions_of_python(
    calls: ModuleType, model: Callable[..., None], arguments: Arguments
) -> None:
    """CPython's own words change from one version to the next. Since 3.13, it suggests a name."""
    expected = str(outcome(model, arguments)).partition(". Did you mean")[0]
    assert outcome(getattr(calls, model.__name__), arguments) == expected


DIGITS: list[tuple[Arguments, object]] = [
    (((1, 2, 3), {"e": 5}), 123456),
    (((1, 2), {"c": 3, "e": 5}), 123456),
    (((1, 2), {"e": 5, "c": 3, "f": 7, "d": 8}), 123857),
    (((1, 2, 3, 9), {"e": 5}), 123956),
    (((), {}), "digits() missing required argument 'a' (pos 1)"),
    (((1,), {"e": 5, "c": 3}), "digits() missing required argument 'b' (pos 2)"),
    (((1, 2), {"e": 5}), "digits() missing required argument 'c' (pos 3)"),
    (((1, 2, 3), {}), "digits() missing required keyword-only argument: 'e'"),
    (((1, 2, 3, 4, 5), {}), "digits() takes at most 4 positional arguments (5 given)"),
    (((1,), {"b": 2, "c": 3, "e": 5}), "digits() got some positional-only arguments passed as keyword arguments: 'b'"),
    (((), {"c": 3, "b": 2, "a": 1}), "digits() got some positional-only arguments passed as keyword arguments: 'a, b'"),
    (((1, 2, 3), {"e": 5, "g": 7}), "digits() got an unexpected keyword argument 'g'"),
    (((1, 2, 3), {"e": 5, "c": 3}), "argument for digits() given by name ('c') and position (3)"),
    (((1, 2, 3, 4), {"e": 5, "d": 4}), "argument for digits() given by name ('d') and position (4)"),
]


@pytest.mark.parametrize("arguments, expected", DIGITS)
def test_one_function_can_have_all_kinds_of_parameters(
    calls: ModuleType, arguments: Arguments, expected: object
) -> None:
    assert outcome(calls.digits, arguments) == expected


def test_parameters_can_be_keyword_only(calls: ModuleType) -> None:
    assert calls.named(b=2, a=1) == 12
    assert outcome(calls.named, ((1,), {})) == "named() takes no positional arguments (1 given)"
    assert outcome(calls.named, ((), {"a": 1})) == "named() missing required keyword-only argument: 'b'"


def test_parameters_can_be_positional_only(calls: ModuleType) -> None:
    assert outcome(calls.ahead, ((1,), {})) == "ahead() missing required argument 'b' (pos 2)"
    assert outcome(calls.ahead, ((1, 2, 3), {})) == "ahead() takes exactly 2 arguments (3 given)"


def test_a_required_parameter_may_follow_an_optional_output(arrays: ModuleType) -> None:
    """C has inputs, outputs, options in this order."""
    times, a, to = arrays.matrix_times, np.ones((2, 3)), np.zeros((2, 3))
    made = [times(a, None, 2.0), times(a, factor=2.0), times(factor=2.0, source=a), times(a, to=None, factor=2.0)]
    for each in made:
        assert isinstance(each, arrays.Matrix)
        assert np.from_dlpack(each).tolist() == [[2.0] * 3] * 2
    assert times(a, to, 2.0) is to
    assert to.tolist() == [[2.0] * 3] * 2
    for arguments in (((a,), {}), ((a, to), {}), ((a,), {"to": to})):
        assert outcome(times, arguments) == "matrix_times() missing required argument 'factor' (pos 3)"
    assert str(inspect.signature(times)) == "(source, *, to=None, factor)"


def test_a_function_without_parameters_takes_no_arguments(calls: ModuleType) -> None:
    """CPython itself refuses the arguments of such functions."""
    assert calls.nothing() == 0
    assert outcome(calls.nothing, ((1,), {})) == "calls.nothing() takes no arguments (1 given)"
    assert outcome(calls.nothing, ((), {"x": 1})) == "calls.nothing() takes no keyword arguments"


def test_keywords_may_be_strings_made_at_run_time(calls: ModuleType) -> None:
    assert calls.two(**{"".join(["a"]): 1, str(b"b", "ascii"): 2}) == 12


def test_keywords_may_be_of_a_subclass_of_str(calls: ModuleType) -> None:
    class Text(str):
        pass

    assert calls.two(**{Text("b"): 2, Text("a"): 1}) == 12


def test_wrong_counts_are_refused_before_anything_is_converted(calls: ModuleType) -> None:
    class Loud:
        def __index__(self) -> int:
            raise AssertionError("converted")

    assert outcome(calls.two, ((Loud(),), {})) == "two() missing required argument 'b' (pos 2)"


def test_parameters_may_have_names_of_emitted_variables(calls: ModuleType) -> None:
    assert calls.names(1, 2, 3, 4, 5, 6, 7, 8) == 12345678
    assert calls.names(given=1, arrays=2, answer=3, number=4, values=5, self=6, args=7, module=8) == 12345678


# ---- Signatures for tools ----

SIGNATURES = {
    "nothing": "()",
    "digits": "(a, b, /, c, d=4, *, e, f=6)",
    "two": "(a, b)",
    "options": "(a=1, b=2)",
    "ahead": "(a, b, /)",
    "named": "(*, a, b)",
    "half": "(a, *, b=2)",
    "defaults": "(value=-1500.0)",
    "not_true": "(value=False)",
    "not_false": "(value=True)",
    "letter_e": "(value='e')",
    "maybe": "(text=None)",
    "nothing_said": "(text=None)",
    "no_path": "(text=None)",
    "greeting": "(text='hello')",
    "paths": "(path, other=None)",
    "echo_color": "(value)",
}


@pytest.mark.parametrize("name, signature", SIGNATURES.items())
def test_inspect_shows_the_signature_of_a_function(calls: ModuleType, name: str, signature: str) -> None:
    assert str(inspect.signature(getattr(calls, name))) == signature


def test_a_signature_binds_the_arguments_that_the_function_takes(calls: ModuleType) -> None:
    signature = inspect.signature(calls.digits)
    for (args, kwargs), expected in DIGITS:
        if isinstance(expected, int):
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            assert calls.digits(*bound.args, **bound.kwargs) == expected
        else:
            with pytest.raises(TypeError):
                signature.bind(*args, **kwargs)


def test_every_function_has_a_signature(calls: ModuleType, outcomes: ModuleType, things: ModuleType) -> None:
    for module in (calls, outcomes, things):
        functions = [value for value in vars(module).values() if inspect.isbuiltin(value)]
        assert functions
        for function in functions:
            assert inspect.signature(function), function
            assert function.__doc__, function
            assert function.__module__ == module.__name__


def test_help_shows_signatures_and_docs(calls: ModuleType) -> None:
    text = pydoc.render_doc(calls.digits, renderer=pydoc.plaintext)
    assert "digits(a, b, /, c, d=4, *, e, f=6)\n    The digits.\n" in text
    assert "    Of all arguments." in text
    assert calls.two.__doc__ == "int calls_two(int a, int b), of the C library."
    assert "Values and signatures." in pydoc.render_doc(calls, renderer=pydoc.plaintext)


def test_the_stub_shows_arrays_and_outputs(arrays: ModuleType, arrays_folder: Path) -> None:
    stub = (arrays_folder / f"{arrays.__name__}.pyi").read_text()
    for function, number in {
        "numbers_sum": "float",
        "integers_sum": "int",
        "complexes_sum": "complex",
        "complexes_sum_parts": "complex",
    }.items():
        assert f"def {function}(x: _Array | collections.abc.Sequence[{number}]) -> " in stub
    times = "@typing.overload\ndef matrix_times(source: Matrix | _Array, "
    assert f'{times}to: None, factor: float) -> Matrix:\n    """`source` is read: ' in stub
    assert f"{times}to: _Given, factor: float) -> _Given: ...\n" in stub
    assert f"{times}*, to: None = None, factor: float) -> Matrix: ...\n" in stub


def test_the_stub_shows_all_kinds_of_parameters_and_results(
    calls: ModuleType, outcomes: ModuleType, calls_folder: Path
) -> None:
    stub = (calls_folder / "calls.pyi").read_text()
    assert "def digits(a: int, b: int, /, c: int, d: int = 4, *, e: int, f: int = 6) -> int:\n" in stub
    assert "def paths(path: _Path, other: _Path | None = None) -> int: ...\n" in stub
    assert "def word(number: int) -> str | None: ...\n" in stub
    assert "def echo_color(value: Color | str | int) -> Color: ...\n" in stub
    stub = (calls_folder / "outcomes.pyi").read_text()
    kinds = "int, int, bool, float, complex, str, str | None, Status"
    assert f'def kinds() -> tuple[{kinds}]:\n    """Returns (integer, byte, ' in stub
    assert 'def spell(number: int) -> str:\n    """Raises RuntimeError if ' in stub
    assert 'def pair(first: int, second: int) -> tuple[Token, Token | None]:\n    """Returns (the result, out).' in stub
    assert 'def three() -> tuple[tuple[float, float, float], tuple[int]]:\n    """Returns (values, one)."""\n' in stub
