"""Functions that Python calls, as the templates print them, before clang-format."""

from __future__ import annotations

from dlpack_bindgen.emit.render import environment_of_templates
from dlpack_bindgen.text.fragments import EmittedFunction

_BODY = '{% import "function.c.j2" as calls %}{{ calls.body(call) | laid_out }}'


def body(function: EmittedFunction) -> list[str]:
    """Returns the lines of the body of a function."""
    text: str = environment_of_templates().from_string(_BODY).render(call=function.own)
    return text.splitlines()
