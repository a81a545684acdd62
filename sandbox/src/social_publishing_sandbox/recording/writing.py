"""Interactions on their way to a scenario file, which is whole after each of them."""

from __future__ import annotations

import itertools
from pathlib import Path

from social_publishing_sandbox.recording import scenario
from social_publishing_sandbox.recording.addresses import Addresses
from social_publishing_sandbox.recording.model import Interaction, Recording, RecordingError
from social_publishing_sandbox.recording.redaction import Redactor


class Writer:
    """Redacts interactions and writes them, in the order in which their requests came."""

    def __init__(self, folder: Path, name: str, service: Addresses, redactor: Redactor) -> None:
        self.path = scenario.path_of(folder, name)
        if folder.exists() and not folder.is_dir():
            raise RecordingError(f"{folder} is a file; name a folder for the recording")
        if self.path.exists():
            raise RecordingError(f"{self.path} already exists; give another name or remove it")
        self.redactor = redactor
        self._recording = Recording(name, service.base.path, service.media.path, (), folder)
        self._numbers = itertools.count()
        self._interactions: dict[int, Interaction] = {}
        self._entries: dict[int, str] = {}
        self._learned = redactor.learned

    def __len__(self) -> int:
        return len(self._interactions)

    def number(self) -> int:
        """Return the place of a request that comes now."""
        return next(self._numbers)

    def add(self, number: int, interaction: Interaction) -> None:
        """Redact an interaction and write it."""
        self._interactions[number] = self.redactor.interaction(interaction)
        self._entries[number] = scenario.entry(self._interactions[number])
        if self.redactor.learned != self._learned:
            self._learned = self.redactor.learned
            # A secret that became known only now may stand in what was written before.
            for earlier, kept in self._interactions.items():
                self._interactions[earlier] = self.redactor.interaction(kept)
                self._entries[earlier] = scenario.entry(self._interactions[earlier])
        try:
            self.write()
        except BaseException:  # neither counted nor written later: it was reported as not recorded
            del self._interactions[number], self._entries[number]
            raise

    def write(self) -> None:
        """Write the file."""
        entries = [self._entries[number] for number in sorted(self._entries)]
        scenario.write(self.path, scenario.text(scenario.head(self._recording), entries))
