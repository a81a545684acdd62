"""What the service knows: its documents, a store of objects, the clock, and what time does."""
