"""What the service has no operation for: the clock, new objects, approvals, faults, snapshots."""
