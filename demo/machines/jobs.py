"""The jobs: each moves posts of one user to the dates of a plan. A job queue runs them.

The engine is procrastinate: the jobs are rows of a Postgres database, which the variables of
Postgres name (PGHOST, PGUSER, PGDATABASE …). Three rules make it safe to kill a worker at any
moment, and keep every user within the rate limit:

- A job says where each post is to be, never by how much it moves. It reads the posts first, and
  writes those that are elsewhere; so it can be carried out twice, or begun anew in the middle.
- A job never waits for the rate limit. Where there is no room it ends, and comes back when the
  client expects room; its worker goes on with another user.
- The jobs of a user have the same lock, so that one is carried out at a time, in order. A user with
  thousands of jobs occupies one worker at most.
"""

from __future__ import annotations

import json
import os
from datetime import datetime
from functools import cache
from math import ceil
from pathlib import Path
from time import time
from typing import Any

from procrastinate import App, BaseRetryStrategy, PsycopgConnector, RetryDecision
from procrastinate.jobs import Job
from social_publishing import (
    AsyncSocialPublishing,
    FileRates,
    OutcomeUnknown,
    RateLimitError,
    RateLimitReached,
    RateStore,
    Reconcile,
    ServerError,
    TransportError,
    ValkeyRates,
)

MOST = 200  # posts of a job: as many as one request reads
PAUSE = 30  # seconds after which a job is tried again that could not reach the service
SILENCE = int(os.environ.get("SILENCE", "30"))  # seconds after which a worker counts as dead
PERIOD = min(SILENCE, 30)  # seconds after which dead workers are looked for again

app = App(
    connector=PsycopgConnector(),
    worker_defaults={
        "concurrency": 8,
        "delete_jobs": "successful",
        "fetch_job_polling_interval": 1.0,
        "update_heartbeat_interval": SILENCE / 3,
        "stalled_worker_timeout": SILENCE,
    },
)


class Later(BaseRetryStrategy):
    """Brings a job back that can be carried out later; every other error ends it as failed."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        """Return when the job is to be tried again; None for never."""
        if isinstance(exception, RateLimitReached):
            return RetryDecision(retry_in={"milliseconds": ceil(1000 * exception.wait)})
        if isinstance(exception, TransportError | ServerError | OutcomeUnknown | RateLimitError):
            return RetryDecision(retry_in={"seconds": PAUSE})
        return None


@app.task(name="move", queue="posts", retry=Later())
async def move(user: str, dates: dict[str, str]) -> None:
    """Set the dates of posts; skip posts that already have them.

    Args:
        user: whose posts they are.
        dates: ISO 8601 date-times with a zone, by the identifiers of the posts.

    Raises:
        LookupError: some of the posts are gone; the others have their dates.
        SocialPublishingError: see `Later`.
    """
    async with AsyncSocialPublishing(
        api_token=tokens()[user], rate_store=rates(), pacing="raise", on_wait=None
    ) as client:
        posts = await client.posts.get_many(ids=list(dates))
        careful = client.with_options(lost_writes=Reconcile(before=posts))
        for post in posts:
            date = datetime.fromisoformat(dates[post.id])
            if post.publication_date != date:
                await careful.posts.update(post.id, publication_date=date)
    if gone := dates.keys() - {post.id for post in posts}:
        raise LookupError(f"{user}: there are no such posts: {', '.join(sorted(gone))}")


@app.periodic(cron=f"* * * * * */{PERIOD}")
@app.task(name="rescue", queueing_lock="rescue", priority=1)
async def rescue(timestamp: int) -> None:
    """Give the jobs of dead workers to others, before any other job is begun.

    Args:
        timestamp: Unix seconds at which this is due. Where it comes late, the next one does it: two
            at a time could give a job to two workers.
    """
    if time() > timestamp + PERIOD / 2:
        return
    manager = app.job_manager
    for job in await manager.get_stalled_jobs(queue="posts", seconds_since_heartbeat=SILENCE):
        await manager.retry_job(job)


async def prepare() -> None:
    """Make the tables of the engine, and an index: to find a job it looks for those of its lock."""
    if not await app.check_connection_async():
        await app.schema_manager.apply_schema_async()
    await app.connector.execute_query_async(
        "CREATE INDEX IF NOT EXISTS jobs_by_lock ON procrastinate_jobs (lock)"
        " WHERE status IN ('todo', 'doing')"
    )


async def add(plan: Path) -> int:
    """Add a job for each line of a plan, such as `{"user": "ada", "dates": {"18…": "2027-…Z"}}`.

    Returns:
        How many there were.

    Raises:
        ValueError: a line cannot be a job; then none is added.
    """
    jobs: dict[str, list[dict[str, Any]]] = {}
    with plan.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            job = _job(line, f"{plan}:{number}")
            jobs.setdefault(job["user"], []).append(job)
    for user, user_jobs in jobs.items():
        await move.configure(lock=user).batch_defer_async(*user_jobs)
    return sum(map(len, jobs.values()))


def _job(line: str, where: str) -> dict[str, Any]:
    """Return the arguments of a job."""
    try:
        job = json.loads(line)
        dates = [datetime.fromisoformat(date) for date in job["dates"].values()]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"{where}: no job: {error!r}") from None
    if job["user"] not in tokens():
        raise ValueError(f"{where}: user: no token of {job['user']!r}")
    if len(dates) > MOST or not all(date.tzinfo for date in dates):
        raise ValueError(f"{where}: dates: at most {MOST}, each with a zone")
    return {"user": job["user"], "dates": job["dates"]}


@cache
def tokens() -> dict[str, str]:
    """Return the tokens by user, of the JSON file that TOKENS names. No job has a token."""
    path = Path(os.environ.get("TOKENS", "tokens.json"))
    by_user: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return by_user


@cache
def rates() -> RateStore:
    """Return what all workers count requests with: a server, or a file for one machine (RATES)."""
    where = os.environ.get("RATES", "rates.db")
    return ValkeyRates(where) if "://" in where else FileRates(where)
