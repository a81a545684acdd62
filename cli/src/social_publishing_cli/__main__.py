"""Runs the command."""

import signal
import sys


def run() -> None:
    """Run the command and end the process with its exit status."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    try:
        from .command import main
    except ModuleNotFoundError as error:
        from .installed import missing

        sys.exit(f"error: {missing(error)}")
    sys.exit(main())


def interrupt(number: int, frame: object) -> None:
    """Interrupt once: a second signal does not cut off what is kept and said of the first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    run()
