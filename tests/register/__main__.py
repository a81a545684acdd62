"""`python tests/register`: confirm each gap, and write the table of the documentation."""

import sys
import tempfile
from pathlib import Path

sys.path[:1] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

import surfaces  # noqa: E402  (where it lies is known only now)
from test_register import GAPS, batches  # noqa: E402


def main() -> int:
    """Confirm gaps, at once where no probe has two in common; 1 where one is not followed."""
    rows: dict[str, surfaces.Row] = {}
    with tempfile.TemporaryDirectory() as folder:
        before = surfaces.Project(Path(folder) / "assumed", (), GAPS)
        for number, gaps in enumerate(batches()):
            after = surfaces.Project(Path(folder) / str(number), gaps, gaps)
            rows |= {gap: surfaces.Row(gap, before, after) for gap in gaps}
    wrong = [each for gap in GAPS for each in rows[gap].wrong]
    print("".join(f"{each}\n" for each in wrong), end="", file=sys.stderr)
    surfaces.PAGE.write_text(surfaces.table(rows[gap] for gap in GAPS), encoding="utf-8")
    return 1 if wrong else 0


sys.exit(main())
