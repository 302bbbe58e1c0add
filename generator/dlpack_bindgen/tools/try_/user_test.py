"""Runs the user's test in a process with the checked modules: a script as `__main__`, or pytest with its arguments.

`python user_test.py MODULES (pytest | SCRIPT) ARGUMENTS...`. Only the standard library is used, since any Python can
run it."""

from __future__ import annotations

import gc
import importlib
import importlib.abc
import importlib.machinery
import os
import runpy
import sys
from collections.abc import Sequence
from types import ModuleType


class InPackages:
    """Finds a checked module under the name that it has inside a package: `recordings.sound` for `sound`.

    The spec does not name the package. A module of Python code that has the same name by chance stays, and so does a
    package."""

    def __init__(self, modules: Sequence[str]) -> None:
        self._modules = modules

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        package, _, own = name.rpartition(".")
        if not package or own not in self._modules:
            return None
        others = (each.find_spec(name, path, target) for each in sys.meta_path if each is not self)
        other = next((each for each in others if each is not None), None)
        if other is not None and not isinstance(other.loader, importlib.machinery.ExtensionFileLoader):
            return None
        return importlib.machinery.ModuleSpec(name, Existing(sys.modules[own]))


class Existing(importlib.abc.Loader):
    """Loads a module that is imported already."""

    def __init__(self, module: ModuleType) -> None:
        self._module, self._spec = module, module.__spec__

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec


def main() -> None:
    modules, what, arguments = sys.argv[1].split(","), sys.argv[2], sys.argv[3:]
    # Compilers and other programs that the test starts must not load the sanitizer.
    os.environ.pop("LD_PRELOAD", None)
    sys.path.pop(0)  # the folder of this file
    # The test's own folder, which comes first from now on, may have an older build.
    for name in modules:
        importlib.import_module(name)
    sys.meta_path.insert(0, InPackages(modules))
    try:
        if what == "pytest":
            sys.argv = ["pytest", "-p", "no:cacheprovider", *arguments]
            runpy.run_module("pytest", run_name="__main__", alter_sys=True)
        else:
            sys.argv = [what, *arguments]
            sys.path.insert(0, os.path.dirname(what))
            runpy.run_path(what, run_name="__main__")
    except SystemExit as end:
        if end.code not in (None, 0):
            raise
    gc.collect()
    with open(os.environ["DLB_CHECKED_LOG"], "a") as log:
        log.write('{"event": "end"}\n')


if __name__ == "__main__":
    main()
