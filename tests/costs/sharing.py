"""What processes keep of a million calls whose rate limit they share; minutes, not a test.

python tests/costs/sharing.py [CALLS]
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path[:0] = map(str, (ROOT, ROOT / "generated/client/src", ROOT / "sandbox/src"))

from social_publishing import FileRates, RateStore, ValkeyRates  # noqa: E402

from tests.support.valkey import PROGRAM, valkey_server  # noqa: E402

Stores = Callable[[Callable[[], float]], RateStore]


@contextmanager
def stores(kind: str, folder: Path) -> Iterator[Stores | None]:
    """Yield what makes stores of a kind by a clock; None where its server is missing."""
    if kind == "file":
        yield lambda now: FileRates(folder / "rates.db", now=now)
    elif PROGRAM is None:
        yield None
    else:
        with valkey_server(folder) as server:
            yield lambda now: ValkeyRates(f"valkey://127.0.0.1:{server.port}", now=now)


def main() -> None:
    """Print what is held after a tenth of the calls, and after all."""
    from tests.costs import programs

    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for kind in ("file", "valkey"):
        with tempfile.TemporaryDirectory() as folder, stores(kind, Path(folder)) as made:
            if made is not None:
                for number, held in zip(
                    (calls // 10, calls), programs.shared(made, calls // 10, calls), strict=True
                ):
                    print(kind, number, "calls:", held, flush=True)


if __name__ == "__main__":
    main()
