# SPDX-License-Identifier: MIT
"""Runs the tests and imports of `make starve`, with single failures of calls of the runtime.

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

SEED = "coverage"


def main() -> None:
    """Runs the imports, then the tests."""
    BUILD.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("STARVE_TESTS", "1")
    variables = environment(math.inf, SEED, Path(sys.argv[1]))
    variables["PYTHONPATH"] += f"{os.pathsep}{GATE / 'dump'}{os.pathsep}{GATE}"
    subprocess.run([sys.executable, "-m", "starve.imports"], cwd=TOP, env=variables, check=True)
    variables["PYTEST_ADDOPTS"] = f"{os.environ.get('PYTEST_ADDOPTS', '')} -p runtime_sites"
    status = run_tests(test_files(), variables)
    if status not in (0, 1):  # 1: a test fails in this setting, even without a fault
        sys.exit(f"pytest ends with status {status}: see {BUILD / 'pytest.txt'}")


if __name__ == "__main__":
    main()
