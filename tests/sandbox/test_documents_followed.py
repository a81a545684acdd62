"""What the documents assume is read from them: other documents make another sandbox."""

from __future__ import annotations

import copy
import functools
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from wire import (
    END,
    FROM,
    GROUP,
    NETWORKS,
    NOTE,
    SERIES,
    START,
    TASKS,
    TEAM,
    TO,
    Json,
    Wire,
    at_fault,
    exchange,
    ids,
    world,
)

from social_publishing_sandbox import ControlError, Sandbox
from social_publishing_sandbox.compiled import jsonschema_rs
from social_publishing_sandbox.console.base import PAGES
from social_publishing_sandbox.state import demands
from social_publishing_sandbox.state import documents as contract
from social_publishing_sandbox.state.samples import samples
from tests.support.server import Response, serve

Make = Callable[..., tuple[Sandbox, Wire, dict[str, str]]]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Make a sandbox with the documents as a function has changed them."""
    made: list[Sandbox] = []

    def start(
        change: Callable[[Json], None], media: Callable[[Json], None] | None = None, **given: Any
    ) -> tuple[Sandbox, Wire, dict[str, str]]:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        for name, edit in (("main", change), ("media", media)):
            data = copy.deepcopy(getattr(contract.load(), name).data)
            if edit:
                edit(data)
            (folder / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
        settings = {"rate_limit": None, "check": False, **given}
        held = world(posts=settings.pop("posts", []))
        sandbox = Sandbox(held, clock="frozen", documents=folder, **settings)
        made.append(sandbox)
        return sandbox, Wire(sandbox), ids(sandbox)

    yield start
    for sandbox in made:
        sandbox.close()


def operation(data: Json, name: str) -> Json:
    for path in data["paths"].values():
        for each in path.values():
            if isinstance(each, dict) and each.get("operationId") == name:
                return each
    raise LookupError(name)


def rename(data: Json, name: str, gap: str, new: str) -> None:
    (parameter,) = (
        each for each in operation(data, name)["parameters"] if each.get("x-gap") == gap
    )
    parameter["name"] = new


def assume(**words: Any) -> Callable[[Json], None]:
    return lambda data: data["x-assume"].update(words)


# Names


def test_names_of_parameters(make: Make) -> None:
    def change(data: Json) -> None:
        rename(data, "listCalendarNotes", "notes.range.start", "beginning")
        rename(data, "listCalendarNotes", "notes.range.end", "ending")
        rename(data, "listCalendarNotes", "notes.group", "team")
        rename(data, "deletePosts", "deletePosts.fromNetworks", "everywhere")
        rename(data, "deletePosts", "deletePosts.task", "withTask")
        rename(data, "deleteCalendarNote", "deleteCalendarNote.group", "all")

    sandbox, wire, known = make(change)
    dates = {"start_date": "2026-12-05T09:00:00Z", "end_date": "2026-12-05T10:00:00Z"}
    for group in ("Bakery", "Garage"):
        sandbox.create_note(title=group, group_id=known[group], series="s", **dates)
    span = "beginning=2026-12-01T00:00:00Z&ending=2026-12-31T00:00:00Z"
    assert len(wire.get(f"/calendar-notes?{span}")) == 2
    (one,) = wire.get(f"/calendar-notes?{span}&team={known['Garage']}")
    assert one["title"] == "Garage"
    old = f"{FROM}=2026-12-01T00:00:00Z&{TO}=2026-12-31T00:00:00Z"
    assert sorted(at_fault(wire.get(f"/calendar-notes?{old}", 422))) == ["beginning", "ending"]
    late = "beginning=2026-12-01T00:00:00Z&ending=2027-12-31T00:00:00Z"
    assert at_fault(wire.get(f"/calendar-notes?{late}", 422)) == ["ending"]
    wire.delete(f"/calendar-notes/{one['id']}?all=true")
    assert wire.get(f"/calendar-notes?{span}") == []
    accounts = [known["bluesky:bread"]]
    post = sandbox.create_post(status="PUBLISHED", selectedAccountIds=accounts)["id"]
    wire.delete(f"/posts-bulk?ids={post}&everywhere=true")
    assert "post_link" not in sandbox.read_post(post)["details"][0]


def test_the_name_of_the_page(make: Make) -> None:
    def change(data: Json) -> None:
        for name in ("listPosts", "listPostActivities"):
            (parameter,) = (
                each
                for each in operation(data, name)["parameters"]
                if "paging.parameters" in each.get("x-assumed", ())
            )
            parameter["name"] = "seite"
            size = {"type": "integer", "maximum": 50}
            own = {
                "name": "count",
                "in": "query",
                "schema": size,
                "x-confirmed": ["paging.perPage"],
            }
            operation(data, name)["parameters"].append(own)
        data["x-assume"]["perPage"] = {"default": 10}

    sandbox, wire, known = make(change)
    account = known["threads:bread"]
    made = [sandbox.create_post(selectedAccountIds=[account])["id"] for _ in range(12)]
    path = f"/posts?groupId={known['Bakery']}"
    first = wire.get(f"{path}&page=2")
    assert len(first["data"]) == first["meta"]["per_page"] == 10
    assert first["meta"]["next_page_url"].endswith("&seite=2")
    second = wire.get(f"{path}&seite=2")
    assert [each["id"] for each in second["data"]] == made[1::-1]
    third = wire.get(f"{path}&seite=3&count=5")
    assert [each["id"] for each in third["data"]] == made[1::-1]
    assert third["meta"]["prev_page_url"].endswith("&count=5&seite=2")


@pytest.mark.parametrize(
    "part", ["parameters", "shared", "body", "path", "tags", "schema", "members", "header"]
)
def test_where_a_part_stands_makes_no_difference(make: Make, part: str) -> None:
    """Behind a reference, or once for a path, it is read as in its operation."""

    def change(data: Json) -> None:
        def kept(kind: str, value: Json) -> Json:
            held = data["components"].setdefault(kind, {})
            held[name := f"Kept{len(held)}"] = value
            return {"$ref": f"#/components/{kind}/{name}"}

        if part == "members":
            for schema in [*data["components"]["schemas"].values()]:
                for name, member in schema.get("properties", {}).items():
                    schema["properties"][name] = kept("schemas", member)
        for path, item in data["paths"].items():
            several = [each for each in item.values() if "operationId" in each]
            for each in several:
                if part == "parameters":
                    each[part] = [kept(part, one) for one in each.get(part, [])]
                elif part == "body" and "requestBody" in each:
                    each["requestBody"] = kept("requestBodies", each["requestBody"])
                elif part == "tags":
                    each.pop(part, None)
                elif part == "schema":
                    for one in each.get("parameters", []):
                        one[part] = kept("schemas", one[part])
                    for body in each.get("requestBody", {}).get("content", {}).values():
                        body[part] = kept("schemas", body[part])
                elif part == "header":
                    for response in each["responses"].values():
                        for name, one in response.get("headers", {}).items():
                            response["headers"][name] = kept("headers", one)
            if part == "shared":  # but for one of its own, which comes in the place of the shared
                mine = several[0].pop("parameters", [])
                several[0]["parameters"] = [one for one in mine if one.get("name") == "include"]
                item["parameters"] = [
                    {**one, "schema": {"type": "boolean"}} if one.get("name") == "include" else one
                    for one in mine
                ]
            elif part == "path":
                data["paths"][path] = kept("pathItems", item)

    def played(*changes: Callable[[Json], None]) -> list[Any]:
        sandbox, wire, known = make(*changes, check=True)
        post = sandbox.create_post(selectedAccountIds=[known["threads:bread"]]).id
        comments = {
            "enabled": True,
            "content": "Mine",
            "socialAccountIds": [known["threads:bread"]],
        }
        poll = {"question": "Rye?", "options": ["Yes", "No"]}
        body = {"publication_date": "2027-01-01T00:00", "first_comments": comments, "li_poll": poll}
        calls = [
            wire("GET", f"/posts?groupId={known['Bakery']}&include=media&page=2"),
            wire("GET", f"/calendar-notes?{FROM}={START}&{TO}={END}"),
            wire("PATCH", f"/posts/{post}", body),
            wire("PATCH", f"/posts/{post}", {"name": 1}),
            wire("POST", "/labels", {"name": "Rye"}),
            wire("POST", "/upload/url/sync", {"file_url": "no"}, media=True),
        ]
        headers = {"Authorization": f"Bearer {sandbox.control_token}"}
        address = f"http://main.sandbox.test{PAGES}/requests/4"
        page = exchange(sandbox.app, "GET", address, headers=headers)
        return [(each.status_code, each.text) for each in calls] + [page.status_code]

    usual = played(lambda data: None)
    assert [*(each[0] for each in usual[:-1]), usual[-1]] == [200, 200, 200, 422, 200, 400, 200]
    assert played(change, change) == usual


@pytest.mark.parametrize(
    ("page", "labels"),
    [
        (1, "1* 2 3 ... 9"),
        (4, "1 2 3 4* 5 6 ... 9"),
        (5, "1 ... 3 4 5* 6 7 ... 9"),
        (9, "1 ... 7 8 9*"),
        (10, "1 ... 8 9"),
    ],
)
def test_which_pages_have_a_link(make: Make, page: int, labels: str) -> None:
    sandbox, wire, known = make(lambda data: data["x-assume"].update(perPage={"default": 1}))
    account = known["threads:bread"]
    for _ in range(9):
        sandbox.create_post(selectedAccountIds=[account])
    found = wire.get(f"/posts?socialAccountIds={account}&include=media,labels&page={page}")
    before, *links, after = found["links"]
    shown = " ".join(f"{each['label']}{'*' * each['active']}" for each in links)
    assert (before["label"], shown, after["label"]) == (
        "&laquo; Previous",
        labels,
        "Next &raquo;",
    )
    url = found["meta"]["path"] + f"?socialAccountIds={account}&include=media,labels&page="
    for link in links:
        assert link["url"] == (None if link["label"] == "..." else f"{url}{link['label']}")
    for link, number in ((before, page - 1), (after, page + 1)):
        assert link["url"] == (f"{url}{number}" if 1 <= number <= 9 else None)


@pytest.mark.parametrize("name", ["offset", "skip"])
@pytest.mark.parametrize("kind", ["integer", "string"])
def test_pages_may_be_asked_for_by_what_to_skip(make: Make, name: str, kind: str) -> None:
    """An offset counts entries; a text is whatever the service put into an address."""

    def change(data: Json) -> None:
        for each in operation(data, "listPosts")["parameters"]:
            if "paging.parameters" in each.get("x-assumed", ()):
                each.update(name=name, schema={"type": kind})
        word = operation(data, "listPosts")["x-paging"]
        del word["page"], word["current"], word["last"]
        word.update({"offset": name} if kind == "integer" else {})
        data["x-assume"]["perPage"] = {"default": 5}

    sandbox, wire, known = make(change, check=True)
    account = known["threads:bread"]
    for _ in range(14):
        sandbox.create_post(selectedAccountIds=[account])
    url, read, skipped = f"/posts?socialAccountIds={account}", [], []
    page = wire.get(url)
    everything = page["meta"]["total"]
    while page:
        read += [each["id"] for each in page["data"]]
        following = page["meta"]["next_page_url"]
        if following:
            skipped.append(int(following.rpartition(f"&{name}=")[2]))
        page = wire.get(f"{url}&{name}={skipped[-1]}") if following else None
    assert len(read) == len({*read}) == everything and read == sorted(read, key=int)[::-1]
    assert skipped == [*range(5, everything, 5)]
    within = wire.get(f"{url}&{name}=7")
    assert [each["id"] for each in within["data"]] == read[7:12]
    assert within["meta"]["next_page_url"].endswith(f"&{name}=12")
    assert within["meta"]["prev_page_url"].endswith(f"&{name}=2")
    assert (within["meta"]["from"], within["meta"]["to"]) == (8, 12)
    assert wire.get(f"{url}&{name}={everything}")["data"] == []
    if kind == "string":
        assert at_fault(wire.get(f"{url}&{name}=later", 422)) == [name]


@pytest.mark.parametrize("words", [{"minimum": 0}, {"minimum": 0, "default": 0}, {"default": 0}])
def test_pages_may_be_counted_from_zero(make: Make, words: Json) -> None:
    def change(data: Json) -> None:
        for each in operation(data, "listPosts")["parameters"]:
            if "paging.parameters" in each.get("x-assumed", ()):
                each["schema"] = {"type": "integer", **words}
        data["x-assume"]["perPage"] = {"default": 5}

    sandbox, wire, known = make(change, check=True)
    account = known["threads:bread"]
    made = [sandbox.create_post(selectedAccountIds=[account])["id"] for _ in range(12)][::-1]
    url, read, numbers = f"/posts?socialAccountIds={account}", [], []
    page = wire.get(f"{url}&page=0")
    assert page["data"] == wire.get(url)["data"]
    while page:
        read += [each["id"] for each in page["data"]]
        numbers.append(page["meta"]["current_page"])
        following = page["meta"]["next_page_url"]
        page = wire.get(f"{url}&page={numbers[-1] + 1}") if following else None
        assert not following or following.endswith(f"page={numbers[-1] + 1}")
    assert read[: len(made)] == made and len(read) == len({*read})
    assert numbers == [*range(-(-len(read) // 5))]
    assert wire.get(f"{url}&page={len(numbers)}")["data"] == []


def test_what_is_confirmed_is_made_of_what_there_is(make: Make) -> None:
    """A number of a moment or a flag, a text of a number, and the users that there are."""

    def change(data: Json) -> None:
        schemas = data["components"]["schemas"]
        post = schemas["Post"]["properties"]
        post["updated_at"] = {"type": "integer", "x-confirmed": ["post.updatedAt"]}
        post["created_at"] = {"type": "integer", "x-unit": "seconds"}
        post["content_weighted_length"] = {"type": "string"}
        post["has_customized_content"] = {"type": "integer"}
        schemas["SocialAccount"]["required"].append("user")

    sandbox, wire, known = make(change, check=True)
    made = sandbox.create_post(selectedAccountIds=[known["threads:bread"]])
    (post,) = (
        each
        for each in wire.get(f"/posts?groupId={known['Bakery']}")["data"]
        if each["id"] == made["id"]
    )
    stored = sandbox.read_post(made["id"])
    moment = int(datetime.fromisoformat(stored["updated_at"]).timestamp())
    assert post["updated_at"] == post["created_at"] * 1_000 == moment * 1_000
    assert post["content_weighted_length"] == str(stored["content_weighted_length"])
    assert post["has_customized_content"] == 0
    assert all(each["user"]["id"] == each["user_id"] for each in post["socialAccounts"])


USER: Json = {"$ref": "#/components/schemas/User"}
FORMS: dict[str, tuple[Json, set[str]]] = {
    "user": (USER, {"id", "name"}),
    "with a user": ({"type": "object", "properties": {"user": USER, "more": {}}}, {"user"}),
    "with an id": ({"type": "object", "properties": {"user_id": {}, "more": {}}}, {"user_id"}),
    "with what is not known": (
        {
            "type": "object",
            "required": ["verdict"],
            "properties": {"verdict": {"type": "string"}, "more": {}},
        },
        {"verdict"},
    ),
    "any object": ({"type": "object"}, {"user_id", "created_at"}),
    "open": (
        {"type": "object", "additionalProperties": True, "properties": {"user": USER}},
        {"user", "user_id", "created_at"},
    ),
}


@pytest.mark.parametrize("relation", ["approvals", "comments"])
@pytest.mark.parametrize("form", FORMS)
def test_what_is_kept_with_a_post_is_given_in_the_form_that_is_confirmed(
    make: Make, relation: str, form: str
) -> None:
    """The user who did it, the members that it asks for; and what is required, none of others."""
    schema, members = FORMS[form]

    def change(data: Json) -> None:
        relations = data["components"]["schemas"]["Post"]["properties"]
        relations[relation] = {"type": "array", "items": schema}
        operation(data, "listPosts")["responses"]["200"]["x-confirmed"] = ["post.approvals"]

    entry = {"user_id": "Tom", "created_at": "2026-12-01T00:00:00Z"}
    post = {"name": "Bread", "selectedAccountIds": ["threads:bread"], relation: [entry]}
    _, wire, known = make(change, check=True, posts=[post])
    [given] = wire.get(f"/posts?groupId={known['Bakery']}&include=postComments")["data"]
    [shown] = given[relation]
    assert members <= shown.keys()
    if form != "user":
        assert members == shown.keys()
    user = shown if form == "user" else shown.get("user", {"id": known["Tom"], "name": "Tom"})
    assert (user["id"], user["name"]) == (known["Tom"], "Tom")


@pytest.mark.parametrize(
    ("relation", "members"), [("labels", ["name"]), ("details", ["content"]), ("media", ["url"])]
)
def test_relations_have_the_members_of_the_form_that_is_confirmed(
    make: Make, relation: str, members: list[str]
) -> None:
    def change(data: Json) -> None:
        relations = data["components"]["schemas"]["Post"]["properties"]
        properties = {name: {"type": "string"} for name in ("id", *members, "more")}
        relations[relation]["items"] = {"type": "object", "properties": properties}

    post = {"name": "Bread", "selectedAccountIds": ["threads:bread", "bluesky:bread"]}
    post |= {"labelIds": ["News", "Rolls"], "selected_media_ids": ["loaf.png", "oven.png"]}
    _, wire, known = make(change, check=True, posts=[post])
    [given] = wire.get(f"/posts?groupId={known['Bakery']}&include=labels,media")["data"]
    assert [each.keys() for each in given[relation]] == [{"id", *members}] * 2


@pytest.mark.parametrize("shape", ["object", "array"])
def test_metrics_keep_their_rows_where_their_details_have_another_form(
    make: Make, shape: str
) -> None:
    """What of a value does not fit is made to; the rest of it stays."""

    def confirm(document: Json) -> None:
        schemas = document["components"]["schemas"]
        kind = schemas["PostDetail"]["properties"]["post_type"]
        kind |= {"enum": ["feed", "story"], "x-confirmed": ["detail.postType"]}
        document["x-assume"]["metricsShape"] = shape

    sandbox, wire, known = make(confirm, check=True)
    accounts = [known["threads:bread"], known["bluesky:bread"]]
    post = sandbox.create_post(content="Hello", selectedAccountIds=accounts)["id"]
    wire.patch(f"/posts/{post}", {"isPublishNow": True})
    sandbox.advance(hours=1)
    found = wire.get(f"/posts/{post}/metrics")
    rows = [*found.values()] if shape == "object" else found
    assert len(rows) == 2
    for row in rows:
        assert row["postDetail"]["post_type"] in ("feed", "story")
        assert row["postDetail"]["social_account_id"] in accounts


@pytest.mark.parametrize(
    ("codes", "sent"),
    [
        ({"enum": [0, 1, 2]}, (0, 1, 2)),
        ({"enum": [1, 2, 3], "x-enum-varnames": ["PUBLISHED", "WAITING", "FAILED"]}, (2, 1, 3)),
        (
            {"type": "string", "enum": ["failed", "waiting", "published"]},
            ("waiting", "published", "failed"),
        ),
        ({"enum": [10, 35, 40]}, (10, 40, 35)),
        ({}, (25, 40, 35)),
    ],
)
def test_the_codes_of_details_are_only_what_is_sent(
    make: Make, codes: Json, sent: tuple[Any, Any, Any]
) -> None:
    """Details are published, fail and have metrics as before, whatever their codes are."""

    def change(data: Json) -> None:
        node = data["components"]["schemas"]["PostDetail"]["properties"]["status"]
        node.update(codes, **{"x-confirmed": ["detail.status"]})

    sandbox, wire, known = make(change, check=True)
    ahead = sandbox.now + timedelta(hours=1)
    date = ahead.isoformat()
    given = {
        "selectedAccountIds": [known["threads:bread"]],
        "publication_date": date,
        "content": "Hi",
    }
    good, bad = (sandbox.create_post(**given, status="SCHEDULED")["id"] for _ in "12")
    assert [each["status"] for each in sandbox.read_post(good)["details"]] == [sent[0]]
    sandbox.fail(bad, "No.")
    sandbox.advance(hours=2)
    for post, code in ((good, sent[1]), (bad, sent[2])):
        assert [each["status"] for each in sandbox.read_post(post)["details"]] == [code]
    assert [
        each["postDetail"]["status"] for each in wire.get(f"/posts/{good}/metrics").values()
    ] == [sent[1]]
    assert wire.get(f"/posts/{bad}/metrics") == {}


# Documents that grow


def test_an_operation_without_a_handler_responds_with_501(
    make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    page = {"$ref": "#/components/responses/Label"}
    error = {"$ref": "#/components/responses/MessageError"}

    def grow(data: Json) -> None:
        listed = {"operationId": "listProbes", "responses": {"2XX": page, "default": error}}
        data["paths"]["/probes"] = {"get": listed}

    def grow_media(data: Json) -> None:
        data["paths"]["/files"] = {"get": {"operationId": "listFiles", "responses": {}}}

    sandbox, wire, _ = make(grow, grow_media, check=True)
    assert [each.args[0] for each in caplog.records if each.args] == ["listProbes", "listFiles"]
    assert "has no handler for listProbes: add a handler to" in wire.get("/probes", 501)["message"]
    assert "listFiles" in wire.get("/files", 501, media=True)["error"]
    wire.of("").get("/probes", 401)
    assert sandbox.requests(operation="listProbes", status=501)


@pytest.mark.parametrize(
    ("schema", "required", "shown"),
    [
        ({"type": ["string", "null"]}, False, None),
        ({"type": "array", "items": {"type": "string"}}, False, []),
        ({"type": "boolean"}, False, False),
        ({"type": "string", "default": "calm"}, False, "calm"),
        ({"type": "integer", "examples": [7]}, False, 7),
        ({"type": "string"}, False, ...),
        ({"type": "string", "x-extensible-enum": ["seen"], "examples": ["seen"]}, False, ...),
        ({"type": "string"}, True, ""),
        ({"type": "string", "enum": ["a", "b"]}, True, "a"),
        ({"type": "string", "format": "date-time"}, True, "1970-01-01T00:00:00Z"),
        ({"$ref": "#/components/schemas/Id"}, True, "0"),
        ({"type": "integer", "minimum": 1}, True, 1),
        ({"type": "object", "properties": {}}, True, {}),
    ],
)
def test_a_field_that_is_only_read_has_a_value_that_fits(
    make: Make, schema: Json, required: bool, shown: object
) -> None:
    def grow(data: Json) -> None:
        for name in ("Post", "Label", "Group", "SocialAccount"):
            grown = data["components"]["schemas"][name]
            grown["properties"]["mood"] = schema
            grown["required"] += ["mood"] * required

    sandbox, wire, known = make(grow, check=True)
    post = sandbox.create_post(selectedAccountIds=[known["threads:bread"]])["id"]
    for found in (
        wire.get(f"/posts-bulk?ids={post}")[0],
        wire.post("/labels", {"name": "New"}),
        wire.get(f"/groups/{known['Bakery']}"),
        wire.get(f"/social-accounts/{known['threads:bread']}"),
    ):
        assert found.get("mood", ...) == shown


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, "top"),
        ({"type": "array", "items": {"type": "integer"}}, [3, 1]),
        ({"type": "object", "additionalProperties": {"type": "number"}}, {"a": 0.5}),
    ],
)
def test_a_field_that_is_written_is_kept_and_given_back(
    make: Make, schema: Json, value: object
) -> None:
    def grow(data: Json) -> None:
        for name in ("Post", "PostUpdate", "Group", "GroupReplacement", "Label", "LabelCreation"):
            data["components"]["schemas"][name]["properties"]["shelf"] = schema

    sandbox, wire, known = make(grow, check=True)
    post, body = sandbox.create_post()["id"], {"shelf": value}
    assert wire.patch(f"/posts/{post}", body)["shelf"] == value
    assert wire.patch(f"/posts/{post}", {"name": "x"})["shelf"] == value
    assert wire.get(f"/posts-bulk?ids={post}")[0]["shelf"] == value
    assert at_fault(wire.patch(f"/posts/{post}", {"shelf": True}, 422)) == ["shelf"]
    group = f"/groups/{known['Bakery']}"
    assert wire.put(group, {**GROUP, **body})["shelf"] == value
    assert wire.get(group)["shelf"] == value
    assert wire.post("/labels", {"name": "New", **body})["shelf"] == value


# Statuses


@pytest.mark.parametrize(
    ("schema", "update"),
    [
        ("Post", {"updated_at": {"type": "integer", "format": "int64"}}),
        ("Post", {"public_id": {"type": "integer"}}),
        ("PostDetail", {"status": {"type": "string"}}),
        ("Group", {"timezone": {"type": "integer"}}),
    ],
)
def test_where_one_type_is_another_nothing_else_changes(
    tmp_path: Path, schema: str, update: Json
) -> None:
    """What is null, absent or empty beside it stays so."""

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: bare(each) for name, each in value.items() if name not in update}
        return [bare(each) for each in value] if isinstance(value, list) else value

    seen = []
    for number, more in enumerate(({}, update)):
        (folder := tmp_path / str(number)).mkdir()
        for name in ("main", "media"):
            data = copy.deepcopy(getattr(contract.load(), name).data)
            if name == "main":
                properties = data["components"]["schemas"][schema]["properties"]
                known = {"gap": "g", "evidence": "seen"}
                properties.update({n: {**each, "x-confirmed": known} for n, each in more.items()})
            (folder / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
        now = "2026-12-01T09:00:00Z"
        with Sandbox(clock="frozen", now=now, documents=folder) as sandbox:
            group = sandbox.find("groups")[0]["id"]
            wire = Wire(sandbox)
            posts = wire.get(f"/posts?groupId={group}")["data"]
            seen.append([posts, wire.get(f"/groups/{group}")])
    before, after = seen
    assert before[0] and bare(before) == bare(after)


def test_statuses(make: Make) -> None:
    def change(data: Json) -> None:
        responses = operation(data, "createLabel")["responses"]
        responses["201"] = responses.pop("200")
        responses["409"] = responses.pop("400")
        moved = operation(data, "moveSocialAccount")["responses"]
        moved["200"] = moved.pop("204")
        unknown = operation(data, "getSocialAccount")["responses"]
        unknown["403"] = unknown.pop("404")

    _, wire, known = make(change, check=True)
    assert wire.post("/labels", {"name": "New"}, 201)["name"] == "New"
    assert set(wire.post("/labels", {"name": "New"}, 409)) == {"title", "message", "e_code"}
    assert set(wire.post("/labels", {}, 422)) == {"message", "errors"}
    body = {"group_id": known["Bakery"]}
    assert wire.patch(f"/social-accounts/{known['facebook:wheels']}/group", body, 200) is None
    assert list(wire.get("/social-accounts/1", 403)) == ["message"]


def _wrapped(**members: Json) -> Json:
    return {"type": "object", "required": [*members], "properties": members}


_TEXT: Json = {"type": "string"}
_CLOSED: Json = {"additionalProperties": False}


@pytest.mark.parametrize(
    ("schema", "place"),
    [
        (_wrapped(error=_wrapped(code=_TEXT, detail=_TEXT)), ["error", "detail"]),
        (_wrapped(error=_wrapped(code={"type": "integer"}, message=_TEXT)), ["error", "message"]),
        ({"type": "object", "properties": {"error": _wrapped(reason=_TEXT)}}, ["error", "reason"]),
        (_wrapped(errors={"type": "array", "minItems": 1, "items": _wrapped(text=_TEXT)}), None),
        (_wrapped(messages={"type": "array", "items": _TEXT}), ["messages", 0]),
        ({"type": "array", "minItems": 2, "items": _wrapped(message=_TEXT)}, [1, "message"]),
        (_TEXT, []),
        ({"allOf": [_wrapped(status={"type": "integer"}), _wrapped(why=_TEXT)]}, ["why"]),
        ({"oneOf": [_wrapped(a={"const": 3}), {"type": "null"}]}, None),
        (_wrapped(kind={"type": "string", "enum": ["A", "B"]}, text=_TEXT) | _CLOSED, ["text"]),
        (_wrapped(message=_TEXT | {"maxLength": 5}), None),
        (_wrapped(code={"type": "string", "pattern": "^E[0-9]+$", "examples": ["E1"]}), None),
        (_wrapped(code={"type": "string", "pattern": "^[A-Z]{3}-[0-9]{4}$"}), None),
        (_wrapped(code={"type": "string", "pattern": r"^(E|W)\d{2}(\.[^a-z]+)?$"}), None),
        (
            _wrapped(code={"type": "integer", "minimum": 4000, "multipleOf": 7}, text=_TEXT),
            ["text"],
        ),
        (
            _wrapped(trace={"type": "string", "format": "uuid", "minLength": 20}, text=_TEXT),
            ["text"],
        ),
        (None, None),
    ],
    ids=lambda each: json.dumps(each)[:80] if isinstance(each, dict) else "",
)
def test_errors_have_the_body_of_the_document(
    make: Make, schema: Json | None, place: list[str | int] | None
) -> None:
    """In any form: every status of every operation, and what the sandbox itself refuses."""

    def change(data: Json) -> None:
        for methods in data["paths"].values():
            for each in methods.values():
                for status, response in each["responses"].items():
                    if status >= "400":
                        response.clear()
                        response["description"] = "No."
                        if schema is not None:
                            response["content"] = {"application/json": {"schema": schema}}

    sandbox, wire, _ = make(change, change, check=True)

    def look(response: Any, status: int) -> None:
        assert response.status_code == status, response.text
        if schema is None:
            assert response.content == b""
        else:
            said = response.json()
            for step in place or ():
                said = said[step]
            assert place is None or (isinstance(said, str) and len(said) > 5)

    for path in ("/posts", "/groups/1", "/social-accounts/1", "/posts/1/activities"):
        look(wire("GET", path), 422 if path == "/posts" else 404)
    for document in sandbox.service.contract.documents:
        for each in document.operations.values():
            for status in filter(lambda status: status >= 400, each.responses):
                sandbox.add_fault("status", status=status, operations=each.id, times=1)
                path = re.sub("{[^}]+}", "1", each.path)
                look(wire(each.method, path, media=document.name == "media"), status)
    assert not [each for each in sandbox.requests() if each.problems]


@pytest.mark.parametrize(
    ("name", "rules", "kept"),
    [
        (
            "errors",
            {
                "type": "object",
                "additionalProperties": {"type": "string", "pattern": "^E-[0-9]{3}"},
            },
            "message",
        ),
        ("message", {"type": "string", "pattern": "^E[0-9]{2}$"}, "errors"),
        ("message", {"type": "string", "maxLength": 3}, "errors"),
        ("message", {"type": "string", "pattern": "^(?=.*[a-z])(?!a)[A-Za-z]{4}$"}, "errors"),
    ],
)
def test_what_does_not_fit_an_error_costs_nothing_else_of_it(
    make: Make, name: str, rules: Json, kept: str
) -> None:
    """A member of a form of its own has a value of that form, and all others say what they did."""

    def change(data: Json) -> None:
        data["components"]["schemas"]["ValidationError"]["properties"][name] = rules

    _, plain, _ = make(lambda data: None)
    _, wire, _ = make(change, check=True)
    before, after = (each("POST", "/labels", {"name": " "}).json() for each in (plain, wire))
    assert after[kept] == before[kept]
    assert name not in after or (after[name] and after[name] != before[name])
    if name == "errors":
        assert after[name].keys() == before[name].keys()


@pytest.mark.parametrize("given", [{"rate_limit": 3}, {}])
def test_the_rate_limit(make: Make, given: Json) -> None:
    def change(data: Json) -> None:
        data["x-rate-limit"] |= {"requests": 4, "status": 503, "seconds": 3600}
        for each in data["paths"].values():
            for raw in each.values():
                raw["responses"]["503"] = raw["responses"].pop("429")

    def settings() -> Json:
        return given or {"rate_limit": "documented"}

    _, wire, _ = make(change, **settings())
    limit = given.get("rate_limit", 4)
    for number in range(limit):
        response = wire("GET", "/posts-bulk?ids=1")
        assert response.status_code == 200
        assert response.headers["x-ratelimit-limit"] == str(limit)
        assert response.headers["x-ratelimit-remaining"] == str(limit - number - 1)
    refused = wire("GET", "/posts-bulk?ids=1")
    assert refused.status_code == 503
    said = f"Too many requests: {limit} in 3600 seconds are allowed."
    assert refused.json()["message"] == said
    assert 3000 < int(refused.headers["retry-after"]) <= 3600


@pytest.mark.parametrize(
    ("form", "pattern"), [("milliseconds", r"\d{10}000"), ("duration", r"(60|59|58)s")]
)
def test_the_format_of_the_time_of_reset(make: Make, form: str, pattern: str) -> None:
    _, wire, _ = make(lambda data: data["x-rate-limit"].update(format=form), rate_limit=3)
    assert re.fullmatch(pattern, wire("GET", "/posts-bulk?ids=1").headers["x-ratelimit-reset"])


@pytest.mark.parametrize("header", ["Retry-After", "X-Wait"])
def test_the_time_to_wait_may_be_a_date_and_have_another_name(make: Make, header: str) -> None:
    def change(data: Json) -> None:
        data["x-rate-limit"]["wait"] = header.upper()
        for each in data["paths"].values():
            for raw in each.values():
                headers = raw["responses"]["429"]["headers"]
                headers[header] = headers.pop("Retry-After") | {"schema": {"type": "string"}}

    _, wire, _ = make(change, rate_limit=1)
    wire("GET", "/posts-bulk?ids=1")
    headers = wire("GET", "/posts-bulk?ids=1").headers
    assert [each for each in ("Retry-After", "X-Wait") if each in headers] == [header]
    until = parsedate_to_datetime(headers[header])
    assert 30 < (until - datetime.now(UTC)).total_seconds() <= 60


def test_a_time_to_wait_that_is_not_documented_is_sent_where_a_fault_asks_for_it(
    make: Make,
) -> None:
    def change(data: Json) -> None:
        for each in data["paths"].values():
            for raw in each.values():
                del raw["responses"]["429"]["headers"]["Retry-After"]

    sandbox, wire, _ = make(change, rate_limit=1)
    for kind in ({"retry_after": 0}, {"retry_after": 7}, {}):
        with sandbox.fault("rate-limited", **kind):
            response = wire("GET", "/posts-bulk?ids=1")
        wanted = str(kind["retry_after"]) if kind else None
        assert (response.status_code, response.headers.get("Retry-After")) == (429, wanted)


# Behaviour


def test_the_transitions(make: Make) -> None:
    rows = [
        {"from": ["DRAFT"], "by": "setPostsDraft", "to": "IN_REVIEW"},
        {"from": ["IN_REVIEW"], "by": "clock", "at": "publication_date", "to": "SKIPPED"},
        {"from": ["IN_REVIEW"], "by": "control", "to": "NOT_SCHEDULE", "when": "rejected"},
    ]
    sandbox, wire, _ = make(assume(transitions=rows))
    posts = [sandbox.create_post(publication_date="2026-12-02T00:00:00Z")["id"] for _ in range(2)]
    wire.post("/posts-bulk/draft", {"is_draft": False, "post_ids": posts})
    assert [sandbox.read_post(each)["status"] for each in posts] == [10, 10]
    assert sandbox.reject(posts[0])["status"] == 1
    sandbox.advance(days=1)
    assert [sandbox.read_post(each)["status"] for each in posts] == [1, 37]
    scheduled = sandbox.create_post(status="SCHEDULED", publication_date="2026-12-03T00:00:00Z")
    sandbox.advance(days=9)
    assert sandbox.read_post(scheduled["id"])["status"] == 25


def test_what_the_clock_makes_of_a_post_that_cannot_go_out(make: Make) -> None:
    def no_failing(data: Json) -> None:
        rows = data["x-assume"]["transitions"]
        rows[:] = [each for each in rows if each.get("when") != "an account failed"]

    sandbox, _, known = make(no_failing)
    sandbox.expire_connection(known["threads:bread"])
    post = sandbox.create_post(
        content="Hello",
        status="SCHEDULED",
        publication_date="2026-12-02T00:00:00Z",
        selectedAccountIds=[known["threads:bread"], known["bluesky:bread"]],
    )["id"]
    sandbox.advance(days=2)
    assert sandbox.read_post(post)["status"] == 40


def test_what_the_fields_of_an_update_do(make: Make) -> None:
    words = {
        "isDraft": {"true": "NOT_SCHEDULE", "false": "nothing"},
        "isPublishNow": {"true": "SCHEDULED", "false": "nothing"},
        "shouldSkip": {"false": "DRAFT"},
        "precedence": ["isPublishNow", "isDraft", "should_skip", "publication_date"],
    }
    sandbox, wire, _ = make(assume(updatePost=words))
    post = sandbox.create_post(publication_date="2026-12-09T00:00:00Z")["id"]
    for body, status in (
        ({"isDraft": False}, 5),
        ({"isDraft": True}, 1),
        ({"isPublishNow": True, "should_skip": True, "isDraft": True}, 25),
        ({"should_skip": True}, 37),
        ({"should_skip": False}, 5),
    ):
        assert wire.patch(f"/posts/{post}", body)["status"] == status, body


def test_what_becomes_of_what_is_not_there(make: Make) -> None:
    words = {
        "bulk": {"missing": "refused"},
        "deletedPosts": {"lists": "given", "byId": 200},
        "bulkDraft": {"postIds": "all"},
    }
    sandbox, wire, known = make(assume(**words))
    account = known["threads:bread"]
    post = sandbox.create_post(selectedAccountIds=[account], status="PUBLISHED")["id"]
    assert at_fault(wire.get(f"/posts-bulk?ids={post},1", 422)) == ["ids"]
    response = wire.post("/posts-bulk/draft", {"is_draft": True, "post_ids": [post]})
    assert (response["post_ids"], response["skipped_published"]) == ([post], [post])
    wire.delete(f"/posts-bulk?ids={post}")
    for found in (
        wire.get(f"/posts?groupId={known['Bakery']}")["data"],
        wire.get(f"/posts-bulk?ids={post}"),
    ):
        assert [each["status"] for each in found] == [50]
    assert wire.get(f"/posts/{post}/activities")["data"][0]["event"] == "deletedPost"


def test_deleted_posts_may_be_left_out_of_lists_alone(make: Make) -> None:
    sandbox, wire, known = make(assume(deletedPosts={"lists": "left out", "byId": 200}))
    post = sandbox.create_post(selectedAccountIds=[known["threads:bread"]])["id"]
    wire.delete(f"/posts-bulk?ids={post}")
    assert wire.get(f"/posts?groupId={known['Bakery']}")["data"] == []
    assert wire.get(f"/posts-bulk?ids={post}") == []
    assert wire.get(f"/posts/{post}/activities")["data"][0]["event"] == "deletedPost"


def without(*path: str) -> Callable[[Json], None]:
    """Documents that do not assume the last of these words."""

    def change(data: Json) -> None:
        found = data["x-assume"]
        for name in path[:-1]:
            found = found[name]
        del found[path[-1]]

    return change


@pytest.mark.parametrize(
    ("word", "method", "path", "body", "refused"),
    [
        ("labels.unique", "POST", "/labels", {"name": "News"}, 400),
        ("labels.blank", "POST", "/labels", {"name": " "}, 422),
        ("permissions.clientWrites", "POST", "/labels", {"name": "Mine"}, 403),
        ("groups.maximumBelowHeld", "PUT", "/groups/{Bakery}", {"max_social_accounts": 1}, 400),
        ("limits.integerBits", "PUT", "/groups/{Bakery}", {"max_social_accounts": 2**63}, 422),
        (
            "limits.delayMinutes",
            "PATCH",
            "/posts/{post}",
            {"publication_delay_between": 10_081},
            422,
        ),
        ("limits.years", "PATCH", "/posts/{post}", {"publication_date": "2100-01-01T00:00"}, 422),
        ("updatePost.published", "PATCH", "/posts/{out}", {"content": "Other"}, 422),
        (
            "updatePost.firstComments",
            "PATCH",
            "/posts/{post}",
            {"first_comments": {"customized": [{"socialAccountIds": []}]}},
            422,
        ),
        ("workflow.severalGroups", "PATCH", "/posts/{post}", {"isDraft": False}, 422),
    ],
)
def test_what_is_refused_by_an_assumption_is_taken_without_it(
    make: Make, word: str, method: str, path: str, body: Json, refused: int
) -> None:
    for change, status in ((assume(), refused), (without(*word.split(".")), 200)):
        sandbox, wire, known = make(change)
        chosen = [
            known["threads:bread"],
            known["facebook:wheels"],
        ]  # the second is in a strict group
        for name, state in (("post", "DRAFT"), ("out", "PUBLISHED")):
            made = sandbox.create_post(content="Hello", selectedAccountIds=chosen, status=state)
            known[name] = made["id"]
        token = "cleo" if word.startswith("permissions") else "ada"
        sent = {**GROUP, **body} if method == "PUT" else body
        response = wire.of(token)(method, path.format(**known), sent)
        assert response.status_code == status, response.text


def test_what_an_update_does_to_what_it_does_not_name(make: Make) -> None:
    def after(change: Callable[[Json], None]) -> tuple[object, ...]:
        sandbox, wire, known = make(change)
        post = sandbox.create_post(
            note="Mine",
            labelIds=[known["News"]],
            customized={"threads": {"content": "T"}},
            selectedAccountIds=[known["threads:bread"]],
        )["id"]
        labels = {"labelIds": [known["Rolls"]]}
        wire.patch(f"/posts/{post}", {"customized": {"bluesky": {"content": "B"}}, **labels})
        (shown,) = wire.get(f"/posts?groupId={known['Bakery']}&include=labels")["data"] or [{}]
        names = [each["name"] for each in shown.get("labels", ())]
        (read,) = wire.get(f"/posts-bulk?ids={post}")
        return read["note"], sorted(read["customized"]), names, read["selectedAccountIds"] != []

    assert after(assume()) == ("Mine", ["bluesky"], ["Rolls"], True)
    assert after(without("updatePost", "nested"))[1] == ["bluesky", "threads"]
    assert after(without("updatePost", "labelIds"))[2] == ["News", "Rolls"]
    note, _, _, accounts = after(without("updatePost", "unsent"))
    assert (note, accounts) == (None, False)


def test_a_null_empties_whatever_takes_it(make: Make) -> None:
    """Each field that a post shows as null may take null in an update, once that is confirmed."""
    named: list[str] = []

    def change(data: Json) -> None:
        for name, node in data["components"]["schemas"]["PostUpdate"]["properties"].items():
            if "updatePost.null" in (node.get("x-gap") or ()):
                named.append(name)
                if "$ref" in node:
                    node["anyOf"] = [{"$ref": node.pop("$ref")}, {"type": "null"}]
                elif "null" not in node.get("type", ()):
                    node["type"] = [*node["type"], "null"]

    sandbox, wire, known = make(change, check=True)
    account = known["threads:bread"]
    post = sandbox.create_post(
        content="Bread",
        customized={"threads": {"content": "T"}},
        selectedAccountIds=[account],
        publication_date="2026-12-24T09:00:00Z",
    )["id"]
    assert {"publication_date", "customized", "first_comments", "tw_poll", "pi_boards"} <= {*named}
    for name in named:
        wire.patch(f"/posts/{post}", {name: None})
        assert sandbox.read_post(post).get(name) is None, name
    (read,) = wire.get(f"/posts-bulk?ids={post}")
    assert read["publication_timestamp"] is None and read["has_customized_content"] is False


def test_what_is_put_into_an_object_keeps_it_true(make: Make) -> None:
    sandbox, wire, known = make(without("updatePost", "nested"))
    account = known["threads:bread"]
    post = sandbox.create_post(selectedAccountIds=[account])["id"]
    sent: list[Json] = [{"content": "Old"}, {"content": "New"}, {"media_ids": []}]
    for entry in sent:
        wire.patch(f"/posts/{post}", {"customized": {"threads": entry}})
    wire.patch(f"/posts/{post}", {"customized": {"bluesky": {}}})
    (read,) = wire.get(f"/posts-bulk?ids={post}")
    entry = read["customized"]["threads"]
    assert (entry["content"], json.loads(entry["content_json"])) == ("New", {"text": "New"})
    assert entry["media_ids"] == [] and read["has_customized_content"] is True


def test_accounts_of_a_group_and_days_of_notes(make: Make) -> None:
    words = {
        "groupAccounts": {"getGroup": "left out", "replaceGroup": "included"},
        "noteExtraDay": {"from": "start_date", "addDays": 2},
        "noteRange": "begins",
    }
    sandbox, wire, known = make(assume(**words))
    path = f"/groups/{known['Bakery']}"
    assert "socialAccounts" not in wire.get(path)
    assert wire.put(path, GROUP)["socialAccountsCount"] == 3
    dates = {"start_date": "2026-12-05T09:00:00Z", "end_date": "2026-12-08T09:00:00Z"}
    note = sandbox.create_note(title="Fair", **dates)
    response = wire.post(f"/calendar-notes/{note['id']}/reschedule", dates)
    assert response["end_date_extra_day"] == "2026-12-07T09:00:00Z"
    span = f"{FROM}=2026-12-06T00:00:00Z&{TO}=2026-12-31T00:00:00Z"
    assert wire.get(f"/calendar-notes?{span}") == []


def test_the_zone_and_form_of_dates(make: Make) -> None:
    def change(data: Json) -> None:
        field = data["components"]["schemas"]["PostUpdate"]["properties"]["publication_date"]
        field |= {"x-timezone": "Asia/Tokyo", "x-datetime-format": "%d.%m.%Y %H:%M"}
        field["pattern"] = r"^[0-9.]+ [0-9:]+$"

    sandbox, wire, _ = make(change)
    post = sandbox.create_post()["id"]
    response = wire.patch(f"/posts/{post}", {"publication_date": "24.12.2026 18:00"})
    assert response["publication_date"] == "2026-12-24T09:00:00Z"


def test_limits_and_words_of_media(make: Make) -> None:
    def change(data: Json) -> None:
        words = {"processing": "busy", "ready": "done", "failed": "bad"}
        data["x-assume"]["mediaStatus"] = words
        file = data["components"]["schemas"]["MediaUpload"]["properties"]["file"]
        file |= {"x-max-bytes": 40, "x-file-extensions": ["srt"]}

    sandbox, wire, known = make(lambda data: None, change)

    def upload(name: str, content: bytes) -> tuple[int, Any]:
        files = {"file": (name, content, "text/plain")}
        response = wire("POST", "/upload", media=True, files=files)
        return response.status_code, response.json()

    assert upload("a.png", b"x")[0] == 422
    assert upload("a.srt", b"x" * 41)[0] == 413
    code, made = upload("a.srt", b"1\n00:00:00,000 --> 00:00:01,000\nHi\n")
    assert code == 200
    path = f"/status/{made['id']}"
    assert wire.get(path, media=True)["status"] == "busy"
    sandbox.advance(minutes=1)
    assert wire.get(path, media=True)["status"] in ("done", "bad")
    assert wire.get(f"/status/{known['loaf.png']}", media=True)["status"] == "done"


@pytest.mark.parametrize(
    ("units", "size", "duration"),
    [
        (("bytes", "seconds"), 78643201, 12.5),
        (("kilobytes", "milliseconds"), 78644, 12500),
        (("kibibytes", "minutes"), 76801, 0.208333),
        (("megabytes", "seconds"), 79, 12.5),
        (("mebibytes", "milliseconds"), 76, 12500),
    ],
)
def test_the_units_of_files(make: Make, units: tuple[str, str], size: int, duration: float) -> None:
    """They are shown in the units of the documents; what networks take does not change."""

    def change(data: Json) -> None:
        file = data["components"]["schemas"]["Media"]["properties"]
        file["size"]["x-unit"], file["duration"]["x-unit"] = units
        networks = data["x-assume"].setdefault("networks", {})
        networks["threads"] = {"limits": {"video too large": 78643201, "video too long": 12.5}}
        networks["bluesky"] = {"limits": {"video too large": 78643200}}

    sandbox, wire, known = make(change, lambda data: None)
    file = sandbox.service.store.media.get(known["loaf.png"])
    sandbox.service.store.media.put({**file, "type": 2, "size": 78643201, "duration": 12.5})
    shown = wire.get(f"/status/{file['id']}", media=True)["data"]
    assert (shown["size"], shown["duration"]) == (size, duration)
    post = sandbox.create_post(
        selected_media_ids=[file["id"]],
        status="SCHEDULED",
        publication_date="2026-12-02T00:00:00Z",
        selectedAccountIds=[known["threads:bread"], known["bluesky:bread"]],
    )["id"]
    sandbox.advance(days=2)
    assert [each["status"] for each in sandbox.read_post(post)["details"]] == [40, 35]


@pytest.mark.parametrize(
    ("rule", "expires", "status"),
    [
        ("with any date", "2026-12-25T09:00:00Z", 35),
        ("once past", "2026-12-25T09:00:00Z", 40),
        ("once past", "2026-12-02T00:00:00Z", 35),
        ("once past", "2026-12-02T01:00:00Z", 40),
    ],
)
def test_when_a_connection_must_be_renewed(
    make: Make, rule: str, expires: str, status: int
) -> None:
    sandbox, _, known = make(assume(accounts={"renewal": rule}))
    sandbox.expire_connection(known["threads:bread"], at=expires)
    page = f"http://main.sandbox.test{PAGES}/posts/new?group={known['Bakery']}"
    headers = {"Authorization": f"Bearer {sandbox.control_token}"}
    shown = exchange(sandbox.app, "GET", page, headers=headers).text
    assert shown.count('<span class="flag problem">connection') == (rule == "with any date")
    post = sandbox.create_post(
        content="Hello",
        status="SCHEDULED",
        publication_date="2026-12-02T00:00:00Z",
        selectedAccountIds=[known["threads:bread"]],
    )["id"]
    sandbox.advance(days=2)
    assert sandbox.read_post(post)["status"] == status


@pytest.mark.parametrize("years", [[2000, 2030], [1000, 9998]])
def test_control_takes_the_dates_that_the_service_takes(make: Make, years: list[int]) -> None:
    first, last = years
    sandbox, wire, _ = make(assume(limits={"years": years}))
    for year in (first - 1, first, last, last + 1):
        post, date = sandbox.create_post()["id"], f"{year:04}-06-01T09:00"
        response = wire("PATCH", f"/posts/{post}", json={"publication_date": date})
        assert (response.status_code == 200) == (first <= year <= last), year
        note = {"title": "x", "start_date": f"{date}:00Z", "end_date": f"{date}:00Z"}
        for work, field, given in (
            (
                sandbox.reschedule,
                "publication_date",
                {"post_id": post, "publication_date": f"{date}:00Z"},
            ),
            (sandbox.create_post, "publication_date", {"publication_date": f"{date}:00Z"}),
            (sandbox.create_note, "start_date", note),
        ):
            if first <= year <= last:
                assert work(**given)
            else:
                with pytest.raises(ControlError, match=f"^{field} must be between {first} and"):
                    work(**given)


# Readings of what the service leaves open, each with what another service might do


def test_each_other_reading_is_followed(make: Make) -> None:
    """Of two sandboxes: one with the usual words, one with another word in the place of each."""

    def other(data: Json) -> None:
        words = data["x-assume"]
        words["publishing"]["expiredConnection"] = "publishes"
        words["workflow"]["severalGroups"] = "of the first account"
        words["updatePost"] |= {"lists": "added", "firstComments": "none"}
        words["bulkDraft"]["unmoved"] = "listed"
        words["user"]["Post"] = "never"
        words |= {"getPosts": {"order": "as in lists"}, "listOrder": "oldest first"}
        words["customizedLinkedinPage"] = "dropped"
        for each in operation(data, "listCalendarNotes")["parameters"]:
            if "x-window" in each:
                each["schema"] = {"type": "string", "format": "date"}

    def other_media(data: Json) -> None:
        data["x-assume"] |= {"statusOfUploads": False, "uploadFromUrlLimits": "none"}
        limits = data["components"]["schemas"]["MediaUpload"]["properties"]["file"]
        limits["x-max-bytes"] = 3

    def limited(data: Json) -> None:
        limits = data["components"]["schemas"]["MediaUpload"]["properties"]["file"]
        limits["x-max-bytes"] = 3

    def seen(sandbox: Sandbox, wire: Wire, known: dict[str, str], days: Any) -> list[Any]:
        threads, wheels = known["threads:bread"], known["facebook:wheels"]
        loaf, oven = known["loaf.png"], known["oven.png"]
        made = {"content": "x", "publication_date": "2026-12-02T00:00:00Z"}
        accounts = {"selectedAccountIds": [threads], "selected_media_ids": [loaf]}
        first, second = (sandbox.create_post(**made, **accounts)["id"] for _ in "12")
        found: list[Any] = []
        body = {
            "selected_media_ids": [oven],
            "customized": {"linkedin_page": {"content": "L"}},
            "first_comments": {"customized": [{"socialAccountIds": [threads]}]},
        }
        post = wire.patch(f"/posts/{first}", body)
        found.append([{loaf: "loaf", oven: "oven"}[each] for each in post["selected_media_ids"]])
        found += [[*post["customized"]], [*post["first_comments"]["customized"]], "user" in post]
        listed = [wire.get(f"/posts-bulk?ids={first},{second}")]
        listed.append(wire.get(f"/posts?groupId={known['Bakery']}")["data"])
        found += [[[first, second].index(each["id"]) for each in some] for some in listed]
        both = {"selectedAccountIds": [threads, wheels]}
        wire.patch(f"/posts/{second}", {**both, "isDraft": False}, 422 if days is None else 200)
        found.append(sandbox.read_post(second)["status"])
        failed = sandbox.create_post(status="FAILED", **accounts)["id"]
        moved = wire.post("/posts-bulk/draft", {"is_draft": False, "post_ids": [failed]})
        found.append(len(moved["post_ids"]))
        wire.patch(f"/posts/{first}", {"isDraft": False, "selectedAccountIds": [threads]})
        sandbox.expire_connection(threads)
        for at in ("2026-12-05T23:59:59Z", "2026-12-06T00:00:00Z"):
            sandbox.create_note(title=at[8:10], start_date=at, end_date=at)
        start, end = days or ("2026-12-05T00:00:00Z", "2026-12-06T00:00:00Z")
        notes = wire.get(f"/calendar-notes?{FROM}={start}&{TO}={end}")
        found.append([each["title"] for each in notes])
        sandbox.advance(days=3)
        found.append(sandbox.read_post(first)["status"])
        files = {"/a.exe": b"abc", "/a.srt": b"four"}
        with serve(lambda asked: Response(body=files[asked.path])) as server:
            for path in files:
                given = {"file_url": f"{server.origin}{path}"}
                fetched = wire("POST", "/upload/url/sync", given, media=True)
                found.append(fetched.json().get("error", "fetched")[:24])
        form = {"file": ("a.srt", b"abc", "text/plain")}
        upload = wire.answered(wire("POST", "/upload", media=True, files=form))["id"]
        states = (wire("GET", f"/status/{each}", media=True) for each in (upload, loaf))
        return [*found, *(each.status_code for each in states)]

    fetching = {"fetch_hosts": ["*"], "fetch_private": True}
    usual = seen(*make(lambda data: None, limited, **fetching), None)
    assert usual == [
        *(["oven"], ["linkedin_page"], ["threads"], True, [0, 1], [1, 0], 5, 0, ["05", "06"]),
        *(35, "The file must have one o", "The file is larger than ", 200, 200),
    ]
    unusual = seen(*make(other, other_media, **fetching), ("2026-12-05", "2026-12-05"))
    assert unusual == [
        *(["loaf", "oven"], [], [], False, [0, 1], [0, 1], 25, 1, ["05"]),
        *(40, "fetched", "fetched", 404, 200),
    ]


def test_what_a_replacement_of_a_group_cannot_set(make: Make) -> None:
    """Those that somebody could have chosen; what the service sets stays."""
    chosen = {"approval_workflow": 2, "avatar": "https://a.example/a.png", "color": 5}
    chosen |= {"country": "DE", "post_task_templates_enabled": True}
    initial = {**dict.fromkeys(chosen), "color": 1, "post_task_templates_enabled": False}
    for word, wanted in (("kept", chosen), ("reset", initial)):
        sandbox, wire, known = make(assume(groups={"unsent": word}))
        group = sandbox.service.store.groups.get(known["Garage"])
        sandbox.service.store.groups.put(group | chosen)
        after = wire.put(f"/groups/{known['Garage']}", {**GROUP, "type": 3})
        assert {each: after.get(each) for each in chosen} == wanted
        assert after["created_at"] == group["created_at"]


def test_a_task_where_the_integration_is_not_active(make: Make) -> None:
    for word, there in (("left out", False), ("null", True)):
        sandbox, wire, known = make(assume(taskIntegration={"inactive": word}))
        post = sandbox.create_post(selectedAccountIds=[known["threads:bread"]])["id"]
        (shown,) = wire.get(f"/posts-bulk?ids={post}")
        assert ("cu_task_id" in shown, shown.get("cu_task_id")) == (there, None)


def test_the_order_of_notes_and_those_of_all_groups(make: Make) -> None:
    span = f"{FROM}=2026-12-01T00:00:00Z&{TO}=2026-12-31T00:00:00Z"
    for rules, listed in (
        ({"order": "earliest first", "withoutGroup": "included"}, ["first", "second"]),
        ({"order": "latest first", "withoutGroup": "included"}, ["second", "first"]),
        ({"order": "earliest first", "withoutGroup": "left out"}, ["second"]),
    ):
        sandbox, wire, known = make(assume(notes=rules))
        for day, title, group in ((9, "second", known["Bakery"]), (5, "first", None)):
            at = f"2026-12-0{day}T09:00:00Z"
            sandbox.create_note(title=title, group_id=group, start_date=at, end_date=at)
        notes = wire.get(f"/calendar-notes?{span}&groupId={known['Bakery']}")
        assert [each["title"] for each in notes] == listed


def test_a_count_of_which_nothing_is_said_is_zero(make: Make) -> None:
    sandbox, wire, known = make(assume(overview={"rejected": {"states": ["DRAFT"]}}))
    for status in ("DRAFT", "IN_REVIEW", "REVIEW_MISSED"):
        sandbox.create_post(status=status)
    found = wire.get(f"/widgets/dashboard/todos-posts/{known['Bakery']}")
    counts = {name: bool(found[name]) for name in ("needsApproval", "rejected", "missedReview")}
    assert counts == {"needsApproval": False, "rejected": True, "missedReview": False}


def test_who_is_an_approver(make: Make) -> None:
    for word, refused in (("who can approve", True), ("any assignee", False)):
        workflow = {"severalGroups": "strictest", "approver": word}
        sandbox, wire, known = make(assume(workflow=workflow))
        post = sandbox.create_post(
            selectedAccountIds=[known["facebook:wheels"]], assigneesIds=[known["Max"]]
        )["id"]
        result = wire.post("/posts-bulk/draft", {"is_draft": False, "post_ids": [post]})
        assert (result["skipped_no_assignee"] == [post]) is refused


def test_deleting_from_networks_that_keep_their_posts(make: Make) -> None:
    for word, status in (("left there", 204), ("refused", 422)):
        sandbox, wire, known = make(assume(deletePosts={"keptNetworks": word}))
        accounts = [known["threads:bread"]]
        post = sandbox.create_post(status="PUBLISHED", selectedAccountIds=accounts)["id"]
        wire.delete(f"/posts-bulk?ids={post}&deleteFromNetworks=true", status)
        assert (sandbox.read_post(post)["status"] == 50) is (status == 204)
        wire.delete(f"/posts-bulk?ids={post}")


def test_the_order_of_accounts_with_a_delay(make: Make) -> None:
    for word, is_turned in (("as selected", False), ("oldest account first", True)):
        sandbox, wire, known = make(assume(publishing={"order": word, "failures": []}))
        oldest = sorted((known["threads:bread"], known["bluesky:bread"]), key=int)
        post = sandbox.create_post(selectedAccountIds=oldest)["id"]
        wire.patch(f"/posts/{post}", {"selectedAccountIds": oldest[::-1]})
        order = [each["social_account_id"] for each in sandbox.read_post(post)["details"]]
        assert order == (oldest if is_turned else oldest[::-1])


def test_a_post_without_accounts(make: Make) -> None:
    for word, status in (("taken", 200), ("refused", 422)):
        sandbox, wire, known = make(assume(updatePost={"noAccounts": word}))
        post = sandbox.create_post(selectedAccountIds=[known["threads:bread"]])["id"]
        wire.patch(f"/posts/{post}", {"selectedAccountIds": []}, status)


def test_labels_of_a_group_that_a_post_has_left(make: Make) -> None:
    for word, status in (("kept", 200), ("refused", 422)):
        sandbox, wire, known = make(assume(labels={"otherGroup": word}))
        post = sandbox.create_post(
            selectedAccountIds=[known["threads:bread"]], labelIds=[known["Rolls"]]
        )["id"]
        wire.patch(f"/posts/{post}", {"selectedAccountIds": [known["facebook:wheels"]]})
        wire.patch(f"/posts/{post}", {"labelIds": [known["Rolls"], known["News"]]}, status)
        wire.patch(f"/posts/{post}", {"labelIds": [known["News"]]})
        wire.patch(f"/posts/{post}", {"labelIds": [known["Rolls"]]}, 422)


def test_what_counts_of_a_request_without_a_user(make: Make) -> None:
    for word, left in (("one budget", 58), ("not counted", 60)):
        rate = {"withoutUser": word}
        sandbox, _, _ = make(assume(rateLimit=rate), rate_limit=60)
        nobody = Wire(sandbox, "")
        for _ in range(2):
            headers = nobody("GET", "/posts-bulk?ids=7").headers
        assert headers["x-ratelimit-remaining"] == str(left)


@pytest.mark.parametrize(
    "schema",
    [
        *({"type": "integer", "exclusiveMinimum": each} for each in (-1, 0, 5)),
        *({"type": "integer", "minimum": each, "multipleOf": 5} for each in (-7, 0, 7, 10)),
        *({"type": "integer", "maximum": each} for each in (-3, 3)),
        *({"type": "string", "minLength": each} for each in (1, 7)),
        *({"type": "string", "pattern": each} for each in ("^[A-Z]{2}-\\d+$", "^(a|b)?[^x]+$")),
        *({"type": "string", "format": each} for each in ("uuid", "ipv4", "hostname", "time")),
    ],
)
def test_of_each_form_there_is_a_value(schema: Json) -> None:
    valid = contract.load().main.validator(schema).is_valid
    assert any(map(valid, samples(schema)))


def test_a_refusal_that_nothing_fits_is_a_failure_of_the_sandbox(make: Make) -> None:
    def change(data: Json) -> None:
        schema = {"type": "object", "required": ["x"], "properties": {"x": {"not": {}}}}
        content = {"application/json": {"schema": schema}}
        operation(data, "getGroup")["responses"]["404"] = {"description": "", "content": content}

    for check, status in ((True, 500), (False, 404)):
        sandbox, wire, _ = make(change, check=check)
        assert wire("GET", "/groups/1").status_code == status
        assert bool(sandbox.requests()[0].problems) is check


def test_of_several_successes_the_least_is_given(make: Make) -> None:
    def change(data: Json) -> None:
        responses = operation(data, "getGroup")["responses"]
        operation(data, "getGroup")["responses"] = {"202": {"description": ""}, **responses}

    _, wire, known = make(change)
    assert wire("GET", f"/groups/{known['Bakery']}").status_code == 200


def test_what_is_documented_and_not_read_is_named_and_changes_nothing(make: Make) -> None:
    def change(data: Json) -> None:
        more = {"name": "since", "in": "query", "schema": {"type": "string"}}
        operation(data, "getGroup")["parameters"].append(more)
        members = data["components"]["schemas"]["PostUpdate"]["properties"]
        members |= {name: {"type": "string"} for name in ("mood", "tone")}

    sandbox, wire, known = make(change)
    post, group = sandbox.create_post(content="Before"), f"/groups/{known['Bakery']}"
    body = {"content": "After", "tone": "high", "mood": "good"}
    refused = wire("PATCH", f"/posts/{post.id}", body)
    said = "The sandbox does not read tone and mood of updatePost: its handler, in "
    assert refused.status_code == 501 and refused.json()["message"].startswith(said)
    assert sandbox.read_post(post.id).content == "Before"
    refused = wire("GET", f"{group}?since=x")
    assert refused.status_code == 501 and "read since of getGroup" in refused.json()["message"]
    assert wire.get(f"{group}?sins=x")["id"] == known["Bakery"]


def test_a_request_that_accepts_another_format(make: Make) -> None:
    for word, status in (("passed over", 200), ("refused", 406)):
        _, wire, _ = make(assume(requests={"otherAccept": word}))
        answer = wire("GET", "/posts-bulk?ids=7", headers={"Accept": "text/html"})
        assert answer.status_code == status
        assert wire("GET", "/posts-bulk?ids=7").status_code == 200
        for takes in ("*/*", "application/*", "text/html, application/*;q=0.8", "*/*; Q=1"):
            answer = wire("GET", "/posts-bulk?ids=7", headers={"Accept": takes})
            assert answer.status_code == 200, takes
        nearest = "*/*, application/*;q=0", "application/*, application/json;q=0, */*"
        for takes in (
            "text/*",
            "application/*;q=0",
            "*/*; q=0.000",
            "application/json;q=0",
            *nearest,
        ):
            answer = wire("GET", "/posts-bulk?ids=7", headers={"Accept": takes})
            assert answer.status_code == status, takes


def test_what_a_request_does_without_what_it_need_not_name(make: Make) -> None:
    def optional(data: Json) -> None:
        for name, schema in data["components"]["schemas"].items():
            if name.endswith(("Move", "Update", "Reschedule", "Creation", "Upload", "Replacement")):
                schema["required"] = []
        for methods in data["paths"].values():
            for raw in methods.values():
                for each in raw.get("parameters", ()) if isinstance(raw, dict) else ():
                    if each.get("in") == "query":
                        each["required"] = False

    sandbox, wire, known = make(optional, optional)
    account = known["facebook:wheels"]
    post = sandbox.create_post(selectedAccountIds=[account])["id"]
    dates = {"start_date": "2026-12-05T09:00:00Z", "end_date": "2026-12-08T09:00:00Z"}
    note = sandbox.create_note(title="Fair", **dates)["id"]
    wire.patch(f"/social-accounts/{account}/group", {}, 204)
    assert wire.get(f"/social-accounts/{account}")["group_id"] == known["Garage"]
    nothing = {
        "post_ids": [],
        "partial": False,
        "skipped_no_assignee": [],
        "skipped_published": [],
    }
    for body in ({"post_ids": [post]}, {"is_draft": False}, {}):
        assert wire.post("/posts-bulk/draft", body) == nothing
    assert sandbox.read_post(post)["status"] == 5
    assert wire.get("/posts-bulk") == []
    wire.delete("/posts-bulk")
    assert sandbox.read_post(post)["status"] == 5
    later = "2026-12-09T09:00:00Z"
    for sent, start, end in (
        ({"end_date": later}, dates["start_date"], later),
        ({"start_date": "2026-12-07T09:00:00Z"}, "2026-12-07T09:00:00Z", later),
        ({}, "2026-12-07T09:00:00Z", later),
    ):
        moved = wire.post(f"/calendar-notes/{note}/reschedule", sent)
        assert (moved["start_date"], moved["end_date"]) == (start, end)
        assert wire.put(f"/calendar-notes/{note}", {})["end_date"] == end
    assert wire.put(f"/groups/{known['Garage']}", {})["name"] == "Garage"
    assert at_fault(wire.post("/labels", {}, 422)) == ["name"]
    assert wire("POST", "/upload/url/sync", {}, media=True).status_code == 422
    assert len(wire.get("/calendar-notes")) == 1
    assert wire.get(f"/calendar-notes?{TO}=2026-01-01T00:00:00Z") == []
    assert sandbox.requests(status=500) == []


@functools.cache
def removable(name: str) -> list[tuple[Any, ...]]:
    """Return what a confirmation may take away of a document: what has a gap, and what a server is
    assumed to do; inner places first, of a list the later ones.
    """
    data = getattr(contract.load(), name).data
    is_valid = jsonschema_rs.Draft202012Validator(demands.assumed_words(data)).is_valid

    def places(node: Any, *at: Any) -> Iterator[tuple[Any, ...]]:
        inner = [*(node.items() if isinstance(node, dict) else enumerate(node))][::-1]
        for key, each in inner:
            if isinstance(each, dict | list):
                yield from places(each, *at, key)
            marked = isinstance(each, dict) and "x-gap" in each
            if at[:1] == ("x-assume",) or (marked and at[-1] in ("parameters", "properties")):
                yield *at, key

    def may_go(place: tuple[Any, ...]) -> bool:
        rest = {"x-assume": copy.deepcopy(data["x-assume"])}
        if place[0] == "x-assume":
            remove(rest, place)
        return is_valid(rest["x-assume"]) and place[-1] != "file"  # an upload of none

    return [place for place in places(data) if may_go(place)]


def remove(data: Json, place: tuple[Any, ...]) -> None:
    *around, last = place
    node: Any = data
    for step in around:
        owner, node = node, node[step]
    if around[-1] == "properties" and last in owner.get("required", ()):
        owner["required"].remove(last)
    del node[last]
    for each in node if around[-1] == "parameters" else ():
        each.pop("x-window", None)  # as of half a window


@pytest.mark.parametrize("part", range(24))
def test_whatever_is_taken_away_no_request_fails(
    make: Make, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    """As with the documents that are shipped, which have no others to fall back on."""

    def read(folder: str, name: str, text: bytes) -> contract.Document:
        return contract.Document(name, json.loads(text))

    def change(name: str, data: Json) -> None:
        assert len(removable(name)) > 10
        for place in removable(name)[part::24]:
            with suppress(LookupError):  # what it stood in is gone already
                remove(data, place)

    monkeypatch.setattr(contract, "_load_custom", read)
    sandbox, wire, known = make(partial(change, "main"), partial(change, "media"), check=True)
    group, accounts = known["Bakery"], [known["threads:bread"], known["facebook:wheels"]]
    states = ("DRAFT", "SCHEDULED", "PUBLISHED")
    dated = {"publication_date": "2026-12-01T09:00:00Z", "selectedAccountIds": accounts}
    post, planned, out = (sandbox.create_post(status=each, **dated)["id"] for each in states)
    note = sandbox.create_note(title="Fair", start_date=START, end_date=END)["id"]
    span = f"{FROM}=2026-12-01T00:00:00Z&{TO}=2026-12-31T00:00:00Z"
    comments = {"customized": [{"socialAccountIds": accounts[:1], "content": "x"}]}
    fields = {"labelIds": [known["News"]], "publication_date": "2026-12-07T10:00"}
    whole = {"first_comments": comments, "customized": {"threads": {"content": "Hi"}}, **fields}
    for method, path, body in (
        *(("GET", f"/posts?groupId={group}&include={each}", None) for each in ("labels", "x")),
        ("GET", f"/posts-bulk?ids={post},{out}", None),
        ("GET", f"/posts/{out}/metrics", None),
        ("GET", f"/posts/{post}/activities", None),
        *(("PATCH", f"/posts/{post}", {name: each}) for name, each in whole.items()),
        ("PATCH", f"/posts/{post}", {"content": "Hello", "isDraft": False, "should_skip": True}),
        ("POST", "/posts-bulk/draft", {"post_ids": [planned, out], "is_draft": True}),
        ("PATCH", f"/posts/{planned}", {"isPublishNow": True}),
        *(("GET", f"/calendar-notes?{each}", None) for each in (span, f"{TEAM}={group}", TO)),
        ("PUT", f"/calendar-notes/{note}", NOTE),
        ("POST", f"/calendar-notes/{note}/reschedule", {"start_date": START, "end_date": END}),
        ("DELETE", f"/calendar-notes/{note}?{SERIES}=true", None),
        ("GET", f"/groups/{group}?include=socialAccounts", None),
        ("PUT", f"/groups/{group}", GROUP),
        ("GET", f"/social-accounts/{accounts[0]}", None),
        ("PATCH", f"/social-accounts/{accounts[0]}/group", {"group_id": known["Garage"]}),
        ("GET", f"/widgets/dashboard/todos-posts/{group}", None),
        ("POST", "/labels", {"name": "New"}),
        ("DELETE", f"/labels/{known['News']}", None),
        ("DELETE", f"/posts-bulk?ids={out}&{NETWORKS}=true&{TASKS}=true", None),
    ):
        wire(method, path, body)
    wire("POST", "/upload", media=True, files={"file": ("a.srt", b"abc", "text/plain")})
    wire("GET", f"/status/{known['loaf.png']}", media=True)
    sandbox.advance(days=10)
    assert [each.path for each in sandbox.requests(status="5xx")] == []


@pytest.mark.parametrize(
    ("place", "kept"),
    [
        (lambda data: operation(data, "listCalendarNotes")["parameters"][0], 500),
        (lambda data: data["components"]["schemas"]["Label"], 500),
        (lambda data: data["components"]["schemas"]["SocialAccount"], 200),
        (lambda data: operation(data, "getSocialAccount")["responses"]["200"], 200),
    ],
)
def test_only_what_is_confirmed_may_be_of_another_form(
    make: Make, place: Callable[[Json], Json], kept: int
) -> None:
    """A success of which nothing was confirmed is held against the documents as before."""

    def change(data: Json) -> None:
        node = place(data)
        node["x-confirmed"] = ["post.media"]

    sandbox, wire, _ = make(change, check=True)
    store = sandbox.service.store
    account = sandbox.find("social_accounts")[0]["id"]
    known = store.accounts.get(account)
    assert known is not None
    store.accounts.put({**known, "name": 7}, store.key(known["group_id"]))
    assert wire("GET", f"/social-accounts/{account}").status_code == kept
