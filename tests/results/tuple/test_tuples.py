"""Several results: the result of C and its out-parameters are a tuple."""

from __future__ import annotations

from types import ModuleType

import pytest


def test_out_parameters_are_returned(outcomes: ModuleType) -> None:
    assert outcomes.divide(17, 5) == (3, 2)
    assert outcomes.divide(divisor=-5, dividend=17) == (-3, 2)


def test_out_parameters_are_not_arguments(outcomes: ModuleType) -> None:
    with pytest.raises(TypeError, match=r"^divide\(\) takes exactly 2 arguments \(3 given\)$"):
        outcomes.divide(17, 5, 0)


def test_a_status_is_not_returned(outcomes: ModuleType) -> None:
    assert outcomes.checked_divide(17, 5) == (3, 2)
    assert outcomes.fail(0) is None


def test_only_the_values_that_returns_lists_are_returned(outcomes: ModuleType) -> None:
    assert outcomes.divide_backwards(17, 5) == (2, 0, 3)
    assert outcomes.quotient(17, 5) == 3
    assert outcomes.nothing_of_it(17, 0) is None


def test_out_parameters_of_all_kinds_are_returned(outcomes: ModuleType) -> None:
    result = outcomes.kinds()
    assert result == (-7, 255, True, 0.5, 1 + 2j, "z", "text", 1)
    assert [type(each) for each in result] == [int, int, bool, float, complex, str, str, outcomes.Status]


def test_arrays_in_out_parameters_are_returned_as_tuples(outcomes: ModuleType) -> None:
    assert outcomes.three() == ((0.5, 1.5, 2.5), (65535,))


def test_long_arrays_and_arrays_with_named_lengths_are_returned(outcomes: ModuleType) -> None:
    assert outcomes.many() == (tuple(range(20)), (True, False, True), tuple(range(0, -17, -1)))


def test_out_parameters_may_have_names_of_emitted_variables(outcomes: ModuleType) -> None:
    assert outcomes.names(1) == (1, 2, 3, 4)
    with pytest.raises(OSError, match=r"^names\(\): result_names\(\) failed \(answer=-1\)$"):
        outcomes.names(-1)


def test_one_error_is_raised_if_several_values_cannot_be_converted(outcomes: ModuleType) -> None:
    with pytest.raises(UnicodeDecodeError):
        outcomes.broken_texts()


def test_an_output_that_reports_a_size_is_returned_where_returns_lists_it(outcomes: ModuleType) -> None:
    assert outcomes.bytes_with_size(6) == (0, b"\0\1\2", 6)
