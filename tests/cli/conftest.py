"""A sandbox, a client of it, and the command."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from social_publishing_sandbox import Sandbox

sys.path.insert(0, str(Path(__file__).parents[2] / "generated" / "client" / "src"))

from cli_support import GROUP, NOW, Command, Ended, rows_of, write
from social_publishing import SocialPublishing


@pytest.fixture(autouse=True)
def of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep away from the journals of whoever runs the tests."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


@pytest.fixture
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """A sandbox whose clock runs, or does what a test's indirect parameter says."""
    clock = getattr(request, "param", "real")
    with Sandbox(now=NOW, rate_limit=100_000, clock=clock) as made:
        yield made


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[SocialPublishing]:
    with sandbox.client() as made:
        yield made


@pytest.fixture
def command(
    sandbox: Sandbox,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    run_command: Command,
) -> Command:
    """Return `command(*arguments)`: runs it in this process, signed in to the sandbox."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOCIAL_PUBLISHING_API_TOKEN", sandbox.token)
    monkeypatch.setenv("SOCIAL_PUBLISHING_BASE_URL", sandbox.base_url)
    monkeypatch.setenv("SOCIAL_PUBLISHING_MEDIA_URL", sandbox.media_url)
    monkeypatch.setenv("SOCIAL_PUBLISHING_JOURNALS", str(tmp_path / "journals"))
    monkeypatch.setenv("SOCIAL_PUBLISHING_CONFIG", str(tmp_path_factory.mktemp("config")))
    return run_command


@pytest.fixture
def run_command(monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return `command(*arguments)`: runs it in this process, in the environment as it is."""

    def run(*arguments: object) -> Ended:
        from social_publishing_cli.command import main

        out, err = io.StringIO(), io.StringIO()
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", out)
            patched.setattr(sys, "stderr", err)
            status = main([str(each) for each in arguments])
        return Ended(status, out.getvalue(), err.getvalue())

    return run


@pytest.fixture
def sheet(command: Command, tmp_path: Path) -> Path:
    """Four posts that are still to go out, exported."""
    assert command("export", "posts", "--group", GROUP, "-o", "all.csv").status == 0
    rows = [row for row in rows_of(tmp_path / "all.csv") if row["status"] == "scheduled"]
    write(tmp_path / "all.csv", rows[:4])
    return tmp_path / "all.csv"
