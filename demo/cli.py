"""The command line of the demo: the month is played once, or its sandbox is kept."""

from __future__ import annotations

import argparse
import sys
import threading

from social_publishing import SocialPublishingError

from demo import story
from pipeline.commands import Parser, status, steady
from social_publishing_sandbox.state.errors import ControlError


def main(arguments: list[str] | None = None) -> int:
    """Play the month.

    Returns:
        The exit status: 0 when every check in it holds.
    """
    parser = Parser(
        prog="python -m demo",
        description="Plan and publish a month of posts, with the generated client in the sandbox.",
    )
    parser.add_argument(
        "--seed", type=int, default=7, help="seed of everything that looks random (7)"
    )
    parser.add_argument("--keep", action="store_true", help="keep the sandbox running until Ctrl-C")
    steady()
    return status(lambda: _play(parser.parse_args(arguments)))


def _play(chosen: argparse.Namespace) -> int:
    try:
        with story.new_sandbox(chosen.seed) as sandbox:
            story.play(sandbox, chosen.seed)
            if chosen.keep:
                print(f"    {sandbox.console_url}\n    The sandbox runs until Ctrl-C.", flush=True)
                threading.Event().wait()
            print("    With --keep, the sandbox keeps running, and its console shows all of this.")
    except KeyboardInterrupt:
        if not chosen.keep:
            raise
    except BrokenPipeError:
        raise
    except (story.DemoFailed, SocialPublishingError, ControlError, OSError) as error:
        print(f"The demo failed. {error}", file=sys.stderr)
        return 1
    return 0
