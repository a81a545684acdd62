"""Control beyond the service's operations: clock, new objects, approvals, faults, snapshots."""
