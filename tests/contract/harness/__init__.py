"""What the contract tests are made of.

Cases come from the effective documents by way of schemathesis (`generation`) and by hand
(`edge_cases`), become typed calls of the client (`calls`), are captured below the HTTP library
(`service`), and what left and came is read by the documents again (`request_checks`,
`response_checks`).
"""

import sys
from pathlib import Path

# The client and the sandbox of this checkout, whatever is installed; and what tests share.
for _folder in (".", "generated/client/src", "sandbox/src"):
    sys.path.insert(0, str(Path(__file__).parents[3] / _folder))
