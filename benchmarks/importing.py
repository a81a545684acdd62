"""What `import social_publishing` and a client cost before anything is asked of them."""

from __future__ import annotations

from benchmarks.harness import TOKEN, Process, Row, processes

ROUNDS = 40

_CLIENT = f"""
import social_publishing
social_publishing.SocialPublishing(
    api_token={TOKEN!r}, base_url="https://a.invalid/v1", media_url="https://b.invalid/api/v1"
)
"""


def measure() -> list[Row]:
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
        Row("import and client", above["ours"], "import httpx2", above["httpx2"], 0.3),
        Row("import alone", above["module"], "import httpx2", above["httpx2"]),
        Row("(an empty process)", times["bare"]),
    ]
