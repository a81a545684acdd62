def build_set_numbers(
    *,
    half: int | UnsetType = UNSET,
    big: int | UnsetType = UNSET,
    both: float | UnsetType = UNSET,
    even: int | UnsetType = UNSET,
    tenth: float | UnsetType = UNSET,
    letters: str | UnsetType = UNSET,
    lines: str | UnsetType = UNSET,
    flags: int | UnsetType = UNSET,
    small: int | UnsetType = UNSET,
    counted: int | UnsetType = UNSET,
    usual: int | UnsetType = UNSET,
    number: str | UnsetType = UNSET,
    combined: str | UnsetType = UNSET,
    wide: int | UnsetType = UNSET,
    share: float | UnsetType = UNSET,
) -> Request[int]:
    return prepare(
        operation="numbers.set_numbers",
        server="document",
        method="PUT",
        path="/numbers",
        json=Numbers(
            half=half,
            big=big,
            both=both,
            even=even,
            tenth=tenth,
            letters=letters,
            lines=lines,
            flags=flags,
            small=small,
            counted=counted,
            usual=usual,
            number=number,
            combined=combined,
            wide=wide,
            share=share,
        ),
        returns=int,
        retry_safety="idempotent",
    )

class NumbersResource(Resource):
    """Operations of `numbers`."""

    @cached_property
    def with_raw_response(self) -> NumbersResourceWithRawResponse:
        """The same operations; each sends one request and returns the whole response."""
        return NumbersResourceWithRawResponse(self._client)

    def set_numbers(
        self,
        *,
        half: int | UnsetType = UNSET,
        big: int | UnsetType = UNSET,
        both: float | UnsetType = UNSET,
        even: int | UnsetType = UNSET,
        tenth: float | UnsetType = UNSET,
        letters: str | UnsetType = UNSET,
        lines: str | UnsetType = UNSET,
        flags: int | UnsetType = UNSET,
        small: int | UnsetType = UNSET,
        counted: int | UnsetType = UNSET,
        usual: int | UnsetType = UNSET,
        number: str | UnsetType = UNSET,
        combined: str | UnsetType = UNSET,
        wide: int | UnsetType = UNSET,
        share: float | UnsetType = UNSET,
    ) -> int:
        """Set numbers.

        Sets them.

        Args:
            half: A half for a whole number. At least 0.5; at most 9.5.
            big: More than 64 bits. At most 9223372036854775808.
            both: Two at each end. At least 1; more than 1; at most 5; less than 6.
            even: Twos. A multiple of 2.0.
            tenth: Tenths. A multiple of 0.1.
            letters: A pattern of another language. At most 3.0 characters.
            lines: A pattern with a line feed.
            flags: A code of more than 64 bits.
            small: 32 bits.
            counted: 64 bits without a sign. At least 5.
            usual: 64 bits.
            number: An integer as text.
            combined: Both. At least 1 character; at most 5 characters.
            wide: A constant of more than 64 bits.
            share: A constant.

        Returns:
            Numbers.

        Raises:
            ArgumentError: An argument is not valid; nothing was sent.
            StatusError: Another status outside 200 to 299.

        Example:
            >>> client.numbers.set_numbers(half=1)

        PUT /numbers.
        """
        return self._client.send(
            build_set_numbers(
                half=half,
                big=big,
                both=both,
                even=even,
                tenth=tenth,
                letters=letters,
                lines=lines,
                flags=flags,
                small=small,
                counted=counted,
                usual=usual,
                number=number,
                combined=combined,
                wide=wide,
                share=share,
            )
        )
