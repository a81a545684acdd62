"""What a user sees in an editor: signatures, types and documentation, by jedi and by pyright.

jedi stands behind Jupyter, IPython and vim, pyright behind VS Code and others.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from threading import Timer
from typing import Any, NamedTuple

import jedi
import pytest
from calls import CLIENT

SOURCE = CLIENT / "src"
HEAD = """\
from datetime import UTC, datetime
from social_publishing import AsyncSocialPublishing, SocialPublishing

client, other, now = SocialPublishing(), AsyncSocialPublishing(), datetime.now(UTC)
async def program() -> None:
"""


class Look(NamedTuple):
    """A line with a cursor, and what has to be shown there.

    Attributes:
        code: the line; `|` is the cursor.
        signature: that of a function: a piece of it.
        kind: the class of a value.
        text: a piece of its documentation.
    """

    code: str
    signature: str = ""
    kind: str = ""
    text: str = ""


IDS = "ids: Iterable[str]"
LOOKS = [
    Look("client.posts.get_ma|ny", signature=IDS, text="Read posts by identifier."),
    Look("other.posts.get_ma|ny", signature="Found[Post]", text="await client.posts.get_many"),
    Look("client.posts.upd|ate", signature=") -> Post", text="publication_date: Publication date"),
    Look("client.posts.li|st", signature=") -> Pager[Post, PostPage]", text="for post in client"),
    Look("client.posts.update_argu|ments", signature="post: Post", text="the arguments of"),
    Look("po|st = client.posts.update('1')", kind="Post"),
    Look("po|st = await other.posts.update('1')", kind="Post"),
    Look("for post in client.posts.list(): po|st", kind="Post"),
    Look("async for post in other.posts.list(): po|st", kind="Post"),
    Look("for page in client.posts.list().pages(): pa|ge", kind="PostPage"),
    Look("async for page in other.posts.list().pages(): pa|ge", kind="PostPage"),
    Look("for post in client.posts.get_many(ids=[]): po|st", kind="Post"),
    Look("for note in client.calendar_notes.list(start=now, end=now): no|te", kind="CalendarNote"),
    Look("ra|w = client.labels.with_raw_response.create(name='a')", kind="RawResponse"),
    Look("client.groups.get('1').time|zone", text="Valid timezone name"),
    Look(
        "client.widgets.posts_overview('1').scheduled_po|sts",
        text="Scheduled post groups of the group",
    ),
    Look("client.po|sts", text="Posts, their metrics and their logs."),
]
EACH = pytest.mark.parametrize("look", LOOKS, ids=[each.code for each in LOOKS])
TEXT = HEAD + "".join(f"    {each.code.replace('|', '')}\n" for each in LOOKS)


def place(look: Look) -> tuple[int, int]:
    """Return the line and the column of a cursor, counted from 0."""
    return HEAD.count("\n") + LOOKS.index(look), 4 + look.code.index("|")


@pytest.fixture(autouse=True, scope="module")
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """jedi's own cache is one for the whole machine, and tests may run side by side."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jedi.settings, "cache_directory", str(tmp_path_factory.mktemp("jedi")))
        yield


@EACH
def test_jedi(look: Look) -> None:
    line, column = place(look)
    script = program()
    if look.signature:
        (name,) = script.infer(line + 1, column)
        assert look.signature in name.get_signatures()[0].to_string()
    if look.kind:
        assert look.kind in [each.name for each in script.infer(line + 1, column)]
    found = script.help(line + 1, column)
    assert look.text in "\n".join(each.docstring() for each in found)


@cache
def program() -> jedi.Script:
    """Return the program as jedi has it, who reads the client once for all cursors."""
    return jedi.Script(TEXT, project=jedi.Project(CLIENT, added_sys_path=[str(SOURCE)]))


@EACH
def test_pyright(look: Look, tmp_path_factory: pytest.TempPathFactory) -> None:
    shown = hovers(tmp_path_factory.getbasetemp())[look]
    for each in (look.signature, look.kind and f": {look.kind}", look.text):
        assert each in shown


@cache
def hovers(folder: Path) -> Mapping[Look, str]:
    """Return what pyright's server shows at each cursor, asked in one session."""
    pytest.importorskip("pyright")
    (folder / "hover").mkdir()
    file = folder / "hover" / "program.py"
    file.write_text(TEXT)
    file.with_name("pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(SOURCE)]}))
    about = {"uri": file.as_uri()}
    opened = {**about, "languageId": "python", "version": 1, "text": TEXT}
    root = {"processId": None, "capabilities": {}, "rootUri": file.parent.as_uri()}
    root["workspaceFolders"] = [{"uri": root["rootUri"], "name": "program"}]
    command = [sys.executable, "-m", "pyright.langserver", "--stdio"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        late = Timer(120, server.kill)
        late.start()
        _write(server, "initialize", root, id=-1)
        _write(server, "initialized", {})
        _write(server, "textDocument/didOpen", {"textDocument": opened})
        for number, look in enumerate(LOOKS):
            at = dict(zip(("line", "character"), place(look), strict=True))
            _write(server, "textDocument/hover", {"textDocument": about, "position": at}, id=number)
        found: dict[Look, str] = {}
        while len(found) < len(LOOKS):
            message = _read(server)
            if message.get("id", -1) >= 0:
                contents = (message.get("result") or {}).get("contents", {})
                found[LOOKS[message["id"]]] = contents.get("value", "")
        _write(server, "shutdown", None, id=len(LOOKS))
        _write(server, "exit", None)
        late.cancel()
    return found


def _write(server: subprocess.Popen[bytes], method: str, params: Any, **more: int) -> None:
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
    assert server.stdin is not None
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()


def _read(server: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert server.stdout is not None
    length = 0
    while line := server.stdout.readline().strip():
        name, _, value = line.partition(b":")
        length = int(value) if name.lower() == b"content-length" else length
    assert length, "pyright has ended"
    found: dict[str, Any] = json.loads(server.stdout.read(length))
    return found
