def build_say(
    *,
    how: SayHow | UnsetType = UNSET,
    which: str | UnsetType = UNSET,
    text: str,
    a_b: str | UnsetType = UNSET,
) -> Request[Word]:
    """Say "it".

    First \"\"\"quoted\"\"\" and \\n kept; {{ not }} {% evaluated %} # no comment.

    Second – with ünïcode, and a `|` bar. Ends with "quotes"

    Args:
        how: Line one line two \\.
        which: Ends in a backslash \\.
        text: \"\"\".
        a_b: A \\" escaped one and \\u0041 that stays.

    Returns:
        The "word".

    Raises:
        ArgumentError: an argument is not what the documents allow; nothing was sent.
        IMATeapotError: status 418. Says \"\"\"no\"\"\" and \\.
        StatusError: any other status outside 200 to 299.
        OutcomeUnknown: no response came, or one of 5xx, and it may have been done; look before you
            repeat it.

    POST /words.
    """
    return prepare(
        operation="words.say",
        server="document",
        method="POST",
        path="/words",
        query=[
            Parameter("how", how, SayHow, "how"),
            Parameter("which", which, Annotated[str, Meta(pattern="^[\"'\\\\\\d]+$")], "which"),
        ],
        json=WordInput(text=text, a_b=a_b),
        returns=Word,
        retry_safety="unsafe",
    )
