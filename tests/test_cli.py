"""The `companion` command as people type it: real processes, sentences, exit statuses."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.core.placement import Cell
from companion.games import GAMES
from companion.games.vampireradar import VampireRadar
from companion.games.vampireradar.actions import Place
from companion.games.vampireradar.options import V
from companion.server.auth.access import DISPLAY_FILE
from companion.sim.page import DEFAULT_PAGE_PORT
from companion.table.storage.recovery import LOG_FILE
from companion.table.storage.store import create_log
from tests.helpers.ports import free_port
from tests.table.play import Play
from tools.photos.scene import Scene, random_laid
from tools.photos.views import View, photo

pytestmark = pytest.mark.slow

COMPANION = [sys.executable, "-m", "companion"]
FIXTURE = Path(__file__).parent / "fixtures" / "games" / "03-2p.jsonl"
TIMEOUT = 90
"""Seconds within which a process answers, however busy the machine is."""


def run(*words: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMPANION, *words],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


@contextmanager
def served(data: Path, port: int, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run a table until the block ends; yields when it reports that it is ready."""
    command = [
        *COMPANION,
        "serve",
        "--data",
        str(data),
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        *words,
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert "ready" in process.stdout.readline()
            yield process
        finally:
            process.kill()


def test_help_names_every_command() -> None:
    """`companion --help` lists what each command is for, and each has a help of its own."""
    text = run("--help").stdout

    commands = (
        "serve",
        "pair",
        "board-sim",
        "rules",
        "export",
        "replay",
        "verify",
        "doctor",
        "wall",
        "print",
        "purge",
        "backup",
        "restore",
        "scan",
    )
    for command in commands:
        assert command in text
        assert len(CliRunner().invoke(main, [command, "--help"]).stdout) > 100


def test_a_command_loads_no_other_one() -> None:
    """On a slow machine, loading every command's modules takes seconds."""
    script = (
        "import sys; from companion.cli import main;"
        "main(['pair', '--help'], standalone_mode=False);"
        "print(*(name for name in sys.modules if name.startswith('companion.cli.')))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=TIMEOUT, check=True
    )

    assert {"companion.cli.options", "companion.cli.pair"} == set(
        ended.stdout.splitlines()[-1].split()
    )


def test_serve_answers_and_ends_by_a_signal(tmp_path: Path) -> None:
    """`companion serve` answers on its port, writes no code to a log, and ends cleanly with
    SIGTERM.
    """
    port = free_port()
    with served(tmp_path / "data", port, "--board", "none") as process:
        page = urllib.request.urlopen(f"http://127.0.0.1:{port}/table", timeout=TIMEOUT).read()
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=TIMEOUT)

    assert b"<!doctype html>" in page.lower()
    assert (0, "", "") == (process.returncode, out, err)


def test_a_missing_device_is_named(tmp_path: Path) -> None:
    """A board, a scanner or a camera that is not there, and a bot whose program is not, are named
    at the start; the table serves its pages all the same.
    """
    port = free_port()
    named = ["--board", "/dev/no-board", "--scanner", "/dev/no-scanner", "--camera", "/no-folder"]
    bot = ["--bot-program", "mine=/no-program --token secret"]
    with served(tmp_path / "data", port, *named, *bot) as process:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/table", timeout=TIMEOUT).read()
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=TIMEOUT)

    said = [line.split(" `")[0] for line in err.splitlines()]
    assert [
        "/dev/no-board is not there.",
        "/dev/no-scanner is not there.",
        "/no-folder is not there.",
        "The bot mine cannot play: there is no program /no-program.",
    ] == said


