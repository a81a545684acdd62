"""A fork while another thread is in its first call: parent and child go on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import social_publishing

from tests.support.server import Response, serve

# Each child of this process, which never calls, is a new one. It is forked amidst an import.
PROGRAM = """
import asyncio, os, signal, sys, threading, time
import social_publishing
url, kind, *amidst = sys.argv[1:]

class Pausing:
    def __init__(self, name):
        self.name, self.met = name, threading.Event()
    def find_spec(self, name, path=None, target=None):
        if name == self.name and not self.met.is_set():
            self.met.set()
            time.sleep(0.05)

def use(client):
    found = client.labels.delete("1")
    if kind == "AsyncSocialPublishing":
        asyncio.run(found)

def in_child(work):
    child = os.fork()
    if not child:
        signal.alarm(60)
        work()
        sys.stdout.flush()
        os._exit(0)
    return os.waitpid(child, 0)[1]

def imported(client):
    before = set(sys.modules)
    use(client)
    print("anew:", *sorted(set(sys.modules) - before))

def first_call():
    client = getattr(social_publishing, kind)(base_url=url, api_token="t")
    pausing = Pausing(name)
    sys.meta_path.insert(0, pausing)
    thread = threading.Thread(target=use, args=[client])
    thread.start()
    assert pausing.met.wait(30), name
    print(name, in_child(lambda: imported(client)), flush=True)
    thread.join()

def list_all():
    client = getattr(social_publishing, kind)(base_url=url, api_token="t")
    before = [*sys.modules]
    use(client)
    print(*(each for each in sys.modules if each not in before))

for name in amidst:
    assert in_child(first_call) == 0, name
if not amidst:
    in_child(list_all)
"""


def said(url: str, kind: str, *amidst: str) -> list[str]:
    """What a process says that forks amidst the import of these modules, or their names."""
    source = Path(social_publishing.__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, url, kind, *amidst],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
@pytest.mark.parametrize("kind", ["SocialPublishing", "AsyncSocialPublishing"])
@pytest.mark.parametrize("forks", [3, pytest.param(50, marks=pytest.mark.nightly)])
def test_a_fork_amidst_the_first_call_of_another_thread(kind: str, forks: int) -> None:
    """And nothing is left to import for the child, whose parent may have been amidst it."""
    with serve(lambda _: Response(204)) as server:
        url = server.url("/v1")
        [names] = [line.split() for line in said(url, kind)]
        amidst = names[:: len(names) // forks][:forks]
        assert len(amidst) == forks
        lines = said(url, kind, *amidst)
    assert lines == [line for name in amidst for line in ("anew:", f"{name} 0")]
