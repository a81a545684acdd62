"""Notes in a file of its own what is too much for memory."""

from __future__ import annotations

import sqlite3


class Once:
    """Which post stands in which row; in a temporary file, so that memory does not grow."""

    def __init__(self) -> None:
        self._base = sqlite3.connect("", isolation_level=None)
        self._base.execute("PRAGMA journal_mode = OFF")
        self._base.execute("CREATE TABLE post (id TEXT PRIMARY KEY, row INTEGER) WITHOUT ROWID")

    def number(self, post: str, row: int) -> int | None:
        """Note the row of a post; return the one that was noted before, if any."""
        try:
            self._base.execute("INSERT INTO post VALUES (?, ?)", (post, row))
        except sqlite3.IntegrityError:
            noted = self._base.execute("SELECT row FROM post WHERE id = ?", (post,)).fetchone()
            return int(noted[0])
        return None

    def close(self) -> None:
        """Let the file go."""
        self._base.close()
