"""The compiled libraries, or plain Python in their place.

`orjson` and `jsonschema_rs` have no wheels for WebAssembly, nor for some interpreters. What stands
here for them gives the same values and the same problems, more slowly. Of texts that are no JSON,
the reasons have other words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jsonschema_rs
    import orjson
else:
    try:
        import orjson
    except ImportError:
        from social_publishing_sandbox.compiled import plain_json as orjson
    try:
        import jsonschema_rs
    except ImportError:
        from social_publishing_sandbox.compiled import plain_schemas as jsonschema_rs

__all__ = ["jsonschema_rs", "orjson"]
