"""docs/packaging.md: each recipe makes a package that pip installs, with the wheel of this project, outside of the
checkout."""

from __future__ import annotations

import os
import re
import shutil
import site
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from builds.conftest import need, run
from builds.listings import write_files
from support.build import TOP

RECIPES = ["setuptools", "Meson", "CMake"]
TOOLS = {"setuptools": ["setuptools"], "Meson": ["mesonpy"], "CMake": ["scikit_build_core", "cmake"]}
TRIAL = """
import numpy
import recordings.sound as sound
print(sound.__file__)
print(numpy.from_dlpack(sound.Clip.empty((3,))).tolist())
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Makes an environment with the wheel of this project. It sees the build tools of the environment of the tests."""
    folder = tmp_path_factory.mktemp("environment")
    path = os.environ["PATH"]
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], TOP, path)
    venv.create(folder / "venv")
    python = folder / "venv" / "bin" / "python"
    own = Path(run([python, "-c", "import site; print(site.getsitepackages()[0])"], folder, path).strip())
    (own / "tools.pth").write_text("".join(f"{each}\n" for each in site.getsitepackages()))
    [wheel] = folder.glob("*.whl")
    run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--ignore-installed", str(wheel)], folder, path)
    return folder / "venv" / "bin"


class Package:
    """The package of a recipe."""

    def __init__(self, recipe: str, folder: Path, bin_folder: Path) -> None:
        for module in TOOLS[recipe]:
            need(module)
        self.folder = folder
        self.python = bin_folder / "python"
        self.path = os.pathsep.join([str(bin_folder), str(Path(sys.executable).parent), os.environ["PATH"]])
        (folder / "recordings").mkdir(parents=True)
        (folder / "recordings" / "__init__.py").write_text("")
        (folder / "recordings" / "py.typed").write_text("")
        write_files("committing", "Write the files", folder)
        (folder / "main.c").unlink()
        write_files("packaging", recipe, folder)

    def pip(self, *arguments: str, path: str | None = None) -> str:
        command = [self.python, "-m", "pip", *arguments, "--quiet", "--no-deps", "--no-build-isolation"]
        return run(command, self.folder, path or self.path)

    def files(self) -> set[str]:
        return {path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*") if path.is_file()}


@pytest.fixture
def package(request: pytest.FixtureRequest, tmp_path: Path, environment: Path) -> Package:
    return Package(request.param, tmp_path / "project", environment)


def imported(package: Package, *places: Path) -> Path:
    """Returns the path of the extension module, imported in another folder."""
    away = package.folder.parent
    code = "".join(f"import sys; sys.path.insert(0, {str(place)!r})\n" for place in places) + TRIAL
    path, values = run([package.python, "-c", code], away, package.path).splitlines()
    assert values == "[0.0, 0.0, 0.0]"
    return Path(path)


@pytest.mark.parametrize("package", RECIPES, indirect=True)
def test_a_wheel_has_the_module_its_stub_and_nothing_else(package: Package, tmp_path: Path) -> None:
    before = package.files()
    package.pip("wheel", ".", "-w", str(tmp_path))
    [wheel] = tmp_path.glob("*.whl")
    names = [name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name]
    shown = sorted(re.sub(r"sound\..*\.so", "sound.so", name) for name in names)
    assert shown == [f"recordings/{name}" for name in ("__init__.py", "py.typed", "sound.pyi", "sound.so")]
    new = {name.split("/")[0] for name in package.files() - before}
    assert new <= {"build", "recordings.egg-info"}
    package.pip("install", str(wheel), "--target", str(tmp_path / "installed"))
    assert imported(package, tmp_path / "installed").parent == tmp_path / "installed" / "recordings"


@pytest.mark.parametrize("package", RECIPES, indirect=True)
def test_an_editable_installation_can_be_imported(package: Package) -> None:
    package.pip("install", "-e", ".")
    try:
        imported(package)
    finally:
        run([package.python, "-m", "pip", "uninstall", "--quiet", "--yes", "recordings"], package.folder, package.path)


@pytest.mark.parametrize("package", ["setuptools"], indirect=True)
def test_a_source_distribution_builds_without_the_generator(package: Package, bare: Path, tmp_path: Path) -> None:
    need("build")
    before = package.files()
    run([package.python, "-m", "build", "--sdist", "--no-isolation", "-o", "dist"], package.folder, package.path)
    assert {name.split("/")[0] for name in package.files() - before} == {"dist", "recordings.egg-info"}
    [archive] = package.folder.glob("dist/*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path, filter="data")
    package.folder = next(path for path in tmp_path.iterdir() if path.name.startswith("recordings-"))
    shutil.rmtree(package.folder / "recordings.egg-info")
    assert run(["sh", "-c", "command -v dlpack-bindgen || echo missing"], tmp_path, str(bare)) == "missing\n"
    package.pip("wheel", ".", "-w", str(tmp_path), path=str(bare))
    [wheel] = tmp_path.glob("*.whl")
    package.pip("install", str(wheel), "--target", str(tmp_path / "installed"))
    imported(package, tmp_path / "installed")
