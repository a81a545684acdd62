"""The dlt source, with dlt and DuckDB as they are, against the sandbox."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dlt
import duckdb
import msgspec
import pytest
from cli_support import GROUP
from dlt.pipeline.exceptions import PipelineStepFailed
from msgspec import inspect
from social_publishing import (
    AsyncSocialPublishing,
    Pacing,
    RateLimitReached,
    SocialPublishing,
)
from social_publishing.models import Post, PostStatus

from social_publishing_cli import dlt_source
from social_publishing_cli.dlt_source import social_publishing
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api.faults.fault import Fault
from tests.support.documents import documents

OTHER = "9032915132417572867"


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let dlt report nothing to its makers, and read no settings of whoever runs the tests."""
    monkeypatch.setenv("RUNTIME__DLTHUB_TELEMETRY", "false")
    monkeypatch.setenv("DLT_PROJECT_DIR", str(tmp_path))
    monkeypatch.setenv("DLT_DATA_DIR", str(tmp_path))


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    """A service whose moment is ours, as that of a warehouse is, and whose numbers stand still."""
    with Sandbox(now=datetime.now(UTC), clock="frozen", rate_limit=None) as made:
        yield made


@pytest.fixture
def pipeline(tmp_path: Path) -> Iterator[Any]:
    made = dlt.pipeline(
        "posts",
        pipelines_dir=str(tmp_path / "pipelines"),
        destination=dlt.destinations.duckdb(str(tmp_path / "posts.duckdb")),
        dataset_name="social",
    )
    yield made
    made.deactivate()


def query(folder: Path, text: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(folder / "posts.duckdb"), read_only=True) as connection:
        connection.execute("set search_path = 'social'; set timezone = 'UTC'")
        return connection.execute(text).fetchall()


def asked(sandbox: Sandbox, since: int = 0) -> dict[str, list[str]]:
    """Return the paths of requests by operation, from one on."""
    found: dict[str, list[str]] = {}
    for each in [*sandbox.requests()][since:]:
        found.setdefault(each.operation or "", []).append(each.path)
    return found


def test_a_warehouse_has_what_the_client_reads_and_asks_again_only_for_what_changed(
    sandbox: Sandbox, client: SocialPublishing, pipeline: Any, tmp_path: Path
) -> None:
    posts = {post.id: post for post in client.posts.list(group_id=GROUP)}
    published = [post for post in posts.values() if post.status == 40]
    assert len(published) > 3 and len(posts) > len(published)
    start = len([*sandbox.requests()])
    pipeline.run(social_publishing(client, group_id=GROUP))
    first = asked(sandbox, start)
    assert {name: len(paths) == len(set(paths)) for name, paths in first.items()} == {
        "listPosts": True,
        "getPostMetrics": True,
        "listPostActivities": True,
    }
    assert len(first["getPostMetrics"]) == len(published)
    assert len(first["listPostActivities"]) == len(posts)

    rows = query(tmp_path, "select id, status, status_name, publication_date, content from posts")
    assert {row[0]: row[1:] for row in rows} == {
        each.id: (each.status, each.status.name.lower(), each.publication_date, each.content)
        for each in posts.values()
    }
    assert len(rows) == len(posts) and max(int(row[0]) for row in rows) > 2**63
    metrics = query(tmp_path, "select of_post, post_detail_id, views, engagements from metrics")
    wanted = [
        (post.id, detail, metric.views, metric.engagements)
        for post in published
        for detail, metric in client.posts.metrics(post.id).items()
    ]
    assert sorted(metrics) == sorted(wanted)
    # Each metric has its post, its detail and its account.
    joined = """
        select count(*) from metrics
        join posts on posts.id = metrics.of_post
        join post_details on post_details.id = metrics.post_detail_id
        join social_accounts on social_accounts.id = metrics.social_account_id
    """
    assert query(tmp_path, joined) == [(len(wanted),)]
    # A column without any value is there, and nobody's address is.
    assert query(tmp_path, "select count(*), count(cu_task_id) from posts") == [(len(posts), 0)]
    people = [user for user in sandbox.find("users") if user.email]
    assert people
    for (table,) in query(tmp_path, "select table_name from information_schema.tables"):
        text = str(query(tmp_path, f"from {table}"))
        assert not [user for user in people if user.email in text], table

    changed = published[0].id
    client.posts.update(changed, note="Asked Maria")
    logs = len([*client.posts.activities(changed)])
    start = len([*sandbox.requests()])
    pipeline.run(social_publishing(client, group_id=GROUP, metrics_days=0))
    again = asked(sandbox, start)
    assert again.pop("listPosts") == first["listPosts"]
    assert again == {"listPostActivities": [f"/v1/posts/{changed}/activities"]}
    counts = f"""
        select (select count(*) from posts), (select count(*) from metrics),
            (select note from posts where id = '{changed}'),
            (select count(*) from activities where of_post = '{changed}')
    """
    assert query(tmp_path, counts) == [(len(posts), len(wanted), "Asked Maria", logs)]
    # Those that are young are read again, each once.
    start = len([*sandbox.requests()])
    pipeline.extract(social_publishing(client, group_id=GROUP, metrics_days=10_000))
    young = {name: sorted(paths) for name, paths in asked(sandbox, start).items()}
    assert young.pop("listPosts") == first["listPosts"]
    assert young == {"getPostMetrics": sorted(first["getPostMetrics"])}


