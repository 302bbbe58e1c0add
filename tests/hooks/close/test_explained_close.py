"""`explain` reports whether `close()` is refused while the memory of an object is in use. The built module agrees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support.build import build_module
from support.validated import explanation

HERE = Path(__file__).parent
SPEC = (HERE / "grids.yaml").read_text()


@pytest.fixture(scope="module")
def grids(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("grids", SPEC, tmp_path_factory.mktemp("grids"), (HERE / "grids.h").read_text())


USES: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "a buffer": ("Kept Closed", memoryview),
    "an array of NumPy": ("Kept Closed", np.from_dlpack),
    "a capsule": ("Kept Closed", lambda made: made.__dlpack__()),
    "a part": ("Kept Closed", lambda made: made.columns[0]),
    "an object that borrows": ("Tree Store", lambda made: made.first()),
    "an array that borrows": ("Tree Store", lambda made: made.values()),
}


@pytest.mark.parametrize(("name", "use"), [(name, use) for use, (names, _) in USES.items() for name in names.split()])
def test_explain_reports_what_close_does_during_a_use(grids: ModuleType, name: str, use: str) -> None:
    made = getattr(grids, name)(*([2] if name in ("Kept", "Closed") else []))
    used = USES[use][1](made)
    refused = None
    try:
        made.close()
    except BufferError as error:
        refused = error
    text = explanation(SPEC, name)
    assert ("close() is refused" in text) == (refused is not None)
    assert ("They stay valid after close()" in text) == (refused is None)
    del used
    made.close()


def test_a_with_block_is_refused_at_its_end_like_close(grids: ModuleType) -> None:
    with pytest.raises(BufferError, match="cannot be closed"), grids.Closed(2) as made:
        shown = memoryview(made)
    shown.release()
    with grids.Kept(2) as kept:
        shown = memoryview(kept)
    assert shown.tolist() == [0, 0]


def test_an_object_that_python_does_not_own_is_never_refused(grids: ModuleType) -> None:
    """`explain` limits the refusal to objects that Python owns. An import shows the memory of an array."""
    made = grids.Closed.from_dlpack(np.arange(3.0))
    shown = memoryview(made)
    made.close()
    assert shown.tolist() == [0, 1, 2]


@pytest.mark.parametrize("name", ["Kept", "Closed"])
def test_invalidates_is_refused_with_or_without_a_hook(grids: ModuleType, name: str) -> None:
    """This refusal does not depend on `close`: `explain` reports it for the method."""
    made = getattr(grids, name)(2)
    shown = memoryview(made)
    with pytest.raises(BufferError):
        made.resize(5)
    shown.release()
    made.resize(5)
    assert made.shape == (5,)
    assert "nobody else may be using its memory" in explanation(SPEC, f"{name}.resize")
