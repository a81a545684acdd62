"""Pages whose code is run: what is run, what is compared, and what is reported when it fails."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pipeline.openapi.problems import PipelineError
from release import examples
from release.examples import Outcome, run_page, shows
from release.page import Block, Page, load_page


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return tmp_path / "page.md"


def run(page: Path, text: str, **options: object) -> Outcome:
    page.write_text(text, encoding="utf-8")
    given = {"python": Path(sys.executable), "folder": page.parent / "there", **options}
    return run_page(page, **given)  # type: ignore[arg-type]


def test_the_blocks_of_a_page_share_names_variables_and_folder(page: Path) -> None:
    outcome = run(
        page,
        """# Page

<!-- example: file=clip.mp4:12 -->
<!-- example: file=picture.png -->
```python
import os
from dataclasses import dataclass

@dataclass
class Seen:
    size: int

assert Seen.__annotations__ == {"size": int}
seen = Seen(os.path.getsize("clip.mp4"))
print(open("picture.png", "rb").read(4))
```

```console
$ export WORD=spoken LONG="a \\
> b" GONE=old
what comes
```

```console
$ export GONE=
$ mkdir below && cd below
$ ls ..
```

- in a list:

  ```python
  names = "WORD", "LONG", "GONE"
  print(seen, *(os.environ[name] for name in names), os.path.basename(os.getcwd()), sep="|")
  ```

<!-- example: save=pack/age/module.py -->
```python
class Words:
    VALUE = "of a module"
```

<!-- example: insert=pack/age/module.py after VALUE -->
```python
OTHER = "inserted"
```

```python
import asyncio
from pack.age.module import Words

async def reported():
    return Words.VALUE, Words.OTHER

print(asyncio.run(reported()))
```

<!-- example: output -->
```
('of a module', …)
```

```yaml
a: 1
```

```{note}
Not code, but a word of the markup.
```

~~~json
{"a": [1]}
~~~

```toml
a = 1
```
""",
    )
    assert outcome.failures == ()
    assert outcome.blocks == 11
    assert outcome.output == (
        "b'\\x89PNG'\nbelow\nclip.mp4\npicture.png\n"
        "Seen(size=12)|spoken|a b||below\n('of a module', 'inserted')\n"
    )


@pytest.mark.parametrize(
    ("code", "typed"),
    [
        ("a\nb \\\n", "a\nb \\\n"),
        ("$ a\nb\n$ c\n", "a\n\nc\n"),
        ("$ a \\\n> b\nc \\\nd\n", "a \\\nb\n\n\n"),
        ("> a\n$ b > c\n", "\nb > c\n"),
        ("$ a\x0cb\u2028c\n", "a\x0cb\u2028c\n"),
    ],
)
def test_what_is_typed_into_a_console(code: str, typed: str) -> None:
    assert Block(1, "console", code).typed == typed


def test_a_failing_block_is_reported_with_page_and_line(page: Path) -> None:
    outcome = run(
        page,
        """# Page

```python
def deep():
    raise ValueError("told")
```

```python
print("before")
deep()
```

```console
true
no-such-command
echo never
```

```yaml
a: [
```

```json
{"a": }
```

<!-- example: raises=KeyError -->
```python
deep()
```

<!-- example: raises=KeyError -->
```python
1
```

<!-- example: insert=nowhere.txt after words -->
```yaml
a: 1
```

