"""What each command says: one folder of `sessions/` a project, with what is typed there.

`session.txt` holds what is typed after `$`, each with what is printed, and its exit status where
that is not 0. Beside `pipeline` it knows `edit FILE OLD NEW`, `write FILE TEXT`, `remove FILE`,
`move FILE PLACE`, `show FILE`, `list FOLDER`, and `copy FOLDER` for files of another folder here.
`web ADDRESS TEXT STATUS HEADER…` is what an address responds with; without a status, how it fails.
"""

from __future__ import annotations

import html
import re
import shlex
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest

from pipeline.cli import main

HERE = Path(__file__).parent
SESSIONS = sorted(path.parent for path in (HERE / "sessions").glob("*/session.txt"))


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.name)
def test_session(
    session: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    golden: Any,
) -> None:
    web: dict[str, list[str]] = {}
    transport = httpx2.MockTransport(partial(_respond, web))
    monkeypatch.setattr(httpx2, "Client", partial(httpx2.Client, transport=transport))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    shutil.copytree(session, tmp_path, dirs_exist_ok=True)
    typed = [
        line
        for line in (session / "session.txt").read_text(encoding="utf-8").splitlines()
        if line.startswith("$ ")
    ]
    assert typed
    said = "".join(f"{line}\n{_said(shlex.split(line[2:]), capfd, web)}" for line in typed)
    golden(session / "session.txt", said.replace(str(tmp_path), "/project"))


def _respond(web: dict[str, list[str]], request: httpx2.Request) -> httpx2.Response:
    text, *answer = web.get(str(request.url), ["", "404"])
    if not answer:
        raise getattr(httpx2, text)("nobody is there")
    headers = [each.split(": ") for each in answer[1:]]
    body = httpx2.ByteStream(text.encode().decode("unicode_escape").encode())
    return httpx2.Response(int(answer[0]), headers=headers, stream=body)


def _said(words: list[str], capfd: pytest.CaptureFixture[str], web: dict[str, list[str]]) -> str:
    match words:
        case ["web", address, *answer]:
            web[address] = answer
            return ""
        case ["list", folder]:
            if not Path(folder).exists():
                return "there is none\n"
            found = sorted(path for path in Path(folder).rglob("*") if path.is_file())
            return "".join(f"{path.as_posix()}\n" for path in found)
        case ["pipeline", *arguments]:
            try:
                status = main(arguments)
            except SystemExit as stop:
                status = int(stop.code or 0)
            out, err = capfd.readouterr()
            return _bare(out + err) + f"exit status {status}\n" * bool(status)
        case ["edit", file, old, new]:
            text = Path(file).read_text(encoding="utf-8")
            old, new = old.replace("\\n", "\n"), new.replace("\\n", "\n")
            assert old in text, (file, old)
            Path(file).write_text(text.replace(old, new), encoding="utf-8")
            return ""
        case ["write", file, text]:
            Path(file).parent.mkdir(parents=True, exist_ok=True)
            Path(file).write_text(text.replace("\\n", "\n"), encoding="utf-8")
            return ""
        case ["remove", file]:
            Path(file).unlink()
            return ""
        case ["move", file, place]:
            if not Path(file).exists():
                return "there is none\n"
            Path(place).parent.mkdir(parents=True, exist_ok=True)
            Path(file).rename(place)
            return ""
        case ["copy", folder]:
            shutil.copytree(HERE / folder, ".", dirs_exist_ok=True)
            return ""
        case ["show", file]:
            if not Path(file).exists():
                return "there is none\n"
            text = Path(file).read_text(encoding="utf-8")
            return _as_text(text) if file.endswith(".html") else text
        case _:
            raise AssertionError(f"what does {words} do?")


def _bare(text: str) -> str:
    """Return what was printed without what every client has, and without code, hashes and numbers
    of files, which change with the templates.
    """
    text = re.sub(r"(differs \S*(?:MANIFEST\.json|\.py)\n)([-+@ …].*\n)*", r"\1", text)
    lines = [each for each in text.splitlines(keepends=True) if "/_runtime/" not in each]
    return re.sub(r"[0-9]+ (files|changed)\b", r"… \1", "".join(lines))


def _as_text(page: str) -> str:
    """Return what a browser shows of a page, a line for each piece of text."""
    page = re.sub(r"(?s)<(style|script).*?</\1>", "", page)
    page = re.sub(r'style="width:([^"]*)">', r">\1 ", page)  # how long a bar is
    pieces = re.split(r"(?:<[^>]*>|\s)*\n(?:<[^>]*>|\s)*|(?:</?(?:t[dhr]|li|p|h\d)\b[^>]*>)+", page)
    texts = (html.unescape(re.sub(r"<[^>]*>", "", each)).strip() for each in pieces)
    return "".join(f"{each}\n" for each in texts if each)
