def build_say(
    text: str,
    *,
    how: SayHow | UnsetType = UNSET,
    which: str | UnsetType = UNSET,
    a_b: str | UnsetType = UNSET,
) -> Request[Word]:
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

class WordsResource(Resource):
    """A \"\"\"triple\"\"\", a \\ and {{ braces }} {% if %}."""

    @cached_property
    def with_raw_response(self) -> WordsResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return WordsResourceWithRawResponse(self._client)

    def say(
        self,
        text: str,
        *,
        how: SayHow | UnsetType = UNSET,
        which: str | UnsetType = UNSET,
        a_b: str | UnsetType = UNSET,
    ) -> Word:
        """Say "it".

        First \"\"\"quoted\"\"\" and \\n kept; {{ not }} {% evaluated %} # no comment.

        Second – with ünïcode, and a `|` bar. Ends with "quotes"

        Args:
            text: \"\"\".
            how: Line one line two \\.
            which: Ends in a backslash \\.
            a_b: A \\" escaped one and \\u0041 that stays.

        Returns:
            The "word".

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            IMATeapotError: Says \"\"\"no\"\"\" and \\ (418).
            StatusError: Another status outside 200 to 299.
            OutcomeUnknown: No response came, or a 5xx; it may have been done: look before you
                repeat it.

        Example:
            >>> client.words.say('\"\"\"\\n\\\\ {{ }} ü')

        POST /words.
        """
        return self._client.send(build_say(text, how=how, which=which, a_b=a_b))
