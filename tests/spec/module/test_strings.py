"""Strings of a spec in the emitted C: quotes, backslashes, trigraphs, and the end of a comment."""

from __future__ import annotations

import pytest

from structs.libraries import count
from structs.modules import Loader


def test_strings_of_a_spec_reach_docstrings_and_messages_unchanged(library: Loader) -> None:
    module = library("text").module
    assert module.__doc__ is not None
    assert module.__doc__.startswith('Says "hello" \\ in C:\\path\\, ends no comment */ and /* begins none, ??/ is no')
    assert module.__doc__.endswith("Grüße, 漢字, 🎈.")
    assert "What??! ??= ??( %s %d %n {{ 7 * 7 }} {% raw %} {# no comment #}\n" in module.Text.__doc__
    assert module.Text.__doc__.endswith("Ends with a backslash \\\n")
    with pytest.raises(BufferError) as caught:
        module.Text.from_dlpack(count(7))
    assert 'a "message" with \\ and 100% of %s, */, ??/ and Grüße' in str(caught.value)
