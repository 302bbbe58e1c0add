"""Keeps compiled templates where Python keeps our compiled modules, and on the same terms.

Whoever can write there can write to the modules as well, so what is read from there is trusted as they are. Nothing is
written where Python would write nothing, and if it cannot be, the templates are compiled again next time.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
from hashlib import sha1
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, BytecodeCache


class TemplateCache(BytecodeCache):
    def __init__(self, options: object) -> None:
        """`options` are those of the environment, which decide what a template becomes."""
        self._folder = Path(importlib.util.cache_from_source(__file__)).parent
        self._made_by = f"{jinja2.__version__} {importlib.util.MAGIC_NUMBER!r} {options}\n"

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return name

    def get_source_checksum(self, source: str) -> str:
        return sha1((self._made_by + source).encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        # Damaged ones too: the templates are at hand.
        with contextlib.suppress(Exception), self._file(bucket).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        if sys.dont_write_bytecode:
            return
        path = self._file(bucket)
        temporary = path.with_name(f"{path.name}.{os.urandom(4).hex()}")
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                with temporary.open("xb") as file:
                    bucket.write_bytecode(file)
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)

    def _file(self, bucket: Bucket) -> Path:
        return self._folder / f"{bucket.key}.{sys.implementation.cache_tag}.pyc"
