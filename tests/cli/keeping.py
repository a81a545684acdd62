"""Keep what the command writes now, to be read for ever: `python tests/cli/keeping.py NAME`.

A folder below `kept/` has the files of one form of them, which no later version may refuse.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from cli_support import GROUP, NOW, rows_of, write

from social_publishing_cli import profiles
from social_publishing_cli.command import main
from social_publishing_sandbox import Sandbox

KEPT = Path(__file__).parent / "kept"


def keep(folder: Path) -> None:
    """Write a plan, the journal of an account that applied half of it, and two profiles."""
    folder.mkdir()
    with TemporaryDirectory() as name, Sandbox(now=NOW, clock="frozen") as sandbox:
        os.environ |= {
            "SOCIAL_PUBLISHING_API_TOKEN": sandbox.token,
            "SOCIAL_PUBLISHING_BASE_URL": sandbox.base_url,
            "SOCIAL_PUBLISHING_MEDIA_URL": sandbox.media_url,
            "SOCIAL_PUBLISHING_JOURNALS": str(folder / "journals"),
            "SOCIAL_PUBLISHING_CONFIG": str(folder),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        }
        for profile in ("home", "work"):
            token = f"token-of-{profile}"
            profiles.save(profile, token, "https://a.invalid/v1", "https://b.invalid/v1")
        profiles.set_group("work", GROUP)
        sheet = Path(name) / "all.csv"
        assert main(["export", "posts", "--group", GROUP, "-o", str(sheet)]) == 0
        rows = [row for row in rows_of(sheet) if row["status"] == "scheduled"][:2]
        write(sheet, [row | {"name": f"kept {at}"} for at, row in enumerate(rows)])
        plan = str(folder / "month.plan")
        assert main(["plan", str(sheet), "-o", plan]) == 0
        with sandbox.fault("status", status=422, operations="updatePost", times=1):
            assert main(["apply", plan]) != 0
        write(sheet, [row | {"note": f"kept {at}"} for at, row in enumerate(rows)])
        assert main(["plan", str(sheet), "-o", str(folder / "other.plan")]) == 0
    for left in (*folder.rglob("*.lock"), folder / "rates.db"):
        left.unlink(missing_ok=True)
    shutil.rmtree(folder / "names", ignore_errors=True)  # they are of that sandbox's address


if __name__ == "__main__":
    shutil.rmtree(KEPT / sys.argv[1], ignore_errors=True)
    keep(KEPT / sys.argv[1])
