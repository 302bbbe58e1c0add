"""A failure has the number in errno only where the spec says that the system reports it."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: cameras
include: cameras.h
handles:
  Camera:
    type: camera
    release: free(self)
    new: {c: camera *camera_new(const char *name), raises: OSError}
    methods:
      grab: {c: "int camera_grab(camera *c, int frame)", ok: == 0, raises: {_: OSError}}
      wait:
        c: int camera_grab(camera *c, int frame)
        ok: == 0
        error: '"no frame"'
        raises: TimeoutError
        release_gil: true
      log: {c: "int camera_log(camera *c, const char *path)", args: {path: path}, ok: == 0, raises: OSError}
    properties:
      gain: {get: self->gain, set: {c: "int camera_set_gain(camera *c, int gain)", ok: == 0, raises: OSError}}
functions:
  probe: {c: int camera_probe(const char *name), ok: == 0, error: '"no such camera"', raises: OSError}
  told: {c: int camera_probe(const char *name), ok: == 0, raises: OSError, errno: errno}
  coded: {c: int camera_probe(const char *name), ok: == 0, raises: {-1: OSError, _: ValueError}}
  quiet: {c: int camera_probe(const char *name), args: {name: path}, ok: == 0, raises: OSError, errno: 0}
"""
HEADER = Path(__file__).with_name("cameras.h").read_text()


@pytest.fixture(scope="module")
def cameras(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    return build_module("cameras", SPEC, tmp_path_factory.mktemp("cameras"), HEADER)


@pytest.mark.parametrize(
    ("call", "exception", "message"),
    [
        (lambda m: m.probe("front"), OSError, "probe(): no such camera (name='front')"),
        (lambda m: m.Camera("front"), OSError, "Camera(): camera_new() failed (name='front')"),
        (lambda m: m.Camera("x").grab(3), OSError, "grab(): camera_grab() failed (frame=3)"),
        (lambda m: m.Camera("x").wait(3), TimeoutError, "wait(): no frame (frame=3)"),
        (lambda m: setattr(m.Camera("x"), "gain", 3), OSError, "Camera.gain: camera_set_gain() failed (gain=3)"),
        (lambda m: m.quiet("front"), OSError, "quiet(): camera_probe() failed with -1 (name='front')"),
    ],
)
def test_a_failure_has_no_errno_unless_the_spec_declares_it(
    cameras: ModuleType, call: Callable[[ModuleType], Any], exception: type[OSError], message: str
) -> None:
    with pytest.raises(OSError) as caught:
        call(cameras)
    assert (caught.type, caught.value.errno, str(caught.value)) == (exception, None, message)


@pytest.mark.parametrize(
    "call",
    [lambda m: m.told("front"), lambda m: m.coded("front"), lambda m: m.Camera("x").log("file")],
    ids=["errno", "raises", "path"],
)
def test_a_failure_of_the_system_has_the_errno(cameras: ModuleType, call: Callable[[ModuleType], Any]) -> None:
    with pytest.raises(BlockingIOError) as caught:
        call(cameras)
    assert caught.value.errno == errno.EAGAIN
