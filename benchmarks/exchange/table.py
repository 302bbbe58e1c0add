"""A run as text: for the terminal, and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from targets import BASELINE_COUNTS, Results, verdict, verdicts
from titles import FLOOR, PEERS, TITLES

SIDES = ("ours", "abi3", "baseline", FLOOR, *PEERS)


def markdown(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Padded, so that it reads well as plain text too; all columns but the first are numbers."""
    widths = [max(len(line[column]) for line in (head, *lines)) for column in range(len(head))]

    def row(cells: Sequence[str]) -> str:
        padded = [
            cells[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True)),
        ]
        return f"| {' | '.join(padded)} |"

    rule = [f"{'-' * widths[0]}", *(f"{'-' * (width - 1)}:" for width in widths[1:])]
    return "\n".join([row(head), row(rule), *(row(line) for line in lines)])


def nanoseconds(value: float) -> str:
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def times(results: Results) -> str:
    """Least nanoseconds of each row, and in brackets their ratio to the baseline."""
    sides = [side for side in SIDES if any(side in row for row in results["rows"].values())]
    lines = []
    for row, found in results["rows"].items():
        cells = [row]
        for side in sides:
            cells.append(nanoseconds(found[side]["least"]) if side in found else "-")
        if "ours" in found and "baseline" in found:
            cells.append(f"{found['ours']['least'] / found['baseline']['least']:.2f}")
        else:
            cells.append("-")
        if any(side in found for side in sides):
            lines.append(cells)
    return markdown(["least ns", *(TITLES[side] for side in sides), "ours / baseline"], lines)


def judged(results: Results) -> str:
    lines = [
        [
            each.title,
            f"{each.ratio:.2f}",
            "-" if each.floor is None else f"{each.floor:.2f}",
            f"{each.most:.2f}",
            "holds" if each.holds else "MISSED",
        ]
        for each in verdicts(results)
    ]
    return markdown(["target", "ratio", "floor", "at most", "verdict"], lines)


def sizes(results: Results) -> str:
    columns = [str(1 << exponent) for exponent in (10, 14, 18, 22, 26)]
    head = ["least ns, by elements", *(f"{int(column):,}" for column in columns)]
    return markdown(
        head,
        [
            [row, *(nanoseconds(found[column]["least"]) for column in columns)]
            for row, found in results["sizes"].items()
        ],
    )


def memory(results: Results) -> str:
    return markdown(
        ["KiB grown by 1,000 exports of 256 MiB", "while they live", "afterwards"],
        [
            [TITLES[side], f"{found['living']:,.0f}", f"{found['after']:,.0f}"]
            for side, found in results["memory"].items()
        ],
    )


def classes(results: Results) -> str:
    lines = []
    for side, found in results["classes"].items():
        for count, each in found.items():
            lines.append(
                [
                    TITLES[side],
                    count,
                    f"{each['seconds']:.2f}",
                    f"{each['library']:.2f}",
                    f"{each['stripped'] / 1024:.0f}",
                ]
            )
    return markdown(["module", "classes", "compile, s", "its library, s", "stripped, KiB"], lines)


def instructions(counts: dict[str, dict[str, float]]) -> str:
    """Of one turn, by row and side."""
    sides = [side for side in SIDES if any(side in each for each in counts.values())]
    lines = [[row, *(f"{each[side]:,.0f}" if side in each else "-" for side in sides)] for row, each in counts.items()]
    return markdown(["instructions per turn", *(TITLES[side] for side in sides)], lines)


def counts(results: Results) -> str:
    """Returns the sentence that says whether the baseline is fast enough to be one."""
    found = verdict(results, BASELINE_COUNTS)
    assert found is not None
    judgement = "is valid" if found.holds else "IS NOT VALID"
    return (
        f"The baseline {judgement}: its versioned export takes {found.ratio:.2f} of the time of NumPy's export "
        f"(limit {found.most:.2f})."
    )


def failures(results: Results) -> str:
    lines = [f"{TITLES[side]} could not be built: {reason}" for side, reason in results["failed"].items()]
    return "\n".join(lines)


def report(results: Results) -> str:
    parts = [f"CPython {results['python']}", counts(results), failures(results), times(results), sizes(results)]
    parts += [memory(results), classes(results), judged(results)]
    missed = sum(not each.holds for each in verdicts(results))
    parts.append(f"{missed} of {len(verdicts(results))} targets missed")
    return "\n\n".join(part for part in parts if part)
