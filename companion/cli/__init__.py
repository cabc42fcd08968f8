"""The `companion` command: one file for each group of subcommands."""

from __future__ import annotations

import click

from companion import __version__
from companion.cli.arena import arena, balance, probe
from companion.cli.board_sim import board_sim_command
from companion.cli.content import content
from companion.cli.dashboard import wall
from companion.cli.data import backup_command, purge_command, restore_command
from companion.cli.demo import demo
from companion.cli.doctor import doctor_command
from companion.cli.flash import flash_command
from companion.cli.installer import install, uninstall
from companion.cli.photo import scan_command
from companion.cli.printing import print_command
from companion.cli.records import export_command, replay_command, verify_command
from companion.cli.rules import rules_command
from companion.cli.serve import pair_command, serve_command

COMMANDS = (
    serve_command, pair_command, demo, doctor_command, board_sim_command, rules_command,
    export_command, replay_command, verify_command, backup_command, restore_command,
    purge_command, print_command, scan_command, content, arena, balance, probe, flash_command,
    install, uninstall, wall,
)  # fmt: skip


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
def main() -> None:
    """Runs the table of a hidden-movement board game.

    It keeps the vampire's place secret, computes every answer, and shows the table to those around
    it. Start with `companion serve`; `companion doctor` finds what is wrong.
    """


for command in COMMANDS:
    main.add_command(command)