@pytest.mark.parametrize("seconds", [-1, 0, 1])
@pytest.mark.parametrize(("out", "planned"), [(9, 30), (30, 9), (None, 9)])
def test_metrics_are_read_until_a_post_was_old_enough(
    out: int | None, planned: int, seconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is as old as the moment at which it went out says; where none is known, as its date."""
    days = [each and datetime.now(UTC) - timedelta(each) for each in (out, planned)]
    read = ((days[0] or days[1]) + timedelta(7, seconds)).isoformat()  # type: ignore[operator]
    monkeypatch.setattr(dlt.current, "resource_state", lambda: {"read": {"1": read}})
    post = Post(id="1", status=PostStatus.PUBLISHED, published_at=days[0], publication_date=days[1])
    asked: list[str] = []
    client: Any = SimpleNamespace(posts=SimpleNamespace(metrics=asked.append))
    [*dlt_source._Reading(client, [], timedelta(7), None).metrics([post])]
    assert asked == ["1"] * (seconds < 0)


def test_a_run_leaves_the_rest_to_the_next(
    sandbox: Sandbox, client: SocialPublishing, pipeline: Any
) -> None:
    """Together they ask for each thing once, and none asks for more than it may."""
    runs: list[list[str]] = [[""]]
    while runs[-1] and len(runs) < 9:
        start = len([*sandbox.requests()])
        pipeline.extract(
            social_publishing(client, group_id=[GROUP, OTHER], metrics_days=0, most_requests=20)
        )
        found = asked(sandbox, start)
        assert found.pop("listPosts")
        runs.append([path for each in found.values() for path in each])
    posts = [p for group in (GROUP, OTHER) for p in client.posts.list(group_id=group)]
    published = [post for post in posts if post.status == 40]
    assert [len(each) for each in runs[1:]] == [20, 20, len(posts) + len(published) - 40, 0]
    assert len({path for each in runs[1:] for path in each}) == len(posts) + len(published)


def test_all_requests_are_on_one_budget(pipeline: Any) -> None:
    """A client that may not wait ends the run before the service refuses; nothing is kept."""
    with Sandbox(rate_limit=6) as sandbox, sandbox.client(pacing=Pacing("raise")) as client:
        with pytest.raises(PipelineStepFailed) as caught:
            pipeline.extract(social_publishing(client, group_id=GROUP))
        assert isinstance(caught.value.__cause__.__cause__, RateLimitReached)  # type: ignore[union-attr]
        statuses = [each.status for each in sandbox.requests()]
    assert statuses == [200] * 6
    assert not pipeline.state.get("sources", {}).get("social_publishing", {}).get("resources")


def test_a_post_that_is_deleted_meanwhile_is_left_out(
    sandbox: Sandbox, client: SocialPublishing, pipeline: Any
) -> None:
    for name in ("getPostMetrics", "listPostActivities"):
        given = {"kind": "status", "status": 404, "times": 1, "operations": [name]}
        sandbox.faults.add(Fault.from_json(given, {name: name}))
    pipeline.extract(social_publishing(client, group_id=GROUP))
    found = asked(sandbox)
    state = pipeline.state["sources"]["social_publishing"]["resources"]
    known = len(state["metrics"]["read"]) + len(state["activities"]["updated"])
    assert known == len(found["getPostMetrics"]) + len(found["listPostActivities"]) - 2


@pytest.mark.parametrize("name", ["getPostMetrics", "listPostActivities"])
def test_what_is_refused_for_another_reason_ends_the_load(
    sandbox: Sandbox, client: SocialPublishing, pipeline: Any, name: str
) -> None:
    sandbox.add_fault("status", status=403, operations=name)
    with pytest.raises(PipelineStepFailed, match="403"):
        pipeline.extract(social_publishing(client, group_id=GROUP))


def test_all_are_read_before_any_is_read_again(
    sandbox: Sandbox, client: SocialPublishing, pipeline: Any
) -> None:
    """However few requests a run may send, no post waits for ever; then it begins anew."""
    posts = [post.id for post in client.posts.list(group_id=GROUP) if post.status == 40]
    assert len(posts) % 3 and len(posts) > 6
    read: list[str] = []
    while len(read) < 2 * len(posts):
        start = len([*sandbox.requests()])
        source = social_publishing(client, group_id=GROUP, metrics_days=10_000, most_requests=3)
        pipeline.extract(source.with_resources("metrics"))
        found = asked(sandbox, start)["getPostMetrics"]
        assert 0 < len(found) <= 3
        read += found
    assert len({*read[: len(posts)]}) == len({*read[len(posts) : 2 * len(posts)]}) == len(posts)


def test_details_that_are_no_objects_are_values(
    client: SocialPublishing, pipeline: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a service that has confirmed another shape."""
    first, *_ = client.posts.list(group_id=GROUP)
    odd = msgspec.structs.replace(first, details=["a", 1])
    pages = SimpleNamespace(pages=lambda: [SimpleNamespace(data=[odd])])
    monkeypatch.setattr(type(client.posts), "list", lambda self, **_: pages)
    pipeline.run(social_publishing(client, group_id=GROUP).with_resources("post_details"))
    found = query(tmp_path, "select value, of_post from post_details order by value")
    assert found == [('"a"', first.id), ("1", first.id)]


def test_a_post_of_two_groups_is_kept_once(
    client: SocialPublishing, sandbox: Sandbox, pipeline: Any, tmp_path: Path
) -> None:
    """Also where a group is named twice."""
    posts = [*client.posts.list(group_id=GROUP)]
    start = len([*sandbox.requests()])
    pipeline.run(social_publishing(client, group_id=[GROUP, GROUP]))
    for paths in asked(sandbox, start).items():
        assert paths[0] == "listPosts" or len(paths[1]) == len({*paths[1]})
    details = sum(len(post.details or ()) for post in posts)
    assert query(tmp_path, "select count(*), count(distinct id) from post_details") == [
        (details, details)
    ]
    assert query(tmp_path, "select count(*) from posts") == [(len(posts),)]


GONE = "select count(*) from posts where _dlt_load_id < (select max(load_id) from _dlt_loads)"


def test_a_group_without_posts_has_tables_and_deleted_posts_are_known(
    client: SocialPublishing, pipeline: Any, tmp_path: Path
) -> None:
    posts = [post.id for post in client.posts.list(group_id=GROUP)]
    other = [*client.posts.list(group_id=OTHER)]
    assert len(posts) > 2 and other
    pipeline.run(social_publishing(client, group_id=GROUP))
    assert query(tmp_path, GONE) == [(0,)]
    for number in (2, len(posts)):
        client.posts.delete_many(ids=posts[:number])
        posts_left = [*client.posts.list(group_id=GROUP)]
        assert len(posts_left) == len(posts) - number
        pipeline.run(social_publishing(client, group_id=GROUP))
        assert query(tmp_path, GONE) == [(number,)]
        assert query(tmp_path, "select count(*) from posts") == [(len(posts),)]

    empty = dlt.pipeline(
        "empty",
        pipelines_dir=str(tmp_path / "pipelines"),
        destination=dlt.destinations.duckdb(str(tmp_path / "posts.duckdb")),
        dataset_name="empty",
    )
    empty.run(social_publishing(client, group_id=GROUP))
    pipeline.activate()
    for name in ("posts", "post_details", "social_accounts", "metrics", "activities"):
        assert query(tmp_path, f"select count(*) from empty.{name}") == [(0,)]


DAYS = "metrics_days must be a number from 0 to 36,500, got {}"
REQUESTS = "most_requests must be None or an integer of at least 1, got {}"
CLIENT = "client must be what SocialPublishing() returns, got {}"
GROUPS = "group_id must be an identifier or a list of them, got {}"


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("metrics_days", ["30", None, True, float("nan"), 1e9, float("inf"), -1, 36_501], DAYS),
        ("most_requests", ["9", True, 0, -1, 1.5, float("nan")], REQUESTS),
        ("group_id", [7, None, True, b"7", {"7": 1}, 1.5], GROUPS),
    ],
)
def test_what_it_refuses(
    name: str, values: list[object], message: str, client: SocialPublishing, sandbox: Sandbox
) -> None:
    """Each where the source is made, by the name of the argument; and nothing is sent."""
    for value in values:
        wrong: Any = {"group_id": GROUP, name: value}
        with pytest.raises(ValueError) as caught:
            social_publishing(client, **wrong)
        assert str(caught.value) == message.format(repr(value))
    assert [*sandbox.requests()] == []


