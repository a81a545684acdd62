"""What any version has written is read by all later ones: plans, journals and profiles.

`python tests/cli/keeping.py NAME` keeps what is written now, whenever a form of it changes.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from cli_support import GROUP, Command
from social_publishing import SocialPublishing

from social_publishing_cli import plans, profiles
from social_publishing_cli.plans.model import FORMAT

KEPT = Path(__file__).parent / "kept"
FORMS = sorted(each.parent for each in KEPT.glob("*/month.plan"))
REFUSED, DONE = "10053513832891940953", "10053330902517284954"
every_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)


def test_the_form_of_plans_is_kept() -> None:
    assert FORMAT in {json.loads((form / "month.plan").read_bytes())["format"] for form in FORMS}


@every_form
def test_kept_plans_are_read(form: Path) -> None:
    month, other = (plans.Plan.load(form / f"{name}.plan") for name in ("month", "other"))
    assert [each.id for each in month.changes] == [each.id for each in other.changes]
    assert [each.fields["name"].after for each in month.changes] == ["kept 0", "kept 1"]
    assert [each.fields["note"].after for each in other.changes] == ["kept 0", "kept 1"]
    assert month.id != other.id


@every_form
def test_a_kept_journal_is_shown_and_undone(
    form: Path, command: Command, client: SocialPublishing, tmp_path: Path
) -> None:
    shutil.copytree(form / "journals", tmp_path / "journals")
    [told] = json.loads(command("status", "--output", "json").out)
    assert (told["done"], told["failed"], told["left"]) == (1, 1, 0)
    rows = json.loads(command("status", told["plan"], "--output", "json").out)
    states = {each["id"]: each["state"] for each in rows}
    assert states == {REFUSED: "failed", DONE: "done"}
    client.posts.update(DONE, name="kept 1")
    ended = command("undo", "--yes")
    assert ended.status == 0, ended.err
    assert client.posts.get(DONE).name == ""  # it had none
    assert client.posts.get(REFUSED).name != "kept 0"


@every_form
def test_kept_profiles_are_read(form: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOCIAL_PUBLISHING_CONFIG", str(form))
    known = profiles.load()
    assert list(known) == ["home", "work"]
    assert known["work"] == {
        "base_url": "https://a.invalid/v1",
        "media_url": "https://b.invalid/v1",
        "api_token": "token-of-work",
        "group": GROUP,
    }
    assert known["home"]["api_token"] == "token-of-home" and "group" not in known["home"]
