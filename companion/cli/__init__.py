"""The `companion` command: one file for each group of subcommands."""

from __future__ import annotations

from importlib import import_module

import click

from companion import __version__

COMMANDS = {
    "serve": "serve.serve_command",
    "pair": "pair.pair_command",
    "demo": "demo.demo",
    "doctor": "doctor.doctor_command",
    "board-sim": "board_sim.board_sim_command",
    "board-test": "board_test.board_test_command",
    "rules": "content.rules_command",
    "export": "records.export_command",
    "replay": "records.replay_command",
    "verify": "records.verify_command",
    "backup": "data.backup_command",
    "restore": "data.restore_command",
    "purge": "data.purge_command",
    "print": "printing.print_command",
    "scan": "photo.scan_command",
    "content": "content.content",
    "arena": "arena.arena",
    "flash": "flash.flash_command",
    "install": "installer.install",
    "uninstall": "installer.uninstall",
    "wall": "dashboard.wall",
}
"""Each command's module and function."""


class Commands(click.Group):
    """Imports a command's module when the command is used: on a Pi all of them take seconds."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands' names."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, None if there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        module, function = COMMANDS[cmd_name].split(".")
        command: click.Command = getattr(import_module(f"companion.cli.{module}"), function)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
def main() -> None:
    """Run the table of a hidden-movement board game.

    It keeps secrets, computes every answer, and shows everybody the public part. Start with
    `companion serve`; `companion doctor` checks this machine.
    """
