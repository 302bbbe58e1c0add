"""Properties whose values are arrays and other objects: arrays in the struct, structs in the struct, pointers."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.build import build_module
from support.stubs import check_stubs

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    spec, header, source = ((HERE / f"poses.{suffix}").read_text() for suffix in ("yaml", "h", "c"))
    return build_module("poses", spec, tmp_path_factory.mktemp("poses"), header, source)


@pytest.fixture
def poses(module: ModuleType) -> Iterator[ModuleType]:
    """Gives the module. After each test, every pose must have been freed."""
    yield module
    gc.collect()
    assert module.live() == 0


def test_an_array_in_the_struct_is_an_attribute(poses: ModuleType) -> None:
    pose = poses.Pose()
    np.from_dlpack(pose.matrix)[0, 2] = 7
    assert np.from_dlpack(pose.matrix).tolist() == [[1, 0, 7], [0, 1, 0], [0, 0, 1]]
    assert type(pose.matrix) is poses.Matrix
    assert poses.Pose.matrix.__doc__ == "The rotation."
    assert poses.Pose.row.__doc__ == "This object, seen as Row."


def test_an_array_keeps_the_object_alive(poses: ModuleType) -> None:
    array = np.asarray(poses.Pose().matrix)
    gc.collect()
    assert (array == np.eye(3)).all() and poses.live() == 1


def test_an_attribute_takes_a_default_or_a_param_of_the_object(poses: ModuleType) -> None:
    pose = poses.Pose(2)
    assert np.from_dlpack(pose.row).tolist() == [0, 1, 0]
    assert np.from_dlpack(pose.head).shape == (2,)
    assert not hasattr(poses.Pose, "sized_head") or callable(pose.sized_head)


def test_an_attribute_can_have_attributes(poses: ModuleType) -> None:
    matrix = poses.Pose().matrix
    assert np.from_dlpack(matrix.row).tolist() == [0, 1, 0]
    assert type(matrix.pose) is poses.Pose2
    assert np.from_dlpack(matrix.pose.matrix()).trace() == 3


def test_a_struct_in_the_struct_is_an_attribute(poses: ModuleType) -> None:
    pose = poses.Pose()
    inner = pose.inner
    np.from_dlpack(pose.inner)[1, 1] = 4
    del pose
    gc.collect()
    assert np.from_dlpack(inner)[1, 1] == 4
    assert poses.live() == 1


def test_null_is_none(poses: ModuleType) -> None:
    pose = poses.Pose()
    assert pose.mine is None and pose.parent is None
    pose.make()
    mine = np.from_dlpack(pose.mine)
    child = poses.Pose(parent=pose)
    del pose
    assert mine.shape == (2, 3)
    assert np.from_dlpack(child.parent.matrix).trace() == 3


def test_an_attribute_can_be_an_object_by_value(poses: ModuleType) -> None:
    assert poses.Pose().token.value == 5


def test_attributes_in_read_only_memory_are_read_only(poses: ModuleType) -> None:
    pose = poses.Pose()
    for each in (pose.shared, pose.head, poses.Pose.fixed().matrix, poses.Pose.fixed().inner):
        assert each.readonly and not np.asarray(each).flags.writeable
    assert not (pose.matrix.readonly or pose.inner.readonly)


def test_attributes_of_a_closed_object_are_refused(poses: ModuleType) -> None:
    pose = poses.Pose()
    view = pose.matrix
    pose.close()
    for name in ("matrix", "inner", "parent", "token"):
        with pytest.raises(ValueError, match="closed"):
            getattr(pose, name)
    assert np.from_dlpack(view).trace() == 3


def test_an_attribute_is_assigned_by_a_function(poses: ModuleType) -> None:
    pose = poses.Pose()
    pose.matrix = np.full((3, 3), 2.0)
    assert np.from_dlpack(pose.matrix).sum() == 18
    with pytest.raises(ValueError, match="shape"):
        pose.matrix = np.ones((2, 3))
    with pytest.raises(AttributeError, match="cannot be deleted"):
        del pose.matrix


def test_an_attribute_without_a_setter_cannot_be_assigned(poses: ModuleType) -> None:
    pose = poses.Pose()
    for name in ("row", "inner", "token"):
        with pytest.raises(AttributeError, match=name):
            setattr(pose, name, np.ones(3))
        with pytest.raises(AttributeError, match=name):
            delattr(pose, name)


def test_the_stub_shows_properties(poses: ModuleType, tmp_path: Path) -> None:
    path = Path(poses.__file__ or "")
    stub = path.with_name("poses.pyi").read_text()
    assert "    @property\n    def matrix(self) -> Matrix:" in stub
    assert "def inner(self) -> Mat: ..." in stub
    assert "def mine(self) -> Mat | None: ..." in stub
    check_stubs({"poses": path}, tmp_path)
