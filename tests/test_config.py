"""Settings come from table.toml, the environment and the command line, and mistakes in them are
named.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.config import (
    SHAPE,
    Broker,
    CameraSettings,
    PanelSettings,
    Settings,
    SettingsError,
    SettleSettings,
    data_folder,
    load,
)
from companion.core.game import Message
from companion.core.shape import shape_errors
from companion.games import GAMES
from companion.table.results import AUTO_LEVEL

HOME = {"HOME": "/home/ana"}


def refusal(tmp_path: Path, text: str, **overrides: object) -> tuple[str, Message]:
    """Return the place and the message of the refusal of a file with this text; the place has the
    file's name alone.
    """
    path = tmp_path / "table.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load(path, overrides, HOME)
    return caught.value.place.replace(f"{tmp_path}/", ""), caught.value.message


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
    place, message = refusal(tmp_path, "port = 80\n\n[panel]\nlampe = 4\n")

    assert ("table.toml:4: panel.lampe: ", "content.unknown_close") == (place, message.code)
    assert {
        "key": "lampe",
        "closest": "lamp",
        "allowed": "pins, button, lamp, piezo, hold",
    } == message.params


def test_an_unknown_key_that_resembles_nothing(tmp_path: Path) -> None:
    """A key that resembles no other is refused with the list of those that are allowed."""
    place, message = refusal(tmp_path, "[purple]\nlamp = 'red'\n")

    assert ("table.toml:1: purple: ", "content.unknown") == (place, message.code)
    assert "night_floor" in str(message.params["allowed"])


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("port = 0\n", "content.at_least", "table.toml:1: port: "),
        ("port = 65536\n", "content.at_most", "table.toml:1: port: "),
        ("\nport = '80'\n", "content.number", "table.toml:2: port: "),
        ("[settle]\nrest = 60\n", "content.at_most", "table.toml:2: settle.rest: "),
        ("settle = {rest = 0.0}\n", "content.at_least", "table.toml:1: settle.rest: "),
        ("[settle]\nrest = nan\n", "content.at_least", "table.toml:2: settle.rest: "),
        ("[settle]\nrest = true\n", "content.decimal", "table.toml:2: settle.rest: "),
        ("[settle]\nrest = '1'\n", "content.decimal", "table.toml:2: settle.rest: "),
        ("panel.button = 40\n", "content.at_most", "table.toml:1: panel.button: "),
        ("panel = 3\n", "content.table", "table.toml:1: panel: "),
        ("tls = 1\n", "content.yes_no", "table.toml:1: tls: "),
        ("night_floor = 1\n", "content.choice", "table.toml:1: night_floor: "),
        ("language = 'xx'\n", "content.choice", "table.toml:1: language: "),
        ("[panel]\npins = 'usb'\n", "content.choice", "table.toml:2: panel.pins: "),
        ("[panel]\nlamp = 17\n", "settings_pins_clash", "table.toml:1: panel: "),
        ('hosts = ["a.lan", # ours\n 7,\n]\n', "content.text", "table.toml:2: hosts[2]: "),
        ('hosts = "a.lan"\n', "content.list", "table.toml:1: hosts: "),
        ('"x.y" = 1\n', "content.unknown", 'table.toml:1: "x.y": '),
        ("host = ''\n", "content.empty", "table.toml:1: host: "),
        (f"[wifi]\nname = '{'x' * 33}'\n", "content.too_long", "table.toml:2: wifi.name: "),
        ("[wifi]\naddress = '10.42'\n", "settings_wifi_address", "table.toml:2: wifi.address: "),
        ("[club]\ntopic = '#'\n", "settings_topic", "table.toml:2: club.topic: "),
        ("[club]\ntopic = ''\n", "content.empty", "table.toml:2: club.topic: "),
        ('board = "\\u0007"\n', "content.bad_text", "table.toml:1: board: "),
        (f"port = {2**64}\n", "content.big_number", "table.toml:1: port: "),
        ("port = \n", "content.not_toml", "table.toml:1: "),
        (f"port = 80\n{'a.' * 9}a = 1\n", "content.long_key", "table.toml:2: "),
        ("port = " + "[" * 5000, "content.too_deep", "table.toml: "),
        ("tls = 1\nport = 0\nboard = 2\n", "content.yes_no", "table.toml:1: tls: "),
    ],
)
def test_a_wrong_value_is_named(tmp_path: Path, text: str, code: str, place: str) -> None:
    """A value of the wrong kind, outside its range or not among the choices is refused with its
    line and field; of several the first.
    """
    wrong_place, message = refusal(tmp_path, text)

    assert (place, code) == (wrong_place, message.code)


def test_choices_are_listed(tmp_path: Path) -> None:
    """A value that is not among the choices is refused with the choices."""
    assert "0, 12, 20" == refusal(tmp_path, "night_floor = 13\n")[1].params["allowed"]


@pytest.mark.parametrize(
    "text",
    [
        "[wifi]\npassword = 12345678\n",
        "[wifi]\npassword = ['12345678']\n",
        "wifi = '12345678'\n",
        "club = 'mqtt://ana:12345678@b'\n",
        "[club]\nbroker = ['mqtt://ana:12345678@b']\n",
        "camera = 'http://ana:12345678@b'\n",
        "[wifi]\npassword = '1234567'\n",
    ],
)
def test_a_refused_password_is_not_repeated(tmp_path: Path, text: str) -> None:
    """A password, and an address that may hold one, is in no sentence about it."""
    assert "123456" not in str(refusal(tmp_path, text))


def test_a_long_value_is_cut(tmp_path: Path) -> None:
    """The sentence repeats 40 letters of a wrong value at most, between quotes."""
    assert 42 == len(str(refusal(tmp_path, f"port = '{'8' * 99}'\n")[1].params["found"]))


@pytest.mark.slow
@given(st.data())
def test_what_the_settings_cannot_hold_is_named(data: st.DataObject) -> None:
    """Each value that the settings cannot hold gets an error of its shape, and no other does."""
    value = st.one_of(
        st.booleans(), st.integers(-3, 70000), st.floats(-1, 700), st.text(max_size=70), st.none()
    )
    tables = {
        field.name: getattr(Settings(), field.name) for field in msgspec.structs.fields(Settings)
    }
    name = data.draw(st.sampled_from(sorted(tables)))
    wrong = data.draw(value | st.lists(value, max_size=2))
    if isinstance(tables[name], msgspec.Struct) and data.draw(st.booleans()):
        field = data.draw(st.sampled_from(tables[name].__struct_fields__))
        values: dict[str, object] = {name: {field: wrong}}
    else:
        values = {name: wrong}
    try:
        msgspec.convert(values, Settings)
        is_held = True
    except msgspec.ValidationError:
        is_held = False

    errors = [*shape_errors(SHAPE, values)]

    # A text of spaces alone is none, for the shape.
    assert is_held == (not errors) or {"content.empty"} == {error.code for error in errors}


def test_a_wrong_option_of_the_command_line(tmp_path: Path) -> None:
    """A wrong option is called by its name on the command line, not by a line of the file."""
    assert "--port: " == refusal(tmp_path, "port = 80\n", port=0)[0]
    assert "--broker: " == refusal(tmp_path, "", club={"broker": "foo"})[0]


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    """Bytes that are no text are refused with their line; so is a file that cannot be opened."""
    (tmp_path / "table.toml").write_bytes(b"port = 80\n# \xff\xfe\x00")

    with pytest.raises(SettingsError, match=r"content\.no_text") as refused:
        load(tmp_path / "table.toml", environment=HOME)
    assert f"{tmp_path}/table.toml:2: " == refused.value.place
    with pytest.raises(SettingsError, match=r"content\.unreadable"):
        load(tmp_path, environment=HOME)


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
        assert "--port: " == refused.place
        assert not 1 <= port <= 65535
    else:
        assert port == settings.port


def test_programs_are_named_with_their_commands(tmp_path: Path) -> None:
    """A household's programs are a table of names and commands; a name that a bot has, or a bad
    one, is refused by name.
    """
    path = tmp_path / "table.toml"
    path.write_text('[bot_program]\nmine = "python3 mine.py"\n')

    assert {"mine": "python3 mine.py"} == load(path, {}, HOME).bot_program
    levels = {level for game in GAMES if game.bots for level in game.bots.levels}
    for name in (*levels, AUTO_LEVEL, "Mine", "a1", "x" * 17):
        wrong = refusal(tmp_path, f'[bot_program]\n{name} = "true"\n')
        place = f"table.toml:2: bot_program.{name}: "
        assert (place, Message("settings_program", {"name": name})) == wrong
    wrong = refusal(tmp_path, '[bot_program]\nmine = "python3 \'mine.py"\n')
    place = "table.toml:2: bot_program.mine: "
    assert (place, Message("settings_program", {"name": "mine"})) == wrong
    assert "--bot-program: " == refusal(tmp_path, "", bot_program={"mine": " "})[0]


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
    refused = refusal(tmp_path, f'port = 8080\n[club]\nbroker = "{address}"\n')

    assert ("table.toml:3: club.broker: ", Message("settings_broker")) == refused


def test_a_certificate_for_nothing(tmp_path: Path) -> None:
    """A certificate is for mqtts: with mqtt it would seem to protect and does not."""
    _, message = refusal(tmp_path, '[club]\nbroker = "mqtt://b"\nca = "/ca.pem"\n')

    assert "settings_broker" == message.code


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

    assert f"{file}:2: camera.source: " == refused.value.place
    assert Message("settings_camera") == refused.value.message


def test_a_cameras_name_holds_no_password() -> None:
    """Pages and logs get a camera's address without path, query and login."""
    camera = CameraSettings(source="https://me:p%40word@cam.local/live?token=7")

    assert "https://cam.local:443" == camera.name
    assert ("me:p@word", "/live?token=7") == (camera.address().login, camera.address().target)  # type: ignore[union-attr]
    assert "word" not in repr(camera.address()) and "token" not in repr(camera.address())
    assert "pi" == CameraSettings(source="pi").name
