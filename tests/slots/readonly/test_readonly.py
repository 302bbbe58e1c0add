"""Objects are read-only by an expression, by the type of their data, or because the imported array is."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest

from structs.libraries import Library, assert_same, count
from structs.modules import Loader


@pytest.fixture
def opaque(library: Loader) -> Library:
    return library("opaque")


@pytest.mark.parametrize("writable", [0, 1])
def test_an_expression_makes_an_object_read_only(opaque: Library, writable: int) -> None:
    shown = opaque.wrap("surface", opaque.pointer("surface_new", 5, 3, writable))
    array = np.from_dlpack(shown)
    assert (array.shape, array.strides) == ((3, 5), (8, 1))
    assert (shown.readonly, array.flags.writeable) == (not writable, bool(writable))
    with nullcontext() if writable else pytest.raises(BufferError, match="read-only"):
        shown.__dlpack__()  # the capsule of old, which cannot say it
    del shown, array
    assert opaque.number("surface_live") == 0


def test_const_data_makes_an_object_read_only(opaque: Library) -> None:
    shown = opaque.wrap("frozen", opaque.pointer("surface_new", 5, 3, 1))
    assert shown.readonly and not np.from_dlpack(shown).flags.writeable


def test_an_import_of_a_read_only_array_is_read_only(opaque: Library) -> None:
    array = count(3, 8, dtype=np.uint8)
    array.flags.writeable = False
    shown = opaque.module.Surface.from_dlpack(array)
    assert_same(np.from_dlpack(shown), array)
    assert shown.readonly


def test_a_refused_construction_has_the_message_of_the_library(opaque: Library) -> None:
    with pytest.raises(RuntimeError, match=r"surface_for_data\(.*\).*invalid value for stride"):
        opaque.module.Surface.from_dlpack(count(3, 7, dtype=np.uint8))
    with pytest.raises(BufferError, match=rf"width.*{2**31}|{2**31}.*width"):
        opaque.module.Surface.from_dlpack(np.empty((0, 2**31), np.uint8))
    with pytest.raises(BufferError, match="compact but for the outermost axis"):
        opaque.module.Surface.from_dlpack(count(3, 8, dtype=np.uint8)[:, ::2])
