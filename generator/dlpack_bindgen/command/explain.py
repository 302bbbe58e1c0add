"""The command `explain`: prints what the classes and functions of a spec become."""

from __future__ import annotations

import argparse

from dlpack_bindgen.command.report import Report
from dlpack_bindgen.command.streams import OK, STALE_OR_INVALID, Failure, print_bytes

_FEW = 12
"""The largest number of names in a message."""


def explain(arguments: argparse.Namespace, report: Report) -> int:
    from dlpack_bindgen.command.generate import read_specs
    from dlpack_bindgen.explain.explain import explained, known_names
    from dlpack_bindgen.resources import ResourceError

    specs = read_specs(arguments.specs, report)
    if specs is None:
        return STALE_OR_INVALID
    (spec,) = specs
    name = arguments.name
    if name is not None and name not in known_names(spec):
        raise Failure(_unknown(name, arguments.specs[0], known_names(spec)))
    try:
        print_bytes(explained(spec, name).encode())
    except ResourceError as error:
        raise Failure(str(error)) from error
    return OK


def _unknown(name: str, file: str, known: list[str]) -> str:
    from dlpack_bindgen.spelling import closest

    if not name.isidentifier():
        return f"'{name}' is not a name of Python: 'explain' reads one spec, and explains one class or function"
    message = f"{file} has no class or function '{name}'"
    meant = closest(name, known)
    if meant is not None:
        return f"{message}; did you mean '{meant}'?"
    listed = f"it has {', '.join(known)}" if len(known) <= _FEW else f"'dlpack-bindgen explain {file}' lists all"
    return f"{message}; {listed}"
