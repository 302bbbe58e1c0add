"""Results of a call that the caller owns: objects, strings and bytes."""

from __future__ import annotations

from types import ModuleType

import pytest


def test_an_array_of_char_is_returned_as_a_string(outcomes: ModuleType) -> None:
    assert [outcomes.spell(number) for number in (7, 12345, 123456, 12345678)] == ["7", "12345", "123456", "123456"]
    with pytest.raises(RuntimeError, match=r"^spell\(\): result_spell\(\) failed with 0 \(number=-1\)$"):
        outcomes.spell(-1)


def test_an_optional_string_is_a_string_or_none(outcomes: ModuleType) -> None:
    assert outcomes.name("RANGE") == "range"
    assert outcomes.name("OTHER") is None


# ---- Objects ----


def test_a_new_object_belongs_to_the_caller(outcomes: ModuleType) -> None:
    token = outcomes.some_token(5)
    assert type(token) is outcomes.Token
    assert token.value == 5
    assert outcomes.counts()[1] == 1
    del token
    assert outcomes.counts()[1] == 0


def test_null_is_a_failure(outcomes: ModuleType) -> None:
    with pytest.raises(RuntimeError, match=r"^some_token\(\): token_new\(\) failed \(value=-1\)$"):
        outcomes.some_token(-1)


def test_null_is_none(outcomes: ModuleType) -> None:
    assert outcomes.find_token(-1) is None
    assert outcomes.find_token(3).value == 3


def test_an_output_can_be_an_object(outcomes: ModuleType) -> None:
    assert outcomes.token_out(5).value == 5
    with pytest.raises(RuntimeError, match=r"^token_out\(\): result_token\(\) failed \(value=-5\)$"):
        outcomes.token_out(-5)


def test_an_output_can_be_an_object_or_none(outcomes: ModuleType) -> None:
    found, token = outcomes.maybe_token(5)
    assert (found, token.value) == (True, 5)
    assert outcomes.maybe_token(-5) == (False, None)


def test_null_in_an_output_that_no_test_covers_is_an_error(outcomes: ModuleType) -> None:
    """The object that the function has made is released."""
    assert [token.value for token in outcomes.untested(1, 2)] == [1, 2]
    for first, second in ((-1, 2), (1, -2), (-1, -2)):
        with pytest.raises(RuntimeError, match=r"^outcomes\.Token: the function returned NULL$"):
            outcomes.untested(first, second)
        assert outcomes.counts()[1] == 0


def test_several_objects_are_returned(outcomes: ModuleType) -> None:
    assert [token.value for token in outcomes.tokens(1, 2)] == [1, 2]
    first, second = outcomes.pair(1, 2)
    assert (first.value, second.value) == (1, 2)
    first, second = outcomes.pair(1, -2)
    assert (first.value, second) == (1, None)


@pytest.mark.parametrize("values", [(-1, 2), (1, -2), (-1, -2)])
def test_undo_frees_the_outputs_of_a_failed_call(outcomes: ModuleType, values: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=r"^tokens\(\): result_tokens\(\) failed with 1 \(first=-?1, second=-?2\)$"):
        outcomes.tokens(*values)
    assert outcomes.counts()[1] == 0


@pytest.mark.parametrize("second", [2, -2])
def test_the_result_fails_and_an_out_parameter_is_undone(outcomes: ModuleType, second: int) -> None:
    with pytest.raises(RuntimeError, match=r"^pair\(\): result_pair\(\) failed \(first=-1, second=-?2\)$"):
        outcomes.pair(-1, second)
    assert outcomes.counts()[1] == 0


# ---- Strings and bytes that must be freed ----


@pytest.mark.parametrize("name", ["text", "text_or_none"])
def test_finally_frees_memory_that_was_copied(outcomes: ModuleType, name: str) -> None:
    assert getattr(outcomes, name)(5) == "5"
    assert outcomes.counts() == (101, 0)


@pytest.mark.parametrize("name", ["text", "text_or_none"])
def test_finally_frees_memory_that_could_not_be_converted(outcomes: ModuleType, name: str) -> None:
    with pytest.raises(UnicodeDecodeError):
        getattr(outcomes, name)(0)
    assert outcomes.counts() == (101, 0)


def test_finally_runs_after_null(outcomes: ModuleType) -> None:
    assert outcomes.text_or_none(-1) is None
    assert outcomes.counts() == (101, 0)
    with pytest.raises(RuntimeError, match=r"^text\(\): result_text\(\) failed \(value=-1\)$"):
        outcomes.text(-1)
    assert outcomes.counts() == (101, 0)


def test_bytes_are_copied_and_freed(outcomes: ModuleType) -> None:
    assert outcomes.new_bytes(5) == bytes(range(5))
    assert outcomes.counts() == (101, 0)
    assert outcomes.bytes_to(300) == bytes(range(256)) + bytes(range(44))
    assert outcomes.counts() == (101, 0)
    assert outcomes.letters() == b"abc\0"


def test_the_size_of_bytes_is_not_computed_for_null(outcomes: ModuleType) -> None:
    """The expression for the size would read memory at NULL."""
    assert outcomes.counted_bytes(1) == b"\3\5\7"
    assert outcomes.counted_bytes(0) is None


def test_no_bytes_are_none(outcomes: ModuleType) -> None:
    assert (outcomes.new_bytes(0), outcomes.bytes_to(0)) == (None, None)


def test_bytes_of_a_negative_size_are_an_error(outcomes: ModuleType) -> None:
    with pytest.raises(ValueError, match=r"^the size of the bytes \(size\) is -1$"):
        outcomes.bytes_to(7)
    with pytest.raises(RuntimeError, match=r"^bytes_to\(\): result_bytes_to\(\) failed with -1 \(count=9\)$"):
        outcomes.bytes_to(9)
    assert outcomes.counts() == (202, 0)


def test_nothing_runs_when_arguments_are_refused(outcomes: ModuleType) -> None:
    with pytest.raises(TypeError):
        outcomes.text("x")
    with pytest.raises(TypeError):
        outcomes.counted()
    assert outcomes.counts() == (0, 0)
