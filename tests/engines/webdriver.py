"""Drive WebKitGTK and Firefox by the commands of W3C WebDriver, each over its own wire.

WebKitWebDriver takes them over HTTP. Firefox takes them over Marionette, which every Firefox has.
"""

from __future__ import annotations

import base64
import json
import os
import socket
import subprocess
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, BinaryIO

from tests.browser.server import TIMEOUT, until
from tests.helpers.ports import free_port

Json = dict[str, Any]

FIREFOX = "firefox-esr"
WEBKIT_DRIVER = "WebKitWebDriver"
NARROW = "* { min-width: 0; padding: 0; margin: 0; border-width: 0; }"
"""GTK's style sheet for MiniBrowser: with its own a window is never narrower than 447 pixels."""
PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.newtabpage.enabled": False,
    "browser.safebrowsing.downloads.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.ipc.cancel_content_js_when_navigating": False,
    "dom.ipc.processPrelaunch.enabled": False,
    "dom.w3c_touch_events.enabled": 1,
    "extensions.update.enabled": False,
    "media.gmp-manager.updateEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
    "ui.useOverlayScrollbars": 1,
}
"""Firefox without errands of its own, with a phone's touch screen and scroll bars."""


class WebDriverError(AssertionError):
    """Error raised when a browser refuses a command."""


class Engine(ABC):
    """A browser with windows. `name` is its common name."""

    name: str
    touch: str
    """How a finger's pointer is called: "touch", or "mouse" where the engine imitates no other."""

    @abstractmethod
    def command(self, name: str, **arguments: object) -> Any:
        """Send a command of WebDriver and return its value; raise `WebDriverError`."""

    @abstractmethod
    def resize(self, width: int, height: int) -> None:
        """Give the page in the current window this size in CSS pixels."""

    @abstractmethod
    def complaints(self) -> list[str]:
        """Return the engine's messages about the pages' scripts, styles and policies so far."""

    @abstractmethod
    def close(self) -> None:
        """End the browser."""


