"""`python -m social_publishing_sandbox`."""

import sys

from social_publishing_sandbox.cli import main

sys.exit(main())
