"""Settings come from table.toml, the environment and the command line, and mistakes in them are
named.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.config import (
    Broker,
    CameraSettings,
    PanelSettings,
    Settings,
    SettingsError,
    SettleSettings,
    data_folder,
    line_of,
    load,
)
from companion.core.game import Message
from companion.games import GAMES
from companion.table.results import EVEN

HOME = {"HOME": "/home/ana"}


def refusal(tmp_path: Path, text: str, **overrides: object) -> tuple[str, dict[str, str | int]]:
    """Return the code and parameters of the refusal of a file with this text, its path shortened to
    its name.
    """
    path = tmp_path / "table.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load(path, overrides, HOME)
    message = caught.value.message
    return message.code, {
        key: str(value).replace(f"{tmp_path}/", "") for key, value in message.params.items()
    }


def test_everything_has_a_default() -> None:
    """A household without a table.toml gets the settings of the documentation."""
    settings = load(environment={"XDG_CONFIG_HOME": "/nowhere", "HOME": "/home/ana"})

    assert Settings(data="/home/ana/.local/state/companion") == settings
    assert (8080, "0.0.0.0", "auto", 12, True, "en") == (
        settings.port,
        settings.host,
        settings.board,
        settings.night_floor,
        settings.auto_pick_up,
        settings.language,
    )


def test_a_file_sets_every_kind_of_value(tmp_path: Path) -> None:
    """Values of table.toml win over the defaults, tables included."""
    path = tmp_path / "table.toml"
    path.write_text(
        'data = "/srv/games"\nport = 80\nhosts = ["game.lan"]\nlanguage = "ja"\nnight_floor = 20\n'
        'auto_pick_up = false\nboard = "loop://"\n[settle]\nrest = 1\n'
        '[panel]\npins = "gpio"\nbutton = 5\n'
    )

    expected = Settings(
        data="/srv/games",
        port=80,
        hosts=("game.lan",),
        language="ja",
        night_floor=20,
        auto_pick_up=False,
        board="loop://",
        settle=SettleSettings(rest=1.0),
        panel=PanelSettings(pins="gpio", button=5),
    )
    assert expected == load(path, environment=HOME)


def test_the_command_line_wins(tmp_path: Path) -> None:
    """A given option wins over the file; an absent one (None) does not."""
    path = tmp_path / "table.toml"
    path.write_text("port = 80\nlanguage = 'nl'\n")

    settings = load(path, {"port": 9000, "language": None}, HOME)

    assert (9000, "nl") == (settings.port, settings.language)


def test_the_home_is_meant_by_a_tilde() -> None:
    """A leading ~ in the data folder is the home of the user who runs the companion."""
    assert (
        Path.home() / "games"
        == load(None, {"data": "~/games"}, {"XDG_CONFIG_HOME": "/nowhere"}).folder
    )


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"STATE_DIRECTORY": "/var/lib/companion", "XDG_STATE_HOME": "/x"}, "/var/lib/companion"),
        ({"STATE_DIRECTORY": "/var/lib/companion:/var/lib/other"}, "/var/lib/companion"),
        ({"XDG_STATE_HOME": "/x", "HOME": "/home/ana"}, "/x/companion"),
        ({"HOME": "/home/ana"}, "/home/ana/.local/state/companion"),
    ],
)
def test_where_data_is_kept(environment: dict[str, str], expected: str) -> None:
    """The data folder is systemd's state folder, else XDG's, else the one below the home."""
    assert Path(expected) == data_folder(environment)


@pytest.mark.parametrize("variable", ["CONFIGURATION_DIRECTORY", "XDG_CONFIG_HOME"])
def test_where_the_file_is_looked_for(tmp_path: Path, variable: str) -> None:
    """Without --config the file lies in systemd's configuration folder, else in XDG's."""
    folder = tmp_path if variable == "CONFIGURATION_DIRECTORY" else tmp_path / "companion"
    folder.mkdir(exist_ok=True)
    (folder / "table.toml").write_text("port = 4711\n")

    assert 4711 == load(environment={variable: str(tmp_path), **HOME}).port


def test_an_unknown_key_is_named_with_its_line_and_what_was_meant(tmp_path: Path) -> None:
    """A mistyped key is refused with file, line, the closest known key and all that are allowed."""
    code, facts = refusal(tmp_path, "port = 80\n\n[panel]\nlampe = 4\n")

    assert "settings_unknown_close" == code
    assert {
        "where": "table.toml:4",
        "key": "panel.lampe",
        "closest": "lamp",
        "allowed": "button, hold, lamp, piezo, pins",
    } == facts


def test_an_unknown_key_that_resembles_nothing(tmp_path: Path) -> None:
    """A key that resembles no other is refused with the list of those that are allowed."""
    code, facts = refusal(tmp_path, "[purple]\nlamp = 'red'\n")

    assert ("settings_unknown", "table.toml:1", "purple") == (code, facts["where"], facts["key"])
    assert "night_floor" in str(facts["allowed"])


@pytest.mark.parametrize(
    ("text", "code", "where", "key"),
    [
        ("port = 0\n", "settings_at_least", "table.toml:1", "port"),
        ("port = 65536\n", "settings_at_most", "table.toml:1", "port"),
        ("\nport = '80'\n", "settings_value", "table.toml:2", "port"),
        ("[settle]\nrest = 60\n", "settings_at_most", "table.toml:2", "settle.rest"),
        ("settle = {rest = 0.0}\n", "settings_at_least", "table.toml:1", "settle.rest"),
        ("panel.button = 40\n", "settings_at_most", "table.toml:1", "panel.button"),
        ("panel = 3\n", "settings_value", "table.toml:1", "panel"),
        ("night_floor = 1\n", "settings_choice", "table.toml:1", "night_floor"),
        ("language = 'xx'\n", "settings_choice", "table.toml:1", "language"),
        ("[panel]\npins = 'usb'\n", "settings_choice", "table.toml:2", "panel.pins"),
        ("[panel]\nlamp = 17\n", "settings_pins_clash", "table.toml:1", None),
    ],
)
def test_a_wrong_value_is_named(
    tmp_path: Path, text: str, code: str, where: str, key: str | None
) -> None:
    """A value of the wrong kind, outside its range or not among the choices is refused with its
    line.
    """
    refused_code, facts = refusal(tmp_path, text)

    assert (code, where, key) == (refused_code, facts["where"], facts.get("key"))


def test_choices_are_listed(tmp_path: Path) -> None:
    """A value that is not among the choices is refused with the choices."""
    assert "0, 12, 20" == refusal(tmp_path, "night_floor = 13\n")[1]["allowed"]


def test_a_wrong_option_of_the_command_line(tmp_path: Path) -> None:
    """A wrong option is called by its name on the command line, not by a line of the file."""
    assert "--port" == refusal(tmp_path, "port = 80\n", port=0)[1]["where"]
    assert "--broker" == refusal(tmp_path, "", club={"broker": "foo"})[1]["where"]


def test_a_file_that_is_not_toml(tmp_path: Path) -> None:
    """Text that is no TOML is refused with the place."""
    code, facts = refusal(tmp_path, "port = \n")

    assert ("settings_unreadable", "table.toml") == (code, facts["where"])
    assert "line 1" in str(facts["why"])


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    """Bytes that are no text are refused, not raised as something else."""
    (tmp_path / "table.toml").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(SettingsError, match="settings_unreadable"):
        load(tmp_path / "table.toml", environment=HOME)


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    """--config with a missing file is an error, not an empty file."""
    with pytest.raises(SettingsError, match="settings_missing"):
        load(tmp_path / "none.toml", environment=HOME)


@pytest.mark.slow
@given(st.integers())
def test_a_port_is_taken_or_refused(port: int) -> None:
    """Every whole number is either a port between 1 and 65535 or refused by name."""
    try:
        settings = load(None, {"port": port}, {"XDG_CONFIG_HOME": "/nowhere", **HOME})
    except SettingsError as refused:
        assert "port" == refused.message.params["key"]
        assert not 1 <= port <= 65535
    else:
        assert port == settings.port


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("a = 1\nb = 2\n", ("b",), 2),
        ("[s]\na = 1\n[t]\na = 2\n", ("t", "a"), 4),
        ("t.a = 2\n", ("t", "a"), 1),
        ("t = {a = 2}\n", ("t", "a"), 1),
        ('[t]\n"a" = 2\n', ("t", "a"), 2),
        ("# b = 2\n", ("b",), None),
        ("", ("b",), None),
    ],
)
def test_the_line_of_a_key(text: str, key: tuple[str, ...], line: int | None) -> None:
    """The line of a key is found in tables, dotted keys and inline tables; comments are none."""
    assert line == line_of(text, key)


def test_programs_are_named_with_their_commands(tmp_path: Path) -> None:
    """A household's programs are a table of names and commands; a name that a bot has, or a bad
    one, is refused by name.
    """
    path = tmp_path / "table.toml"
    path.write_text('[bot_program]\nmine = "python3 mine.py"\n')

    assert {"mine": "python3 mine.py"} == load(path, {}, HOME).bot_program
    levels = {level for game in GAMES if game.bots for level in game.bots.levels}
    for name in (*levels, EVEN, "Mine", "a1", "x" * 17):
        wrong = refusal(tmp_path, f'[bot_program]\n{name} = "true"\n')
        assert ("settings_program", {"where": "table.toml:2", "name": name}) == wrong
    wrong = refusal(tmp_path, '[bot_program]\nmine = "python3 \'mine.py"\n')
    assert ("settings_program", {"where": "table.toml:2", "name": "mine"}) == wrong
    assert "--bot-program" == refusal(tmp_path, "", bot_program={"mine": " "})[1]["where"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('club.broker = "mqtt://broker.local"', Broker("broker.local", 1883)),
        (
            'club.broker = "mqtts://ana:p%40ss@10.0.0.5"',
            Broker("10.0.0.5", 8883, True, "ana", "p@ss"),
        ),
        ('[club]\nbroker = "mqtts://b:99"\nca = "/ca.pem"', Broker("b", 99, True, ca="/ca.pem")),
        ("", None),
    ],
)
def test_a_broker_is_one_line(tmp_path: Path, text: str, expected: Broker | None) -> None:
    """One line names the broker, whether TLS is used, and the account."""
    path = tmp_path / "table.toml"
    path.write_text(text)

    assert expected == load(path, {}, HOME).club.address()


@pytest.mark.parametrize(
    "address",
    [
        "broker.local",
        "http://broker",
        "mqtt://",
        "mqtt://b:0",
        "mqtt://b:70000",
        "mqtt://b/topic",
        "mqtt://ana:secret@b:port",
        "mqtt://b..local",
    ],
)
def test_what_is_no_address_of_a_broker(tmp_path: Path, address: str) -> None:
    """A wrong address is refused with its line; a possible password in it is not repeated."""
    message = refusal(tmp_path, f'port = 8080\n[club]\nbroker = "{address}"\n')

    assert ("settings_broker", {"where": "table.toml:3"}) == message


def test_a_certificate_for_nothing(tmp_path: Path) -> None:
    """A certificate is for mqtts: with mqtt it would seem to protect and does not."""
    assert (
        "settings_broker" == refusal(tmp_path, '[club]\nbroker = "mqtt://b"\nca = "/ca.pem"\n')[0]
    )


def test_a_password_is_in_no_text() -> None:
    """A broker as text, in a log or an error, hides the name and the password."""
    assert "Broker('b', 1883)" == repr(Broker("b", 1883, user="ana", password="secret"))


@pytest.mark.parametrize(
    "source", ["rtsp://cam.local/1", "http://", "https://cam:port/", "http://küche.local/"]
)
def test_an_address_of_a_camera_that_cannot_be_read(tmp_path: Path, source: str) -> None:
    """An invalid camera address is refused with its line, and is not repeated: it may hold a
    password.
    """
    file = tmp_path / "table.toml"
    file.write_text(f'[camera]\nsource = "{source}"\n', encoding="utf-8")
    with pytest.raises(SettingsError) as refused:
        load(file, environment={})

    assert Message("settings_camera", {"where": f"{file}:2"}) == refused.value.message


def test_a_cameras_name_holds_no_password() -> None:
    """Pages and logs get a camera's address without path, query and login."""
    camera = CameraSettings(source="https://me:p%40word@cam.local/live?token=7")

    assert "https://cam.local:443" == camera.name
    assert ("me:p@word", "/live?token=7") == (camera.address().login, camera.address().target)  # type: ignore[union-attr]
    assert "word" not in repr(camera.address()) and "token" not in repr(camera.address())
    assert "pi" == CameraSettings(source="pi").name
