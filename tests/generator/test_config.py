"""What a compile line needs: found where it is installed, or one line that says what to install."""

import re
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from dlpack_bindgen.command.config import ConfigError, answer
from dlpack_bindgen.resources import ResourceError, resource_folder

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def no_header_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DLPACK_INCLUDE", raising=False)


def header_folder(path: Path) -> Path:
    (path / "dlpack").mkdir(parents=True)
    (path / "dlpack" / "dlpack.h").write_text("#define CHOSEN 1\n")
    return path


def test_rooms_of_the_checkout() -> None:
    assert resource_folder("templates") == ROOT / "templates"
    assert resource_folder("runtime") == ROOT / "runtime"


def test_a_room_beside_the_package_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "top" / "generator" / "dlpack_bindgen"
    package.mkdir(parents=True)
    monkeypatch.setattr("dlpack_bindgen.resources.__file__", str(package / "resources.py"))
    with pytest.raises(ResourceError, match="the installation is incomplete"):
        resource_folder("runtime")
    (tmp_path / "top" / "runtime").mkdir()
    assert resource_folder("runtime") == tmp_path / "top" / "runtime"
    (package / "runtime").mkdir()
    assert resource_folder("runtime") == package / "runtime"


def test_cflags_lead_to_the_runtime_and_to_dlpack() -> None:
    runtime, dlpack = shlex.split(answer(["cflags"]))
    assert runtime == f"-I{ROOT / 'runtime'}"
    assert (Path(dlpack.removeprefix("-I")) / "dlpack" / "dlpack.h").is_file()


def test_the_installed_dlpack_is_1_3_or_newer() -> None:
    header = Path(shlex.split(answer(["cflags"]))[1].removeprefix("-I"), "dlpack", "dlpack.h").read_text()
    assert "#define DLPACK_MAJOR_VERSION 1\n" in header
    assert int(header.split("#define DLPACK_MINOR_VERSION ")[1].split()[0]) >= 3


def test_dlpack_is_found_without_being_imported() -> None:
    code = "from dlpack_bindgen.command.config import answer; answer(['cflags']); print('tvm_ffi' in sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}"], capture_output=True, text=True, check=True
    ).stdout
    assert shown == "False\n"


def test_dlpack_include_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header_folder(tmp_path / "my headers")
    monkeypatch.setenv("DLPACK_INCLUDE", str(tmp_path / "my headers"))
    assert shlex.split(answer(["cflags"]))[1] == f"-I{tmp_path / 'my headers'}"
    assert answer(["cflags"]).endswith(f" '-I{tmp_path / 'my headers'}'")
    # A compiler may run elsewhere than this command.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DLPACK_INCLUDE", "my headers")
    assert shlex.split(answer(["cflags"]))[1] == f"-I{tmp_path / 'my headers'}"


def test_dlpack_include_without_the_header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header_folder(tmp_path)
    monkeypatch.setenv("DLPACK_INCLUDE", str(tmp_path / "dlpack"))
    with pytest.raises(ConfigError, match="there is no dlpack/dlpack\\.h"):
        answer(["cflags"])


def test_an_empty_dlpack_include_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DLPACK_INCLUDE", "")
    assert "tvm_ffi" in answer(["cflags"])


def test_no_dlpack_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigError) as caught:
        answer(["cflags"])
    assert "pip install 'dlpack-bindgen[header]'" in str(caught.value)
    assert "DLPACK_INCLUDE" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_python_cflags_lead_to_python_h() -> None:
    flags = shlex.split(answer(["python-cflags"]))
    assert Path(flags[0].removeprefix("-I"), "Python.h").is_file()
    assert len(flags) == len(set(flags))


def test_a_second_folder_of_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Python.h").write_text("")
    folders = {"include": str(tmp_path), "platinclude": str(tmp_path / "plat")}
    monkeypatch.setattr(sysconfig, "get_path", folders.__getitem__)
    assert answer(["python-cflags"]) == f"-I{tmp_path} -I{tmp_path}/plat"


def test_no_python_h(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    with pytest.raises(
        ConfigError, match=rf"no Python.h in {tmp_path}: install .*python3-dev.*python3-devel"
    ) as caught:
        answer(["python-cflags"])
    assert "\n" not in str(caught.value)


def test_sources() -> None:
    runtime = ROOT / "runtime"
    assert shlex.split(answer(["sources"])) == sorted(map(str, runtime.glob("*.c")), reverse=True)
    assert answer(["c-sources"]) == str(runtime / "dlb_runtime.c")


@pytest.mark.parametrize(("source", "parts"), [("dlb_runtime.c", "core"), ("dlb_python.c", "python")])
def test_a_source_is_made_of_all_parts_in_a_folder(source: str, parts: str) -> None:
    runtime = ROOT / "runtime"
    included = re.findall(r'^#include "(.*)"$', (runtime / source).read_text(encoding="utf-8"), re.MULTILINE)
    assert included == sorted(str(path.relative_to(runtime)) for path in (runtime / parts).glob("*.c"))


def test_a_module_of_the_limited_api_is_importable() -> None:
    from importlib.machinery import EXTENSION_SUFFIXES

    assert answer(["abi3-cflags"]) == "-DPy_LIMITED_API=0x030B0000"
    assert answer(["abi3-suffix"]) in EXTENSION_SUFFIXES
    assert "abi3" in answer(["abi3-suffix"])


def test_a_python_without_a_gil_has_no_limited_api(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.machinery.EXTENSION_SUFFIXES", [".cpython-313t-x86_64-linux-gnu.so", ".so"])
    with pytest.raises(ConfigError, match="it has no GIL"):
        answer(["abi3-suffix"])


def test_extension_suffix_is_importable() -> None:
    from importlib.machinery import EXTENSION_SUFFIXES

    assert answer(["extension-suffix"]) in EXTENSION_SUFFIXES


def test_answers_come_in_the_order_asked() -> None:
    first, second = answer(["extension-suffix"]), answer(["cflags"])
    assert answer(["extension-suffix", "cflags"]) == f"{first} {second}"
    assert answer(["cflags", "extension-suffix"]) == f"{second} {first}"
