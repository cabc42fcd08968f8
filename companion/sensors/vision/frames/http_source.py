"""Read camera frames from an http(s) address that gives JPEG or MJPEG."""

from __future__ import annotations

import base64
import contextlib
import re
import socket
import ssl
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException, HTTPResponse
from ipaddress import IPv6Address, ip_address

from companion.config import CameraAddress
from companion.core.game import Message
from companion.core.text import shorten
from companion.sensors.vision.frames.frame_source import BackgroundSource, SourceFailed
from companion.sensors.vision.frames.multipart import BadMultipart, MultipartSplitter, PartTooLarge
from companion.sensors.vision.sandbox import MAX_UPLOAD_BYTES

SILENCE_TIMEOUT = 5.0
"""Seconds without a byte after which a connection is given up."""
HTTP_FRAME_TIMEOUT = 15.0
"""Seconds for a connection's first frame, and for each further one."""
READ_BYTES = 64 * 1024
_BOUNDARY = re.compile(r'boundary="?([^";,\s]{1,200})"?', re.IGNORECASE)


class HttpSource(BackgroundSource):
    """Polls an address that gives one JPEG, or reads the stream of one that gives MJPEG.

    `internet`: take pictures from outside private networks too. Follows no redirects.
    """

    def __init__(
        self,
        address: CameraAddress,
        *,
        every: float,
        monotonic: Callable[[], float],
        internet: bool = False,
    ) -> None:
        super().__init__(every=every, monotonic=monotonic)
        self._address = address
        self._internet = internet
        self._socket: socket.socket | None = None

    def _read(self) -> None:
        self._allow(HTTP_FRAME_TIMEOUT)
        try:
            with contextlib.closing(self._connect()) as connected:
                self._socket = connected
                self._read_response(self._ask(connected))
        except TimeoutError as slow:
            raise self._failed("camera.too_slow") from slow
        except (OSError, HTTPException, ValueError) as broken:
            raise self._failed("camera.no_answer", why=_reason(broken)) from broken
        finally:
            self._socket = None

    def _interrupt(self) -> None:
        connected = self._socket
        if connected is not None:
            # It may be closed already, or not yet connected.
            with contextlib.suppress(OSError):
                connected.shutdown(socket.SHUT_RDWR)

    def _connect(self) -> socket.socket:
        """Return a connection to a permitted address of the host."""
        host, port = self._address.host, self._address.port
        addresses = [
            str(at[4][0]) for at in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        ]
        permitted = [at for at in addresses if self._internet or is_on_this_network(at)]
        if not permitted:
            raise SourceFailed(
                Message("camera.public_address", {"address": self._address.without_secrets})
            )
        plain = socket.create_connection((permitted[0], port), SILENCE_TIMEOUT)
        if not self._address.secure:
            return plain
        try:
            return _tls(verify=not is_on_this_network(permitted[0])).wrap_socket(
                plain, server_hostname=host
            )
        except BaseException:
            plain.close()
            raise

    def _ask(self, connected: socket.socket) -> HTTPResponse:
        asking = HTTPConnection(self._address.host, self._address.port)
        asking.sock = connected
        headers = {"Accept": "image/jpeg, multipart/x-mixed-replace", "Connection": "close"}
        if self._address.login:
            coded = base64.b64encode(self._address.login.encode()).decode()
            headers["Authorization"] = f"Basic {coded}"
        asking.request("GET", self._address.target, headers=headers)
        return asking.getresponse()

    def _read_response(self, response: HTTPResponse) -> None:
        kind = response.headers.get_content_type()
        if response.status in (401, 403):
            raise self._failed("camera.no_password")
        if response.status != 200:
            raise self._failed("camera.http_status", status=response.status)
        if kind == "multipart/x-mixed-replace":
            self._read_stream(response)
        elif kind in ("image/jpeg", "image/jpg", "image/png"):
            self._keep(self._whole(response))
        else:
            raise self._failed("camera.no_pictures", kind=shorten(kind))

    def _whole(self, response: HTTPResponse) -> bytes:
        picture = bytearray()
        while piece := response.read1(READ_BYTES):
            picture += piece
            if len(picture) > MAX_UPLOAD_BYTES:
                raise self._too_large()
        return bytes(picture)

    def _read_stream(self, response: HTTPResponse) -> None:
        named = _BOUNDARY.search(response.headers.get("Content-Type", ""))
        if named is None:
            raise self._failed("camera.bad_stream")
        splitter = MultipartSplitter(named[1].encode("latin-1"), MAX_UPLOAD_BYTES)
        try:
            while piece := response.read1(READ_BYTES):
                for part in splitter.feed(piece):
                    self._keep(part)
                    self._allow(HTTP_FRAME_TIMEOUT)
        except PartTooLarge as large:
            raise self._too_large() from large
        except BadMultipart as bad:
            raise self._failed("camera.bad_stream") from bad
        raise self._failed("camera.stream_ended")

    def _failed(self, code: str, **params: str | int) -> SourceFailed:
        return SourceFailed(Message(code, {"address": self._address.without_secrets, **params}))

    def _too_large(self) -> SourceFailed:
        return SourceFailed(
            Message("scan.too_many_bytes", {"most": MAX_UPLOAD_BYTES // 1024 // 1024})
        )


def is_on_this_network(address: str) -> bool:
    """Return whether an IP address belongs to a private network or to this machine."""
    at = ip_address(address.partition("%")[0])
    if isinstance(at, IPv6Address) and at.ipv4_mapped is not None:
        at = at.ipv4_mapped
    return at.is_private


def _tls(*, verify: bool) -> ssl.SSLContext:
    """Return a TLS context; a camera at home has a self-signed certificate."""
    if verify:
        return ssl.create_default_context()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _reason(broken: Exception) -> str:
    return shorten((isinstance(broken, OSError) and broken.strerror) or type(broken).__name__)
