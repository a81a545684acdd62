"""What a document that grows costs: the document itself and one command, and nothing by hand."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
SOURCES = ("spec", "overlays", "templates", "pipeline", "generated", "sandbox/src", "tests")
# What holds the client to the documents, and takes seconds.
HOLDING = (
    "tests/client/test_client_models.py",
    "tests/client/test_client_operations.py",
    "tests/contract/test_contract_corpus.py",
    "tests/contract/test_contract_surface.py",
)

# A client and a sandbox of the copy's own; `social_publishing` and the sandbox are not installed.
START = """
from social_publishing import SocialPublishing
from social_publishing_sandbox import Sandbox

with Sandbox(rate_limit=None) as sandbox, SocialPublishing(
    api_token=sandbox.token, base_url=sandbox.base_url, media_url=sandbox.media_url
) as client:
"""


class Copy:
    """A copy of the project, whose documents a test changes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in SOURCES:
            shutil.copytree(
                PROJECT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", ".*")
            )
        for name in ("pyproject.toml", "LICENSE", "constraints.txt"):
            shutil.copy(PROJECT / name, folder)

    def insert(self, file: str, before: str, text: str) -> None:
        """Insert lines before the one place where a line begins with a text."""
        path = self.folder / file
        whole = path.read_text(encoding="utf-8")
        assert whole.count(f"\n{before}") == 1
        path.write_text(whole.replace(f"\n{before}", f"\n{text}{before}"), encoding="utf-8")

    def run(self, *arguments: str) -> str:
        """Run Python in the copy, and return what it prints."""
        sources = ("", "generated/client/src", "sandbox/src")
        paths = os.pathsep.join(str(self.folder / each) for each in sources)
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def generate(self) -> None:
        """The one command."""
        self.run("-m", "pipeline", "generate")

    def use(self, code: str) -> str:
        """Run code with a client of a sandbox, and return what it prints."""
        return self.run("-c", START + "".join(f"    {line}\n" for line in code.splitlines()))


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path / "project")


def a_read_field(copy: Copy) -> None:
    """`Label.nickname`, which is only read."""
    copy.insert(
        "spec/main.yaml",
        "        color: {$ref: '#/components/schemas/Color', description: Colour of the label.}",
        "        nickname: {type: string, description: Short name of the label.}\n",
    )


def a_writable_field(copy: Copy) -> None:
    """`Post.campaign`, which an update sets."""
    text = (
        "        campaign:\n          type: string\n          description: Campaign of the post.\n"
    )
    copy.insert("spec/main.yaml", "        th_topic_tag:\n", text)
    copy.insert("spec/main.yaml", "        th_topic_tag: {type: [string", text)


def a_list_operation(copy: Copy) -> None:
    """`GET /labels`, for which the sandbox has no handler."""
    operation = """\
    get:
      operationId: listLabels
      tags: [Labels]
      summary: List the labels
      description: Gives the labels, a page at a time.
      x-section: '4.5'
      parameters:
        - name: page
          in: query
          description: Number of the page, counted from one.
          schema: {type: integer, minimum: 1}
          example: 1
      responses:
        '200':
          description: A page.
          headers:
            X-RateLimit-Limit: {$ref: shared.yaml#/components/headers/RateLimit}
            X-RateLimit-Remaining: {$ref: shared.yaml#/components/headers/RateLimitRemaining}
            X-RateLimit-Reset: {$ref: shared.yaml#/components/headers/RateLimitReset}
          content: {application/json: {schema: {$ref: '#/components/schemas/LabelPage'}}}
        default: {$ref: '#/components/responses/MessageError'}
"""
    page = """\
    LabelPage:
      type: object
      description: A page of the labels.
      properties:
        data: {type: array, items: {$ref: '#/components/schemas/Label'}, description: The labels.}
        meta: {$ref: '#/components/schemas/PageMeta', description: Where the page stands.}

"""
    name = """\
  - target: $.paths['/labels'].get
    update:
      x-python-resource: labels
      x-python-name: list
      x-paging: {items: data, next: meta.next_page_url, current: meta.current_page, page: page}

"""
    copy.insert("spec/main.yaml", "    post:\n      operationId: createLabel", operation)
    copy.insert("spec/main.yaml", "    LabelCreation:\n", page)
    copy.insert("overlays/client/main.yaml", "  - target: $.paths['/labels'].post\n", name)


@pytest.mark.parametrize(
    ("grow", "code", "printed"),
    [
        (
            a_read_field,
            "label = client.labels.create(name='Spring')\n"
            "print(label.name, 'nickname' in dir(label))",
            "Spring True\n",
        ),
        (
            a_writable_field,
            "post = next(iter(client.posts.list(group_id='9032915132417572866')))\n"
            "client.posts.update(post.id, campaign='Spring')\n"
            "(again,) = client.posts.get_many(ids=[post.id])\n"
            "print(again.campaign, sandbox.read_post(post.id).campaign)",
            "Spring Spring\n",
        ),
        (
            a_list_operation,
            "print(client.labels.create(name='Spring').name)\n"
            "try:\n"
            "    list(client.labels.list())\n"
            "except Exception as error:\n"
            "    print(error.status, 'no handler for listLabels' in str(error))",
            "Spring\n501 True\n",
        ),
    ],
)
def test_what_is_new_is_the_document_and_one_command(
    copy: Copy, grow: Callable[[Copy], None], code: str, printed: str
) -> None:
    grow(copy)
    copy.generate()
    assert copy.use(code) == printed
    # The tests hold the client to these documents, with nothing updated by hand; only an operation
    # that is new has no frozen cases yet.
    new = [] if grow is not a_list_operation else ["-k", "not frozen"]
    copy.run("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *new, *HOLDING)
