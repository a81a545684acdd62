"""The state of the service: documents, a store of objects, the clock, and the effects of time."""
