"""Arrays of structs of equal numbers are arrays of these numbers, also if a struct is a class."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module

HEADER = Path(__file__).with_name("meshes.h").read_text()
SPEC = """
module: meshes
include: [meshes.h]
arrays: Array
tensors:
  Vec:
    type: vec3
    data: "&self->x"
    dtype: float32
    shape: [3]
    release: (void)self
handles:
  Mesh:
    type: mesh
    release: mesh_free(self)
    new:
      c: mesh *mesh_new(const vec3 *points, int n)
      args: {points: {of: array, require: [{dtype: float32}, {shape: [n, 3]}]}, n: {extent_of: points}}
    methods:
      points:
        c: const vec3 *mesh_points(const mesh *m, int *n)
        args: {n: {out: true}}
        returns: {of: array, dtype: float32, shape: [n, 3], borrow: m}
      data:
        c: void mesh_data(const mesh *m, const void **data)
        args: {data: {out: true, of: array, dtype: float32, shape: [3 * m->n]}}
functions:
  total:
    c: double total(const vec3 *points, size_t n)
    args: {points: {of: array, require: [{dtype: float32}, {shape: [n, 3]}]}, n: {extent_of: points}}
  last:
    c: vec3 last(const vec3 *points, size_t n)
    args: {points: {of: array, require: [{dtype: float32}, {shape: [n, 3]}]}, n: {extent_of: points}}
  twice:
    c: void twice(const vec3 *points, size_t n, vec3 *doubled)
    args:
      points: {of: array, require: [{dtype: float32}, {shape: [n, 3]}]}
      n: {extent_of: points}
      doubled: {of: array, default: new, require: [{dtype: float32}, {shape: [n, 3]}]}
  above:
    c: int above(const vec3 *points, int n, vec3 found[n])
    args:
      points: {of: array, require: [{dtype: float32}, {shape: [n, 3]}]}
      n: {extent_of: points}
      found: {out: true, of: array, dtype: float32, shape: [result, 3]}
  nibbles:
    c: void nibbles(int n, uint8_t found[n])
    args: {found: {out: true, of: array, dtype: uint4, shape: [n, 2]}}
  ones: {c: "uint16_t *ones(int n)", returns: {of: array, dtype: float16, shape: [n]}, finally: free(result)}
"""
POINTS = np.arange(12, dtype=np.float32).reshape(4, 3) - 4


@pytest.fixture(scope="module")
def meshes(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("meshes", SPEC, tmp_path_factory.mktemp("meshes"), HEADER)


def test_an_array_of_structs_is_passed(meshes: ModuleType) -> None:
    assert meshes.total(POINTS) == POINTS.sum()
    with pytest.raises(ValueError, match=r"total\(\) argument 'points' must have shape \(4, 3\), not \(4, 2\)"):
        meshes.total(np.ascontiguousarray(POINTS[:, :2]))
    with pytest.raises(BufferError, match="float64"):
        meshes.total(POINTS.astype(np.float64))


def test_a_single_struct_is_returned_as_an_object(meshes: ModuleType) -> None:
    last = meshes.last(POINTS)
    assert (type(last).__name__, np.from_dlpack(last).tolist()) == ("Vec", [5, 6, 7])


def test_an_array_of_structs_is_filled(meshes: ModuleType) -> None:
    assert np.array_equal(np.from_dlpack(meshes.twice(POINTS)), 2 * POINTS)
    given = np.zeros_like(POINTS)
    assert meshes.twice(POINTS, given) is given
    assert np.array_equal(given, 2 * POINTS)


def test_an_array_has_as_many_structs_as_c_has_found(meshes: ModuleType) -> None:
    found = np.from_dlpack(meshes.above(POINTS))
    assert np.array_equal(found, POINTS[1:])
    assert meshes.above(POINTS[:1]).shape == (0, 3)


def test_an_array_of_structs_is_returned(meshes: ModuleType) -> None:
    mesh = meshes.Mesh(POINTS)
    points, copy = np.from_dlpack(mesh.points()), np.from_dlpack(mesh.data())
    del mesh
    assert np.array_equal(points, POINTS) and np.array_equal(copy, POINTS.ravel())


def test_elements_can_have_another_type_in_c(meshes: ModuleType) -> None:
    assert (meshes.nibbles(3).shape, meshes.nibbles(3).dtype) == ((3, 2), "uint4")
    ones = np.from_dlpack(meshes.ones(3))
    assert (ones.tolist(), ones.dtype) == ([1, 1, 1], np.float16)


def test_a_name_for_a_number_is_one_in_any_shape_and_a_capital_is_a_parameter(tmp_path: Path) -> None:
    header = Path(__file__).with_name("reals.h").read_text()
    spec = """
        module: reals
        include: [reals.h]
        arrays: Array
        functions:
          axis: {c: const real *axis(void), returns: {of: array, dtype: float64, shape: [3]}}
          grid: {c: real *grid(int N), returns: {of: array, dtype: float64, shape: [3, N]}, finally: free(result)}
          fill: {c: "void fill(real out[MOST])", args: {out: {out: true, of: array, dtype: float64}}}
          sum:
            c: double sum(const pair *P, int N)
            args: {P: {of: array, require: [{dtype: float32}, {shape: [N, 2]}]}, N: {extent_of: P}}
    """
    reals = build_module("reals", spec, tmp_path, header)
    assert np.from_dlpack(reals.axis()).tolist() == [1, 2, 3]
    assert reals.grid(2).shape == (3, 2)
    assert np.from_dlpack(reals.fill()).tolist() == [0, 1, 2, 3]
    assert reals.sum(np.ones((5, 2), np.float32)) == 10
