"""Makes the recordings that the contract tests replay: `python tests/contract/recording.py`.

The client plays each scenario of `scenarios.py` against a sandbox of its own, behind the proxy that
records. World, seed and clock are fixed, so that the same scenario gives the same file, byte for
byte.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

# Both packages are used from where they stand in this repository, not installed.
sys.path.insert(0, str(Path(__file__).parents[2] / "generated" / "client" / "src"))
sys.path.insert(0, str(Path(__file__).parents[2] / "sandbox" / "src"))

from social_publishing import SocialPublishing, SocialPublishingError

from scenarios import SCENARIOS, WORLD, Stage
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.recording import Recorder, RecordingError
from social_publishing_sandbox.state.rate_limit import RateLimit

FOLDER = Path(__file__).parent / "recordings"
COMMAND = "python tests/contract/recording.py"
UPDATE = "nox -s freeze"


def write(folder: Path) -> list[Path]:
    """Write a recording of every scenario into a folder.

    Raises:
        RecordingError: a file cannot be written.
        SocialPublishingError, AssertionError: a scenario does not go as it tells.
    """
    with tempfile.TemporaryDirectory() as made:
        for scenario in SCENARIOS:
            _record(scenario, Path(made))
        if folder == FOLDER:
            shutil.rmtree(folder, ignore_errors=True)  # what is no scenario any more goes
        shutil.copytree(made, folder, dirs_exist_ok=True)
    return [folder / f"{scenario.__name__}.yaml" for scenario in SCENARIOS]


def _record(scenario: Callable[[Stage], None], folder: Path) -> None:
    with contextlib.ExitStack() as stack:
        sandbox = Sandbox(WORLD, clock="frozen", fetch_hosts=["127.0.0.1"], fetch_private=True)
        # Budgets run on the machine's clock; here it stands still, as the sandbox's own does.
        started = sandbox.now.timestamp()
        sandbox.service.limits = RateLimit(60, real=lambda: started)
        stack.enter_context(sandbox)
        there = stack.enter_context(
            Recorder(sandbox.base_url, sandbox.media_url, folder, name=scenario.__name__)
        )

        def client_of(token: str) -> SocialPublishing:
            client = SocialPublishing(
                api_token=token,
                base_url=there.base_url,
                media_url=there.media_url,
                retries=0,
                pacing="off",
            )
            return stack.enter_context(client)

        scenario(Stage(sandbox, client_of, identifiers(sandbox)))
        if there.notes:
            raise RecordingError(f"{scenario.__name__}: {'; '.join(there.notes)}")


def identifiers(sandbox: Sandbox) -> dict[str, str]:
    """Return the identifiers of the world's objects by name, of accounts by `network:username`."""
    found = {}
    kinds = ("groups", "labels", "posts", "media", "calendar_notes")
    for kind, name in zip(kinds, ("name", "name", "name", "client_name", "title"), strict=True):
        found |= {each[name]: each["id"] for each in reversed(sandbox.find(kind))}
    for each in sandbox.find("social_accounts"):
        found[f"{each['socialNetwork']}:{each['username']}"] = each["id"]
    return found


def main(arguments: list[str] | None = None) -> int:
    """Write the recordings, and say where they are."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Write the recordings again.")
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="DIR", help="where to")
    folder = parser.parse_args(arguments).out
    try:
        written = write(folder)
    except (SocialPublishingError, AssertionError, RecordingError, OSError) as error:
        print(f"The recordings were not written: {error}", file=sys.stderr)
        return 1
    print(f"{len(written)} recordings in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
