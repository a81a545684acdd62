"""What the command and the sandbox grow by, as CONTRIBUTING says: nothing else is written."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.contract.test_growth import PROJECT, Copy, a_list_operation
from tests.support.server import Request, Response, serve

COLUMNS = """\
  - target: $.paths['/labels'].get
    update:
      x-cli: {columns: [name, id]}

"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """A copy of the project that has grown by all of it, and was generated once."""
    copy = Copy(tmp_path_factory.mktemp("grown") / "project")
    shutil.copytree(PROJECT / "cli/src", copy.folder / "cli/src")
    a_list_operation(copy)
    copy.insert("overlays/client/cli.yaml", "  - target: $.paths['/labels/{label}']", COLUMNS)
    a_tool_a_fault_and_a_column(copy)
    copy.run("-m", "pipeline", "generate")
    return copy


def test_a_new_operation_is_a_command(copy: Copy) -> None:
    def respond(request: Request) -> Response:
        page = int(request.query.get("page", "1"))
        labels = [{"id": str(10 * page + n), "name": f"label {page}.{n}"} for n in range(2)]
        link = f"{server.origin}/v1/labels?page=2" if page == 1 else None
        meta = {"next_page_url": link, "current_page": page, "last_page": 2}
        return Response(json={"data": labels, "meta": meta})

    def run(*words: str) -> str:
        sources = ("cli/src", "generated/client/src")
        done = subprocess.run(
            [sys.executable, "-m", "social_publishing_cli", *words],
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(str(copy.folder / each) for each in sources),
                "SOCIAL_PUBLISHING_API_TOKEN": "token",
                "SOCIAL_PUBLISHING_BASE_URL": f"{server.origin}/v1",
                "SOCIAL_PUBLISHING_MEDIA_URL": f"{server.origin}/api/v1",
            },
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    with serve(respond) as server:
        assert re.search(r"^ +list +List the labels\.$", run("labels", "--help"), re.MULTILINE)
        found = [json.loads(line) for line in run("labels", "list").splitlines()]
        assert [each["id"] for each in found] == ["10", "11", "20", "21"]
        head, *lines = run("labels", "list", "--output", "table").splitlines()
        assert head.split() == ["name", "id"]
        assert len(lines) == 4
        assert run("labels", "list", "--jq", ".name").splitlines()[0] == "label 1.0"


TOOL = """\
        organization_work:
          does: Count what waits in the organization.
          operations: [getPostsOverview]
          arguments: {group_id: A group of it.}
"""
RUN = """\
def organization_work(service: Service, group_id: str | None = None) -> Result:
    \"\"\"Count what waits in the organization.\"\"\"
    waiting = service.client.widgets.posts_overview(service.group(group_id).id)
    return Result(f"{waiting.rejected or 0} were rejected.")


"""
LINE = '    "organization_work": reading.organization_work,\n'
KIND = '    Kind("upside-down", "The response is written from its end.", True),\n'
CASE = """\
        case "upside-down":
            await _send(send, status, headers, body[::-1])
"""
COLUMN = '    Column("fb_video_title", "text", lambda post: post.fb_video_title),\n'
GROWN = """
from social_publishing_cli.mcp.tools import tools
from social_publishing_cli.sheets.columns import COLUMNS, EDITABLE
from social_publishing_sandbox import Sandbox
from social_publishing import SocialPublishing, DecodeError

tool = tools()["organization_work"]
print(tool.known["methods"], tool.hints["readOnlyHint"], tool.writes)
print("fb_video_title" in EDITABLE, "fb_video_title" in [column.name for column in COLUMNS])
with Sandbox(rate_limit=None) as sandbox, SocialPublishing(
    api_token=sandbox.token, base_url=sandbox.base_url, media_url=sandbox.media_url
) as client:
    sandbox.add_fault("upside-down", times=1)
    try:
        client.labels.create(name="Spring")
    except DecodeError:
        print("upside down")
    print(client.labels.create(name="Summer").name)
"""


def a_tool_a_fault_and_a_column(copy: Copy) -> None:
    mcp, faults = (
        "cli/src/social_publishing_cli/mcp",
        "sandbox/src/social_publishing_sandbox/api/faults",
    )
    copy.insert("overlays/client/cli.yaml", "        account_health:\n", TOOL)
    copy.insert(f"{mcp}/reading.py", "def account_health(", RUN)
    copy.insert(f"{mcp}/tools.py", '    "budget": reading.budget,', LINE)
    copy.insert(f"{faults}/kinds.py", '    Kind(\n        "latency"', KIND)
    copy.insert(f"{faults}/sending.py", '        case "empty-body":', CASE)
    sheet = "cli/src/social_publishing_cli/sheets/columns.py"
    copy.insert(sheet, '    Column("note", "text"', COLUMN)


def test_a_tool_a_fault_and_a_column_are_what_their_recipes_say(copy: Copy) -> None:
    sources = ("", "generated/client/src", "sandbox/src", "cli/src")
    done = subprocess.run(
        [sys.executable, "-c", GROWN],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(str(copy.folder / e) for e in sources)},
        cwd=copy.folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "['widgets.posts_overview'] True False", "True True", "upside down", "Summer"
    ]  # fmt: skip
