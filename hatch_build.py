# SPDX-License-Identifier: MIT
"""Puts `dlpack.h` into the wheel. The file is never committed: it comes from the package apache-tvm-ffi, which pip
installs for the build, or from the folder that `DLPACK_INCLUDE` names."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Hook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # hatchling's word for `pip install -e`, which uses the installed package itself
            return
        sys.path.insert(0, str(Path(self.root, "generator")))
        try:
            from dlpack_bindgen.resources import ResourceError, header
        finally:
            del sys.path[0]
        try:
            found = header()
        except ResourceError as error:
            sys.exit(f"the wheel needs dlpack.h: {error}")
        build_data["force_include"][str(found)] = "dlpack_bindgen/include/dlpack/dlpack.h"
