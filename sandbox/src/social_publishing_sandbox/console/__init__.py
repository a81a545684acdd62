"""The console below `/_sandbox/`: pages to watch and control a sandbox.

Pages are rendered on the server and work without JavaScript: every change is a form that posts and
redirects. The script only refreshes pages and copies to the clipboard. Nothing is loaded from
another origin, and text written by users is always escaped.
"""