<!-- example: output -->
```text
something else
```
""",
    )
    first, second, third, fourth, fifth, sixth, seventh, eighth = outcome.failures
    assert first.startswith(f"{page}:9: python\n    print(")
    assert "before\nTraceback (most recent call last):" in first
    assert f'File "{page}", line 10' in first and f'File "{page}", line 5, in deep' in first
    assert first.endswith("ValueError: told") and "release" not in first
    assert second.startswith(f"{page}:14: console\n")
    assert f"{page}: line 15: no-such-command: command not found" in second
    assert second.endswith("exit status 127") and "\nnever" not in second
    assert third.startswith(f"{page}:20: yaml\n") and "line 21" in third
    assert fourth.startswith(f"{page}:24: json\n") and "line 24" in fourth
    assert "ValueError: told" in fifth
    assert sixth.endswith("KeyError was expected, but nothing was raised")
    assert "nowhere.txt" in seventh
    assert eighth.startswith(f"{page}:44: text\n") and "is not what came:" in eighth
    assert outcome.blocks == 9


def test_what_is_compared_is_of_the_block_before_and_what_is_named_is_there_once(
    page: Path,
) -> None:
    blocks = [
        "```python\nprint('one')", "```python\nprint('two')",
        "<!-- example: output -->\n```\none", "<!-- example: output -->\n```\ntwo",
        "<!-- example: save=twice.txt -->\n```\na\nba",
        "<!-- example: insert=twice.txt after a -->\n```\nc",
        "<!-- example: insert=twice.txt after b -->\n```\nc",
        "```python\nassert open('twice.txt').read() == 'a\\nba\\nc\\n'",
    ]  # fmt: skip
    first, second = run(page, "".join(f"{each}\n```\n\n" for each in blocks)).failures
    assert first.endswith(" one\nis not what came:\ntwo")
    assert second.endswith("2 lines of twice.txt have the text 'a'; it must be exactly one")


@pytest.mark.parametrize(
    ("mark", "more"),
    [
        ("file=a", {"files": [("a", 100_000)]}),
        ("file=a/b.mp4:0", {"files": [("a/b.mp4", 0)]}),
        ("insert=a.py after x = 1", {"insert": ("a.py", "x = 1")}),
        ("raises=KeyError", {"raises": "KeyError"}),
        ("save=b c", {"save": "b c"}),
        ("skip=it = a year", {"skip": "it = a year"}),
    ],
)
def test_each_mark_says_one_thing_of_its_block(page: Path, mark: str, more: Any) -> None:
    page.write_text(f"<!-- example: {mark} -->\n```python\n1\n```\n\n```python\n2\n```\n")
    blocks = [Block(3, "python", "1\n", **more), Block(7, "python", "2\n")]
    assert load_page(page).blocks == blocks


@pytest.mark.parametrize("mark", ["skip=x", "save=a.sh", "insert=a.sh after x"])
def test_a_command_that_is_not_run_may_have_a_placeholder(page: Path, mark: str) -> None:
    page.write_text(f"<!-- example: {mark} -->\n```console\necho …\n```\n", "utf-8")
    assert [block.code for block in load_page(page).blocks] == ["echo …\n"]


@pytest.mark.parametrize(
    ("shown", "is_there"),
    [
        ("a.b", True), ("a.b\nc d", True), ("\na.b\n\n", True), ("c d  \ne", True),
        ("a…", True), ("…\ne", True), ("a.b\n…\ne", True), ("c d\n…\ne", True), ("…d", True),
        ("a", False), (".b", False), ("a.b\ne", False), ("axb", False), ("e\n…\nc d", False),
        ("c…e", False),
    ],
)  # fmt: skip
def test_what_a_page_shows_are_whole_lines_in_their_order(shown: str, is_there: bool) -> None:
    assert shows(shown, "a.b\nc d\ne") is is_there


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("```pyton\n1\n```\n", "1:1: 'pyton' is an unknown language; known: console, json"),
        (
            "<!-- example: skp=x -->\n```python\n1\n```\n",
            "1:1: 'skp' is an unknown mark; known are file",
        ),
        (
            "<!-- example: skip -->\n```python\n1\n```\n",
            "1:1: the mark 'skip' must be written as skip=REASON",
        ),
        (
            "<!-- example: output=x -->\n```text\n1\n```\n",
            "1:1: the mark 'output' must be written as output",
        ),
        (
            "<!-- example: project= -->\n```python\n1\n```\n",
            "1:1: the mark 'project' must be written as project",
        ),
        ("<!-- example: skip=x -->\n\nText.\n", "1:1: no code block follows the mark"),
        ("\n<!-- example: skip=x -->\n", "2:1: no code block follows the mark"),
        (
            "<!-- example: file=a:big -->\n```python\n1\n```\n",
            "1:1: the mark 'file' must be written as file=NAME or file=NAME:BYTES",
        ),
        (
            "<!-- example: insert=a -->\n```yaml\n1\n```\n",
            "1:1: the mark 'insert' must be written as ",
        ),
        ("<!-- example: raises=E -->\n```console\n1\n```\n", "2:1: only a python block raises"),
        ("<!-- example: output -->\n```python\n1\n```\n", "2:1: only a text block shows output"),
        ("a\n```console\necho …\n```\n", "3:1: … is a placeholder, and cannot be run"),
        ("```python\n1\n", "1:1: the code block is not closed"),
    ],
)
def test_a_page_that_cannot_be_read_is_refused_with_the_place(
    page: Path, text: str, reason: str
) -> None:
    with pytest.raises(PipelineError) as caught:
        run(page, text)
    assert str(caught.value).startswith(f"{page}:{reason}")


def test_every_mark_without_a_block_is_named_in_order(page: Path) -> None:
    mark = "<!-- example: skip=x -->\n\n"
    with pytest.raises(PipelineError) as caught:
        run(page, f"{mark}{mark}Text.\n\n{mark}```pyton\n```\n\n{mark}")
    places = [(each.position.line, each.message[:4]) for each in caught.value.findings]
    assert places == [(1, "no c"), (3, "no c"), (9, "'pyt"), (12, "no c")]


@pytest.mark.parametrize("sign", ["\x0b", "\x0c", "\x85", "\u2028"])
def test_what_ends_no_line_of_markdown_moves_no_block(page: Path, sign: str) -> None:
    page.write_bytes(f"Some{sign}text.\n\n```console\n$ echo a{sign}b\n```\n".encode())
    assert load_page(page).blocks == [Block(4, "console", f"$ echo a{sign}b\n")]
    text = f"<!-- example: save=a.py -->\n```python\na = '{sign} b'\n```\n\n"
    outcome = run(page, f"{text}<!-- example: insert=a.py after ' -->\n```python\nb = 1\n```\n")
    assert outcome.failures == ()
    kept = (page.parent / "there/a.py").read_bytes().decode()
    assert kept == f"a = '{sign} b'\nb = 1\n"


def test_only_the_exception_that_is_named_may_leave_a_block(page: Path) -> None:
    text = "<!-- example: raises={} -->\n```python\nimport sys\nsys.exit()\n```\n"
    (failure,) = run(page, text.format("ValueError")).failures
    assert failure.endswith("SystemExit")
    assert run(page, text.format("SystemExit")).failures == ()


def test_a_block_may_end_its_shell(page: Path) -> None:
    outcome = run(page, "```console\nexport A=1; exit 0\n```\n\n```console\necho after$A\n```\n")
    assert outcome == Outcome(2, (), "after\n")


def test_a_block_that_hangs_is_ended_with_all_that_it_began(page: Path) -> None:
    begun = time.monotonic()
    outcome = run(
        page,
        "```console\nsleep 60 & echo $! > number; echo begun\nsleep 60\n```\n\n```python\n1\n```\n",
        around=["bash", "-c", "trap 'echo bye > said; exit' TERM; \"$@\" & wait", "-"],
        timeout=1.5,
    )
    assert (page.parent / "there/said").read_text() == "bye\n"  # what can end in order, does
    number = int((page.parent / "there/number").read_text())
    with pytest.raises(ProcessLookupError):  # as soon as the system has taken it away
        for _ in range(200):
            os.kill(number, 0)
            time.sleep(0.02)
    assert time.monotonic() - begun < 10
    (failure,) = outcome.failures
    assert failure.startswith(f"{page}:2: console\n")
    assert failure.endswith("begun\nit had not ended after 1.5 seconds")
    assert outcome.blocks == 1


@pytest.mark.parametrize(
    ("status", "fails"), [("", False), ("0", False), ("None", False), ("3", True), ("'bad'", True)]
)
def test_a_block_may_end_python_in_order(page: Path, status: str, fails: bool) -> None:
    outcome = run(page, f"```python\nimport sys\nsys.exit({status})\n```\n")
    assert bool(outcome.failures) is fails


def test_what_does_not_end_when_it_is_told_to_is_ended(
    page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It hears no SIGTERM, and its shell has ended in order."""
    monkeypatch.setattr(examples, "_GRACE", 0.3)
    stubborn = "bash -c 'trap \"\" TERM; echo $$ > number; sleep 30' > there.log 2>&1 &"
    outcome = run(
        page, f"```console\n$ {stubborn}\n$ while [ ! -s number ]; do sleep 0.05; done\n```\n"
    )
    assert outcome.failures == ()
    number = (page.parent / "there/number").read_text().strip()
    for _ in range(200):
        state = Path("/proc", number, "stat")
        if not state.exists() or state.read_text().split()[2] == "Z":
            break
        time.sleep(0.02)
    else:
        raise AssertionError("it is there still")


