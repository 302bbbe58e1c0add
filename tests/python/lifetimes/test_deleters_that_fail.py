# SPDX-License-Identifier: MIT
"""Foreign deleters that leave an exception: it is reported like the exception of a destructor, and no call fails."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from python.exchange import Calls

pytestmark = pytest.mark.heard_deleters


@pytest.fixture
def heard(producer, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Collects the messages that sys.unraisablehook gets while deleters leave an exception."""
    messages: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: messages.append(str(told.exc_value)))
    producer.leave(True)
    yield messages
    producer.leave(False)


def closed(made: Any) -> None:
    made.close()


def left(made: Any) -> None:
    with made:
        pass


def consumed(made: Any) -> None:
    array = np.from_dlpack(made)
    made.close()
    del made
    assert array.shape == (2, 3)
    del array


ENDS: dict[str, Callable[[Any], None]] = {
    "dropped": lambda made: None,
    "closed": closed,
    "left": left,
    "consumed": consumed,
}


@pytest.mark.parametrize("versioned", [False, True])
@pytest.mark.parametrize("end", ENDS)
def test_the_exception_of_a_deleter_is_reported_when_an_object_is_freed(
    lab, managed, producer, heard: list[str], end: str, versioned: bool
) -> None:
    ENDS[end](lab.Moved.from_dlpack(managed(versioned).capsule()))
    assert producer.record() == (1, 0, 0)
    assert heard == ["left by a deleter"]


@pytest.mark.parametrize("versioned", [False, True])
def test_the_exception_of_a_deleter_does_not_replace_a_refusal(
    lab, managed, producer, heard: list[str], versioned: bool
) -> None:
    with pytest.raises(BufferError, match="declares -1 axes"):
        lab.Moved.from_dlpack(managed(versioned, ndim=-1).capsule())
    assert producer.record() == (1, 0, 0)
    assert heard == ["left by a deleter"]


@pytest.mark.parametrize("versioned", [False, True])
def test_the_exception_of_a_deleter_does_not_replace_a_pending_exception(
    lab, managed, producer, heard: list[str], versioned: bool
) -> None:
    made = lab.Moved.from_dlpack(managed(versioned).capsule())
    exported = producer.consume(made.__dlpack__(max_version=(1, 0)))
    del made
    producer.delete(*exported, "with an exception pending")
    assert producer.record() == (1, 0, 0)
    assert heard == ["left by a deleter"]


def test_the_exception_of_a_deleter_is_reported_for_a_tensor_of_a_table(
    lab, managed, producer, table, heard: list[str]
) -> None:
    class Giving(Calls):
        __dlpack_c_exchange_api__ = table()

    lab.Moved.from_dlpack(Giving(managed)).close()
    assert producer.record() == (1, 0, 0)
    assert heard == ["left by a deleter"]


def test_an_attribute_error_inside_a_property_is_not_taken_for_a_missing_dlpack(lab) -> None:

    class Inner:
        @property
        def __dlpack__(self) -> Any:
            raise AttributeError("inner detail")

    with pytest.raises(AttributeError, match=r"^inner detail$"):
        lab.Moved.from_dlpack(Inner())
