"""The package as users get it: sdist, wheel made from it, a fresh environment elsewhere, the documented compile line.

Needs the package index, as the set-up of the tests does.
"""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from dlpack_bindgen import __version__, resources
from dlpack_bindgen.emit.vendor import LIBRARIES, outputs

ROOT = Path(__file__).resolve().parents[2]

SPEC = """\
dlpack-bindgen: 1
module: samples
include: [clip.h]
tensors:
  Clip:
    type: clip_t
    data: self->data
    dtype: float64
    shape: [self->length]
    release: clip_free(self)
    allocate: {construct: "clip_new((size_t)shape[0])", ok: "!= NULL", require: [{ndim: 1}]}
    import:
      set: {data: data, length: "shape[0]"}
      require: [{ndim: 1}, compact, writable]
"""

HEADER = (ROOT / "examples" / "template" / "clip.h").read_text()

LIBRARY = (ROOT / "examples" / "template" / "clip.c").read_text()

COMPILE = """\
cc -shared -fPIC $(dlpack-bindgen config --cflags --python-cflags) samples_*.c clip.c \\
   $(dlpack-bindgen config --sources) -o samples$(dlpack-bindgen config --extension-suffix)
"""

EXCHANGE = """\
import numpy as np
import samples

clip = samples.Clip.empty((4,))
view = np.from_dlpack(clip)
view[:] = [1, 2, 3, 4]
assert np.from_dlpack(clip).tolist() == [1, 2, 3, 4]

array = np.arange(5.0)
clip = samples.Clip.from_dlpack(array)
again = np.from_dlpack(clip)
assert again.ctypes.data == array.ctypes.data
again[0] = 7
assert array[0] == 7
del clip, array
assert again.tolist() == [7, 1, 2, 3, 4]
"""


def run(*command: str, cwd: Path, path: str | None = None) -> str:
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    if path is not None:
        environment["PATH"] = path
    result = subprocess.run(
        command, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert result.returncode == 0, f"{' '.join(command)}\n{result.stdout}"
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds the wheel from the unpacked sdist, so that the sdist is known to be complete."""
    folder = tmp_path_factory.mktemp("dist")
    hatchling = (sys.executable, "-m", "hatchling", "build", "-d", str(folder), "-t")
    run(*hatchling, "sdist", cwd=ROOT)
    run("tar", "-xzf", str(next(folder.glob("*.tar.gz"))), cwd=folder)
    run(*hatchling, "wheel", cwd=next(path for path in folder.iterdir() if path.is_dir()))
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def binaries(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gives the folder of commands of a fresh environment with the wheel installed."""
    folder = tmp_path_factory.mktemp("fresh") / "venv"
    venv.create(folder, with_pip=True)
    numpy = f"numpy=={__import__('numpy').__version__}"
    pip = (
        str(folder / "bin" / "python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-compile",
        "--disable-pip-version-check",
    )
    run(*pip, "-c", str(ROOT / "tests" / "constraints.txt"), str(wheel), numpy, cwd=folder)
    return folder / "bin"


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    for name, text in {"samples.yaml": SPEC, "clip.h": HEADER, "clip.c": LIBRARY, "exchange.py": EXCHANGE}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_wheel_has_the_files_that_it_needs_and_no_others(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    package = ROOT / "generator" / "dlpack_bindgen"
    expected = {f"dlpack_bindgen/{path.relative_to(package)}" for path in package.rglob("*.py")}
    for folder in ("templates", "runtime", "cmake"):
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
        expected |= {f"dlpack_bindgen/{path.relative_to(ROOT)}" for path in files}
    expected |= {f"dlpack_bindgen/include/dlpack/{name}" for name in ("dlpack.h", "LICENSE")}
    assert {name for name in names if ".dist-info/" not in name} == expected
    licences = {name.partition("/licenses/")[2] for name in names if "/licenses/" in name}
    assert licences == {"LICENSE", "runtime/LICENSE", "LICENSES/Apache-2.0.txt"}


def test_the_wheel_has_the_official_header(wheel: Path) -> None:
    content = zipfile.ZipFile(wheel).read("dlpack_bindgen/include/dlpack/dlpack.h")
    assert content == resources.header().read_bytes()


def test_no_wheel_is_made_with_an_old_header(tmp_path: Path) -> None:
    old = tmp_path / "dlpack" / "dlpack.h"
    old.parent.mkdir()
    old.write_text(resources.header().read_text().replace("DLPACK_MINOR_VERSION 3", "DLPACK_MINOR_VERSION 2"))
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(tmp_path), "-t", "wheel"]
    environment = {**os.environ, "DLPACK_INCLUDE": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == f"the wheel needs dlpack.h: {old} is 1.2, and 1.3 or a later 1.x is needed\n"
    assert list(tmp_path.glob("*.whl")) == []


def test_the_documented_commands_build_a_module_that_numpy_reads(binaries: Path, workplace: Path) -> None:
    path = f"{binaries}:{os.environ['PATH']}"
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    run("dlpack-bindgen", "generate", "samples.yaml", "-o", ".", cwd=workplace, path=path)
    run("sh", "-c", COMPILE, cwd=workplace, path=path)
    run("python", "exchange.py", cwd=workplace, path=path)


def test_the_installed_package_does_not_use_the_checkout(binaries: Path, workplace: Path) -> None:
    path = f"{binaries}:{os.environ['PATH']}"
    version = run("dlpack-bindgen", "--version", cwd=workplace, path=path)
    assert version == f"dlpack-bindgen {__version__}\n"
    assert str(ROOT) not in run("dlpack-bindgen", "config", "--sources", "--cflags", cwd=workplace, path=path)


def test_the_wheel_needs_no_other_package_for_the_header(binaries: Path, workplace: Path) -> None:
    path = f"{binaries}:{os.environ['PATH']}"
    code = (
        "import dlpack_bindgen, importlib.util; print(dlpack_bindgen.__path__[0], importlib.util.find_spec('tvm_ffi'))"
    )
    package, other = run("python", "-c", code, cwd=workplace, path=path).split()
    assert other == "None"
    assert f"-I{package}/include" in run("dlpack-bindgen", "config", "--cflags", cwd=workplace, path=path)


def test_the_wheel_vendors_the_files_of_the_checkout(binaries: Path, workplace: Path) -> None:
    path = f"{binaries}:{os.environ['PATH']}"
    run("dlpack-bindgen", "vendor", "copy", cwd=workplace, path=path)
    copied = {path.relative_to(workplace / "copy"): path for path in (workplace / "copy").rglob("*") if path.is_file()}
    expected = {Path(file.name): file.text for file in outputs(LIBRARIES, None)}
    assert {name: path.read_text(encoding="utf-8") for name, path in copied.items()} == expected
