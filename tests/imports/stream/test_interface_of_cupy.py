# SPDX-License-Identifier: MIT
"""Arrays of CuPy that show only `__cuda_array_interface__`, on a GPU (`make test-gpu`)."""

from __future__ import annotations

from types import ModuleType

from imports.stream.conftest import DRIVER
from imports.stream.test_frameworks import cupy, filled

__test__ = DRIVER is not None


def test_an_interface_without_dlpack_is_imported_on_its_stream(cards: ModuleType) -> None:
    framework = cupy(cards)
    with framework.stream:
        array = filled(framework, 7)

        class Thing:
            __cuda_array_interface__ = array.__cuda_array_interface__

        made = cards.Context.from_dlpack(Thing(), q=cards.Queue())
        assert made.device == (2, 0)
        assert made.last() == 7
        assert cards.Queue().last(Thing()) == 7
