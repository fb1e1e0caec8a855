"""The command `adjudge`: reads the command line and hands over to the module of the command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from adjudge.cli.commands import COMMANDS, listed_commands, load_command
from adjudge.cli.exit_codes import ExitCode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

_DESCRIPTION = "Put judges to recorded runs of LLM agents, and know whether the runs are good."


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run the command line, and exit with one of `ExitCode`.

    Args:
        argv: the words after the command's name; those of the process when left out.
    """
    sys.exit(run(sys.argv[1:] if argv is None else argv))


def run(argv: Sequence[str]) -> int:
    """Carry out one command line.

    Args:
        argv: the words after the command's name.

    Returns:
        The exit code.
    """
    try:
        return _carry_out(argv)
    except BrokenPipeError:
        # The reader of our output has seen enough; nothing more may be written, at exit either.
        sys.stdout = None
        return ExitCode.OK
    except KeyboardInterrupt:
        print("adjudge: interrupted", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except Exception as problem:  # noqa: BLE001 - the last place where anything can be told
        return _told(problem)


def _carry_out(argv: Sequence[str]) -> int:
    parser = _parser(argv)
    options = parser.parse_args(argv)
    if options.command is None:
        parser.print_help()
        return ExitCode.USAGE
    return int(options.handle(options))


def _told(problem: Exception) -> ExitCode:
    """Put what went wrong into words for a person."""
    from adjudge.errors import AdjudgeError, Interrupted
    from adjudge.texts.visible import visible

    if isinstance(problem, Interrupted):
        print(
            "adjudge: stopped; what was judged is stored: run the same line again to go on", file=sys.stderr
        )
        return ExitCode(128 + problem.signum)
    if isinstance(problem, AdjudgeError):
        print("\n".join(f"adjudge: {visible(line)}" for line in str(problem).splitlines()), file=sys.stderr)
        return ExitCode.USAGE
    import traceback

    traceback.print_exception(problem)
    print(f"adjudge: this is a fault of adjudge itself ({type(problem).__name__})", file=sys.stderr)
    return ExitCode.INTERNAL


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="adjudge", description=_DESCRIPTION, allow_abbrev=False)
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and end")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, command in COMMANDS.items():
        _add(commands, name, command.HELP, command)
    first = next((word for word in argv if not word.startswith("-")), None)
    if first in COMMANDS:
        return parser
    loaded = load_command(first) if first is not None else None
    if first is not None and loaded is not None:
        _add(commands, first, loaded.HELP, loaded)
        return parser
    for name, listed in listed_commands().items():
        _add(commands, name, listed.HELP, listed)
    return parser


def _add(commands: Any, name: str, summary: str, command: Any) -> None:
    parser = commands.add_parser(
        name, help=summary, description=summary[0].upper() + summary[1:] + ".", allow_abbrev=False
    )
    command.add_arguments(parser)
    parser.set_defaults(handle=command.handle)


class _Version(argparse.Action):
    """Shows the version, which is looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *rest: object, **more: object) -> None:
        from importlib import metadata

        parser.exit(message=f"adjudge {metadata.version('adjudge-core')}\n")