class Firefox(Engine):
    """Firefox without a screen, over Marionette: `length:[0, id, command, arguments]`."""

    name, touch = "Firefox", "touch"

    def __init__(self, folder: Path, hosts: list[str]) -> None:
        port = free_port()
        more = {"marionette.port": port, "network.dns.localDomains": ",".join(hosts)}
        lines = (
            f"user_pref({json.dumps(key)}, {json.dumps(value)});"
            for key, value in {**PREFERENCES, **more}.items()
        )
        (folder / "user.js").write_text("\n".join(lines), encoding="utf-8")
        self._log = (folder / "firefox.log").open("wb")
        words = [
            FIREFOX,
            "--headless",
            "--no-remote",
            "--marionette",
            "--remote-allow-system-access",
        ]
        words += ["--profile", str(folder)]
        self._process = subprocess.Popen(words, stdout=self._log, stderr=self._log)
        self._socket = _connect(port, "Firefox's Marionette")
        self._reader: BinaryIO = self._socket.makefile("rb")
        self._count = 0
        self._receive()
        self.command("NewSession", capabilities={})

    def command(self, name: str, **arguments: object) -> Any:
        return self._ask(f"WebDriver:{name}", **arguments)

    def resize(self, width: int, height: int) -> None:
        self._in_chrome(
            "const { style } = gBrowser.selectedBrowser;"
            "Object.assign(style, { flex: 'none', width: `${arguments[0]}px`, "
            "height: `${arguments[1]}px`, minWidth: '0' });",
            width,
            height,
        )

    def complaints(self) -> list[str]:
        result: list[str] = self._in_chrome(
            "return Services.console.getMessageArray()"
            ".filter((it) => it instanceof Ci.nsIScriptError && !(it.flags & it.warningFlag))"
            ".filter((it) => it.sourceName.startsWith('http'))"
            ".map((it) => `${it.sourceName}:${it.lineNumber}: ${it.errorMessage}`)"
        )
        return result

    def close(self) -> None:
        self._ask("Marionette:Quit", flags=["eForceQuit"])
        self._reader.close()
        self._socket.close()
        self._process.wait(TIMEOUT)
        self._log.close()

    def _in_chrome(self, script: str, *arguments: object) -> Any:
        self._ask("Marionette:SetContext", value="chrome")
        value = self.command("ExecuteScript", script=script, args=arguments)
        self._ask("Marionette:SetContext", value="content")
        return value

    def _ask(self, name: str, **arguments: object) -> Any:
        self._count += 1
        message = json.dumps([0, self._count, name, arguments]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, value = self._receive()
        if error:
            raise WebDriverError(f"{name}: {error['message']}")
        return value["value"] if isinstance(value, dict) and "value" in value else value

    def _receive(self) -> Any:
        digits = b""
        while (byte := self._reader.read(1)) != b":":
            digits += byte
        return json.loads(self._reader.read(int(digits)))


ADDRESSES = {
    "Navigate": "url",
    "ExecuteScript": "execute/sync",
    "PerformActions": "actions",
    "NewWindow": "window/new",
    "SwitchToWindow": "window",
    "SetWindowRect": "window/rect",
}


class WebKit(Engine):
    """WebKitGTK's MiniBrowser on a virtual screen, over WebKitWebDriver's HTTP."""

    name, touch = "WebKitGTK", "mouse"

    def __init__(self, folder: Path, proxy: str) -> None:
        style = folder / "config/gtk-3.0/gtk.css"
        style.parent.mkdir(parents=True)
        style.write_text(NARROW, encoding="ascii")
        self._log_path = folder / "webkit.log"
        self._log = self._log_path.open("wb")
        self._screen, display = _screen(self._log)
        environment = os.environ | {
            "DISPLAY": display,
            "GDK_BACKEND": "x11",
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "LIBGL_ALWAYS_SOFTWARE": "1",
        }
        port = free_port()
        self._address = f"http://127.0.0.1:{port}"
        self._driver = subprocess.Popen(
            [WEBKIT_DRIVER, f"--port={port}"], stdout=self._log, stderr=self._log, env=environment
        )
        _connect(port, "WebKitWebDriver").close()
        options = {"args": ["--automation", "--enable-write-console-messages-to-stdout=true"]}
        wanted = {
            "proxy": {"proxyType": "manual", "httpProxy": proxy},
            "webkitgtk:browserOptions": options,
        }
        session = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self._session = f"/session/{session['sessionId']}"

    def command(self, name: str, **arguments: object) -> Any:
        if name == "TakeScreenshot":
            return self._ask("GET", f"{self._session}/screenshot")
        if name == "GetWindowHandle":
            return self._ask("GET", f"{self._session}/window")
        return self._ask("POST", f"{self._session}/{ADDRESSES[name]}", arguments)

    def resize(self, width: int, height: int) -> None:
        self.command("SetWindowRect", width=width, height=height)
        inner = self.command("ExecuteScript", script="return innerHeight", args=[])
        self.command("SetWindowRect", width=width, height=2 * height - inner)

    def complaints(self) -> list[str]:
        lines = self._log_path.read_text(encoding="utf-8", errors="replace").splitlines()
        return [line for line in lines if "CONSOLE" in line]

    def close(self) -> None:
        self._ask("DELETE", self._session)
        for process in (self._driver, self._screen):
            process.terminate()
            process.wait(TIMEOUT)
        self._log.close()

    def _ask(self, method: str, path: str, arguments: object = None) -> Any:
        data = json.dumps(arguments).encode() if method == "POST" else None
        request = urllib.request.Request(f"{self._address}{path}", data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise WebDriverError(f"{path}: {error.read().decode()}") from error


def picture(engine: Engine, path: Path) -> None:
    """Keep a picture of the current window."""
    path.write_bytes(base64.b64decode(engine.command("TakeScreenshot")))


def _screen(log: BinaryIO) -> tuple[subprocess.Popen[bytes], str]:
    """Start an X server; return it and its name."""
    reading, writing = os.pipe()
    words = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "2000x1200x24", "-nolisten", "tcp"]
    process = subprocess.Popen(words, stdout=log, stderr=log, pass_fds=[writing])
    os.close(writing)
    with open(reading, "rb") as pipe:
        return process, f":{pipe.readline().decode().strip()}"


def _connect(port: int, description: str) -> socket.socket:
    """Connect to a program that is starting."""

    def connected() -> socket.socket | None:
        try:
            return socket.create_connection(("127.0.0.1", port), TIMEOUT)
        except OSError:
            return None

    connection = until(connected, description)
    assert connection is not None
    return connection
