# SPDX-License-Identifier: MIT
"""`threads: one`: a call is refused while another thread is in the function."""

import threading
from pathlib import Path
from types import ModuleType

import pytest

from support.build import build_module

SPEC = """
dlpack-bindgen: 1
module: gate
include: gate.h
functions:
  pass_gate: {c: "int gate_pass(void)", threads: one, release_gil: true}
  waiting: {c: "int gate_waiting(void)"}
  open_gate: {c: "void gate_open(int open)"}
  read: {c: "long gate_read(FILE *file)", args: {file: file}, threads: one, release_gil: true}
"""


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    header = Path(__file__).with_name("gate.h").read_text(encoding="utf-8")
    return build_module("gate", SPEC, tmp_path_factory.mktemp("gate"), header)


def test_a_second_thread_is_refused_until_the_first_one_has_left(gate: ModuleType) -> None:
    thread = threading.Thread(target=gate.pass_gate)
    thread.start()
    while not gate.waiting():
        pass
    with pytest.raises(RuntimeError, match=r"pass_gate\(\) is in use by another thread"):
        gate.pass_gate()
    gate.open_gate(1)
    thread.join()
    assert gate.pass_gate() == 1


def test_a_call_that_is_refused_later_leaves_the_function(gate: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        gate.read(tmp_path / "missing")
    (tmp_path / "there").write_text("abc")
    assert gate.read(tmp_path / "there") == 3
