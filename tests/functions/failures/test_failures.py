"""Calls that fail: the exception, its message, and `undo` and `finally`, which run once."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path
from types import ModuleType

import pytest

OK, RANGE, MEMORY, SYSTEM, OTHER, MUTE = range(6)


@pytest.mark.parametrize("status", [RANGE, MEMORY, SYSTEM, OTHER, MUTE])
def test_a_failure_without_a_message_names_the_call_and_its_result(outcomes: ModuleType, status: int) -> None:
    with pytest.raises(RuntimeError) as caught:
        outcomes.fail(status)
    assert str(caught.value) == f"fail(): result_fail() failed with {status} (status={status})"
    assert caught.type is RuntimeError


def test_a_failure_has_the_message_of_the_library(outcomes: ModuleType) -> None:
    expected = {RANGE: "out of range", MEMORY: "100% wrong", MUTE: f"result_fail() failed with {MUTE}"}
    for status, text in expected.items():
        with pytest.raises(RuntimeError) as caught:
            outcomes.fail_told(status)
        assert str(caught.value) == f"fail_told(): {text} (status={status})"


def test_a_message_need_not_be_utf8(outcomes: ModuleType) -> None:
    with pytest.raises(RuntimeError, match=r"^fail_broken\(\): caf. \(value=-1\)$"):
        outcomes.fail_broken(-1)
    assert outcomes.fail_broken(0) == 0


def test_each_result_can_have_its_exception(outcomes: ModuleType) -> None:
    expected = {RANGE: IndexError, MEMORY: MemoryError, SYSTEM: OSError, OTHER: ValueError, MUTE: ValueError}
    for status, exception in expected.items():
        with pytest.raises(Exception) as caught:
            outcomes.fail_map(status)
        assert caught.type is exception
        assert str(caught.value).startswith("fail_map(): ")
    assert outcomes.fail_map(OK) is None


@pytest.mark.parametrize(
    ("result", "exception"),
    [
        (RANGE | MEMORY, ValueError),
        (SYSTEM << 1, KeyError),
        (-1, IndexError),
        (RANGE, RuntimeError),
        (MEMORY, RuntimeError),
    ],
)
def test_keys_of_raises_can_be_c_expressions(outcomes: ModuleType, result: int, exception: type[Exception]) -> None:
    with pytest.raises(exception) as caught:
        outcomes.fail_bits(result)
    assert caught.type is exception


@pytest.mark.parametrize("value", [0, 100, -1])
def test_ok_can_compare_the_result_with_two_bounds(outcomes: ModuleType, value: int) -> None:
    assert outcomes.positive(99) == 99
    with pytest.raises(ValueError, match=rf"^positive\(\): not in 1\.\.99 \(value={value}\)$"):
        outcomes.positive(value)


# ---- OSError ----


@pytest.mark.parametrize(
    "number, exception",
    [
        (errno.ENOENT, FileNotFoundError),
        (errno.EACCES, PermissionError),
        (errno.EEXIST, FileExistsError),
        (errno.EIO, OSError),
        (errno.EINTR, InterruptedError),
    ],
)
@pytest.mark.parametrize("path", ["a/b", b"a/b", Path("a/b"), "\udcff"])
def test_the_number_of_the_system_chooses_the_class(
    outcomes: ModuleType, number: int, exception: type[OSError], path: object
) -> None:
    with pytest.raises(OSError) as caught:
        outcomes.fail_errno(SYSTEM, number, path)
    assert caught.type is exception
    assert (caught.value.errno, caught.value.strerror) == (number, os.strerror(number))
    assert caught.value.filename == path
    assert caught.value.filename2 is None


def test_the_message_stands_beside_the_number(outcomes: ModuleType) -> None:
    """The library changes errno while it makes the message."""
    with pytest.raises(FileNotFoundError) as caught:
        outcomes.fail_errno_told(RANGE, errno.ENOENT, "a/b")
    assert str(caught.value) == "[Errno 2] fail_errno_told(): out of range: 'a/b'"
    with pytest.raises(FileNotFoundError) as caught:
        outcomes.fail_errno_told(MUTE, errno.ENOENT, "a/b")
    assert str(caught.value) == f"[Errno 2] {os.strerror(errno.ENOENT)}: 'a/b'"


@pytest.mark.parametrize("args", [(), (None,)])
def test_an_oserror_without_a_path_has_no_filename(outcomes: ModuleType, args: tuple[None, ...]) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        outcomes.fail_errno(SYSTEM, errno.ENOENT, *args)
    assert caught.value.filename is None
    assert str(caught.value) == f"[Errno 2] {os.strerror(errno.ENOENT)}"


def test_a_string_is_not_a_filename(outcomes: ModuleType) -> None:
    with pytest.raises(PermissionError) as caught:
        outcomes.fail_errno_plain(SYSTEM, errno.EACCES, "a/b")
    assert caught.value.filename is None


def test_an_oserror_without_errno_has_the_usual_message(outcomes: ModuleType) -> None:
    with pytest.raises(
        OSError, match=r"^fail_errno\(\): result_fail_errno\(\) failed \(status=3, number=0\)$"
    ) as caught:
        outcomes.fail_errno(SYSTEM, 0)
    assert (caught.type, caught.value.errno) == (OSError, None)


def test_an_errno_that_is_not_the_cause_is_not_used(outcomes: ModuleType) -> None:
    with pytest.raises(
        OSError, match=r"^fail_errno_sometimes\(\): result_fail_errno\(\) failed \(status=3, number=2, path='a/b'\)$"
    ) as caught:
        outcomes.fail_errno_sometimes(SYSTEM, errno.ENOENT, "a/b")
    assert (caught.type, caught.value.errno) == (OSError, None)
    with pytest.raises(FileNotFoundError):
        outcomes.fail_errno_sometimes(RANGE, errno.ENOENT, "a/b")


def test_errno_is_ignored_for_a_library_that_leaves_numbers_in_it(outcomes: ModuleType) -> None:
    with pytest.raises(
        OSError,
        match=rf"^fail_errno_never\(\): result_fail_errno\(\) failed with {RANGE} \(status=1, number=2, path='a/b'\)$",
    ) as caught:
        outcomes.fail_errno_never(RANGE, errno.ENOENT, "a/b")
    assert (caught.type, caught.value.errno) == (OSError, None)


def test_a_library_can_return_the_errno(outcomes: ModuleType) -> None:
    assert outcomes.fail_negative(0) == 0
    with pytest.raises(PermissionError) as caught:
        outcomes.fail_negative(errno.EACCES)
    assert (caught.value.errno, caught.value.strerror) == (errno.EACCES, os.strerror(errno.EACCES))


class Disturbing:
    """An int that leaves something in errno when it is converted."""

    def __index__(self) -> int:
        with contextlib.suppress(FileNotFoundError):
            os.stat("/no/such/file")
        return -1


def test_an_earlier_errno_does_not_count(outcomes: ModuleType) -> None:
    with pytest.raises(OSError, match=r"^names\(\): result_names\(\) failed$") as caught:
        outcomes.names(Disturbing())
    assert caught.value.errno is None


@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOENT])
def test_a_declared_subclass_of_oserror_is_raised_itself(outcomes: ModuleType, number: int) -> None:
    with pytest.raises(PermissionError) as caught:
        outcomes.fail_permission(SYSTEM, number, "a/b")
    assert (caught.value.errno, caught.value.filename) == (number, "a/b")


def test_other_exceptions_have_no_errno(outcomes: ModuleType) -> None:
    with pytest.raises(KeyError) as caught:
        outcomes.fail_errno_plain(RANGE, errno.ENOENT, "a")
    message = "fail_errno_plain(): result_fail_errno() failed with 1 (status=1, number=2, path='a')"
    assert caught.value.args == (message,)


# ---- `undo` and `finally` ----


@pytest.mark.parametrize(
    "status, exception",
    [(RANGE, IndexError), (MEMORY, MemoryError), (SYSTEM, ValueError), (OTHER, ValueError), (MUTE, ValueError)],
)
def test_undo_and_finally_run_once_for_every_exception(
    outcomes: ModuleType, status: int, exception: type[Exception]
) -> None:
    with pytest.raises(exception):
        outcomes.counted(status)
    assert outcomes.counts() == (10101, 0)


def test_only_finally_runs_after_a_success(outcomes: ModuleType) -> None:
    assert outcomes.counted(OK) == 5
    assert outcomes.counts() == (101, 0)
