"""The command `adjudge`: reads the command line and hands over to the module of the command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from adjudge.cli.commands import COMMANDS, listed_commands, load_command
from adjudge.cli.exit_codes import ExitCode
from adjudge.cli.messages import tell
from adjudge.cli.streams import lasting_streams, reader_left

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
    with lasting_streams() as output:
        code = _code(argv)
        try:
            sys.stdout.flush()
        except OSError as problem:
            if output is None:
                raise
            output.problem = problem
        if output is not None and output.problem is not None and not reader_left(output.problem):
            tell(f"standard output can't be written: {output.problem.strerror}")
            return code or ExitCode.USAGE
    return code


def _code(argv: Sequence[str]) -> int:
    try:
        return _carry_out(argv)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else ExitCode.OK
    except BrokenPipeError:
        return ExitCode.OK
    except KeyboardInterrupt:
        tell("interrupted")
        return ExitCode.INTERRUPTED
    except Exception as problem:  # noqa: BLE001 - the last place where anything can be told
        return _told(problem)


def _carry_out(argv: Sequence[str]) -> int:
    parser = _parser(argv)
    options = parser.parse_args(argv)
    if options.command is None:
        parser.print_help()
        return ExitCode.USAGE
    from adjudge.cli.messages import show_logs

    show_logs()
    return int(options.handle(options))


def _told(problem: Exception) -> ExitCode:
    """Put what went wrong into words for a person."""
    from adjudge.errors import AdjudgeError, Interrupted

    if isinstance(problem, Interrupted):
        tell("stopped; what was judged is stored: run the same line again to go on")
        return ExitCode(128 + problem.signum)
    if isinstance(problem, AdjudgeError):
        tell(str(problem))
        return ExitCode.USAGE
    if isinstance(problem, OSError) and _is_of_stdout(problem):
        return ExitCode.OK  # told by `run`, with the code that it asks for
    import traceback

    from adjudge.texts.visible import visible

    sys.stderr.write(visible("".join(traceback.format_exception(problem))))
    tell(f"this is a fault of adjudge itself ({type(problem).__name__})")
    return ExitCode.INTERNAL


def _is_of_stdout(problem: OSError) -> bool:
    sink = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return getattr(sink, "problem", None) is problem


class _Parser(argparse.ArgumentParser):
    """A parser whose errors show the words of the user safely."""

    def error(self, message: str) -> NoReturn:
        """Tell what is wrong, and exit."""
        from adjudge.texts.visible import visible

        super().error(visible(message))


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    parser = _Parser(prog="adjudge", description=_DESCRIPTION, allow_abbrev=False)
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and end")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, command in COMMANDS.items():
        _add(commands, name, command.HELP, command)
    first = next((word for word in argv if not word.startswith("-")), None)
    if first in COMMANDS:
        return parser
    listed = listed_commands()
    if first in listed:
        loaded = load_command(first, argv)
        _add(commands, first, loaded.HELP, loaded)
        return parser
    if first is not None:
        from adjudge.texts.suggestion import suggestion

        parser.error(f"unknown command {first!r}; {suggestion(first, [*COMMANDS, *listed])}")
    for name, summary in listed.items():
        commands.add_parser(name, help=summary)
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
