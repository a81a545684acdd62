"""All acts of the demo, and the checks at the end."""

from __future__ import annotations

import logging
import time
from collections.abc import Generator
from contextlib import contextmanager

from demo import planning, preparing, publishing, stage
from demo.month import PLAN
from demo.scene import DemoFailed, RetryHandler, Scene
from demo.terminal import Terminal, seconds
from social_publishing_sandbox import Sandbox
from social_publishing_sandbox.api.operations import HANDLERS
from social_publishing_sandbox.api.operations.media import STREAMING
from social_publishing_sandbox.state import documents as contract

ACTS = (
    preparing.brand,
    preparing.notes,
    preparing.files,
    planning.planning,
    planning.reviewing,
    publishing.passing,
    publishing.results,
    publishing.numbers,
)


def play(sandbox: Sandbox, out: Terminal, seed: int) -> Scene:
    """Play the month.

    Args:
        sandbox: a sandbox that listens, made by `stage.new_sandbox`.
        out: where it is shown.
        seed: draws the files.

    Returns:
        The scene at its end.

    Raises:
        DemoFailed: a check failed.
        SocialPublishingError: a call failed that should not.
    """
    began = time.monotonic()
    prepared = stage.prepare(sandbox, PLAN)
    with sandbox.client() as client:
        scene = Scene(sandbox, client, out, prepared, seed)
        out.line(out.tone("bold", f"A month of {stage.BRAND}, planned and published"))
        out.line(out.tone("dim", f"{sandbox.base_url}  {sandbox.media_url}  seed {seed}"))
        with _listening(RetryHandler(out)):
            for act in ACTS:
                act(scene)
    _conclude(scene, time.monotonic() - began)
    return scene


@contextmanager
def _listening(handler: RetryHandler) -> Generator[None, None, None]:
    log = logging.getLogger("social_publishing")
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


def _conclude(scene: Scene, took: float) -> None:
    """Show all checks.

    Raises:
        DemoFailed: one of them failed.
    """
    out, request_log = scene.out, scene.sandbox.request_log
    # One that the documents have just got may have no handler yet.
    documented = contract.load().operations.keys() & {*HANDLERS, *STREAMING}
    called = {each.operation for each in request_log if each.succeeded} & documented
    duplicates = request_log.duplicates()
    claims = {
        f"{len(called)} of {len(documented)} operations": called == documented,
        f"duplicates: {len(duplicates) or 'none'}": not duplicates,
        "every response fits the documents": not request_log.search(problems=True),
        **scene.checks,
    }
    out.heading("What was checked", scene.now)
    out.columns(
        [
            ("good", f"✓ {claim}") if true else ("bad", f"✗ {claim}")
            for claim, true in claims.items()
        ]
    )
    out.line()
    out.line(f"    {len(request_log)} requests over HTTP in {seconds(took)}.")
    if wrong := [claim for claim, true in claims.items() if not true]:
        raise DemoFailed(f"These checks failed: {'; '.join(wrong)}.")
