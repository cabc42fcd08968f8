"""The pages offer each game's options of the rules, the settings and the levels of bots."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest

from companion.core.game import Game
from companion.games import GAMES
from companion.table.settings import TableSettings

MODULE = (Path(__file__).parents[2] / "web/games/index.js").as_uri()


@pytest.fixture(scope="module")
def offered() -> Any:
    """Return the options of every game in the form of the pages."""
    script = f"""
        import {{ GAMES, loadRules }} from "{MODULE}";
        const rules = GAMES.map(async (game) => [game, (await loadRules(game)).options]);
        console.log(JSON.stringify(Object.fromEntries(await Promise.all(rules))));
    """
    result = subprocess.run(
        ["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    )
    return json.loads(result.stdout)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_pages_offer_the_options_of_the_rules(offered: Any, game: Game) -> None:
    """Every option but the content's name is offered, its default first, and each value offered is
    taken.
    """
    options = get_type_hints(game.setup_type)["options"]
    defaults = msgspec.to_builtins(options())
    names = set(options.__struct_fields__) - {"content"}

    assert names == set(offered[game.name])
    for name, values in offered[game.name].items():
        assert defaults.get(name, values[0]) == values[0], name
        for value in values:
            msgspec.convert({name: value}, options)


def test_the_pages_offer_settings_that_the_table_takes() -> None:
    """The table accepts each setting that a game offers, and each of its levels of help; sound and
    volume are every game's.
    """
    script = f"""
        import {{ GAMES, loadRules }} from "{MODULE}";
        const rules = await Promise.all(GAMES.map(loadRules));
        const offered = rules.map(({{ settings = {{}}, help = {{}} }}) => [settings, help]);
        console.log(JSON.stringify(offered));
    """
    result = subprocess.run(
        ["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    )
    offered: set[str] = set()
    for settings, help in json.loads(result.stdout):
        for change in help.values():
            offered |= set(change)
            TableSettings().with_change(change)
        for name, values in settings.items():
            offered.add(name)
            for value in values:
                assert value == getattr(TableSettings().with_change({name: value}), name)
    assert set(TableSettings.__struct_fields__) == offered | {"sound", "volume"}


@pytest.mark.slow
def test_the_pages_offer_the_levels_of_the_bots() -> None:
    """A seat's list of bots has the levels among which the table chooses at even odds, in their
    order.
    """
    script = f"""
        import {{ GAMES, gameOf, loadGame }} from "{MODULE}";
        await Promise.all(GAMES.map(loadGame));
        const levels = GAMES.map((game) => [game, gameOf(game).bots]);
        console.log(JSON.stringify(Object.fromEntries(levels)));
    """
    result = subprocess.run(
        ["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    )

    assert {game.name: list(game.bots.levels) for game in GAMES if game.bots} == (
        json.loads(result.stdout)
    )
