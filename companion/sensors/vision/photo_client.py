"""Decode photos, one at a time, each in a sandboxed process."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterable, Mapping
from contextlib import suppress
from threading import Event, Timer
from typing import IO

import msgspec
from msgspec import Struct

from companion.core.game import GameError, Message
from companion.core.placement import Cell, Tile
from companion.locks import LockRank, make_lock
from companion.process import start_worker
from companion.sensors.vision.field import FieldScan

PHOTO_WORKER = "companion.sensors.vision.photo_worker"
PHOTO_TIMEOUT = 15.0
"""Seconds after which a photo is given up, upload included; `photo_worker` limits CPU time."""
PREPARED_SECONDS = 120.0
"""Seconds after which a process without a photo ends: as long as an upload's ticket is valid."""
EXIT_OUT_OF_MEMORY = 3
"""Exit status of a process that ran out of memory."""
QUOTA_USED_UP = 1816
"""Exit status of a process that Windows ended because its CPU time was over."""
TOO_SLOW = (QUOTA_USED_UP, -getattr(signal, "SIGKILL", 9), -getattr(signal, "SIGXCPU", 24))
"""Exit statuses of a process that the system ended."""


class DecoderBusy(GameError):
    """Error raised when another photo is being decoded."""

    code = "busy"


class DecodeRequest(Struct, frozen=True):
    """Header before the photo: the known field, if there is one."""

    known: dict[Cell, Tile] = {}


class PhotoDecoder:
    """Decodes untrusted photos. Thread-safe; `close` ends a prepared process."""

    def __init__(self, seconds: float = PHOTO_TIMEOUT) -> None:
        self.seconds = seconds
        self._lock = make_lock(LockRank.PHOTO)
        self._prepared_lock = make_lock(LockRank.PHOTO_PROCESS)
        self._prepared: tuple[subprocess.Popen[bytes], Timer] | None = None

    @property
    def prepared_process(self) -> subprocess.Popen[bytes] | None:
        """The process that waits for the next photo."""
        prepared = self._prepared
        return prepared and prepared[0]

    def prepare(self) -> None:
        """Start the process for the next photo: its start takes longer than most photos.

        It ends after `PREPARED_SECONDS` without a photo.
        """
        with self._prepared_lock:
            if self._prepared is None:
                try:
                    process = start_worker(PHOTO_WORKER)
                except OSError:
                    return  # `decode` starts one itself, and raises the error.
            else:
                process, former = self._prepared
                former.cancel()
            timer = Timer(PREPARED_SECONDS, self._expire, [process])
            timer.daemon = True
            timer.start()
            self._prepared = process, timer

    def _expire(self, process: subprocess.Popen[bytes]) -> None:
        with self._prepared_lock:
            if self.prepared_process is not process:
                return
            self._prepared = None
        process.kill()
        process.communicate()

    def close(self) -> None:
        """End the prepared process, if there is one."""
        if (process := self._take_prepared()) is not None:
            process.kill()
            process.communicate()

    def _take_prepared(self) -> subprocess.Popen[bytes] | None:
        """Return the prepared process; None without one, or if the kernel ended it for memory."""
        with self._prepared_lock:
            prepared, self._prepared = self._prepared, None
        if prepared is None:
            return None
        process, timer = prepared
        timer.cancel()
        if process.poll() is None:
            return process
        process.communicate()
        return None

    def decode(self, photo: Iterable[bytes], known: Mapping[Cell, Tile] | None = None) -> FieldScan:
        """Return the reading of a photo, or why there is none.

        Raises `DecoderBusy` while another one is decoded. The chunks are passed on and not kept.
        """
        if not self._lock.acquire(blocking=False):
            raise DecoderBusy("scan.busy")
        try:
            return self._decode(photo, DecodeRequest(dict(known or {})))
        finally:
            self._lock.release()

    def _decode(self, photo: Iterable[bytes], order: DecodeRequest) -> FieldScan:
        with self._take_prepared() or start_worker(PHOTO_WORKER) as process:
            is_late = Event()

            def expire() -> None:
                is_late.set()
                process.kill()

            timer = Timer(self.seconds, expire)
            timer.start()
            try:
                assert process.stdin is not None and process.stdout is not None
                _send(process.stdin, order, photo)
                output = process.stdout.read()
                status = process.wait()
            except BaseException:
                process.kill()
                raise
            finally:
                timer.cancel()
        return _parse_result(output, status, is_late.is_set())


def _send(into: IO[bytes], order: DecodeRequest, photo: Iterable[bytes]) -> None:
    """Write a request. A process that has ended takes none: its exit status is the reason."""
    try:
        into.write(msgspec.json.encode(order) + b"\n")
    except OSError:
        return
    for piece in photo:
        try:
            into.write(piece)
        except OSError:
            return
    with suppress(OSError):
        into.close()


def _parse_result(output: bytes, status: int, is_late: bool) -> FieldScan:
    """Return the process's result, or the problem that its exit status means."""
    if status == 0:
        return msgspec.json.decode(output, type=FieldScan)
    if is_late or status in TOO_SLOW:
        return FieldScan(problems=(Message("scan.too_slow"),))
    if status == EXIT_OUT_OF_MEMORY:
        return FieldScan(problems=(Message("scan.too_heavy"),))
    return FieldScan(problems=(Message("scan.broken_picture"),))
