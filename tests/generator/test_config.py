"""The options of `config` find each part of a compile line, or one line tells what to install."""

import re
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from dlpack_bindgen.cli import main
from dlpack_bindgen.resources import ResourceError, resource_folder
from dlpack_bindgen.tools.config import answer
from generator.command import SPEC

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def no_header_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DLPACK_INCLUDE", raising=False)


def header_folder(path: Path) -> Path:
    (path / "dlpack").mkdir(parents=True)
    (path / "dlpack" / "dlpack.h").write_text("#define CHOSEN 1\n")
    return path


def test_the_checkout_has_the_resources_at_its_top() -> None:
    assert resource_folder("templates") == ROOT / "templates"
    assert resource_folder("runtime") == ROOT / "runtime"


def test_resources_beside_the_package_come_before_those_of_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    code = "from dlpack_bindgen.tools.config import answer; answer(['cflags']); print('tvm_ffi' in sys.modules)"
    shown = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}"], capture_output=True, text=True, check=True
    ).stdout
    assert shown == "False\n"


def test_dlpack_include_comes_before_the_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header_folder(tmp_path / "my headers")
    monkeypatch.setenv("DLPACK_INCLUDE", str(tmp_path / "my headers"))
    assert shlex.split(answer(["cflags"]))[1] == f"-I{tmp_path / 'my headers'}"
    assert answer(["cflags"]).endswith(f" '-I{tmp_path / 'my headers'}'")
    # A compiler may run elsewhere than this command.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DLPACK_INCLUDE", "my headers")
    assert shlex.split(answer(["cflags"]))[1] == f"-I{tmp_path / 'my headers'}"


def test_dlpack_include_without_the_header_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header_folder(tmp_path)
    monkeypatch.setenv("DLPACK_INCLUDE", str(tmp_path / "dlpack"))
    with pytest.raises(ResourceError, match="there is no dlpack/dlpack\\.h"):
        answer(["cflags"])


def test_an_empty_dlpack_include_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DLPACK_INCLUDE", "")
    assert "tvm_ffi" in answer(["cflags"])


