"""A cache of compiled templates, in the folder where Python caches compiled modules.

Write access to that folder includes write access to the modules, so the cache is as trustworthy as they are. The cache
is not written if Python would write nothing. If it cannot be written, the next run compiles the templates again."""

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
        """Prepares the cache. `options` are the options of the Jinja environment, which affect compiled templates."""
        self._folder = Path(importlib.util.cache_from_source(__file__)).parent
        self._made_by = f"{jinja2.__version__} {importlib.util.MAGIC_NUMBER!r} {options}\n"

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return name

    def get_source_checksum(self, source: str) -> str:
        return sha1((self._made_by + source).encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        # Ignore damaged files, too: the templates are available.
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
