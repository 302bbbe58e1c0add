# SPDX-License-Identifier: MIT
"""The advice of docs/using.md about PyTorch: the pitfalls exist, and the replacements work."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from interop.seen import library, version
from support.build import TOP

library("torch")

PITFALLS = [
    " ".join(item.split())
    for item in re.findall(r"^\* (.*?)(?=^\S|^$)", TOP.joinpath("docs/using.md").read_text(), re.M | re.S)
]
NEGATIVE = "x = lab.Moved.from_dlpack(numpy.arange(6.0).reshape(2, 3)[::-1, ::-1])"
PLAIN = "x = lab.Moved.from_dlpack(numpy.arange(6.0).reshape(2, 3))"
BFLOAT16 = "x = lab.Moved.from_dlpack(torch.tensor([[5, 4, 3], [2, 1, 0]], dtype=torch.bfloat16))"


def calls(about: str) -> tuple[list[str], list[str]]:
    """Returns the calls that a pitfall in docs/using.md warns of, and the calls that it recommends. `about` is a part
    of its text."""
    (item,) = (item for item in PITFALLS if item.startswith("PyTorch: ") and about in item)
    warning, *advice = re.split(r"\buse (?=`)", item)
    first = [re.match(r"`([^`]+)`", text)[1] for text in advice]  # type: ignore[index]
    return [call for call in re.findall(r"`([^`]+)`", warning) if "(" in call], first


def run(lab: ModuleType, x: str, call: str) -> subprocess.CompletedProcess[str]:
    """Runs a call in a process of its own, because PyTorch may abort that process."""
    paths = [str(Path(lab.__file__ or "").parent), os.environ.get("PYTHONPATH", "")]
    code = f"import numpy, torch, lab; {x}; made = {call}; print(made.float().tolist())"
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("call", calls("negative strides")[0])
def test_pytorch_does_not_accept_negative_strides(lab: ModuleType, call: str) -> None:
    ended = run(lab, NEGATIVE, call)
    assert "Storage size calculation overflowed" in ended.stderr
    if version("torch") >= (2, 15):
        assert "\nRuntimeError: " in ended.stderr
    else:
        assert ended.returncode == -signal.SIGABRT


@pytest.mark.parametrize("call", calls("negative strides")[1])
def test_the_advice_for_negative_strides_works(lab: ModuleType, call: str) -> None:
    made = run(lab, NEGATIVE, call)
    assert (made.stdout, made.stderr) == ("[[5.0, 4.0, 3.0], [2.0, 1.0, 0.0]]\n", "")


def test_the_advice_for_dtypes_that_numpy_lacks_works(lab: ModuleType) -> None:
    call = calls("negative strides")[1][-1]
    made = run(lab, BFLOAT16, call)
    assert (made.stdout, made.stderr) == ("[[5.0, 4.0, 3.0], [2.0, 1.0, 0.0]]\n", "")


def test_pytorch_reads_a_buffer_as_a_flat_array(lab: ModuleType) -> None:
    (call,) = calls("flat array")[0]
    made = run(lab, PLAIN, call)
    assert made.returncode == 0
    if version("torch") >= (2, 15):
        assert made.stdout == "[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]\n"
    else:
        assert made.stdout.startswith("[0.0, 0.0, 0.0, 1.875, ")


def test_the_advice_for_buffers_works(lab: ModuleType) -> None:
    (call,) = calls("flat array")[1]
    made = run(lab, PLAIN, call)
    assert (made.stdout, made.stderr) == ("[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]\n", "")
