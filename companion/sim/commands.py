"""Commands of a simulated board, virtual or emulated, one a line; `help` lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from msgspec.structs import asdict

from companion.core.placement import Cell, Pawn
from companion.sensors.observation import Tile
from companion.sim.table_model import InvalidMove, World
from companion.sim.virtual_board import RATES, BoardKind, Faults

_T = TypeVar("_T")


class BoardProtocol(Protocol):
    """A board over a simulated table."""

    @property
    def kind(self) -> BoardKind: ...
    @property
    def world(self) -> World: ...
    @property
    def faults(self) -> Faults: ...
    @property
    def starts(self) -> int: ...
    def reset(self, now: float) -> None: ...
    def lamps(self) -> Mapping[Cell, str]:
        """Return the colour of each lit cell, "white" for instance."""


class SimulatedPort(Protocol):
    """A board on a serial port: `address` is its device or its pyserial URL."""

    @property
    def address(self) -> str: ...
    @property
    def plugged(self) -> bool: ...
    def do(self, action: Callable[[BoardProtocol, float], _T]) -> _T: ...
    def unplug(self, after: int | None = None) -> None: ...
    def replug(self) -> None: ...


HELP = """\
move H1a B2          lift a pawn and set it on a cell at once
lift H1a             take a pawn off; put H1a C3 sets it down
token D3 bullet      lay a token (bullet, bat); token D3 off takes it away
tile C3 17           lay tile 17; tile C3 off
fault noise on       noise, stolen, lost, duplicated, torn, missed: on, off or a rate such as 0.05
fault silence on     nothing is sent; fault baud on: another speed
fault stuck C3 on    a contact stuck closed (on) or open (empty), free again (off)
fault flicker C3 on  a chattering contact: on or off
fault strip 3        the board reports a bad strip; fault strip off
fault reset 5        cut the next line after 5 bytes and restart
fault protocol 2     another version of the wire; fault firmware 1.0 an older one; off for its own
fault mask modem     pretend to be no board: mute, echo, modem or off
fault off            every fault off
reset                restart
unplug [n], replug   pull the plug (after n more bytes), and put it back
show                 what lies on the table
quit"""

_SWITCHES = {"on": True, "off": False}


def run_command(terminal: SimulatedPort, line: str) -> str:
    """Run a command line and return the answer; an invalid line changes nothing."""
    words = line.split()
    if not words:
        return ""
    try:
        return _run(terminal, words[0].lower(), words[1:])
    except InvalidMove as wrong:
        return f"no: {wrong}"
    except (IndexError, KeyError, ValueError):
        return f"not understood: {line.strip()} (try help)"


def _run(terminal: SimulatedPort, verb: str, words: list[str]) -> str:
    match verb:
        case "help":
            return HELP
        case "show":
            return terminal.do(lambda board, now: render_table(board.world))
        case "unplug":
            if terminal.plugged:
                terminal.unplug(int(words[0]) if words else None)
            return "ok"
        case "replug":
            terminal.replug()
            return "ok"
    change = _CHANGES[verb]
    return terminal.do(lambda board, now: change(board, words, now) or "ok")


def _move(board: BoardProtocol, words: list[str], now: float) -> None:
    pawn, cell = words
    if not pawn.isascii() or not pawn.isalnum() or len(pawn) > 8:
        raise InvalidMove("a pawn has a name such as H1a")
    board.world.put(Pawn(pawn), _cell(board, cell))


def _lift(board: BoardProtocol, words: list[str], now: float) -> None:
    board.world.lift(Pawn(words[0]))


def _token(board: BoardProtocol, words: list[str], now: float) -> None:
    cell, kind = _cell(board, words[0]), words[1].lower()
    if kind == "off":
        board.world.take_token(cell)
    else:
        board.world.put_token(cell, kind)


def _tile(board: BoardProtocol, words: list[str], now: float) -> None:
    cell = _cell(board, words[0])
    if words[1] == "off":
        board.world.tiles.pop(cell, None)
    else:
        board.world.put_tile(cell, Tile(int(words[1]), int(words[2]) if len(words) > 2 else 0))


def _reset(board: BoardProtocol, words: list[str], now: float) -> None:
    if words:
        raise InvalidMove("a reset needs no more words")
    board.reset(now)


def _fault(board: BoardProtocol, words: list[str], now: float) -> None:
    faults, name = board.faults, words[0]
    match name:
        case "off":
            _clear_faults(faults)
        case "silence":
            faults.silence = _SWITCHES[words[1]]
        case "baud":
            faults.baud = _SWITCHES[words[1]]
        case "stuck":
            _set_stuck(faults, _cell(board, words[1]), words[2])
        case "flicker" if _SWITCHES[words[2]]:
            faults.flicker.add(_cell(board, words[1]))
        case "flicker":
            faults.flicker.discard(_cell(board, words[1]))
        case "strip" if words[1] == "off":
            faults.reported.clear()
        case "strip":
            faults.reported.add(f"strip {_byte(words[1])}")
        case "reset":
            faults.reset_after = int(words[1])
        case "protocol":
            faults.protocol = None if words[1] == "off" else _byte(words[1])
        case "firmware":
            faults.firmware = None if words[1] == "off" else words[1][:8]
        case "mask":
            _set_mask(faults, words[1])
        case _:
            setattr(faults, name, _rate(RATES[name], words[1]))


def _clear_faults(faults: Faults) -> None:
    for name, value in asdict(Faults(faults.rng)).items():
        setattr(faults, name, value)


def _set_stuck(faults: Faults, cell: Cell, how: str) -> None:
    if how == "off":
        faults.stuck.pop(cell, None)
    else:
        faults.stuck[cell] = {"on": True, "empty": False}[how]


def _set_mask(faults: Faults, mask: str) -> None:
    match mask:
        case "off":
            faults.mask = ""
        case "mute" | "echo" | "modem":
            faults.mask = mask
        case _:
            raise InvalidMove("a mask is mute, echo, modem or off")


def _rate(usual: float, word: str) -> float:
    rate = usual * _SWITCHES[word] if word in _SWITCHES else float(word)
    if not 0 <= rate <= 1:
        raise InvalidMove("a rate is from 0 to 1")
    return rate


def _byte(word: str) -> int:
    number = int(word)
    if not 0 <= number <= 255:
        raise InvalidMove("a number from 0 to 255")
    return number


def _cell(board: BoardProtocol, word: str) -> Cell:
    return board.world.known(Cell(word))


def render_table(world: World) -> str:
    """Return the table as text, one row a line; tokens by their first letters in brackets."""
    standing: dict[Cell | None, list[str]] = {}
    for pawn, cell in sorted(world.pawns.items()):
        standing.setdefault(cell, []).append(pawn)
    cells = world.field.cells
    texts = {cell: ",".join(standing.get(cell, [])) + _token_text(world, cell) for cell in cells}
    width = max(4, *(len(text) for text in texts.values()))
    columns = sorted({cell[0] for cell in cells})
    rows = sorted({cell[1:] for cell in cells}, key=int)
    lines = ["   " + " ".join(column.ljust(width) for column in columns)]
    for row in rows:
        names = [Cell(column + row) for column in columns]
        lines.append(
            f"{row}  "
            + " ".join(((texts[c] or ".") if c in texts else "").ljust(width) for c in names)
        )
    if None in standing:
        lines.append("off: " + " ".join(standing[None]))
    return "\n".join(line.rstrip() for line in lines)


def _token_text(world: World, cell: Cell) -> str:
    kind = world.token_kind(cell)
    return "" if kind is None else f"({kind[:3]})"


_CHANGES: dict[str, Callable[[BoardProtocol, list[str], float], None]] = {
    "move": _move,
    "put": _move,
    "lift": _lift,
    "token": _token,
    "tile": _tile,
    "reset": _reset,
    "fault": _fault,
}
