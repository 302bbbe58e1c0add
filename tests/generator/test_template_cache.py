"""Compiled templates are kept as Python keeps compiled modules, and never used for anything else."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from jinja2 import DictLoader, Environment
from jinja2.bccache import bc_magic

from dlpack_bindgen.emit.render import TemplateCache

SOURCE = "one {{ x }}"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    return tmp_path


def fill(source: str = SOURCE, options: str = "", **syntax: Any) -> str:
    cache = TemplateCache(options)
    environment = Environment(loader=DictLoader({"t": source}), bytecode_cache=cache, **syntax)
    return environment.get_template("t").render(x=1)


def compile_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("compiled")

    monkeypatch.setattr(Environment, "compile", refuse)


def kept(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_template_is_compiled_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fill() == "one 1"
    assert [path.suffix for path in kept(folder)] == [".pyc"]
    compile_nothing(monkeypatch)
    assert fill() == "one 1"


def test_a_changed_template_is_compiled_again() -> None:
    fill()
    assert fill("two {{ x }}") == "two 1"


def test_other_options_compile_a_template_again(monkeypatch: pytest.MonkeyPatch) -> None:
    fill("{% if x %}\ny{% endif %}", "off")
    assert fill("{% if x %}\ny{% endif %}", "on", trim_blocks=True) == "y"


def test_another_version_of_jinja_compiles_a_template_again(monkeypatch: pytest.MonkeyPatch) -> None:
    fill()
    monkeypatch.setattr("jinja2.__version__", "3.999")
    compile_nothing(monkeypatch)
    with pytest.raises(AssertionError, match="compiled"):
        fill()


@pytest.mark.parametrize("length", [0, len(bc_magic), len(bc_magic) + 3, 200])
def test_a_damaged_file_of_the_cache_is_made_again(length: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill()
    (path,) = kept(folder)
    whole = path.read_bytes()
    path.write_bytes(whole[:length])
    assert fill() == "one 1"
    assert path.read_bytes() == whole
    compile_nothing(monkeypatch)
    assert fill() == "one 1"


def test_no_cache_is_written_where_python_writes_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert fill() == "one 1"
    assert kept(folder) == []


def test_a_folder_that_cannot_be_written_is_not_a_failure(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "file").write_text("")
    monkeypatch.setattr(sys, "pycache_prefix", str(folder / "file"))
    assert fill() == "one 1"
    assert kept(folder) == [folder / "file"]
