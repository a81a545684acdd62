"""`help`: the pages that come with the package, and the help of a command."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence

import click

from ..characters import visible
from ..output import console_of
from ..pages import found, pages, sections


@click.command("help")
@click.argument("words", nargs=-1, metavar="[TOPIC]...")
@click.pass_context
def help_(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Show a page of the documentation, or the help of a command.

    TOPIC is a page (errors), a heading (plan, NotFoundError), both (errors#notfounderror), or a
    command (export posts).
    """
    root = ctx.find_root()
    if not "".join(words).strip():
        click.echo(root.command.get_help(root))
        click.echo(f"\nPages: {', '.join(pages())}. Show one: social-publishing help errors")
        return
    topic = " ".join(words)
    if text := _of_command(root, [word.lower() for word in words]):
        click.echo(text)
        return
    several = found("-".join(words))
    if not several:
        known = {each.topic for each in sections()} | {each.title for each in sections()}
        if isinstance(root.command, click.Group):
            known |= {*root.command.list_commands(root)}
        part = f"-{'-'.join(words).lower()}-"
        near = [each for each in pages() if part in f"-{each}-"]
        near += difflib.get_close_matches(topic, known, 1, cutoff=0.6)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise click.UsageError(
            f"no page or command is called {topic!r}.{hint} The pages are {', '.join(pages())}."
        )
    if sys.stdout.isatty():
        from rich.markdown import Markdown

        for section in several:
            console_of(sys.stdout).print(Markdown(section.text))
        return
    click.echo("\n".join(visible(section.text) for section in several), nl=False)


def _of_command(root: click.Context, words: Sequence[str]) -> str | None:
    """Return the help of a command; None where there is none of that name."""
    ctx = root
    for word in words:
        group = ctx.command
        command = group.get_command(ctx, word) if isinstance(group, click.Group) else None
        if command is None:
            return None
        ctx = click.Context(command, parent=ctx, info_name=word)
    return ctx.command.get_help(ctx)
