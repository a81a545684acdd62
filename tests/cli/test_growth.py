"""An operation that is new in the document is a command, with nothing written by hand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.contract.test_growth import PROJECT, Copy, a_list_operation
from tests.support.server import Request, Response, serve

COLUMNS = """\
  - target: $.paths['/all-labels'].get
    update:
      x-cli: {columns: [name, id]}

"""


def test_a_new_operation_is_a_command(tmp_path: Path) -> None:
    copy = Copy(tmp_path / "project")
    shutil.copytree(PROJECT / "cli/src", copy.folder / "cli/src")
    a_list_operation(copy)
    copy.insert("overlays/client/cli.yaml", "  - target: $.paths['/labels/{label}']", COLUMNS)
    copy.run("-m", "pipeline", "generate")

    def respond(request: Request) -> Response:
        page = int(request.query.get("page", "1"))
        labels = [{"id": str(10 * page + n), "name": f"label {page}.{n}"} for n in range(2)]
        link = f"{server.origin}/v1/all-labels?page=2" if page == 1 else None
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
        assert "list-all  List the labels." in run("labels", "--help")
        found = [json.loads(line) for line in run("labels", "list-all").splitlines()]
        assert [each["id"] for each in found] == ["10", "11", "20", "21"]
        head, *lines = run("labels", "list-all", "--output", "table").splitlines()
        assert head.split() == ["name", "id"]
        assert len(lines) == 4
        assert run("labels", "list-all", "--jq", ".name").splitlines()[0] == "label 1.0"
