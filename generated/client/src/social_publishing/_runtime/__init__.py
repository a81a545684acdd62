"""What every generated client stands on: requests, answers, errors, files and times.

Plain Python that knows no API. The generated modules import from here, never the other way.
"""