def test_what_a_block_began_can_end_in_order(page: Path) -> None:
    trap = "trap 'sleep 0.2; echo bye > said; exit' TERM; touch ready; while :; do sleep 0.1; done"
    text = f"({trap}) > there.log 2>&1 &\nwhile [ ! -e ready ]; do sleep 0.05; done"
    assert run(page, f"```console\n{text}\n```\n").failures == ()
    assert (page.parent / "there/said").read_text() == "bye\n"


def test_a_block_that_ends_the_process_is_reported(page: Path) -> None:
    outcome = run(page, "```python\nimport os\nos._exit(3)\n```\n\n```python\n1\n```\n")
    (failure,) = outcome.failures
    assert failure.endswith("the process ended with status 3")


def test_what_is_around_a_page_is_around_all_of_it(page: Path) -> None:
    text = (
        "```console\necho $AROUND\n```\n\n```python\nimport os; print(os.environ['AROUND'])\n```\n"
    )
    outcome = run(page, text, around=["env", "AROUND=there"])
    assert (outcome.failures, outcome.output) == ((), "there\nthere\n")
    (failure,) = run(page, text, around=["no-such-program"]).failures
    assert failure == f"{page}: no block was run: no-such-program: No such file or directory"
    (failure,) = run(page, text, around=["sh", "-c", "echo refused >&2; exit 2"]).failures
    assert failure == f"{page}: no block was run: the process ended with status 2\nrefused"


def test_what_is_left_out_is_not_run(page: Path) -> None:
    skipped = "<!-- example: skip=it takes a year -->\n```console\nsleep …\n```\n"
    outcome = run(page, f"{skipped}\nText.\n\n```\nplain\n```\n")
    assert outcome == Outcome(0, (), "")


def test_a_page_says_that_it_is_for_a_checkout(page: Path) -> None:
    page.write_text("# Page\n\n<!-- example: project -->\n\nText.\n")
    assert load_page(page).project
    page.write_text("# Page\n\n> ```python\n> 1\n> ```\n")
    assert load_page(page) == Page(page, [Block(4, "python", "1\n")])
