"""`python -m social_publishing_sandbox`, and the command itself."""

from __future__ import annotations

import signal
import sys


def run() -> int:
    """Run the command with the arguments of the process; return the exit status.

    Until something has to be shut down in order, Ctrl-C ends the process at once, without a
    message. An exception in the middle of an import would be shown as a traceback, or crash a
    library.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from social_publishing_sandbox.cli import main
    except ModuleNotFoundError as error:
        from social_publishing_sandbox.installed import missing

        print(missing(error), file=sys.stderr)
        return 1
    return main()


if __name__ == "__main__":
    sys.exit(run())