@pytest.mark.parametrize("desktop", ["DISPLAY", "WAYLAND_DISPLAY", None])
def test_the_display_is_opened_on_a_desktop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, desktop: str | None
) -> None:
    """With `--open`, also without a terminal, the machine's browser opens the address that makes it
    the display if there is a desktop, and nothing is opened elsewhere.
    """
    port, opened, browser = free_port(), tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}\n', encoding="ascii")
    browser.chmod(0o700)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if desktop:
        monkeypatch.setenv(desktop, ":9")
    monkeypatch.setenv("BROWSER", f"{browser} %s")

    with served(tmp_path / "data", port, "--board", "none", "--open"):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/table", timeout=TIMEOUT).read()
        code = (tmp_path / "data" / DISPLAY_FILE).read_text("ascii").strip()
        opened_url = opened.read_text("ascii") if opened.exists() else None

    assert opened_url == (f"http://127.0.0.1:{port}/table#{code}" if desktop else None)


def test_make_play_opens_the_display() -> None:
    """`make play` opens the display, a service does not."""
    makefile = (Path(__file__).parents[1] / "Makefile").read_text(encoding="utf-8")
    units = [*(Path(__file__).parents[1] / "hardware").rglob("*.service")]
    assert "companion serve --open\n" in makefile
    assert units
    assert not any("--open" in unit.read_text(encoding="utf-8") for unit in units)


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    """A port in use by another program is named, with advice."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        ended = run(
            "serve",
            "--data",
            str(tmp_path),
            "--host",
            "127.0.0.1",
            "--port",
            port,
            "--board",
            "none",
        )

    assert 1 == ended.returncode
    assert f"Another program has port {port}." in ended.stderr
    assert "--port" in ended.stderr


@pytest.mark.parametrize(
    ("host", "status", "reason"),
    [
        ("::", 2, "--host: the table serves IPv4 only"),
        ("[::1]", 2, "--host: the table serves IPv4 only"),
        ("no host", 1, "The host no host has no IPv4 address."),
        ("203.0.113.9", 1, "203.0.113.9 is no address of this machine."),
    ],
)
def test_a_host_that_cannot_be_served_has_its_own_sentence(
    host: str, status: int, reason: str, tmp_path: Path
) -> None:
    """A host that is no IPv4 address of this machine is named in one line; no other program is
    blamed.
    """
    ended = run("serve", "--data", str(tmp_path), "--host", host, "--board", "none")

    assert (status, 1) == (ended.returncode, ended.stderr.count("\n"))
    assert reason in ended.stderr
    assert "program" not in ended.stderr


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (("serve", "--board", "sim", "--host", "127.0.0.1"), "--sim-port"),
        (("board-sim",), "--page-port"),
    ],
)
def test_a_port_in_use_for_the_virtual_board_is_reported(
    tmp_path: Path, command: tuple[str, ...], option: str
) -> None:
    """A port for the virtual board's page in use by another program is named, with advice."""
    own = ("--data", str(tmp_path), "--port", str(free_port())) if command[0] == "serve" else ()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        ended = run(*command, *own, option, port)

    assert (1, 1) == (ended.returncode, ended.stderr.count("\n"))
    assert f"companion: Another program has port {port}." in ended.stderr
    assert option in ended.stderr


def test_a_log_gets_the_addresses(tmp_path: Path) -> None:
    """Started without a terminal, the table prints its addresses, for the display and the virtual
    board, whose page gets a free port if the usual one is in use, and how phones reach it; no code
    that admits a phone is written.
    """
    port = free_port()
    words = ("--data", str(tmp_path), "--host", "127.0.0.1", "--port", str(port), "--board", "sim")
    with ExitStack() as stack:
        with suppress(OSError):  # another program may have it: that is what is wanted
            stack.enter_context(socket.create_server(("127.0.0.1", DEFAULT_PAGE_PORT)))
        process = stack.enter_context(
            subprocess.Popen([*COMPANION, "serve", *words], stdout=subprocess.PIPE, text=True)
        )
        stack.callback(process.kill)
        assert process.stdout is not None
        ready, virtual = process.stdout.readline(), process.stdout.readline()
        page = urllib.request.urlopen(virtual.split()[-1], timeout=TIMEOUT).read()

    assert f"http://127.0.0.1:{port}/table; phones need --host 0.0.0.0;" in ready
    assert b"Virtual board" in page
    assert "#" not in ready + virtual


