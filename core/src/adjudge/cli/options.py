"""Options that several commands share."""

from __future__ import annotations

import argparse
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from adjudge.judges import JudgeContext
    from adjudge.plugins.host import PluginHost
    from adjudge.runs.selection import Selection
    from adjudge.stores.sqlite import SqliteStore
    from adjudge.suites.model import Suite

STORE_FOLDER = ".adjudge"
STORE_VARIABLE = "ADJUDGE_STORE"


def add_plugin_options(parser: argparse.ArgumentParser) -> None:
    """Declare which plugins may be used."""
    group = parser.add_argument_group("plugins")
    group.add_argument("--no-plugins", action="store_true", help="use adjudge's own judges only")
    group.add_argument(
        "--block", metavar="DIST", action="append", default=[], help="do not use this distribution"
    )
    group.add_argument(
        "-p",
        dest="modules",
        metavar="MODULE",
        action="append",
        default=[],
        help="load hooks from this module too",
    )


def plugin_host(options: argparse.Namespace) -> PluginHost:
    """The plugin host that the options ask for.

    Raises:
        UserError: they block what is not installed.
        PluginError: a module that they name can't be loaded.
    """
    from adjudge.plugins.host import PluginHost
    from adjudge.plugins.policy import PluginPolicy

    policy = PluginPolicy.of(
        block=tuple(options.block), no_plugins=options.no_plugins, modules=tuple(options.modules)
    )
    host = PluginHost(policy)
    host.check_policy()
    return host


def judge_context(suite: Suite, host: PluginHost) -> JudgeContext:
    """What the judges of a suite may use when a command puts them to samples itself."""
    from adjudge.judges import JudgeContext

    return JudgeContext(models=dict(suite.models), tools=host.tools())


def add_selection_options(parser: argparse.ArgumentParser) -> None:
    """Declare which samples and judges to take."""
    group = parser.add_argument_group("what to judge")
    group.add_argument(
        "--samples", metavar="PATH", nargs="+", default=[], help="recordings to judge instead of the suite's"
    )
    group.add_argument("--format", metavar="F", help="the recordings' format, as `adjudge formats` lists it")
    group.add_argument("--judge", metavar="NAME", action="append", default=[], help="put this judge only")
    group.add_argument("--sample", metavar="ID", action="append", default=[], help="judge this sample only")
    group.add_argument(
        "--where", metavar="KEY=VALUE", action="append", default=[], help="judge samples with this value only"
    )
    group.add_argument("--limit", metavar="N", type=count, help="judge the first N samples only")


def selection(options: argparse.Namespace) -> Selection:
    """The selection that the options ask for."""
    from adjudge.runs.selection import Selection
    from adjudge.runs.slices import Condition

    return Selection(
        paths=tuple(options.samples),
        format=options.format,
        judges=tuple(options.judge),
        samples=tuple(options.sample),
        where=tuple(Condition.parse(text) for text in options.where),
        limit=options.limit,
    )


def count(text: str) -> int:
    """Read a whole number from 1, as an option's value."""
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1")
    return int(text)


def add_store_option(parser: argparse.ArgumentParser) -> None:
    """Declare where runs are kept."""
    parser.add_argument(
        "--store",
        metavar="DIR",
        help=f"where runs are kept ({STORE_VARIABLE}, or {STORE_FOLDER} here or in a folder above)",
    )


def store_folder(options: argparse.Namespace) -> Path:
    """The folder that the options, the environment or the working directory name."""
    from pathlib import Path

    from adjudge.errors import UserError

    named = options.store or os.environ.get(STORE_VARIABLE)
    if named:
        return Path(named)
    try:
        here = Path.cwd()
    except OSError:
        raise UserError("the working directory is gone; go to another one, or name a --store DIR") from None
    for folder in (here, *here.parents):
        if (folder / STORE_FOLDER).is_dir():
            return folder / STORE_FOLDER
    return here / STORE_FOLDER


def open_store(options: argparse.Namespace, *, create: bool = False) -> SqliteStore:
    """The store that the options name.

    Args:
        options: the parsed options.
        create: whether to make what is not there yet.
    """
    from adjudge.stores.sqlite import SqliteStore

    return SqliteStore(store_folder(options), create=create)
