"""The tasks extension: long work as a task, of which the journal of plans knows after a restart."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import anyio
import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from pydantic import Field

from ..plans import PlanError
from .results import Problem, Result
from .service import Service
from .work import Work
from .writing import kept, was_it_done

EXTENSION = "io.modelcontextprotocol/tasks"
SOON = 3.0  # seconds after which work is a task
_POLL = 3000  # milliseconds
_PLAN = "plan-"
_MISSING_CAPABILITY, _INVALID = -32021, -32602  # codes of the extension, and of JSON-RPC

_Context = ServerRequestContext[Any, Any]


class _Named(types.RequestParams):
    task_id: str = Field(alias="taskId", max_length=200)


def are_known(ctx: _Context) -> bool:
    """Return whether the client of a request has the extension."""
    capabilities = ctx.session.client_capabilities
    return EXTENSION in ((capabilities.extensions if capabilities else None) or {})


def id_of_plan(plan_id: str) -> str:
    """Return the identifier of the task that applies a plan: after a restart it is the same."""
    return _PLAN + plan_id.removeprefix("sha256:")


def serve(
    server: Server[Any],
    find: Callable[[str], dict[str, Any] | None],
    cancel: Callable[[str], bool],
) -> None:
    """Serve the methods of the extension.

    Args:
        find: Returns a task by its identifier, None for one that is not known.
        cancel: Stops a task; returns False for one that is not known.
    """

    async def called(ctx: _Context, do: Callable[[str], Any], task_id: str) -> Any:
        if not are_known(ctx):
            needs: Any = {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}
            raise MCPError(_MISSING_CAPABILITY, "Missing required client capability", needs)
        if found := await anyio.to_thread.run_sync(do, task_id):
            return found
        raise MCPError(_INVALID, "There is no such task, or it is too old: ask was_it_done.")

    async def get(ctx: _Context, params: _Named) -> dict[str, Any]:
        found: dict[str, Any] = await called(ctx, find, params.task_id)
        return found

    async def update(ctx: _Context, params: _Named) -> dict[str, Any]:
        await called(ctx, find, params.task_id)  # no task waits for input
        return {}

    async def stop(ctx: _Context, params: _Named) -> dict[str, Any]:
        await called(ctx, cancel, params.task_id)
        return {}

    server.add_request_handler("tasks/get", _Named, get)
    server.add_request_handler("tasks/update", _Named, update)
    server.add_request_handler("tasks/cancel", _Named, stop)


def created(work: Work) -> dict[str, Any]:
    """Return the result of a call that went on as a task."""
    task = of_work(work)
    task.pop("result", None)
    return {**task, "resultType": "task"}


def of_work(work: Work) -> dict[str, Any]:
    """Return the task of a work of this process."""
    call = work.call
    if work.reply is None:
        total = f" of {call.total:.0f}" if call.total else ""
        return _task(work.id, "working", f"{call.done:.0f}{total} done {call.step}", work.begun)
    if call.stopped:
        text = "".join(getattr(block, "text", "") for block in work.reply.content)
        return _task(work.id, "cancelled", text, work.begun)
    return _task(work.id, "completed", "", work.begun, work.reply)


def of_journal(
    service: Service, task_id: str, reply: Callable[[Result], types.CallToolResult]
) -> dict[str, Any] | None:
    """Return the task that applied a plan, by the journal; None if there is none."""
    digest = task_id.removeprefix(_PLAN)
    if len(digest) != 64 or digest == task_id:
        return None
    try:
        plan = kept(service, digest)
        result = was_it_done(service, digest)
    except (PlanError, Problem):
        return None
    if result.plan is None:  # it was never applied
        return None
    status = "working" if result.is_under_way else "completed"
    return _task(task_id, status, "", plan.made, None if result.is_under_way else reply(result))


def _task(
    task_id: str,
    status: str,
    message: str,
    begun: datetime,
    result: types.CallToolResult | None = None,
) -> dict[str, Any]:
    now = datetime.now(UTC)
    task: dict[str, Any] = {
        "taskId": task_id,
        "status": status,
        "createdAt": f"{begun:%Y-%m-%dT%H:%M:%SZ}",
        "lastUpdatedAt": f"{now:%Y-%m-%dT%H:%M:%SZ}",
        "ttlMs": None,
        "pollIntervalMs": _POLL,
    }
    if message:
        task["statusMessage"] = message
    if result is not None:
        task["result"] = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    return task
