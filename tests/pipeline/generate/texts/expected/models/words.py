class SayHow(TextCode):
    """Without a description."""

    A = 'a"b'
    B = "it's"
    C = "{{x}}"
    D = "tab\t"

class WordInput(RequestModel, kw_only=True):
    """Ends with a quote"."""

    text: str
    """\"\"\"."""

    a_b: str | UnsetType = field(default=UNSET, name="a'b")
    """A \\" escaped one and \\u0041 that stays."""

class Word(ResponseModel, kw_only=True):
    """Ends with a quote"."""

    text: str = MISSING
    """\"\"\"."""

    a_b: str | None = field(default=MISSING, name="a'b")
    """A \\" escaped one and \\u0041 that stays."""
