"""Apply OpenAPI Overlays (1.0, 1.1 and 1.2) and keep account of what rests on an assumption.

The engine follows the Overlay Specification and is stricter in one point: a target that selects
nothing, and an action with nothing to do, are errors unless `strict=False`. Actions may carry two
words of ours:

- `x-assumption: {gap, basis: seen | analogy | convention, because}`: what the action writes is
  assumed; the nearest object that may carry an extension is stamped `x-assumed: [gap, …]`.
- `x-confirmed: {gap, evidence}`: what it writes is known. Confirmed actions come in overlays of
  their own, take the place of every assumption of the same gap, and stamp
  `x-confirmed: [gap, …]`.
"""
