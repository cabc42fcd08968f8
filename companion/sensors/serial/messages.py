"""All messages of protocol 1 by their frame's type: frames in, messages out."""

from __future__ import annotations

from companion.sensors.serial.frames import Frame
from companion.sensors.serial.message import MessageError, WireMessage
from companion.sensors.serial.requests import (
    Beep,
    Calibrate,
    Configure,
    GetPresence,
    Hello,
    Led,
    Ping,
    Reset,
    Scan,
    TagWriteAfi,
    Watch,
)
from companion.sensors.serial.responses import (
    BoardFault,
    Boot,
    Button,
    CellEvent,
    Done,
    Heartbeat,
    HelloReply,
    Nak,
    Pong,
    Presence,
    ScanEnd,
    TagEvent,
    TagPart,
)


class UnknownType(MessageError):
    """Error raised when a frame's type is not one of protocol 1."""


REQUESTS: tuple[type[WireMessage], ...] = (
    Hello,
    Ping,
    GetPresence,
    Scan,
    Watch,
    Calibrate,
    TagWriteAfi,
    Led,
    Beep,
    Configure,
    Reset,
)
RESPONSES: tuple[type[WireMessage], ...] = (
    Boot,
    HelloReply,
    Pong,
    Presence,
    CellEvent,
    TagEvent,
    Button,
    Done,
    TagPart,
    ScanEnd,
    Heartbeat,
    Nak,
    BoardFault,
)
UNSOLICITED = (Boot, CellEvent, TagEvent, Button, Heartbeat, BoardFault)
"""Messages that the board sends by itself, under its own counter from 0 at its start."""
_BY_TYPE = {message.TYPE: message for message in REQUESTS + RESPONSES}


def parse_message(frame: Frame) -> WireMessage:
    """Return the message that a frame holds; raise `UnknownType` or, for a wrong payload,
    `MessageError`.
    """
    kind = _BY_TYPE.get(frame.type)
    if kind is None:
        raise UnknownType(f"type {frame.type:02x}")
    return kind.of_payload(frame.payload)


def message_name(type_: int) -> str:
    """Return the name of a frame's type, or the type in hex if protocol 1 has none such."""
    kind = _BY_TYPE.get(type_)
    return f"{type_:02x}" if kind is None else kind.__name__
