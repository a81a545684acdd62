"""What `import social_publishing` and a client cost before anything is asked of them."""

from __future__ import annotations

from benchmarks.figures import Figure, at_most
from benchmarks.measuring import TOKEN, Process, processes

TITLE = "Import"

ROUNDS = 40

_CLIENT = f"""
import social_publishing
social_publishing.SocialPublishing(
    api_token={TOKEN!r}, base_url="https://a.invalid/v1", media_url="https://b.invalid/api/v1"
)
"""


def measure() -> list[Figure]:
    """Import and client against `import httpx2`, both less the cost of an empty process."""
    programs = {
        "bare": "pass",
        "ours": _CLIENT,
        "module": "import social_publishing",
        "httpx2": "import httpx2",
    }
    times = processes(
        {name: Process([["-c", program]]) for name, program in programs.items()}, ROUNDS
    )
    above = {name: each.above(times["bare"]) for name, each in times.items()}
    return [
        Figure("import and client", above["ours"], "import httpx2", above["httpx2"], at_most(0.3)),
        Figure("import alone", above["module"], "import httpx2", above["httpx2"]),
        Figure("(an empty process)", times["bare"]),
    ]
