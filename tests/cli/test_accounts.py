"""Who is signed in, what is in the way, and how a run ends."""

from __future__ import annotations

import io
import json
import re
import shlex
import stat
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from cli_support import GROUP, PROGRAM, Command, Ended, environment, signed_out

from social_publishing_cli import profiles
from social_publishing_cli.command import app
from social_publishing_cli.commands import doctor
from social_publishing_cli.session import Session
from social_publishing_sandbox import Sandbox, running

ROOT = Path(__file__).parents[2]
TOKEN, BASE = "SOCIAL_PUBLISHING_API_TOKEN", "SOCIAL_PUBLISHING_BASE_URL"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOCIAL_PUBLISHING_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    return tmp_path / "config"


@pytest.fixture
def login(command: Command, config: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch):
    """Sign in with a profile, and take the environment away."""

    def run(name: str = "default", token: str = "") -> object:
        monkeypatch.setattr("sys.stdin", io.StringIO((token or sandbox.token) + "\n"))
        ended = command("auth", "login", name, "--token-stdin")
        monkeypatch.setattr("sys.stdin", io.StringIO())
        return ended

    return run


def test_a_profile_takes_the_place_of_the_environment(
    login, command: Command, config: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = login()
    assert ended.status == 0, ended.err
    assert sandbox.token not in ended.out + ended.err
    file = config / "profiles.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "mode 0600" in ended.err
    signed_out(monkeypatch)
    assert command("export", "posts", "--group", GROUP).status == 0
    status = command("auth", "status", "--output", "json")
    assert status.status == 0
    assert "profile default" in status.err and json.loads(status.out)[0]["token"] == "file"
    assert sandbox.token not in status.out + status.err
    assert command("auth", "logout").status == 0
    assert command("export", "posts", "--group", GROUP).status == 5
    assert sandbox.token not in file.read_text()


def test_signing_in_and_out_keeps_to_the_profile_that_is_named(
    login, command: Command, config: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def known() -> set[str]:
        return {*json.loads((config / "profiles.json").read_text())["profiles"]}

    def signed_in(*words: str) -> Ended:
        monkeypatch.setattr("sys.stdin", io.StringIO(sandbox.token + "\n"))
        return command(*words, "--token-stdin")

    assert login("first").status == 0
    assert signed_in("auth", "login", "--profile", "second").status == 0
    assert signed_in("--profile", "third", "auth", "login").status == 0
    assert known() == {"first", "second", "third"}
    refused = signed_in("auth", "login", "first", "--profile", "second")
    assert refused.status == 2 and "two profiles" in refused.err
    assert command("auth", "logout", "first", "--profile", "second").status == 2
    assert command("auth", "logout", "--profile", "second").status == 0
    assert known() == {"first", "third"}
    monkeypatch.setenv("SOCIAL_PUBLISHING_PROFILE", "third")
    assert command("auth", "logout", "first").status == 0
    assert command("auth", "logout").status == 0
    assert known() == set()


def test_a_sandbox_signs_nobody_in_or_out(
    login, command: Command, config: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert login().status == 0
    before = (config / "profiles.json").read_text()
    for words in (("auth", "logout"), ("auth", "login", "--token-stdin")):
        monkeypatch.setattr("sys.stdin", io.StringIO("other-token\n"))
        ended = command("--sandbox", *words)
        assert ended.status == 2 and "a sandbox has no profiles" in ended.err
    assert (config / "profiles.json").read_text() == before


def test_who_is_not_signed_in_is_told_that_first(
    command: Command, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_out(monkeypatch)
    for words in (["calendar"], ["export", "posts"], ["metrics"]):
        ended = command(*words)
        told = f"not signed in: run social-publishing auth login, or set {TOKEN}, {BASE}. --sand"
        assert ended.status == 5 and told in ended.err, ended.err
    monkeypatch.setenv(TOKEN, "x")
    told = f"half signed in: run social-publishing auth login, or set {BASE}. --sandbox"
    assert told in command("metrics").err


def test_a_token_in_the_keyring_goes_with_its_profile(
    login, command: Command, config: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring = pytest.importorskip("keyring")
    kept: dict[tuple[str, str], str] = {}

    class Memory(keyring.backend.KeyringBackend):
        priority = 1
        name = "memory"

        def get_password(self, service: str, user: str) -> str | None:
            return kept.get((service, user))

        def set_password(self, service: str, user: str, password: str) -> None:
            kept[service, user] = password

        def delete_password(self, service: str, user: str) -> None:
            del kept[service, user]

    monkeypatch.setattr(keyring, "get_keyring", Memory)
    assert "the keyring (memory)" in login().err
    assert [*kept.values()] == [sandbox.token]
    assert sandbox.token not in (config / "profiles.json").read_text()

    def refuse(*_: object) -> None:
        raise RuntimeError("it is locked")

    with monkeypatch.context() as locked:
        kept.update(dict.fromkeys(kept, "an old token"))
        locked.setattr(Memory, "set_password", refuse)
        assert "mode 0600; the keyring refused: RuntimeError" in login().err
        assert profiles.account_of("default").api_token == sandbox.token
    assert "the keyring (memory)" in login().err
    signed_out(monkeypatch)
    assert command("export", "posts", "--group", GROUP).status == 0
    assert command("auth", "status", "--jq", ".token").out == "keyring\n"
    assert command("auth", "logout").status == 0
    assert not kept
    assert command("export", "posts", "--group", GROUP).status == 5


def test_a_keyring_that_keeps_nothing_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring, chainer = map(pytest.importorskip, ("keyring", "keyring.backends.chainer"))

    class Chain(chainer.ChainerBackend):
        backends: tuple[object, ...] = ()

    monkeypatch.setattr(keyring, "get_keyring", Chain)
    assert profiles.keyring_name() is None
    Chain.backends = (object(),)
    assert profiles.keyring_name() == Chain().name


def test_a_token_that_is_refused_is_not_kept(login, config: Path) -> None:
    ended = login(token="wrong")
    assert ended.status == 5
    assert not (config / "profiles.json").exists()


def test_the_environment_comes_before_the_default_profile(
    login, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert login().status == 0
    assert login("other").status == 0
    monkeypatch.setenv(TOKEN, "wrong")
    ended = command("export", "posts", "--group", GROUP)
    assert ended.status == 5
    assert f"using {TOKEN} from the environment instead of profile default" in ended.err
    assert command("export", "posts", "--group", GROUP, "--profile", "other").status == 0


def test_a_group_belongs_to_the_service_and_the_token_of_its_profile(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Signing in again keeps it, but not at another address; another token does not mean it."""
    for each in (TOKEN, BASE):
        monkeypatch.delenv(each, raising=False)
    for name, group in (("default", "1"), ("other", "2")):
        profiles.save(name, f"token of {name}", "https://one.invalid/v1", "")
        profiles.set_group(name, group)
    assert [profiles.account_of(each).group for each in (None, "default", "other")] == [*"112"]
    profiles.save("default", "another token", "https://one.invalid/v1", "https://media.invalid")
    assert [profiles.account_of(each).group for each in (None, "default", "other")] == [*"112"]
    monkeypatch.setenv(TOKEN, "from outside")
    assert [profiles.account_of(each).group for each in (None, "other")] == ["", "2"]
    monkeypatch.delenv(TOKEN)
    profiles.save("default", "another token", "https://two.invalid/v1", "")
    assert [profiles.account_of(each).group for each in ("default", "other")] == ["", "2"]


def test_without_a_name_the_profile_is_default_or_else_the_one_saved_first(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(TOKEN, raising=False)

    def save(name: str) -> None:
        profiles.save(name, f"token of {name}", "https://one.invalid/v1", "")

    def used(name: str | None = None) -> str:
        account = profiles.account_of(name)
        assert account.api_token == f"token of {account.profile}" or not account.profile
        return account.profile

    assert used() == ""
    for name in ("work", "agency", "work"):  # to sign in again changes no order
        save(name)
    assert [used(), used("agency")] == ["work", "agency"]
    save("default")
    assert [used(), used("work"), used("agency")] == ["default", "work", "agency"]
    profiles.forget("default")
    profiles.forget("work")
    assert used() == "agency"


def test_what_a_named_profile_lacks_comes_from_the_environment_and_nothing_else_does(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, media in (("whole", "https://media.invalid"), ("half", "")):
        profiles.save(name, f"token of {name}", "https://one.invalid/v1", media)
    monkeypatch.setenv(BASE, "https://outside.invalid/v1")
    monkeypatch.setenv("SOCIAL_PUBLISHING_MEDIA_URL", "https://outside.invalid/media")
    whole, half, unnamed = map(profiles.account_of, ("whole", "half", None))
    assert (whole.base_url, whole.media_url) == ("https://one.invalid/v1", "https://media.invalid")
    assert half.base_url == "https://one.invalid/v1"
    assert half.media_url == "https://outside.invalid/media"
    assert unnamed.base_url == "https://outside.invalid/v1"
    assert [each.api_token for each in (whole, half)] == ["token of whole", "token of half"]


def test_an_unknown_profile_names_the_known_ones(login, command: Command) -> None:
    assert login("work").status == 0
    ended = command("--profile", "wrok", "export", "posts", "--group", GROUP)
    assert (ended.status, ended.out) == (5, "")
    assert "there is no profile 'wrok'; there are work" in ended.err


def test_doctor_works_with_a_broken_configuration(
    command: Command, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config.mkdir()
    (config / "profiles.json").write_text('{"profiles": [[')
    ended = command("doctor", "--offline", "--output", "json")
    assert ended.status == 1
    found = {check["check"]: check for check in json.loads(ended.out)}
    assert found["profiles"]["state"] == "fail"
    assert "is damaged" in found["profiles"]["found"]


def test_doctor_says_what_is_well(command: Command, sandbox: Sandbox, config: Path) -> None:
    ended = command("doctor", "--output", "json")
    found = {check["check"]: check for check in json.loads(ended.out)}
    assert ended.status == 0, ended.out
    for name in ("token", "base_url: request", "media_url: request"):
        assert found[name]["state"] == "ok", name
    assert "no TLS" not in ended.out  # on this machine, nobody else reads it
    room = found["rate limit"]
    assert room["state"] == "ok" and re.fullmatch(r"99,?9\d\d of 100,?000 .*left", room["found"])
    assert sandbox.token not in ended.out + ended.err


def test_doctor_says_what_is_not(
    command: Command, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BASE, "http://127.0.0.1:9/v1")
    monkeypatch.setenv("SOCIAL_PUBLISHING_MEDIAURL", "x")
    ended = command("doctor", "--output", "json")
    found = {check["check"]: check for check in json.loads(ended.out)}
    assert ended.status == 1
    assert found["base_url: request"]["state"] == "fail"
    assert found["media_url: request"]["state"] == "ok"
    assert "did you mean SOCIAL_PUBLISHING_MEDIA_URL?" in found["environment"]["found"]
    for name, state in (("media_url", "note"), ("base_url", "fail")):  # only one is needed
        monkeypatch.delenv(f"SOCIAL_PUBLISHING_{name.upper()}")
        ended = command("doctor", "--offline", "--output", "json")
        found = {check["check"]: check for check in json.loads(ended.out)}
        assert (found[name]["state"], ended.status) == (state, int(state == "fail"))


def test_doctor_knows_every_variable_that_a_program_sets_or_reads(
    command: Command, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that `social-publishing-sandbox run` sets, and those that any code or page names."""
    set_here = running.environment(sandbox, {})
    rooms = ("cli/src", "sandbox/src", "generated/client", "demo", "docs", "tests/contract/harness")
    texts = (
        each.read_text(encoding="utf-8")
        for room in rooms
        for suffix in ("py", "md")
        for each in sorted((ROOT / room).rglob(f"*.{suffix}"))
    )
    named = re.compile(r"(?<![A-Z_])(?:SOCIAL_PUBLISHING_|\{(?:profiles\.)?PREFIX\})([A-Z]\w*)")
    read = {f"{profiles.PREFIX}{each[1]}" for text in texts for each in named.finditer(text)}
    ours = {each for each in {*set_here, *read} if each.startswith(profiles.PREFIX)}
    assert ours > {BASE, TOKEN, "SOCIAL_PUBLISHING_OUTPUT", "SOCIAL_PUBLISHING_SANDBOX_CONSOLE_URL"}
    for each in ours - {BASE, TOKEN, "SOCIAL_PUBLISHING_MEDIA_URL"}:
        monkeypatch.setenv(each, "")
    assert "is not known" not in command("doctor", "--offline").out
    for each in ours:  # one letter less is nearest to it
        with monkeypatch.context() as slip:
            slip.setenv(each[:-1], "")
            assert (
                f"{each[:-1]} is not known; did you mean {each}?"
                in command("doctor", "--offline", "--output", "json").out
            )


@pytest.mark.parametrize("plain", ["base_url", "media_url"])
def test_doctor_says_of_each_address_that_others_can_read_it(
    plain: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("base_url", "media_url"):
        scheme = "http" if name == plain else "https"
        monkeypatch.setenv(f"SOCIAL_PUBLISHING_{name.upper()}", f"{scheme}://{name[:4]}.example/v1")
    found = json.loads(command("doctor", "--offline", "--output", "json").out)
    assert [each["check"] for each in found if "no TLS" in each["found"]] == [plain]


def test_doctor_knows_each_variable_of_an_option(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    names, waiting = set(), [app]
    for each in waiting:  # which grow
        names |= {known.envvar for known in each.params if isinstance(known.envvar, str)}
        if isinstance(each, click.Group):
            context = click.Context(each)
            found = (each.get_command(context, name) for name in each.list_commands(context))
            waiting += filter(None, found)
    for name in names:
        monkeypatch.setenv(name, "")
    assert {"SOCIAL_PUBLISHING_PROFILE", "SOCIAL_PUBLISHING_ALLOW_WRITES"} <= names
    assert "is not known" not in command("doctor", "--offline", "--output", "json").out


@pytest.mark.parametrize(
    ("skew", "state"), [(3600, "note"), (3, "ok"), (-3, "ok"), (-3600, "note")]
)
def test_doctor_says_on_which_side_a_clock_is_wrong(
    command: Command, config: Path, monkeypatch: pytest.MonkeyPatch, skew: int, state: str
) -> None:
    now = datetime.now(UTC)
    monkeypatch.setattr(doctor, "time", SimpleNamespace(time=lambda: now.timestamp() + skew))
    monkeypatch.setattr(doctor, "parsedate_to_datetime", lambda date: now)
    found = [json.loads(line) for line in command("doctor").out.splitlines()]
    said = f"{abs(skew)} s {'ahead of' if skew > 0 else 'behind'} the service"
    assert {"check": "clock", "state": state, "found": said} in found


def test_what_was_read_is_of_one_account_and_one_command(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kept(token: str, base: str, command: str) -> Path:
        monkeypatch.setenv(TOKEN, token)
        monkeypatch.setenv(BASE, base)
        with Session().readings(command, resumes=False) as readings:
            return readings._path

    every = [("a", "x", "1"), ("b", "x", "1"), ("a", "y", "1"), ("a", "x", "2"), ("a", "x", "1")]
    assert len({kept(*each) for each in every}) == len(every) - 1


def test_nobody_is_signed_in(
    command: Command, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_out(monkeypatch)
    ended = command("export", "posts", "--group", GROUP)
    assert (ended.status, ended.out) == (5, "")
    assert "social-publishing auth login" in ended.err
    assert command("--sandbox", "export", "posts", "--group", GROUP).status == 0


def test_a_reader_that_stops_is_no_error(command: Command, sandbox: Sandbox) -> None:
    program = shlex.join([*PROGRAM, "export", "posts", "--group", GROUP])
    ended = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {program} | head -1"],
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert len(ended.stdout.splitlines()) == 1


def test_runs_share_the_rate_limit(command: Command, sandbox: Sandbox) -> None:
    """The last ones end without a request; nothing is refused by the service."""
    sandbox.limit(3, window=3600)
    ended = [
        command(
            "export", "posts", "--group", GROUP, "--no-wait", "-o", "posts.csv", "--force"
        ).status
        for _ in range(5)
    ]
    assert ended[0] == 0 and ended[-1] == 6
    assert [each.status for each in sandbox.requests() if each.status == 429] == []


def test_a_folder_that_cannot_be_made_stops_no_run(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, **_: object) -> None:
        raise PermissionError(f"{path} is read-only")

    monkeypatch.setattr(Path, "mkdir", refuse)
    assert command("export", "posts", "--group", GROUP, "-o", "posts.csv").status == 0
