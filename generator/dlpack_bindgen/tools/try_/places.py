"""Where the keys of a spec stand in its file."""

from __future__ import annotations

from dlpack_bindgen.calls import failures
from dlpack_bindgen.language import expand, reader
from dlpack_bindgen.language.values import Fields, Items, Table, Value
from dlpack_bindgen.spec.all_keys import SPEC, TENSOR
from dlpack_bindgen.text.diagnostics import Advisor, Diagnostic, Span
from dlpack_bindgen.text.yaml import Loaded


class Places:
    """The keys of a spec, as they are after the expansion of variants, with their places in the file."""

    def __init__(self, loaded: Loaded) -> None:
        """Reads a spec without mistakes."""

        def ignored(diagnostic: Diagnostic) -> None:
            pass

        root = expand.expand_arrays(loaded.root, ignored) if loaded.root is not None else None
        self._fields: Fields | None = None
        if root is not None:
            root = failures.applied(expand.expand_variants(root, TENSOR, ignored), ignored)
            self._fields = reader.read(root, SPEC, ignored, Advisor)

    def find(self, *path: str) -> Span | None:
        """Returns the place of a key: `find("tensors", "Image", "shape")`. Returns that of the nearest enclosing key if
        the spec lacks the key, and None if it lacks the first one."""
        value: Value | None = self._fields
        found: Span | None = None
        for name in path:
            if isinstance(value, Table):
                entry = next(((key, item) for key, item in value.entries if key.text == name), None)
                if entry is None:
                    break
                found, value = entry[0].span, entry[1]
            elif isinstance(value, Fields):
                if name not in value.given:
                    break
                found, value = value.given[name], value.values.get(name)
            elif isinstance(value, Items):
                leaf = next((each for each in value.leaves() if each.text == name), None)
                if leaf is None:
                    break
                found, value = leaf.span, leaf
            else:
                break
        return found
