# SPDX-License-Identifier: MIT
"""The command `try` as `make try-seeded` runs it: it ends at the first refuted claim, and looks for no smaller call.

`PYTHONPATH=gates python -m try_.quick SPEC ARGUMENTS...`"""

from __future__ import annotations

import sys
from typing import Any

from dlpack_bindgen import cli
from dlpack_bindgen.tools.try_ import report, smaller, try_


def _first_found(run: Any, *arguments: Any) -> Any:
    """Adds what a process has shown. Ends the run, as Ctrl-C does, if that refutes a claim."""
    suspected = _add_generated(run, *arguments)
    if any(each.finding.state == report.REFUTED for each in [*run._shown, *suspected]):
        run._shown += suspected
        raise KeyboardInterrupt
    return suspected


_add_generated = try_.Run._add_generated
try_.Run._add_generated = _first_found  # type: ignore[method-assign]
smaller.smaller = lambda steps, fails, most=0: list(steps)[-1:]

if __name__ == "__main__":
    sys.exit(cli.main(["try", *sys.argv[1:]]))
