"""A trial of `try`: a small library with a wrong and a right spec, and the expectation of what the report names."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from support.build import compiler_environment
from try_.builds import shared_library

TRIALS = Path(__file__).with_name("trials")
NAMES = sorted(path.name for path in TRIALS.iterdir() if path.is_dir())
WRONG = [name for name in NAMES if (TRIALS / name / "wrong.yaml").exists()]
SOURCES, LINKED = "sources", "linked"
"""`try` compiles the C file of the library, or links a shared library that was compiled without it."""
WAYS = (SOURCES, LINKED)
REFUTED = 1


def expectation(name: str) -> dict[str, Any]:
    """Returns what the report of the wrong spec must name."""
    found: dict[str, Any] = json.loads((TRIALS / name / "expect.json").read_text())
    return found


def run(name: str, spec: str, way: str, folder: Path) -> tuple[int, dict[str, Any]]:
    """Runs `try` for a spec in a copy of the trial. Returns the exit code and the report."""
    here = folder / name
    shutil.copytree(TRIALS / name, here)
    inputs = ["lib.c", "-I."]
    if way == LINKED:
        shared_library(here, name, "lib.c")
        inputs = ["-L.", f"-l{name}", f"-Wl,-rpath,{here}", "-I."]
    command = [sys.executable, "-m", "dlpack_bindgen", "try", f"{spec}.yaml", "--with", "use.py", "--seed", "1"]
    command += ["--json", "report.json", "--", *inputs]
    done = subprocess.run(
        command, cwd=here, env=compiler_environment(), capture_output=True, text=True, errors="replace", check=False
    )
    assert done.returncode in (0, REFUTED), f"{done.returncode}: {done.stdout}\n{done.stderr}"
    return done.returncode, json.loads((here / "report.json").read_text())


def found(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the claims that the report refutes or notices."""
    return [claim for claim in report["claims"] if claim["state"] in ("refuted", "notice")]


def missing(report: dict[str, Any], expected: dict[str, Any]) -> str:
    """Returns what the report does not name; empty if one of its claims names all that is expected."""
    reasons = []
    for claim in found(report):
        wrong = list(_missing_of(claim, expected))
        if not wrong:
            return ""
        reasons.append(f"{claim['subject']}: {', '.join(wrong)}")
    return "; ".join(reasons) or "nothing was found"


def _missing_of(claim: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    text = [claim["key"] or "", claim["text"], claim["evidence"] or "", *claim["remedies"], *claim["seen"]]
    wrong = []
    if claim["state"] != expected.get("state", "refuted"):
        wrong.append(f"it is a {claim['state']}")
    for member in ("subject", "argument", "check"):
        if member in expected and claim[member] not in _words(expected[member]):
            wrong.append(f"the {member} is {claim[member]}")
    if not any(word in each for word in _words(expected["key"]) for each in text):
        wrong.append(f"no word about {expected['key']}")
    if "remedy" in expected and not any(expected["remedy"] in each for each in claim["remedies"]):
        wrong.append(f"no remedy with {expected['remedy']}")
    return wrong


def _words(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value