def test_a_missing_dlpack_header_is_one_line_with_advice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ResourceError) as caught:
        answer(["cflags"])
    assert "pip install 'dlpack-bindgen[header]'" in str(caught.value)
    assert "DLPACK_INCLUDE" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_only_the_sources_that_specs_need_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A property is a call of C, too, and needs the call library."""
    needs = {"plain": 2, "properties": 3, "functions": 3}
    more = {"properties": "    properties: {rate: self->rate}\n", "functions": "functions: {f: {c: int f(int x)}}\n"}
    for name in needs:
        (tmp_path / f"{name}.yaml").write_text(SPEC.replace("module: tiny", f"module: {name}") + more.get(name, ""))
    for name, count in needs.items():
        assert main(["config", "--sources", "--for", str(tmp_path / f"{name}.yaml")]) == 0
        assert len(shlex.split(capsys.readouterr().out)) == count, name
    both = [word for name in ("plain", "functions") for word in ("--for", str(tmp_path / f"{name}.yaml"))]
    assert main(["config", "--sources", *both]) == 0
    assert len(shlex.split(capsys.readouterr().out)) == 3


def test_a_spec_with_mistakes_has_no_sources(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tiny.yaml").write_text(SPEC.replace("dtype:", "dtpye:"))
    assert main(["config", "--sources", "--for", str(tmp_path / "tiny.yaml")]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "tiny.yaml:8:5: error:" in err


def test_python_cflags_lead_to_python_h() -> None:
    flags = shlex.split(answer(["python-cflags"]))
    assert Path(flags[0].removeprefix("-I"), "Python.h").is_file()
    assert len(flags) == len(set(flags))


def test_python_cflags_have_both_folders_of_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Python.h").write_text("")
    folders = {"include": str(tmp_path), "platinclude": str(tmp_path / "plat")}
    monkeypatch.setattr(sysconfig, "get_path", folders.__getitem__)
    assert answer(["python-cflags"]) == f"-I{tmp_path} -I{tmp_path}/plat"


def test_a_missing_python_h_is_one_line_with_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    with pytest.raises(
        ResourceError, match=rf"no Python.h in {tmp_path}: install .*python3-dev.*python3-devel"
    ) as caught:
        answer(["python-cflags"])
    assert "\n" not in str(caught.value)


def test_sources_are_the_files_of_the_three_libraries() -> None:
    runtime = ROOT / "runtime"
    core, objects, call = (str(runtime / f"dlb_{library}.c") for library in ("core", "object", "call"))
    assert {core, objects, call} == set(map(str, runtime.glob("*.c")))
    assert shlex.split(answer(["sources"])) == [core, objects, call]
    assert shlex.split(answer(["object-sources"])) == [core, objects]
    assert answer(["c-sources"]) == core


@pytest.mark.parametrize("library", ["core", "object", "call"])
def test_a_source_is_made_of_all_files_in_a_folder(library: str) -> None:
    runtime = ROOT / "runtime"
    text = (runtime / f"dlb_{library}.c").read_text(encoding="utf-8")
    included = re.findall(r'^#include "(.*)"$', text, re.MULTILINE)
    assert sorted(included) == sorted(str(path.relative_to(runtime)) for path in (runtime / library).glob("*.c"))


def test_a_module_of_the_limited_api_is_importable() -> None:
    from importlib.machinery import EXTENSION_SUFFIXES

    assert answer(["abi3-cflags"]) == "-DPy_LIMITED_API=0x030B0000"
    assert answer(["abi3-suffix"]) in EXTENSION_SUFFIXES
    assert "abi3" in answer(["abi3-suffix"])


@pytest.mark.parametrize(
    ("python", "suffixes", "suffix"),
    [
        ("3.11", ".cpython-311-x86_64-linux-gnu.so .abi3.so .so", ".abi3.so"),
        (
            "3.15",
            ".cpython-315-x86_64-linux-gnu.so .abi3-x86_64-linux-gnu.so .abi3.so "
            ".abi3t-x86_64-linux-gnu.so .abi3t.so .so",
            ".abi3.so",
        ),
        (
            "3.15, tags for several ABIs first",
            ".cpython-315-x86_64-linux-gnu.so .abi3t-x86_64-linux-gnu.so .abi3t.so .abi3.so .so",
            ".abi3.so",
        ),
        ("3.13 on Windows", ".cp313-win_amd64.pyd .pyd", ".pyd"),
    ],
)
def test_the_suffix_of_the_limited_api_is_loaded_by_all_pythons(
    monkeypatch: pytest.MonkeyPatch, python: str, suffixes: str, suffix: str
) -> None:
    monkeypatch.setattr("importlib.machinery.EXTENSION_SUFFIXES", suffixes.split())
    assert answer(["abi3-suffix"]) == suffix, python


@pytest.mark.parametrize(
    "suffixes",
    [
        ".cpython-313t-x86_64-linux-gnu.so .so",
        ".cpython-315t-x86_64-linux-gnu.so .abi3t-x86_64-linux-gnu.so .abi3t.so .so",
    ],
)
def test_a_python_without_a_gil_has_no_limited_api(monkeypatch: pytest.MonkeyPatch, suffixes: str) -> None:
    monkeypatch.setattr("importlib.machinery.EXTENSION_SUFFIXES", suffixes.split())
    with pytest.raises(ResourceError, match="it has no GIL"):
        answer(["abi3-suffix"])


def test_extension_suffix_is_importable() -> None:
    from importlib.machinery import EXTENSION_SUFFIXES

    assert answer(["extension-suffix"]) in EXTENSION_SUFFIXES


def test_answers_have_the_order_of_the_options() -> None:
    first, second = answer(["extension-suffix"]), answer(["cflags"])
    assert answer(["extension-suffix", "cflags"]) == f"{first} {second}"
    assert answer(["cflags", "extension-suffix"]) == f"{second} {first}"
