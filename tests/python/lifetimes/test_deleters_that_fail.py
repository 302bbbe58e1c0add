# SPDX-License-Identifier: MIT
"""Deleters of others that leave an exception: it is reported as that of a destructor, and is no failure of whoever lets
go."""

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
    """What sys.unraisablehook was told, while deleters leave an exception."""
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
def test_an_object_ends(lab, managed, producer, heard: list[str], end: str, versioned: bool) -> None:
    ENDS[end](lab.Moved.from_dlpack(managed(versioned).capsule()))
    assert producer.record() == (1, 0, 0)
    assert heard == ["left by a deleter"]


@pytest.mark.parametrize("versioned", [False, True])
def test_a_refusal_is_what_it_was(lab, managed, producer, heard: list[str], versioned: bool) -> None:
    with pytest.raises(BufferError, match="declares -1 axes"):
        lab.Moved.from_dlpack(managed(versioned, ndim=-1).capsule())
    assert producer.record() == (1, 0, 0)
    assert heard == ["left by a deleter"]


@pytest.mark.parametrize("versioned", [False, True])
def test_a_pending_exception_is_what_it_was(lab, managed, producer, heard: list[str], versioned: bool) -> None:
    made = lab.Moved.from_dlpack(managed(versioned).capsule())
    exported = producer.consume(made.__dlpack__(max_version=(1, 0)))
    del made
    producer.delete(*exported, "with an exception pending")
    assert producer.record() == (1, 0, 0)
    assert heard == ["left by a deleter"]


def test_a_table_gives_it(lab, managed, producer, table, heard: list[str]) -> None:
    class Giving(Calls):
        __dlpack_c_exchange_api__ = table()

    lab.Moved.from_dlpack(Giving(managed)).close()
    assert producer.record() == (1, 0, 0)
    assert heard == ["left by a deleter"]


def test_a_property_that_fails_is_heard(lab) -> None:
    """Not taken for a missing `__dlpack__`."""

    class Inner:
        @property
        def __dlpack__(self) -> Any:
            raise AttributeError("inner detail")

    with pytest.raises(AttributeError, match=r"^inner detail$"):
        lab.Moved.from_dlpack(Inner())
