"""Runs the command."""

import sys


def run() -> None:
    """Run the command and end the process with its exit status."""
    from .command import main

    sys.exit(main())


if __name__ == "__main__":
    run()