@pytest.mark.parametrize("group_id", ["", [], ["x"], ["7", 7], [None], "Bakery", "9" * 25])
def test_it_refuses_a_group_that_is_none(
    group_id: Any, client: SocialPublishing, sandbox: Sandbox
) -> None:
    with pytest.raises(ValueError, match="group_id"):
        social_publishing(client, group_id=group_id)
    assert [*sandbox.requests()] == []


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (None, "NoneType"),
        ("token", "str"),
        (SocialPublishing, "the class SocialPublishing"),
        (
            AsyncSocialPublishing(api_token="t", base_url="https://a.invalid/v1"),
            "AsyncSocialPublishing",
        ),
    ],
    ids=["none", "text", "class", "async"],
)
def test_it_refuses_what_is_no_client(given: Any, what: str) -> None:
    with pytest.raises(ValueError) as caught:
        social_publishing(given, group_id=GROUP)
    assert str(caught.value) == CLIENT.format(what)


def test_all_problems_are_named_at_once_and_limits_are_taken(client: SocialPublishing) -> None:
    nothing: Any = None
    with pytest.raises(ValueError) as caught:
        social_publishing(nothing, group_id=nothing, metrics_days=-1, most_requests=0)
    assert str(caught.value) == "; ".join(
        [
            CLIENT.format("NoneType"),
            DAYS.format(-1),
            REQUESTS.format(0),
            GROUPS.format(None),
        ]
    )
    for days, most in ((0, 1), (36_500, 10**9), (0.5, None)):
        source = social_publishing(
            client.with_options(retries=1), group_id=(GROUP,), metrics_days=days, most_requests=most
        )
        assert "posts" in source.resources


