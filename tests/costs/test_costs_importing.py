"""What the import, a client and the first call cost: counts, and nothing that a clock says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.server import Response, serve

CLIENT = Path(__file__).parents[2] / "generated" / "client" / "src"
GIVEN = "api_token='t', base_url='https://a.test/v1', media_url='https://b.test/api/v1'"
MAKE = f"import social_publishing as s; s.SocialPublishing({GIVEN})"

# Modules above those of an empty process: the numbers of today, and a quarter.
ALL_OF_A_CLIENT = 74
OWN_OF_A_CALL = 69


def run(program: str, *before: str, caches: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a program with the client on its path."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    if caches:
        variables["PYTHONPYCACHEPREFIX"] = str(caches)
    variables |= {"PYTHONPATH": str(CLIENT), "PYTHONHASHSEED": "0"}
    command = [*before, sys.executable, "-c", program]
    return subprocess.run(
        command, capture_output=True, text=True, check=True, env=variables, timeout=60
    )


def loaded(program: str) -> set[str]:
    """The modules that a program loads, above those of an empty process."""
    tell = f"import sys; before = set(sys.modules)\n{program}\nprint(*(set(sys.modules) - before))"
    return set(run(tell).stdout.split())


def own(modules: set[str]) -> set[str]:
    """Those of the client itself."""
    return {name for name in modules if name.partition(".")[0] == "social_publishing"}


def test_a_client_loads_few_modules() -> None:
    """No models, and of other libraries nothing at all."""
    found = loaded(MAKE)
    assert len(found) <= ALL_OF_A_CLIENT
    assert not found & {"httpx2", "msgspec", "social_publishing.models", "ssl", "anyio", "asyncio"}


@pytest.mark.parametrize(
    "call",
    [
        "from social_publishing import SocialPublishing\n"
        "with SocialPublishing({given}) as client: client.groups.get('1')",
        "import asyncio\nfrom social_publishing import AsyncSocialPublishing\n"
        "async def main():\n"
        "    async with AsyncSocialPublishing({given}) as client: await client.groups.get('1')\n"
        "asyncio.run(main())",
    ],
    ids=["sync", "async"],
)
def test_a_first_call_loads_what_it_needs(call: str) -> None:
    """Nothing of files, pages, or other resources; of other libraries what httpx2 itself loads."""
    group = Response(json={"id": "1", "name": "n", "timezone": "UTC"})
    with serve(lambda _: group) as server:
        base = server.url("/v1")
        given = f"api_token='t', base_url={base!r}, media_url={server.url('/api/v1')!r}"
        modules = loaded(call.format(given=given))
        by_hand = loaded(
            f"import asyncio, httpx2, msgspec\nhttpx2.Client().get('{base}/groups/1')\n"
            f"async def main():\n    async with httpx2.AsyncClient() as http:\n"
            f"        await http.get('{base}/groups/1')\nasyncio.run(main())"
        )
    assert len(own(modules)) <= OWN_OF_A_CALL
    plans = {
        f"social_publishing._runtime.plans.{name}" for name in ("paging", "batching", "polling")
    }
    assert not own(modules) & plans
    assert modules - own(modules) - by_hand == set()


def test_nothing_is_compiled_from_types() -> None:
    """Annotations stay text: the first that is compiled costs a tenth of the import."""
    watch = (
        "import sys, typing, collections\n"
        "made = typing.ForwardRef.__init__\n"
        "def told(self, text, *rest, **named):\n    print('compiled', text)\n"
        "    return made(self, text, *rest, **named)\n"
        "typing.ForwardRef.__init__ = told\n"
    )
    assert run(f"{watch}{MAKE}; s.client.SocialPublishing.groups").stdout == ""


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind counts the instructions")
def test_a_client_costs_a_fraction_of_the_import_of_httpx2(tmp_path: Path) -> None:
    """By the instructions of whole processes, which hardly differ from run to run."""

    def instructions(program: str) -> int:
        run(program, caches=tmp_path)  # now everything is compiled
        count = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        said = run(program, *count, caches=tmp_path).stderr
        found = re.search(r"Collected : (\d+)", said)
        assert found, said
        return int(found[1])

    nothing, ours, theirs = map(instructions, ["pass", MAKE, "import httpx2"])
    assert (ours - nothing) / (theirs - nothing) <= 0.25
