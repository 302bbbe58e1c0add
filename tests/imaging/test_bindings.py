# SPDX-License-Identifier: MIT
"""The functions of the module `imaging` behave as specs/imaging.yaml declares."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

SHAPE = (5, 7, 3)
Pixels = npt.NDArray[np.uint8]


@pytest.fixture
def pixels() -> Pixels:
    return np.random.default_rng(6).integers(0, 256, SHAPE, np.uint8)


def blurred(pixels: Pixels, radius: int) -> Pixels:
    """Returns the blurred image as the header defines it, by NumPy: the rounded mean of the square around each
    pixel."""
    means = np.empty_like(pixels)
    for y, x in np.ndindex(pixels.shape[:2]):
        square = pixels[max(y - radius, 0) : y + radius + 1, max(x - radius, 0) : x + radius + 1]
        means[y, x] = np.floor(square.mean(axis=(0, 1)) + 0.5)
    return means


@pytest.mark.parametrize("path_type", [str, Path, bytes])
def test_any_array_is_saved_and_loaded_again(
    imaging: ModuleType, pixels: Pixels, path_type: Callable[[Path], Any], tmp_path: Path
) -> None:
    path = path_type(tmp_path / "picture.bmp")
    for given in (pixels, pixels[::-1], imaging.Image.from_dlpack(pixels)):
        assert imaging.save(given, path) is None
        loaded = imaging.load(path)
        assert type(loaded) is imaging.Image
        assert (np.asarray(loaded) == np.asarray(given)).all()


def test_blur_makes_a_picture_or_fills_the_given_one(imaging: ModuleType, pixels: Pixels) -> None:
    pixels.flags.writeable = False
    made = imaging.blur(pixels)
    assert type(made) is imaging.Image
    assert (np.asarray(made) == blurred(pixels, 1)).all()
    window = np.zeros((9, 9, 3), np.uint8)[2:7, 1:8]
    assert imaging.blur(made, window, radius=2) is window
    assert (window == blurred(blurred(pixels, 1), 2)).all()
    assert imaging.blur(made, made, 2) is made
    assert (np.asarray(made) == window).all()


def test_adjust_changes_arrays_in_place(imaging: ModuleType, pixels: Pixels) -> None:
    before = pixels.copy()
    assert imaging.adjust(pixels) is None
    assert (pixels == before).all()
    imaging.adjust(pixels, contrast=0.5, brightness=10)
    expected = (before.astype(float) - 128) * 0.5 + 138
    assert np.abs(pixels - expected).max() <= 0.5


def test_a_picture_has_methods_and_properties(imaging: ModuleType, pixels: Pixels) -> None:
    image = imaging.Image(7, 5)
    assert (image.width, image.height, image.channels, image.shape) == (7, 5, 3, SHAPE)
    shown = np.asarray(image)
    assert image.address == shown.ctypes.data
    shown[:] = pixels
    copy = image.copy()
    image.flip()
    assert (shown == pixels[::-1]).all()
    assert (np.asarray(copy) == pixels).all()
    assert imaging.Image(7, 5, channels=1).channels == 1


def test_missing_files_are_system_errors(imaging: ModuleType, pixels: Pixels, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"load\(\): cannot open the file") as missing:
        imaging.load(tmp_path / "missing.bmp")
    assert (missing.value.errno, missing.value.filename) == (errno.ENOENT, tmp_path / "missing.bmp")
    with pytest.raises(IsADirectoryError, match=r"load\(\): cannot read the file"):
        imaging.load(tmp_path)
    with pytest.raises(IsADirectoryError, match=r"save\(\): cannot open the file"):
        imaging.save(pixels, tmp_path)
    with pytest.raises(OSError, match=r"save\(\): cannot write the file") as full:
        imaging.save(pixels, "/dev/full")
    assert full.value.errno == errno.ENOSPC


def test_an_argument_that_the_library_refuses_is_a_value_error(
    imaging: ModuleType, pixels: Pixels, tmp_path: Path
) -> None:
    (tmp_path / "text.bmp").write_text("no picture, although it is called one, and long enough to be read")
    with pytest.raises(ValueError, match=r"^load\(\): not a BMP file \(path='"):
        imaging.load(tmp_path / "text.bmp")
    with pytest.raises(ValueError, match=r"^blur\(\): the images do not have the same shape$"):
        imaging.blur(pixels, pixels[:-1])
    with pytest.raises(ValueError, match=r"^blur\(\): argument out of range \(radius=-1\)$"):
        imaging.blur(pixels, radius=-1)
    with pytest.raises(ValueError, match=r"^adjust\(\): argument out of range \(brightness=256\)$"):
        imaging.adjust(pixels, brightness=256)
    with pytest.raises(ValueError, match=r"^Image\(\): a side or the number of channels is out of range"):
        imaging.Image(7, 5, 2)
