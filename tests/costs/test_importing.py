"""What the import, a client and the first call cost: counts, and nothing that a clock says."""

from __future__ import annotations

import gzip
import os
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


def run(program: str) -> str:
    """Run a program with the client on its path, and return what it prints."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    variables |= {"PYTHONPATH": str(CLIENT), "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-c", program]
    return subprocess.run(
        command, capture_output=True, text=True, check=True, env=variables, timeout=600
    ).stdout


def loaded(program: str) -> set[str]:
    """The modules that a program loads, above those of an empty process."""
    tell = f"import sys; before = set(sys.modules)\n{program}\nprint(*(set(sys.modules) - before))"
    return set(run(tell).split())


def own(modules: set[str]) -> set[str]:
    """Those of the client itself."""
    return {name for name in modules if name.partition(".")[0] == "social_publishing"}


def test_a_client_loads_few_modules() -> None:
    """No models, and of other libraries nothing at all; the import alone loads one."""
    assert own(loaded("import social_publishing")) == {"social_publishing"}
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
    """Nothing of files, pages, or other resources; of other libraries what httpx2 itself loads.

    Of httpx2 nothing but its pool, also where the response is compressed, as most are.
    """
    group = gzip.compress(b'{"id":"1","name":"n","timezone":"UTC"}')
    response = Response(body=group, headers={"Content-Encoding": "gzip"})
    with serve(lambda _: response) as server:
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
    models = {name for name in modules if name.startswith("social_publishing.models.")}
    assert models == {"social_publishing.models.groups", "social_publishing.models.shared"}
    assert modules - own(modules) - by_hand == set()
    assert "httpcore2" in modules and "httpx2" not in modules


def test_a_client_costs_a_fraction_of_the_import_of_httpx2() -> None:
    """By the functions that are called, which hardly differ from run to run."""

    def calls(program: str) -> int:
        count = "import sys; made = []; sys.setprofile(lambda _, event, __: made.append(event))"
        end = "sys.setprofile(None); print(sum(event in ('call', 'c_call') for event in made))"
        return int(run(f"{count}\n{program}\n{end}"))

    run(MAKE)  # now it is compiled
    assert calls(MAKE) <= 0.2 * calls("import httpx2")
