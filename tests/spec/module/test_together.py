"""Several specs in one run of the command, and several modules in one shared object."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np

from structs.libraries import FOLDER, assert_same, compile_strictly
from support.build import CC, SANITIZED, SANITIZERS, TOP, import_extension, runtime_objects

TOGETHER = ["blas", "ipl", "nrrd"]


def test_one_extension_can_have_the_modules_of_three_specs(tmp_path: Path) -> None:
    specs = [FOLDER / name / f"{name}.yaml" for name in TOGETHER]
    subprocess.run(
        [sys.executable, "-m", "dlpack_bindgen", "generate", *specs, "-o", tmp_path],
        env={**os.environ, "PYTHONPATH": str(TOP / "generator")},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    folders = [tmp_path, *(FOLDER / name for name in TOGETHER)]
    sources = [source for folder in folders for source in sorted(folder.glob("*.c"))]
    assert len(sources) == 9
    objects = [tmp_path / f"{source.stem}.o" for source in sources]
    for source, target in zip(sources, objects, strict=True):
        compile_strictly("gcc", source, target, folders)
    path = tmp_path / f"together{sysconfig.get_config_var('EXT_SUFFIX')}"
    sanitizers = SANITIZERS if SANITIZED else []
    subprocess.run([*CC, "-shared", *sanitizers, *objects, *runtime_objects(), "-o", path], check=True)

    blas, ipl, nrrd = (import_extension(name, path) for name in TOGETHER)
    matrix = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    assert_same(np.from_dlpack(blas.Matrix.from_dlpack(matrix)), matrix)
    image = np.zeros((2, 3, 4), np.uint8)
    assert_same(np.from_dlpack(ipl.Image.from_dlpack(image)), image)
    # One module takes the other's objects like anybody's.
    shown = nrrd.Nrrd.from_dlpack(ipl.Image.from_dlpack(image))
    assert_same(np.from_dlpack(shown), image)
