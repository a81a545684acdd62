"""The console below `/_sandbox/`: pages for people who look at a sandbox and steer it.

Pages are rendered here and work without a script: what changes something is a form that posts and
redirects. The script only keeps pages fresh and copies to the clipboard. Nothing comes from another
origin, and nothing that a user of the service wrote is ever markup.
"""
