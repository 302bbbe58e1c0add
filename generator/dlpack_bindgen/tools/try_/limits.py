"""Known limits: findings that a file beside the spec, `NAME.limits.yaml`, expects. They are listed, and do not fail."""

from __future__ import annotations

from pathlib import Path

from dlpack_bindgen.frozen import Frozen
from dlpack_bindgen.text import yaml
from dlpack_bindgen.text.diagnostics import Diagnostic, Report, Span
from dlpack_bindgen.text.yaml import Mapping, Node, Scalar, Sequence
from dlpack_bindgen.tools.try_.findings import Finding

_KEYS = ("subject", "argument", "check", "reason")
_REQUIRED = ("subject", "reason")


class Limit(Frozen):
    """A finding that is expected."""

    subject: str
    argument: str | None
    """None: any argument."""
    check: str | None
    """The name of the check; None: any check."""
    reason: str
    place: Span

    def matches(self, finding: Finding) -> bool:
        return (
            finding.subject == self.subject
            and self.argument in (None, finding.argument)
            and self.check in (None, finding.check)
        )


def file_of(spec: str) -> Path:
    """Returns the path of the limits of a spec."""
    path = Path(spec)
    return path.with_name(f"{path.name.removesuffix('.yaml').removesuffix('.yml')}.limits.yaml")


def read_limits(spec: str, report: Report) -> tuple[list[Limit], str]:
    """Returns the limits of a spec, and the text of the file. Reports mistakes."""
    path = file_of(spec)
    if spec == "-" or not path.is_file():
        return [], ""
    loaded = yaml.load(str(path), path.read_bytes())
    for each in loaded.diagnostics:
        report(each)
    entries = {key.text: value for key, value in loaded.root.entries} if loaded.root is not None else {}
    for key, _ in loaded.root.entries if loaded.root is not None else ():
        if key.text != "expect":
            report(Diagnostic("unknown-key", key.span, f"unknown key '{key.text}'", "the file has one key: expect"))
    listed = entries.get("expect")
    items = listed.items if isinstance(listed, Sequence) else ()
    return [limit for item in items if (limit := _limit(item, report)) is not None], loaded.text


def _limit(item: Node, report: Report) -> Limit | None:
    if not isinstance(item, Mapping):
        report(
            Diagnostic("wrong-type", item.span, "an entry of `expect` is a mapping", f"its keys: {', '.join(_KEYS)}")
        )
        return None
    values: dict[str, str] = {}
    for key, value in item.entries:
        if key.text not in _KEYS:
            report(Diagnostic("unknown-key", key.span, f"unknown key '{key.text}'", f"there are: {', '.join(_KEYS)}"))
        elif isinstance(value, Scalar):
            values[key.text] = value.text
    missing = [key for key in _REQUIRED if not values.get(key)]
    if missing:
        report(Diagnostic("missing-key", item.span, f"the entry has no '{missing[0]}'"))
        return None
    return Limit(
        values["subject"], values.get("argument"), values.get("check"), values["reason"], item.entries[0][0].span
    )
