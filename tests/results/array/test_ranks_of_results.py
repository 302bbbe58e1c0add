"""Arrays that C returns with a rank that only C knows: `shape: {ndim, each}`, and addresses of extents."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from python.leaks import assert_no_growth
from support.build import build_module

HEADER = Path(__file__).with_name("ranks.h").read_text()
SOURCE = Path(__file__).with_name("ranks.c").read_text()
SPEC = """
module: ranks
include: ranks.h
arrays: Array
handles:
  Model:
    type: model
    release: model_free(self)
    new: {c: model *model_new(int rank)}
    methods:
      set: {c: "void model_set(model *m, int64_t extent)"}
      values:
        c: const float *model_values(const model *m)
        returns: {of: array, borrow: m, shape: {ndim: model_rank(m), each: "model_extent(m, axis)"}}
      predict:
        c: int model_predict(model *m, const int64_t **extents, uint64_t *rank, const float **values)
        ok: == 0
        args:
          extents: {out: true}
          rank: {out: true}
          values: {of: array, out: true, borrow: m, shape: {ndim: rank, each: "extents[axis]"}}
      copy:
        c: int model_copy(const model *m, int64_t **extents, int axis, double **values)
        ok: == 0
        args: {extents: {out: true}, values: {of: array, out: true, shape: {ndim: 2, each: "extents[axis]"}}}
        finally: free(extents); free(values)
      find:
        c: const float *model_find(const model *m, const int64_t **extents, int *rank)
        args: {extents: {out: true}, rank: {out: true}}
        returns: {of: array, borrow: m, shape: ["extents[0]", "extents[1]"], optional: true}
      find_any:
        c: const float *model_find(const model *m, const int64_t **extents, int *rank)
        args: {extents: {out: true}, rank: {out: true}}
        returns: {of: array, borrow: m, shape: {ndim: rank + 2, each: "extents[axis]"}}
      fixed:
        c: const float *model_fixed(const model *m, int64_t extents[4], int *rank)
        args: {extents: {out: true}, rank: {out: true}}
        returns: {of: array, borrow: m, shape: {ndim: rank, each: "extents[axis]"}}
      pair:
        c: int model_copy(const model *m, int64_t **extents, int axis, double **values)
        ok: == 0
        args: {extents: {out: true}, values: {of: array, out: true, shape: ["extents[0]", "extents[1]"]}}
        finally: free(extents); free(values)
"""


@pytest.fixture(scope="module")
def lib(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("ranks", SPEC, tmp_path_factory.mktemp("ranks"), HEADER, SOURCE)


def test_a_result_has_the_rank_that_c_reports(lib: ModuleType) -> None:
    for rank, shape in ((0, ()), (1, (2,)), (2, (2, 3)), (3, (2, 3, 1))):
        model = lib.Model(rank)
        for found in (model.predict(), model.values()):
            assert (type(found), found.shape, found.readonly) == (lib.Array, shape, True)
            count = int(np.prod(shape))
            assert np.asarray(found).ravel().tolist() == [0, 1, 2, 3, 4, 5][:count]


def test_a_result_keeps_the_object_that_owns_its_memory(lib: ModuleType) -> None:
    shown = np.asarray(lib.Model(2).predict())
    assert shown.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_parameter_may_be_called_axis(lib: ModuleType) -> None:
    model = lib.Model(2)
    assert [model.copy(0).shape, model.copy(1).shape, model.pair(axis=0).shape] == [(3, 2), (2, 3), (3, 2)]
    assert memoryview(model.copy(1)).tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_rank_that_no_array_has_is_an_error(lib: ModuleType) -> None:
    assert lib.Model(64).predict().ndim == 64
    with pytest.raises(ValueError, match=r"Array: the rank of the array \(rank\) is 65, not one from 0 to 64$"):
        lib.Model(65).predict()
    with pytest.raises(ValueError, match=r"Array: the rank of the array \(model_rank\(m\)\) is -1, not one"):
        lib.Model(-1).values()


def test_an_extent_that_no_array_has_is_an_error(lib: ModuleType) -> None:
    model = lib.Model(2)
    model.set(-5)
    with pytest.raises(ValueError, match=r"an extent of the array \(extents\[axis\]\) is -5$"):
        model.predict()


def test_extents_are_not_read_if_the_result_is_null(lib: ModuleType) -> None:
    assert lib.Model(0).find() == (None, 0)
    assert lib.Model(2).find()[0].shape == (2, 3)
    with pytest.raises(RuntimeError, match="Array: the function returned NULL"):
        lib.Model(0).find_any()


def test_a_rank_beyond_the_extents_is_an_error(lib: ModuleType) -> None:
    assert lib.Model(4).fixed().shape == (2, 3, 1, 1)
    with pytest.raises(ValueError, match=r"the rank of the array \(rank\) is 5, not one from 0 to 4$"):
        lib.Model(5).fixed()


def test_results_of_any_rank_leak_nothing(lib: ModuleType) -> None:
    bad, good = lib.Model(65), lib.Model(2)

    def calls() -> None:
        good.copy(1)
        good.predict()
        with pytest.raises(ValueError, match="rank"):
            bad.predict()

    assert_no_growth(calls)
