# SPDX-License-Identifier: MIT
"""Edits one photograph in place: the C library reads it, NumPy and C change it by turns, and the C library writes it.

`make demo` runs this program. It first compiles the module `imaging` from the C library (image*.c) and from the code
that dlpack-bindgen generates from specs/imaging.yaml. No line of the bindings is written by hand. The program checks
every claim before it prints it.
"""

from __future__ import annotations

import gc
import itertools
from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image as PillowImage

import imaging

OUTPUT = Path("build/demo")


def main() -> None:
    # A public-domain photograph (U.S. Navy, 1984) that comes with matplotlib; the C library reads BMP.
    original = Path(matplotlib.get_data_path(), "sample_data", "grace_hopper.jpg")
    OUTPUT.mkdir(parents=True, exist_ok=True)
    PillowImage.open(original).convert("RGB").save(OUTPUT / "photograph.bmp")

    image = imaging.load(OUTPUT / "photograph.bmp")
    print(f"C read      {image!r}")

    pixels = np.from_dlpack(image)
    at_numpy, at_c = pixels.ctypes.data, image.address
    assert at_numpy == np.asarray(image).ctypes.data == at_c
    print(f"NumPy sees  {pixels.dtype}{list(pixels.shape)} at {at_numpy:#x}, C at {at_c:#x}: one memory")

    before = pixels.mean()
    imaging.adjust(image, brightness=brightness_of(pixels), contrast=1.3)
    print(f"C changed   contrast and brightness in place: NumPy's mean went from {before:.1f} to {pixels.mean():.1f}")

    draw_frame(pixels, width=12, colour=(230, 160, 40))
    height, width, _ = pixels.shape
    pixels[:, width // 2 :] = pixels[:, width // 2 :].mean(axis=2, keepdims=True).astype(np.uint8)
    print("NumPy drew  a frame and took the colour out of the right half, in the memory of the C struct")

    # In the other direction, a window of a NumPy array becomes an image of the C library, and C writes into it.
    canvas = np.zeros((height + 20, width + 30, 3), np.uint8)
    window = canvas[10 : 10 + height, 15 : 15 + width]
    blurred = imaging.Image.from_dlpack(window)
    assert blurred.address == window.ctypes.data
    imaging.blur(image, blurred, radius=6)
    assert window.any() and not canvas[:10].any()
    print(f"C blurred   into a window of a NumPy array, {blurred!r}")
    pixels[height // 2 : -12, 12:-12] = window[height // 2 : -12, 12:-12]

    # Functions take any array that an image can describe. The library makes an image_t for it during the call.
    face = pixels[20:220, 150:350].copy()
    soft = imaging.blur(face, radius=3)
    assert imaging.blur(face, face, radius=3) is face and (np.asarray(soft) == face).all()
    print(f"C took      a plain array of NumPy, blurred it into {soft!r}, and in place")

    survive_every_order()
    print("Survived    the deletion of object, arrays and buffer in all 24 orders")

    imaging.save(image, OUTPUT / "result.bmp")
    PillowImage.open(OUTPUT / "result.bmp").save(OUTPUT / "result.png")
    print(f"C wrote     {OUTPUT / 'result.bmp'}; to look at: {OUTPUT / 'result.png'}")


def brightness_of(pixels: np.ndarray) -> float:
    """Returns the brightness that moves the mean of the picture towards the middle of the scale, by at most 40."""
    return float(np.clip(128 - pixels.mean(), -40, 40))


def draw_frame(pixels: np.ndarray, width: int, colour: tuple[int, int, int]) -> None:
    for edge in (pixels[:width], pixels[-width:], pixels[:, :width], pixels[:, -width:]):
        edge[:] = colour


def survive_every_order() -> None:
    """Drops four objects that share one image, in all 24 orders. The remaining ones must still read its memory."""
    for order in itertools.permutations(range(4)):
        image = imaging.Image.empty((8, 8, 3))
        np.from_dlpack(image)[:] = 77
        holders = [image, np.from_dlpack(image), np.asarray(image), memoryview(image)]
        del image
        for dropped in order:
            holders[dropped] = None
            gc.collect()
            assert all(np.asarray(holder).min() == 77 for holder in holders if holder is not None)


if __name__ == "__main__":
    main()