def test_date_times_and_numbers_have_the_types_of_the_documents() -> None:
    schemas = documents()["main"].data["components"]["schemas"]
    for name in ("Post", "PostDetail", "PostMetric", "PostActivity", "SocialAccount"):
        columns = dlt_source._columns(getattr(dlt_source, name))
        times = {
            field
            for field, schema in schemas[name]["properties"].items()
            if "date-time" in json.dumps(schema) and "array" not in json.dumps(schema)
        }
        found = {field for field, each in columns.items() if each["data_type"] == "timestamp"}
        assert found == times - {"postDetail", "firstComment", "user"}, name
        assert {columns[each]["data_type"] for each in columns if each == "id"} == {"text"}
    assert dlt_source._columns(dlt_source.PostMetric)["views"] == {"data_type": "bigint"}
    for rate in ("engagement_rate_impressions", "engagement_rate_reach"):
        assert dlt_source._columns(dlt_source.PostMetric)[rate] == {"data_type": "double"}


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (int | None, "bigint"),
        (int | float, "double"),
        (int | float | None, "double"),
        (int | str, "json"),
        (int | float | str, "json"),
        (PostStatus | None, "bigint"),
        (PostStatus | str, "json"),
        (list[int], "json"),
    ],
)
def test_a_column_has_a_type_that_holds_each_of_its_values(kind: Any, name: str) -> None:
    assert dlt_source._type(inspect.type_info(kind)) == name


def test_without_dlt_it_says_how_to_get_it() -> None:
    hide = "import sys; sys.modules['dlt'] = None; import social_publishing_cli.dlt_source"
    done = subprocess.run([sys.executable, "-c", hide], capture_output=True, text=True, env=ENV)
    assert "dlt is not installed: pip install " in done.stderr.splitlines()[-1]


ROOT = Path(__file__).parents[2]
ENV = {"PYTHONPATH": f"{ROOT}/cli/src:{ROOT}/generated/client/src"}
