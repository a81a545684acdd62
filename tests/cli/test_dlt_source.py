"""The dlt source, with dlt and DuckDB as they are, against the sandbox."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dlt
import duckdb
import pytest
from cli_support import GROUP
from dlt.pipeline.exceptions import PipelineStepFailed
from social_publishing import Pacing, RateLimitReached, SocialPublishing

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
    assert sorted(asked(sandbox, start)["getPostMetrics"]) == sorted(first["getPostMetrics"])


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


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"group_id": []}, "group_id names no group"),
        ({"metrics_days": -1}, "metrics_days must not be negative, is -1"),
        ({"most_requests": 0}, "most_requests must be at least 1, is 0"),
    ],
)
def test_what_it_refuses(wrong: dict[str, Any], message: str, client: SocialPublishing) -> None:
    with pytest.raises(ValueError) as caught:
        social_publishing(client, **{"group_id": GROUP, **wrong})
    assert str(caught.value) == message


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


def test_without_dlt_it_says_how_to_get_it() -> None:
    hide = "import sys; sys.modules['dlt'] = None; import social_publishing_cli.dlt_source"
    done = subprocess.run([sys.executable, "-c", hide], capture_output=True, text=True, env=ENV)
    assert "dlt is not installed: pip install " in done.stderr.splitlines()[-1]


ROOT = Path(__file__).parents[2]
ENV = {"PYTHONPATH": f"{ROOT}/cli/src:{ROOT}/generated/client/src"}