def test_a_second_table_in_one_folder_is_refused(tmp_path: Path) -> None:
    """Two companions never share a data folder: the second ends with 75 and prints why."""
    with served(tmp_path / "data", free_port(), "--board", "none"):
        second = run(
            "serve", "--data", str(tmp_path / "data"), "--port", str(free_port()), "--board", "none"
        )

    assert 75 == second.returncode
    assert "another companion uses" in second.stderr


def test_an_unknown_setting_is_an_error(tmp_path: Path) -> None:
    """An unknown key of table.toml ends the start; the message has its line and the nearest known
    key.
    """
    (tmp_path / "table.toml").write_text("language = 'en'\nprot = 9000\n", encoding="utf-8")
    ended = run("serve", "--config", str(tmp_path / "table.toml"))

    assert 2 == ended.returncode
    assert "table.toml:2" in ended.stderr
    assert '"port"' in ended.stderr


def test_a_damaged_folder_is_reported(tmp_path: Path) -> None:
    """A file that is no database is kept beside the new one, and the loss is reported."""
    data = tmp_path / "data"
    play = Play(data, VampireRadar())
    play.start("V")
    play.table.close()
    (data / "table.sqlite").write_bytes(b"this is no database at all" * 100)
    with served(data, free_port(), "--board", "none") as process:
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=TIMEOUT)

    assert "damaged" in err
    assert [] != list(data.glob("*.corrupt-*"))


@pytest.mark.parametrize("more", [(), ("--tls",)])
@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2"])
def test_pair_prints_the_displays_address(host: str, more: tuple[str, ...], tmp_path: Path) -> None:
    """`companion pair` prints an address with the running table's host, port and key and a
    one-time code; this machine gets the page there by plain http, and `doctor` sees the table.
    """
    data = str(tmp_path / "data")
    assert "companion serve" in run("pair", "--data", str(tmp_path / "nowhere")).stderr
    port = free_port()
    (tmp_path / "table.toml").write_text(f'host = "{host}"\nport = {port}\n')
    with served(tmp_path / "data", port, "--host", host, "--board", "none", *more):
        address = run("pair", "--data", data).stdout.strip()
        page = urllib.request.urlopen(address.partition("#")[0], timeout=TIMEOUT).read()
        report = run("doctor", "--data", data, "--config", str(tmp_path / "table.toml")).stdout

    assert address.startswith(f"http://{host}:{port}/table#")
    assert 43 + 12 == len(address.partition("#")[2])
    assert b"<!doctype html>" in page[:20].lower()
    assert f"A companion is already serving on port {port}." in report


@pytest.mark.parametrize("name", ["address", "display-code"])
def test_pair_repeats_nothing_but_an_address(name: str, tmp_path: Path) -> None:
    """A file that holds no address or code is refused in one sentence; its content could control
    the terminal.
    """
    (tmp_path / "address").write_text("http://127.0.0.1:8080")
    (tmp_path / "display-code").write_text("x" * 43 + "B" * 12)
    (tmp_path / name).write_text("\x1b]0;title\x07")

    ended = run("pair", "--data", str(tmp_path))

    assert (1, "") == (ended.returncode, ended.stdout)
    assert ["companion serve"] == re.findall("companion serve", ended.stderr)
    assert "\x1b" not in ended.stderr


def text_on_terminal(data: Path, port: int, *words: str) -> str:
    """Return what `serve` prints on a terminal from its start until it is ready."""
    leader, follower = pty.openpty()
    where = ["--data", str(data), "--port", str(port)]
    command = [*COMPANION, "serve", *where, "--board", "sim", "--sim-port", "0", *words]
    with subprocess.Popen(command, stdout=follower, stderr=follower) as process:
        os.close(follower)
        text = b""
        while b"Ctrl+C" not in text:
            text += os.read(leader, 4096)
        process.send_signal(signal.SIGINT)
        process.wait(TIMEOUT)
    os.close(leader)
    return text.decode()


