"""The box: one size, one direction, one answer to everything that is not ours."""

from __future__ import annotations

import json
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import example, given
from hypothesis import strategies as st
from nacl.public import PrivateKey

from companion.server.auth.codes import key_text
from companion.server.rpc.channel import (
    MAX_NONCES,
    MAX_STRANGERS,
    REPLY_BYTES,
    REPLY_PLAIN,
    REQUEST_BYTES,
    REQUEST_PLAIN,
    TO_PHONE,
    TO_TABLE,
    Channel,
    DecryptError,
    OpenedNonces,
    ReplyTooLong,
    pad,
    unpad,
)
from tests.server.client import Phone
from tests.table.play import entropy_of

WEB = Path(__file__).parents[3] / "web/core/vendor"
COUNTERPART = Path(__file__).parents[2] / "web" / "counterpart.mjs"


def make_table() -> Channel:
    return Channel(entropy_of(1)(32), entropy_of(2))


ID = "0" * 32


def make_phone(seed: int = 5) -> Phone:

    return Phone(
        Flask("none"), key_text(make_table().public_key), PrivateKey(entropy_of(seed)(32)), ""
    )


def test_opens_what_a_phone_sealed() -> None:
    """The table reads the question, the key and the nonce."""
    phone = make_phone()
    message, nonce = phone.seal({"do": "hello", "id": ID})

    opened = make_table().open(message)

    assert (phone.key.hex(), nonce, {"do": "hello", "id": ID}) == (
        opened.key,
        opened.nonce,
        opened.value,
    )


def test_a_message_is_opened_once() -> None:
    """A recorded message that is sent again is refused as any garbage is; a phone that asks the
    same again sends another one.
    """
    phone, table = make_phone(), make_table()
    messages = [phone.seal({"do": "hello", "id": ID})[0] for _ in range(2)]

    assert [ID, ID] == [table.open(message).value["id"] for message in messages]
    for message in messages:
        with pytest.raises(DecryptError):
            table.open(message)


@pytest.mark.slow
def test_no_sender_makes_the_table_forget_anothers_messages() -> None:
    """Of too many strangers the one that sent least is forgotten, of one sender's too many messages
    the oldest; of a sender with a role none, also not those from before it had one.
    """
    opened = OpenedNonces()
    assert opened.add(b"phone", b"1", is_known=False)
    assert opened.add(b"phone", b"2", is_known=True)
    for number in range(2 * MAX_STRANGERS):
        for nonce in (b"1", b"2", b"3"):
            assert opened.add(b"guest %d" % number, nonce, is_known=False)
    for number in range(MAX_NONCES + 1):
        assert opened.add(b"talker", b"%d" % number, is_known=False)

    assert [False, False] == [opened.add(b"phone", each, is_known=True) for each in (b"1", b"2")]
    assert [True, False] == [opened.add(b"talker", each, is_known=False) for each in (b"0", b"2")]


@pytest.mark.slow
@given(st.dictionaries(st.text(max_size=20), st.text(max_size=200), max_size=4))
def test_every_message_has_one_size(value: dict[str, str]) -> None:
    """Requests are 1,097 bytes and replies 8,232, whatever they contain."""
    phone, table = make_phone(), make_table()
    reply = table.seal(phone.key.hex(), value)

    assert REPLY_BYTES == len(reply) == 8232
    assert value == phone.open(reply)
    try:
        message, _ = phone.seal(value)
    except ReplyTooLong:
        return
    assert REQUEST_BYTES == len(message) == 1097
    assert value == table.open(message).value


@pytest.mark.slow
@given(st.integers(0, REQUEST_BYTES * 8 - 1))
@example(32 * 8 + 7)
def test_a_flipped_bit_is_refused(bit: int) -> None:
    """A message with one flipped bit is refused."""
    message, _ = make_phone().seal({"do": "hello"})
    bent = bytearray(message)
    bent[bit // 8] ^= 1 << (bit % 8)

    with pytest.raises(DecryptError):
        make_table().open(bytes(bent))


@given(st.binary(max_size=2000))
def test_garbage_is_refused(garbage: bytes) -> None:
    """Anything else gets the same refusal, of whatever length."""
    with pytest.raises(DecryptError):
        make_table().open(garbage)


def test_a_key_of_zeros_is_refused() -> None:
    """A key whose shared secret everybody can compute is refused."""
    message, _ = make_phone().seal({"do": "hello"})

    with pytest.raises(DecryptError):
        make_table().open(message[:1] + bytes(32) + message[33:])


def test_the_direction_is_part_of_the_message() -> None:
    """A message that the table sealed for a phone cannot be sent back to it as a question."""
    phone = make_phone()
    plain = pad(TO_PHONE, {"do": "hello"}, REQUEST_PLAIN)
    reflected = b"\x01" + phone.key + bytes(phone.box.encrypt(plain, bytes(24)))

    with pytest.raises(DecryptError):
        make_table().open(reflected)


@given(st.binary(min_size=3, max_size=64))
def test_unpadding_never_fails_otherwise(plain: bytes) -> None:
    """A plaintext is an object padded with zeros, or `DecryptError`."""
    with suppress(DecryptError):
        assert isinstance(unpad(TO_TABLE, plain, len(plain)), dict)


@pytest.mark.parametrize("body", [b"[1]", b"{", b"\xff", b'"x"', b"[" * 1000])
def test_only_a_json_object_is_a_message(body: bytes) -> None:
    """Other JSON, broken JSON and other bytes are refused alike."""
    plain = (bytes([TO_TABLE]) + len(body).to_bytes(2, "big") + body).ljust(REQUEST_PLAIN, b"\0")

    with pytest.raises(DecryptError):
        unpad(TO_TABLE, plain, REQUEST_PLAIN)


def test_behind_the_object_are_zeros() -> None:
    """Padding that is not zero is refused, so that a plaintext has one form."""
    plain = pad(TO_TABLE, {"do": "hello"}, REQUEST_PLAIN)

    with pytest.raises(DecryptError):
        unpad(TO_TABLE, plain[:-1] + b"1", REQUEST_PLAIN)


def test_what_does_not_fit_is_not_cut() -> None:
    """A value longer than the box raises and is never shortened."""
    with pytest.raises(ReplyTooLong):
        pad(TO_PHONE, "x" * REPLY_PLAIN, REPLY_PLAIN)


def test_nothing_shows_in_a_log_line() -> None:
    """The repr of an opened request has none of its content."""
    assert "DecryptedRequest(•)" == repr(make_table().open(make_phone().seal({"do": "hello"})[0]))


@pytest.mark.slow
def test_python_and_the_browser_read_each_other() -> None:
    """PyNaCl and tweetnacl open each other's boxes."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    phone = make_phone()
    value = {"re": "ab" * 24, "ok": True, "name": "吸血鬼 🦇"}
    inputs = {
        "server": make_table().public_key.hex(),
        "secret": bytes(phone.secret).hex(),
        "request": {"do": "submit", "actions": [{"type": "walk", "to": "D4"}], "name": "é 🦇"},
        "reply": make_table().seal(phone.key.hex(), value).hex(),
        "nonce": "ab" * 24,
    }

    completed = subprocess.run(
        [node, str(COUNTERPART)],
        input=json.dumps(inputs),
        capture_output=True,
        text=True,
        timeout=30,
    )

    assert 0 == completed.returncode, completed.stderr
    result = json.loads(completed.stdout)
    opened = make_table().open(bytes.fromhex(result["message"]))
    assert inputs["request"] == opened.value
    assert (result["key"], result["nonce"]) == (opened.key, opened.nonce)
    assert value == result["opened"]
