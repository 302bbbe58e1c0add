"""Views of objects as other classes of their C type: params of the object, and params that Python passes."""

from __future__ import annotations

import copy
import ctypes
import gc
import inspect
import pickle
import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("views.h").read_text()

SPEC = """
module: views
include: views.h
handles:
  Model: {type: model, release: model_free(self), new: {c: model *model_new(int size)}}
  Sim:
    type: sim
    params: [model const *m, const char *label = "from C"]
    release: sim_free(m, self)
    parts:
      - {name: rows, of: Row, count: m->size}
      - {name: cells, of: Cell, count: m->size}
    new:
      c: sim *sim_new(const model *m)
      returns: {of: Sim, keeps: m}
  Flat: {type: sim}
tensors:
  Q:
    type: sim
    params: ["const model *m", "const char *label = \\"unknown\\""]
    hold: [{int half: m->size / 2}]
    data: self->values
    dtype: float64
    shape: [m->size]
    properties:
      label: {get: label, type: str}
      size: m->size
  Half:
    type: sim
    params: [{const model *m: NULL}]
    hold: [{int half: m->size / 2}]
    data: self->values
    dtype: float64
    shape: [half]
  Labelled:
    type: sim
    params: ["const char *label"]
    data: self->values
    dtype: float64
    shape: [1]
    properties: {label: {get: label, type: str}}
  # The index of a part is never that of another one.
  Row:
    type: sim
    params: [int index, const model *m]
    require: [{expr: "index >= 0 && index < m->size", message: no such row}]
    data: self->values + index
    dtype: float64
    shape: [1]
    parts: {name: cells, of: Cell, count: 1}
  Cell:
    type: sim
    params: [int index, const model *m]
    require: [{expr: "index >= 0 && index < m->size", message: no such cell}]
    data: self->values + index
    dtype: float64
    shape: []
  # Python can choose no size that a function has found.
  Low: {type: number, params: [int nlow], data: self, dtype: float64, shape: [nlow], release: free(self)}
  High: {type: number, params: [int nhigh], data: self, dtype: float64, shape: [nhigh], release: free(self)}
  # Nor is that of one array that of another, which is larger.
  Weights: {type: weight, params: [int n], data: self, dtype: float32, shape: [n], release: free(self)}
  Bounds: {type: weight, params: [int n], data: self, dtype: float32, shape: [n + 1], release: free(self)}
  Tail: {type: weight, params: [int n, int first = 0], data: self + first, dtype: float32, shape: [n - first]}
functions:
  split:
    c: int split(int n, number **low, int *nlow, number **high, int *nhigh)
    args: {low: {of: Low, out: true}, nlow: {out: true}, high: {of: High, out: true}, nhigh: {out: true}}
    ok: == 0
  weights: {c: weight *weights(int *n), args: {n: {out: true}}, returns: Weights}
  bounds: {c: weight *weights(int *n), args: {n: {out: true}}, returns: Bounds}
"""

SOURCE = "int views_models, views_sims;\n"


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("views", SPEC, tmp_path_factory.mktemp("views"), HEADER, SOURCE)


def live(views: ModuleType) -> tuple[int, int]:
    """Returns the number of models and of simulations that live."""
    gc.collect()
    library = ctypes.PyDLL(views.__file__)
    return ctypes.c_int.in_dll(library, "views_models").value, ctypes.c_int.in_dll(library, "views_sims").value


def sim(views: ModuleType, size: int = 4):
    return views.Sim(views.Model(size))


def test_a_view_has_the_params_of_its_whole(views: ModuleType) -> None:
    whole = sim(views)
    seen = whole.q()
    assert (seen.shape, seen.size, seen.label) == ((4,), 4, "from C")
    assert np.from_dlpack(seen).tolist() == [0, 1, 2, 3]
    assert "with the same `m` and `label`." in whole.q.__doc__
    for given in ({"m": None}, {"label": "x"}):
        with pytest.raises(TypeError):
            whole.q(**given)


def test_a_view_takes_the_address_of_its_whole_and_not_the_default(views: ModuleType) -> None:
    assert np.from_dlpack(sim(views).half()).tolist() == [0, 1]  # what it holds is computed from it


def test_a_view_of_a_view_has_the_params_of_its_whole(views: ModuleType) -> None:
    seen = sim(views).half().q(label="own").half().q(label="mine").row(3)
    assert np.from_dlpack(seen).tolist() == [3]
    seen = sim(views).q().row(0).q()
    assert (seen.size, seen.label) == (4, "unknown"), "a row has no label to hand on"
    assert live(views) == (1, 1)
    del seen
    assert live(views) == (0, 0)


def test_a_string_lives_as_long_as_an_object_that_took_it_from_another(views: ModuleType) -> None:
    text = "a text of Python " * 4
    seen = sim(views).row(0).q(label=text.upper()).labelled()
    gc.collect()
    assert seen.label == text.upper()
    assert sim(views).labelled().label == "from C"


def test_parts_have_the_params_of_their_whole(views: ModuleType) -> None:
    whole = sim(views)
    rows, cells = whole.rows, whole.cells
    del whole
    assert [float(np.from_dlpack(row)[0]) for row in rows] == [0, 1, 2, 3]
    assert [float(np.from_dlpack(cell)) for cell in cells] == [0, 1, 2, 3]
    (cell,) = rows[2].cells
    assert float(np.from_dlpack(cell)) == 0, "its index is its own"
    assert float(np.from_dlpack(rows[2].cell(1))) == 1
    del rows, cells
    assert live(views) == (1, 1)
    del cell
    assert live(views) == (0, 0)


def test_the_index_of_a_part_is_an_argument(views: ModuleType) -> None:
    whole = sim(views)
    assert str(inspect.signature(whole.cell)) == str(inspect.signature(whole.row)) == "(index)"
    with pytest.raises(ValueError, match="no such cell"):
        whole.cell(4)
    with pytest.raises(TypeError):
        whole.cell()


def test_the_context_outlives_the_view(views: ModuleType) -> None:
    model = views.Model(4)
    seen = np.from_dlpack(views.Sim(model).q())
    model.close()
    del model
    assert live(views) == (1, 1) and seen.sum() == 6
    del seen
    assert live(views) == (0, 0)


def test_an_address_cannot_be_passed_from_python(views: ModuleType) -> None:
    assert not {"q", "row", "cell"} & {*dir(views.Flat)}
    assert hasattr(views.Flat, "half"), "it has a default"


def test_a_size_that_a_function_found_cannot_be_chosen(views: ModuleType) -> None:
    low, high = views.split(5)
    assert (low.shape, high.shape) == ((2,), (3,))
    assert not hasattr(low, "high") and not hasattr(high, "low")


def test_a_size_is_not_taken_from_another_array(views: ModuleType) -> None:
    found = views.weights()
    assert not hasattr(found, "bounds") and not hasattr(views.bounds(), "weights")
    assert found.tail(first=1).shape == (2,), "which no function returns"


def test_views_are_not_pickled(views: ModuleType) -> None:
    seen = sim(views).q()
    for way in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            way(seen)


def test_stubs_show_views_and_their_arguments(views: ModuleType) -> None:
    stub = Path(views.__file__ or "").with_name("views.pyi").read_text(encoding="utf-8")
    whole = stub.split("class Sim:")[1].split("\nclass ")[0]
    assert "def q(self, /) -> Q: ..." in whole and "def cell(self, /, index: int) -> Cell: ..." in whole
    assert "def q(self, /, label: str = 'unknown') -> Q: ..." in stub.replace('"', "'")
    assert "Never" not in re.sub(r"def __new__\(cls, not_by_a_call: .*", "", stub)