@pytest.mark.parametrize("is_written", [True, False])
def test_a_terminal_is_shown_a_code_to_scan(is_written: bool, tmp_path: Path) -> None:
    """Started in a terminal, `serve` prints the display's address, the virtual board's and a QR
    code for phones, also where the address for `companion pair` cannot be written.
    """
    if not is_written:
        (tmp_path / "address").mkdir()
    port = free_port()

    text = text_on_terminal(tmp_path, port)

    assert f"http://127.0.0.1:{port}/table#" in text
    assert "virtual" in text
    assert "▀" in text


def test_a_table_for_this_machine_alone_names_no_address_for_phones(tmp_path: Path) -> None:
    """A table that listens on 127.0.0.1 prints no joining address, but the option that phones
    need.
    """
    text = text_on_terminal(tmp_path, free_port(), "--host", "127.0.0.1")

    assert ["phones need --host 0.0.0.0"] == re.findall(r"phones need [\w. -]+\d", text)
    assert not re.search("/join|▀", text)


def test_without_a_terminal_the_printed_command_pairs(tmp_path: Path) -> None:
    """Without a terminal `serve` prints a command that, typed in the same folder, prints the
    display's address, however `serve` was started.
    """
    program = Path(sys.executable).with_name("companion")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/companion").symlink_to(program)
    for start, named in (
        (str(program), str(program)),
        ("bin/companion", "bin/companion"),
        (str(tmp_path / "bin/companion"), "bin/companion"),
        (f"{sys.executable} -m companion", f"{sys.executable} -m companion"),
    ):
        port = free_port()
        where = ["--data", str(tmp_path / "my games"), "--host", "127.0.0.1", "--port", str(port)]
        with subprocess.Popen(
            [*start.split(), "serve", *where, "--board", "none"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            printed = process.stdout.readline().split("`")[1]
            address = subprocess.run(
                shlex.split(printed), cwd=tmp_path, capture_output=True, text=True, check=True
            ).stdout
            process.terminate()

        assert f"{named} pair --data '{tmp_path}/my games'" == printed
        assert address.startswith(f"http://127.0.0.1:{port}/table#")


def test_rules_speaks_json_lines() -> None:
    """`companion rules GAME` answers each line with a line."""
    answers = run(
        "rules", GAMES[0].name, stdin='{"new": {"players": 2, "seed": 1}}\nnonsense\n'
    ).stdout.splitlines()

    assert [True, False] == [json.loads(answer)["ok"] for answer in answers]


def test_replay_accepts_a_record_and_names_the_line_that_differs(tmp_path: Path) -> None:
    """`companion replay` decides every line again; a changed one is named."""
    lines = FIXTURE.read_text(encoding="utf-8").splitlines()
    changed = next(number for number, line in enumerate(lines) if '"hit": false' in line)
    bent = tmp_path / "bent.jsonl"
    bent.write_text(
        "\n".join(
            [
                *lines[:changed],
                lines[changed].replace('"hit": false', '"hit": true'),
                *lines[changed + 1 :],
            ]
        )
    )

    assert 0 == run("replay", str(FIXTURE)).returncode
    refused = run("replay", str(bent))
    assert 1 == refused.returncode
    assert refused.stderr.startswith(f"companion: {bent}: line {changed + 1}: ")
    assert refused.stderr.endswith(".\n")


def test_a_backup_replaces_no_file(tmp_path: Path) -> None:
    """`companion backup` onto a file that exists says so in one sentence and leaves it alone."""
    create_log(tmp_path / LOG_FILE)
    taken = tmp_path / "taken"
    taken.write_text("mine")
    refused = run("backup", "--data", str(tmp_path), str(taken))

    assert (1, "mine") == (refused.returncode, taken.read_text())
    assert f"companion: {taken} is there already; choose another name.\n" == refused.stderr


def test_an_empty_record_proves_nothing(tmp_path: Path) -> None:
    """`companion replay` refuses a file without a game."""
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    refused = run("replay", str(empty))
    assert (1, True) == (refused.returncode, "does not begin with a game" in refused.stderr)


def test_an_address_of_another_machine_is_named(tmp_path: Path) -> None:
    """A table that cannot listen on an address blames the address, not the port."""
    refused = run(
        "serve", "--data", str(tmp_path), "--host", "192.0.2.1", "--port", str(free_port())
    )
    assert (1, True) == (refused.returncode, "192.0.2.1 is no address" in refused.stderr)
    assert "--host" in refused.stderr


def test_export_of_no_game_is_reported(tmp_path: Path) -> None:
    """A folder without a game is reported as such; nothing is written."""
    ended = run("export", "--data", str(tmp_path), str(tmp_path / "game.jsonl"))

    assert (1, False) == (ended.returncode, (tmp_path / "game.jsonl").exists())
    assert "no such game" in ended.stderr


def test_board_sim_opens_a_port_and_takes_commands() -> None:
    """`companion board-sim` prints its port and answers commands."""
    answers = run("board-sim", "--page-port", "0", stdin="move H1a B1\nshow\nquit\n").stdout

    assert "PORT " in answers
    assert "H1a" in answers


def test_doctor_prints_its_results(tmp_path: Path) -> None:
    """`companion doctor` checks everything and prints its results in sentences."""
    ended = run("doctor", "--data", str(tmp_path / "data"), "--port", str(free_port()))

    assert "Python" in ended.stdout
    assert "_" not in ended.stdout.splitlines()[0]


def test_verify_proves_a_finished_game(tmp_path: Path) -> None:
    """A finished game's record is proved by its own seals and by a kept head; an altered one is
    not, and an unfinished game cannot be.
    """
    play = Play(tmp_path / "data", VampireRadar(), night_floor=0)
    play.start("V")
    path, heads = tmp_path / "game.jsonl", tmp_path / "heads"
    play.submit("V", Place(Cell("C3")))
    play.clock.advance(60)
    snapshot = play.table.snapshot()
    heads.write_text(f"{snapshot['position']} {snapshot['head']}\n", encoding="utf-8")
    run("export", "--data", str(tmp_path / "data"), str(path))
    assert 1 == run("verify", str(path)).returncode

    play.table.surrender(V)
    play.table.close()
    run("export", "--data", str(tmp_path / "data"), str(path))
    proved = run("verify", str(path), "--heads", str(heads))
    assert (0, True) == (proved.returncode, "1 seals opened" in proved.stdout)

    path.write_text(
        path.read_text(encoding="utf-8").replace('\\"cell\\":\\"C3\\"', '\\"cell\\":\\"C4\\"'),
        encoding="utf-8",
    )
    assert 1 == run("verify", str(path)).returncode


def test_scan_reads_a_field(tmp_path: Path) -> None:
    """`companion scan` prints the tiles of a photo, for programs as JSON, and ends with 0."""
    truth = random_laid(Random(2))
    (tmp_path / "table.jpg").write_bytes(photo(Scene(laid=truth, card="north"), View(), 2))
    ended = run("scan", str(tmp_path / "table.jpg"), "--json")
    tiles = {cell: {"id": number, "turn": turn} for cell, (number, turn) in truth.items()}

    assert (0, "") == (ended.returncode, ended.stderr)
    assert {"tiles": tiles, "unread": [], "problems": []} == json.loads(ended.stdout)


def test_scan_of_no_field_ends_with_1(tmp_path: Path) -> None:
    """A photo without a whole field ends with 1: the output has the tiles read, the tiles missing
    and the problems.
    """
    truth = random_laid(Random(3))
    del truth["C4"]
    (tmp_path / "hole.jpg").write_bytes(photo(Scene(laid=truth), View(), 2))
    (tmp_path / "text.jpg").write_text("no picture", encoding="utf-8")
    text_run, json_run = (
        run("scan", str(tmp_path / "hole.jpg")),
        run("scan", "--json", str(tmp_path / "text.jpg")),
    )

    assert (1, 1) == (text_run.returncode, json_run.returncode)
    assert "Not read: C4." in text_run.stdout and "top is taken as row 1" in text_run.stdout
    assert {
        "tiles": {},
        "unread": [],
        "problems": ["This is no JPEG or PNG picture."],
    } == json.loads(json_run.stdout)
