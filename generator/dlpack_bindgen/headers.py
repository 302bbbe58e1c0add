"""What no C compiler could make sense of, however sound the spec is: types that nothing declares."""

from __future__ import annotations

import re

from dlpack_bindgen.diagnostics import Diagnostic
from dlpack_bindgen.nodes import Mapping, Scalar
from dlpack_bindgen.spec import Spec

_KNOWN = re.compile(
    r"(?:(?:_Bool|bool|char|double|float|int|long|short|signed|unsigned|void|_Complex|complex)\b *)+"
    r"|(?:u?int(?:_least|_fast)?(?:8|16|32|64)|u?intptr|u?intmax|size|ptrdiff)_t|DL[A-Z]\w*"
)
"""Types of C, and those that dlpack.h declares or includes."""


def missing(spec: Spec, root: Mapping) -> Diagnostic | None:
    """That a spec has types and no header, where the types are told of."""
    types = [*(tensor.type for tensor in spec.tensors), *(handle.type for handle in spec.handles)]
    unknown = [ctype for ctype in types if not _KNOWN.fullmatch(ctype)]
    if spec.includes or not unknown:
        return None
    place = next(key.span for key, _ in root.entries if isinstance(key, Scalar) and key.text in ("tensors", "handles"))
    message = f"no header declares '{unknown[0]}': the spec has no 'include'"
    return Diagnostic("missing-key", place, message, "write 'include: [...]', with the headers of the library")
