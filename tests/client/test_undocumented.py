"""What is asked of a client that the service does not document: the error says so, and leads on."""

from __future__ import annotations

import subprocess
import sys
from inspect import isfunction
from typing import Any

import pytest
from calls import CLIENT
from social_publishing import AsyncSocialPublishing, SocialPublishing

from tests.support import yamls
from tests.support.documents import operations

ROOT = CLIENT.parents[1]
MAIN = yamls.read((ROOT / "overlays/client/main.yaml").read_text("utf-8"))
NOT_SHOWN: dict[str, list[str]] = next(
    action["update"]["x-not-shown"]["resources"]
    for action in MAIN["actions"]
    if "x-not-shown" in action["update"]
)
SECTION = next(
    gap["section"]
    for gap in yamls.read((ROOT / "spec/gaps.yaml").read_text("utf-8"))["gaps"]
    if gap["id"] == "endpoints.missing"
)


@pytest.fixture(params=[SocialPublishing, AsyncSocialPublishing])
def either(request: pytest.FixtureRequest) -> Any:
    return request.param(
        api_token="secret-token",
        base_url="http://127.0.0.1/v1",
        media_url="http://127.0.0.1/api/v1",
    )


def why(owner: Any, name: str) -> str:
    assert not hasattr(owner, name) and getattr(owner, name, None) is None
    with pytest.raises(AttributeError) as caught:
        getattr(owner, name)
    assert caught.value.name == name and "secret-token" not in str(caught.value)
    return str(caught.value)


def test_everything_that_is_listed_as_not_shown_says_so(either: Any) -> None:
    """§4.8: the section, and a method that is there."""
    assert NOT_SHOWN
    for resource, methods in NOT_SHOWN.items():
        if not methods:
            assert f"(§{SECTION})" in why(either, resource)
        for name in methods:
            owner = getattr(either, resource)
            if hasattr(owner, name):  # several requests make it of others
                continue
            for each in (owner, owner.with_raw_response):
                text = why(each, name)
                assert f"the service documents no such operation (§{SECTION})" in text
                for named in {*text.split("client.")[2:]}:
                    there, _, method = (
                        named.strip(" .,").partition(" ")[0].rstrip(".,").partition(".")
                    )
                    assert callable(getattr(getattr(either, there), method)), named


def test_every_resource_says_of_which_it_has_no_such_method(either: Any) -> None:
    """And which it has: all of them, in their order."""
    sections = {each.resource: each.node["x-section"] for each in operations().values()}
    assert sections
    for name, section in sections.items():
        owner = getattr(either, name)
        there = [f"client.{name}.{e}" for e, kind in vars(type(owner)).items() if isfunction(kind)]
        begins = f"client.{name} has no 'made_up': the service documents no such operation"
        verb = "are" if len(there) > 1 else "is"
        for each in (owner, owner.with_raw_response):
            says = f"{begins} (§{section}). There {verb} "
            assert why(each, "made_up") == f"{says}{', '.join(there)}."


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("posts.create", "Nearest: client.posts.update."),
        ("posts.delete", "Nearest: client.posts.delete_many."),
        ("posts.approve", "(§4.1). Nearest: client.posts.update."),
        ("groups.list", "Nearest: client.groups.get."),
        ("labels.list", "Labels also come with client.posts.list."),
        ("social_accounts.list", "also come with client.groups.get and client.posts.list."),
        ("posts.lsit", "Did you mean client.posts.list?"),
        ("media.lock", "(§4.7). There are client.media.upload, "),
        ("label", "Did you mean client.labels?"),
        ("bookings", "There are client.posts, client.groups, "),
    ],
)
def test_it_leads_to_what_is_nearest(either: Any, path: str, says: str) -> None:
    if path in {f"{each.resource}.{each.name}" for each in operations().values()}:
        pytest.skip(f"{path} is documented now")
    *owner, name = path.split(".")
    assert says in why(getattr(either, owner[0]) if owner else either, name)


def test_names_of_the_language_are_no_operations(either: Any) -> None:
    for owner in (either, either.posts, type(either).__new__(type(either))):
        assert "operation" not in why(owner, "__wrapped__")


def test_it_costs_nothing_until_it_is_needed() -> None:
    """What explains is not loaded by a program that makes no such mistake."""
    program = """
import sys
from social_publishing import SocialPublishing
client = SocialPublishing(api_token="t", base_url="http://a/v1", media_url="http://a/api/v1")
client.posts, client.labels
print([name for name in sys.modules if name.endswith("undocumented") or name == "difflib"])
try:
    client.posts.create
except AttributeError:
    print("social_publishing.undocumented" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(CLIENT / "src")},
    )
    assert done.stdout.split("\n")[:2] == ["[]", "True"], done.stderr
