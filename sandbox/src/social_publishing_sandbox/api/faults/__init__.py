"""Faults: which requests fail on purpose, and how.

A `Fault` names its requests (operations, user, how many, how likely, or a script of what
happens to one request after the other) and what happens to them; `KINDS` lists what can. The
registry, `Faults`, is asked once a request and returns an `Action`, which `sending` carries out.
"""
