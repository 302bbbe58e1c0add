"""`close`: destroys the object when Python closes it, and can fail."""

from __future__ import annotations

from dlpack_bindgen.hooks.hook import StepsHook
from dlpack_bindgen.language.kinds import Key, Needs
from dlpack_bindgen.language.steps import ACTION_FORMS


class CloseHook(StepsHook):
    key = Key(
        "close",
        ACTION_FORMS,
        "Runs instead of `release` for `close()` and at the end of a `with` block.",
        default="`release`, after the last use of the object",
        needs=Needs(("release",), "objects that are not closed must be freed, too"),
        details=(
            "A failure raises an exception, but also closes the object, and `release` does not run. The code must "
            "therefore free everything that `release` frees.",
            "Closing is refused while exports or parts are alive.",
        ),
    )
    is_of_handles = True
