# SPDX-License-Identifier: MIT
"""Runs the tests and an import of `make starve` with fewer repetitions: each call site fails in one test.

What came of it is not judged here. The file of results is the argument; run.py sets the compiler flags.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

GATE = Path(__file__).resolve().parent
sys.path.insert(0, str(GATE.parent))

from starve.run import BUILD, environment, run_tests, test_files  # noqa: E402
from starve.wrappers import TOP  # noqa: E402

IMPORT_SECONDS = 600
SEED = "coverage 2"
"""Chooses a module with classes and enumerations to import."""


def main() -> None:
    """Runs the import of one module, which takes a part of IMPORT_SECONDS, then the tests."""
    os.environ.update({"STARVE_TESTS": "1", "STARVE_CALLS": "1"})
    BUILD.mkdir(parents=True, exist_ok=True)
    results = Path(sys.argv[1])
    variables = environment(IMPORT_SECONDS, SEED, results)
    variables["PYTHONPATH"] += f"{os.pathsep}{GATE / 'dump'}"
    subprocess.run([sys.executable, "-m", "starve.imports"], cwd=TOP, env=variables, check=True)
    variables = environment(math.inf, SEED, results)
    variables["PYTHONPATH"] += f"{os.pathsep}{GATE / 'dump'}{os.pathsep}{GATE}"
    variables["PYTEST_ADDOPTS"] = f"{os.environ.get('PYTEST_ADDOPTS', '')} -p runtime_sites"
    status = run_tests(test_files(), variables)
    if status not in (0, 1):  # 1: a test fails in this setting, even without a fault
        sys.exit(f"pytest ends with status {status}: see {BUILD / 'pytest.txt'}")


if __name__ == "__main__":
    main()
