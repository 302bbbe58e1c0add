"""The command `explain`: prints what the classes and functions of a spec become."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from dlpack_bindgen.command.report import Report
from dlpack_bindgen.command.streams import OK, STALE_OR_INVALID, Failure, print_bytes
from dlpack_bindgen.spec.spec import Spec

_FEW = 12
"""The largest number of names in a message."""


def explain(arguments: argparse.Namespace, report: Report) -> int:
    from dlpack_bindgen.command.generate import read_specs
    from dlpack_bindgen.explain.explain import explained
    from dlpack_bindgen.resources import ResourceError

    specs = read_specs(arguments.specs, report)
    if specs is None:
        return STALE_OR_INVALID
    (spec,) = specs
    if arguments.name is not None:
        _check_name(arguments.name, arguments.specs[0], spec)
    try:
        print_bytes(explained(spec, arguments.name).encode())
    except ResourceError as error:
        raise Failure(str(error)) from error
    return OK


def _check_name(name: str, file: str, spec: Spec) -> None:
    """Raises a Failure if the spec has no class, function or member of a class with this name."""
    from dlpack_bindgen.explain.explain import common_members, known_members, known_names

    known = known_names(spec)  # of classes and functions
    class_name, dot, member = name.partition(".")
    if name in known:
        return
    if not dot and name.isidentifier():
        raise Failure(f"{file} has no class or function '{name}'; {_remedy(name, known, file)}")
    if not (class_name.isidentifier() and member.isidentifier()) or member in ("yaml", "yml"):
        raise Failure(
            f"'{name}' is not a name of Python: 'explain' reads one spec, and explains one class, function or method"
        )
    classes = [item.name for item in spec.items]
    if class_name not in classes:
        raise Failure(f"{file} has no class '{class_name}'; {_remedy(class_name, classes, file)}")
    members = known_members(spec, class_name)
    if member in members:
        return
    if member in common_members(spec, class_name):
        raise Failure(f"'{name}' does not depend on the spec: docs/using.md describes it")
    if member in known:
        raise Failure(f"{class_name} has no method or property '{member}': it is a function, '{member}'")
    raise Failure(f"{class_name} has no method or property '{member}'; {_remedy(member, members, file, class_name)}")


def _remedy(name: str, known: Sequence[str], file: str, class_name: str = "") -> str:
    """Returns the known name that is meant, or all known names. `class_name`: they are members of this class."""
    from dlpack_bindgen.text.diagnostics import closest

    start = f"{class_name}." if class_name else ""
    meant = closest(name, known)
    if meant is not None:
        return f"did you mean '{start}{meant}'?"
    if len(known) > _FEW:
        return f"'dlpack-bindgen explain {file}{f' {class_name}' if class_name else ''}' lists all"
    return f"it has {', '.join(known) or 'none'}"
