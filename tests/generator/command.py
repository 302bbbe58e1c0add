"""The command in a directory with one good spec, as a call and as a program."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dlpack_bindgen.cli import main

SPEC = """\
dlpack-bindgen: 1
module: tiny
include: [tiny.h]
tensors:
  Tiny:
    type: tiny_t
    data: self->data
    dtype: uint8
    shape: [self->size]
    release: tiny_free(self)
"""
OUTPUT = ["tiny.pyi", "tiny_dlpack.c", "tiny_dlpack.h", "tiny_module.c"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes a directory with one good spec, and changes to it."""
    (tmp_path / "tiny.yaml").write_text(SPEC)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Returns the message of a call that ends with exit code 2 and prints one line on stderr and nothing else."""
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("dlpack-bindgen: error: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1
    return err.removeprefix("dlpack-bindgen: error: ").rstrip("\n")


def program(*arguments: str, **options: int) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-m", "dlpack_bindgen", *arguments]
    # Buffered, as usual: then the last failure comes when Python flushes at exit.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    return subprocess.run(command, env=environment, stderr=subprocess.PIPE, check=False, **options)
