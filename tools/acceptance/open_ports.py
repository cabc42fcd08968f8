"""What a table answers at its doors: `python -m tools.acceptance.open_ports [--tls]`.

`companion serve` runs for real, in a network of its own, so that whatever listens there is the
table's. A foreign name, a foreign page and a debugger's console are tried; then a photo of 13,000 ×
13,000 pixels is sent while the page of health is requested again and again. Prints the answers, and
ends with 1 if it was something else than promised.
"""

from __future__ import annotations

import argparse
import fcntl
import http.client
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import Event, Thread

from tests.sensors.vision.malicious_images import bomb
from tests.server.client import BOXED
from tools.bench.played_table import Caller
from tools.bench.processes import resident

PORT = 8080
TIMEOUT = 60.0
ANSWERED, GROWN = 6.0, 20.0
"""Seconds within which a photo is answered, and megabytes by which the table may grow."""
LISTENS = "0A"
"""A listening socket, in /proc/net/tcp."""
SIOCSIFFLAGS, IFF_UP = 0x8914, 1


def loopback_up() -> None:
    """Switch the loopback on: in a new network it is off."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def listening() -> set[tuple[str, int]]:
    """Return the listening ports of this network, and for whom: "all", or "machine" for loopback
    alone.
    """
    listeners = set()
    for family in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{family}").read_text(encoding="ascii").splitlines()[1:]:
            place, state = line.split()[1], line.split()[3]
            address, _, port = place.partition(":")
            if state == LISTENS:
                listeners.add(
                    (
                        "machine" if address in ("0100007F", "0" * 24 + "01000000") else "all",
                        int(port, 16),
                    )
                )
    return listeners


def request(method: str, path: str, body: bytes = b"", **headers: str) -> int:
    """Return the status of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=TIMEOUT)
    connection.request(
        method,
        path,
        body or None,
        {name.replace("_", "-"): value for name, value in headers.items()},
    )
    status = connection.getresponse().status
    connection.close()
    return status


def developing(data: Path, process: subprocess.Popen[bytes]) -> str:
    """Send the oversized photo, request /healthz until it is answered, and return the results."""
    code = (data / "display-code").read_text(encoding="ascii").strip()
    display = Caller(PORT, code[:43])
    display.request("pair", code=code[43:])
    image = bomb(13_000, 13_000)
    stop, waits, statuses = Event(), [0.0], set()

    def look() -> None:
        while not stop.is_set():
            started = time.monotonic()
            statuses.add(request("GET", "/healthz"))
            waits.append(time.monotonic() - started)

    before = resident(process)
    looking = Thread(target=look)
    looking.start()
    started = time.monotonic()
    status = request(
        "POST", "/photo", image, X_Ticket=display.request("photo")["ticket"], Content_Type=BOXED
    )
    seconds = time.monotonic() - started
    stop.set()
    looking.join()
    display.close()
    grown = resident(process, "VmHWM") - before
    bounded = status in (413, 422) and seconds <= ANSWERED and grown < GROWN and statuses == {200}
    return (
        f"bytes={len(image)} status={status} seconds={seconds:.1f} grown_mb={grown:.1f} "
        f"health={sorted(statuses)} "
        f"asked={len(waits) - 1} slowest_ms={1000 * max(waits):.0f}{'' if bounded else ' NOT KEPT'}"
    )


def tried(data: Path, tls: bool) -> list[str]:
    """Serve, and return the answers, a line each."""
    words = ["companion", "serve", "--data", str(data), "--port", f"{PORT}", "--board", "none"]
    more = ["--tls"] if tls else []
    with subprocess.Popen([sys.executable, "-m", *words, *more], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert b"ready" in process.stdout.readline()
            doors = listening()
            # Behind TLS the server itself listens for this machine alone, at a port that the kernel
            # chooses.
            declared = {("all", PORT)}
            inner = {door for door in doors - declared if door[0] == "machine"} if tls else set()
            as_declared = doors - inner == declared and len(inner) == tls
            foreign = request("GET", "/table", Host="evil.example")
            page = request(
                "POST", "/channel", b"x", Origin="http://evil.example", Content_Type=BOXED
            )
            console = request("GET", "/console")
            refused = (foreign, page, console) == (400, 403, 404)
            return [
                f"listening={sorted(doors)}{'' if as_declared else ' NOT KEPT'}",
                f"foreign_host={foreign} foreign_page={page} "
                f"console={console}{'' if refused else ' NOT KEPT'}",
                f"photo: {developing(data, process)}",
            ]
        finally:
            process.terminate()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if not args.inside:
        # A network of its own, in which the process may act as root.
        command = [
            "unshare",
            "-Urn",
            sys.executable,
            "-m",
            "tools.acceptance.open_ports",
            "--inside",
            *sys.argv[1:],
        ]
        os.execvp(command[0], command)
    loopback_up()
    with tempfile.TemporaryDirectory() as folder:
        lines = tried(Path(folder) / "data", args.tls)
    print("\n".join(lines))
    return int(any("NOT KEPT" in line for line in lines))


if __name__ == "__main__":
    sys.exit(main())
