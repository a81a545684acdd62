"""Prepares the database, adds jobs, and counts what is left; procrastinate starts workers."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from procrastinate.exceptions import ConnectorException
from psycopg import AsyncConnection, Error

from .jobs import add, app, prepare


async def _main(arguments: argparse.Namespace) -> None:
    async with await AsyncConnection.connect():
        pass  # a pool of connections would try for long, and not say why
    async with app.open_async():
        if arguments.command == "prepare":
            await prepare()
        elif arguments.command == "add":
            print(await add(arguments.plan), "jobs added")
        else:
            for queue in await app.job_manager.list_queues_async(queue="posts"):
                states = ("todo", "doing", "failed")
                print(*(f"{queue[state]} {state}" for state in states), sep=", ")


def main() -> int:
    """Prepare the database, add jobs, or show how many are left.

    Returns:
        The exit status: 1 where the plan or the database cannot be used.
    """
    parser = argparse.ArgumentParser(prog="python -m machines", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("prepare", help="create the tables of the job queue")
    adding = commands.add_parser("add", help="add a job for each line of a plan")
    adding.add_argument("plan", type=Path, help="a file of JSON lines")
    commands.add_parser("status", help="show how many jobs are left")
    try:
        asyncio.run(_main(parser.parse_args()))
    except (OSError, ValueError, ConnectorException, Error) as error:
        print(*filter(None, (error, error.__cause__)), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
