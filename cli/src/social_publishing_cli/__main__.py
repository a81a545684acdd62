"""Runs the command."""

import sys


def run() -> None:
    """Run the command and end the process with its exit status."""
    try:
        from .command import main
    except ModuleNotFoundError as error:
        from .installed import missing

        sys.exit(f"error: {missing(error)}")
    sys.exit(main())


if __name__ == "__main__":
    run()
