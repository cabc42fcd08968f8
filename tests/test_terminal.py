"""The commands work in a terminal of any charset and width, and without one."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from companion import terminal
from companion.cli import COMMANDS, main
from companion.cli.serve import print_qr
from companion.doctor.checks import SEVERITY_MARKS
from companion.terminal import SUBSTITUTES, prepare_streams
from tests.helpers.ports import free_port

COMPANION = [sys.executable, "-m", "companion"]
TIMEOUT = 90


class Output(io.TextIOWrapper):
    """A terminal with a charset; `text` is what it shows."""

    def __init__(self, charset: str) -> None:
        super().__init__(io.BytesIO(), encoding=charset, write_through=True)

    @property
    def text(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode(self.encoding)


def open_terminal(charset: str, monkeypatch: pytest.MonkeyPatch, columns: int = 80) -> Output:
    """Make a terminal with a charset the program's standard output."""
    output = Output(charset)
    monkeypatch.setattr(sys, "stdout", output)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    prepare_streams()
    return output


@pytest.mark.parametrize(
    ("charset", "expected"),
    [
        ("utf-8", "✓ 3 → 卓 ?\n"),
        ("iso8859-15", "+ 3 > ? ?\n"),
        ("ascii", "+ 3 > ? ?\n"),
        ("cp437", "+ 3 > ? ?\n"),
    ],
)
def test_a_sign_that_cannot_be_shown_is_replaced(
    charset: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Signs of the commands become ASCII signs, others a question mark; nothing fails."""
    output = open_terminal(charset, monkeypatch)

    print("✓ 3 → 卓 \ud83d")

    assert expected == output.text


def test_marks_stay_distinct() -> None:
    """The marks of the doctor's results, and the arrows of a reading, differ in ASCII too."""
    marks = [SUBSTITUTES.get(mark, mark) for mark in SEVERITY_MARKS.values()]

    assert len(SEVERITY_MARKS) == len({*marks})
    assert 4 == len({SUBSTITUTES[arrow] for arrow in "↑→↓←"})
    assert all(text.isascii() for text in SUBSTITUTES.values())


@pytest.mark.parametrize(
    ("charset", "columns", "kind", "is_drawn"),
    [
        ("utf-8", 80, "xterm", True),
        ("utf-8", 40, "xterm", False),
        ("utf-8", 80, "dumb", False),
        ("latin-1", 80, "xterm", False),
    ],
)
def test_a_code_is_drawn_where_the_terminal_can(
    charset: str, columns: int, kind: str, is_drawn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A QR code is drawn only with its signs, its colours, and in its width: a broken one helps
    nobody.
    """
    output = open_terminal(charset, monkeypatch, columns)
    monkeypatch.setenv("TERM", kind)

    print_qr("http://192.168.1.20:8080/join#" + "k" * 43 + "KTQF")

    assert is_drawn == ("▀" in output.text) == bool(output.text)


def test_missing_streams_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program without standard streams gets empty ones."""
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)

    prepare_streams()
    with sys.stdin, sys.stdout, sys.stderr:
        print("lost")
        assert "" == sys.stdin.read()


def shell(script: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a shell's script; "$@" is the program."""
    return subprocess.run(
        ["sh", "-c", script, "sh", *COMPANION],
        capture_output=True,
        text=True,
        encoding="latin-1",
        timeout=TIMEOUT,
        check=False,
        env=os.environ | environment,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "status", "lines"),
    [
        ('"$@" replay missing >&-', 2, 4),
        ('"$@" doctor --config "$FILE"', 2, 1),
        ('"$@" pair --data "$FOLDER" <&- >&- 2>&-', 1, 0),
        ('"$@" rules nosferatu <&-', 0, 0),
        ('"$@" --help >&-', 0, 0),
        ('"$@" --help >/dev/full', 1, 1),
    ],
)
def test_a_command_runs_with_any_streams(
    script: str, status: int, lines: int, tmp_path: Path
) -> None:
    """In a terminal of another charset, without streams and with a full one, a command ends without
    a traceback.
    """
    file = tmp_path / "卓.toml"
    file.write_text("nothing = 1\n")
    environment = {"FOLDER": str(tmp_path), "FILE": str(file), "PYTHONIOENCODING": "latin-1"}

    ended = shell(script, **environment)

    assert (status, lines) == (ended.returncode, ended.stderr.count("\n")), ended.stderr
    assert "Traceback" not in ended.stderr
    assert [file] == list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("command", [*COMMANDS])
def test_the_help_of_every_command_fits_any_terminal(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The help of each command is shown in ASCII and in 20 columns."""
    output = open_terminal("ascii", monkeypatch, columns=20)

    with pytest.raises(SystemExit) as ended:
        main([command, "--help"], prog_name="companion")

    assert 0 == ended.value.code
    assert output.text.startswith("Usage: ")


@pytest.mark.slow
@pytest.mark.parametrize("variables", [{"PYTHONIOENCODING": "latin-1"}, {"COLUMNS": "20"}])
def test_a_table_starts_in_any_terminal(variables: dict[str, str], tmp_path: Path) -> None:
    """In a terminal that cannot draw the code, a table starts and names its address alone."""
    leader, follower = pty.openpty()
    words = ["serve", "--data", str(tmp_path), "--port", str(free_port()), "--board", "none"]
    text = b""
    with subprocess.Popen(
        [*COMPANION, *words], stdout=follower, stderr=follower, env=os.environ | variables
    ) as process:
        os.close(follower)
        while b"Ctrl+C" not in text and (more := os.read(leader, 4096)):
            text += more
        process.terminate()
    os.close(leader)

    assert b"/join and give the four letters" in text
    assert b"\x1b" not in text


def test_only_an_error_of_the_output_is_reported() -> None:
    """An error about a named file is none of the output's, and stays as it is."""
    with pytest.raises(FileNotFoundError), terminal.reporting_full_output():
        raise FileNotFoundError(2, "No such file", "table.toml")
    with pytest.raises(OSError, match="No space"), terminal.reporting_full_output():
        raise OSError(28, "No space left", "table.sqlite")
