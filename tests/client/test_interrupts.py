"""Ctrl-C in a first call, while libraries are imported: the next call works."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import social_publishing

from tests.support.server import Response, serve

# Nothing is imported yet in a process of its own. Ctrl-C comes amidst the import of a module.
PROGRAM = """
import os, signal, sys, time
url, kind, amidst = sys.argv[1:]

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == amidst and self in sys.meta_path:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)

def use():
    import social_publishing
    client = getattr(social_publishing, kind)(base_url=url, api_token="t")
    found = client.labels.delete("1")
    if kind == "AsyncSocialPublishing":
        import asyncio
        asyncio.run(found)

sys.meta_path.insert(0, Interrupting())
try:
    use()
except KeyboardInterrupt:
    use()
    print("went on")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no process is sent Ctrl-C there like this")
@pytest.mark.parametrize("kind", ["SocialPublishing", "AsyncSocialPublishing"])
@pytest.mark.parametrize(
    "amidst", ["datetime", "_datetime", "msgspec._utils", "ssl", "httpcore2._models"]
)
def test_a_first_call_that_is_interrupted_leaves_a_client_that_works(
    kind: str, amidst: str
) -> None:
    """A library of C code that is imported once more, after half of it, may end the process."""
    source = Path(social_publishing.__file__).parents[1]
    with serve(lambda _: Response(204)) as server:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, server.url("/v1"), kind, amidst],
            env={**os.environ, "PYTHONPATH": str(source)},
            capture_output=True,
            text=True,
            timeout=40,
        )
    assert (done.returncode, done.stdout) == (0, "went on\n"), done.stderr[-2000:]
