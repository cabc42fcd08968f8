"""Serve static files and catalogues from memory.

All are read at the start, so that an update of the folder never mixes two versions. Each is packed
when it is first asked for: packing all would be a third of the time of a start.
"""

from __future__ import annotations

import gzip
import json
import mimetypes
import posixpath
import re
from pathlib import Path, PurePosixPath

from flask import Response, abort, request
from msgspec import Struct

from companion.server.sse import to_json

TEXT = ("text/", "application/json", "image/svg+xml")
TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".mp3": "audio/mpeg",
    ".opus": "audio/ogg",
    ".webmanifest": "application/json",
    ".woff2": "font/woff2",
}

COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*\*(?:[^*]|\*(?!/))*\*/)[ \t]*\n", re.MULTILINE)
"""A module's whole lines of comments, a sixth of it; rjsmin breaks nested templates."""
STYLE_COMMENT = re.compile(rb"/\*.*?\*/\s*", re.DOTALL)
"""Comments in a style sheet, a tenth of it; none of our sheets has the marks in a string."""
LAYOUT = re.compile(rb"(?<=[\[({,;=>&|?:])\n\s*|\n\s*(?=[\])}.?:&|])|^\s+", re.MULTILINE)
"""Indentation, empty lines, and line breaks beside what neither ends nor begins a statement. ESLint
keeps line breaks out of strings and templates."""

INDENT = re.compile(rb"^\s+", re.MULTILINE)
"""Indentation and empty lines of a style sheet."""
STYLE_SPACE = re.compile(rb"(?<=[{:;,])[ \n]+|;?\s*(?=\})|[ \n]+(?=\{)")
"""Spaces of a style sheet that neither a value nor a selector needs, and a block's last semicolon.
"""

IMPORTED = re.compile(
    rb'(?:^|(?<=;))(?:import|export)\s(?:[^;"(]*\sfrom\s+)?"(\.[^"]+)";', re.MULTILINE
)
"""The path of an imported module, relative to the one that imports it."""


class Asset(Struct, frozen=True):
    """One public file; `packed` is its gzip form, where that is smaller."""

    mimetype: str
    content: bytes
    packed: bytes | None

    def answer(self) -> Response:
        """Return the file as a response, packed for browsers that accept gzip."""
        packed = self.packed if "gzip" in request.headers.get("Accept-Encoding", "") else None
        response = Response(packed or self.content, mimetype=self.mimetype)
        if packed:
            response.headers["Content-Encoding"] = "gzip"
        return response


STYLE_IMPORT = re.compile(rb'^@import url\("/static/([^"]+)"\);\n', re.MULTILINE)
"""A style sheet within another one, which one request gets both of."""
PUBLIC = ("core/**/*", "screens/**/*", "games/**/*", "proof/**/*", "i18n/**/*")
"""The folders of web/ that are public."""


class Assets:
    """Files under one folder that match the patterns, by their path."""

    def __init__(self, folder: Path, *patterns: str) -> None:
        self._files: dict[str, bytes | Asset] = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for pattern in patterns
            for path in folder.glob(pattern)
            if path.is_file()
        }

    def imports(self, entry: str) -> list[str]:
        """Return every module that a module needs at once; what it imports on demand is left out.

        Raises KeyError for a module that is not there.
        """
        modules = [entry]
        for name in modules:
            modules += [path for path in self._imported(name) if path not in modules]
        return modules[1:]

    def _imported(self, name: str) -> dict[str, None]:
        folder = posixpath.dirname(name)
        return {
            posixpath.normpath(posixpath.join(folder, path.decode())): None
            for path in IMPORTED.findall(self._content(name))
        }

    def _content(self, name: str) -> bytes:
        asset = self._files[name]
        return asset if isinstance(asset, bytes) else asset.content

    def answer(self, name: str) -> Response:
        """Return the file `name` as a response, or 404."""
        asset = self._files.get(name)
        if asset is None:
            abort(404)
        if isinstance(asset, bytes):
            # Two requests at once pack it twice, to the same bytes.
            whole = STYLE_IMPORT.sub(lambda named: self._content(named[1].decode()), asset)
            asset = self._files[name] = pack(PurePosixPath(name), whole)
        return asset.answer()


def pack(path: PurePosixPath, content: bytes) -> Asset:
    """Return a file as it is sent: modules, styles and catalogues without what only people read."""
    mimetype = (
        TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    )
    if path.suffix == ".json":
        # Catalogues are indented for people; phones get them without the indentation.
        content = to_json(json.loads(content))
    elif path.suffix == ".js" and not path.is_relative_to("core/vendor"):
        content = LAYOUT.sub(b"", COMMENT.sub(b"", content))
    elif path.suffix == ".css":
        content = STYLE_SPACE.sub(b"", INDENT.sub(b"", STYLE_COMMENT.sub(b"", content)))
    return new_asset(mimetype, content)


def new_asset(mimetype: str, content: bytes) -> Asset:
    """Return public bytes as they are sent; the size of a packed text may tell of its content."""
    packed = gzip.compress(content, mtime=0) if mimetype.startswith(TEXT) else None
    return Asset(mimetype, content, packed if packed and len(packed) < len(content) else None)
