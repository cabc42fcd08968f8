"""The documented interface, with all requests that its description allows and many that it does
not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from companion.server.rpc.channel import REQUEST_PLAIN
from tests.helpers.repetitions import soak
from tests.server.client import GameTable, Phone
from tests.server.openapi import openapi_document

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def game_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameTable]:
    """A table in the middle of a game, the same for all requests."""
    game_table = GameTable(tmp_path_factory.mktemp("api") / "data")
    yield game_table
    game_table.close()


@pytest.fixture(scope="module")
def api(game_table: GameTable) -> Any:
    """The description of the interface, and the table that answers."""
    # Its import takes two seconds, which no other worker should spend.
    import schemathesis

    described = schemathesis.openapi.from_dict(openapi_document())
    described.app = game_table.app
    return described


ROUTES = [
    (path, method)
    for path, methods in openapi_document()["paths"].items()
    # A stream has no end, and its body is a box like that of /channel.
    if path not in ("/events", "/stream")
    for method in methods
]


@pytest.mark.parametrize("examples", [6, *soak(20)])
@pytest.mark.parametrize(("path", "method"), ROUTES)
def test_documented_routes(api: Any, path: str, method: str, examples: int) -> None:
    """Every answer of a route is one that the description names, and never a server error."""
    from schemathesis.checks import positive_data_acceptance

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck), database=None)
    @given(case=api[path][method].as_strategy())
    def ask(case: Any) -> None:
        # The description cannot say that a box is for this table: another one is refused, as it
        # must be.
        case.call_and_validate(
            excluded_checks=[positive_data_acceptance] if path == "/channel" else []
        )

    ask()


def requests() -> st.SearchStrategy[Any]:
    """Return requests for the box: valid by the description, and invalid."""
    import schemathesis

    described = openapi_document()
    asks = described["paths"]["/channel"]["post"]["requestBody"]["content"][
        "application/octet-stream"
    ]["x-boxed"]
    body = {"required": True, "content": {"application/json": {"schema": asks}}}
    responses = {"200": {"description": "The answer in its box."}}
    plain = described | {
        "paths": {"/channel": {"post": {"requestBody": body, "responses": responses}}}
    }
    operation = schemathesis.openapi.from_dict(plain)["/channel"]["POST"]
    cases: st.SearchStrategy[Any] = st.one_of(
        [operation.as_strategy(generation_mode=mode) for mode in schemathesis.GenerationMode]
    )
    return cases.map(lambda case: case.body)


@pytest.fixture(scope="module")
def people(game_table: GameTable) -> list[Phone]:
    """The vampire, a human, a display and a stranger."""
    seated = game_table.placed(2)
    return [*seated, game_table.display(), game_table.phone()]


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(person=st.integers(0, 3), body=st.deferred(requests))
def test_what_stands_in_the_box(
    game_table: GameTable, people: list[Phone], person: int, body: Any
) -> None:
    """Any request in the box, by any key, is done or refused with a reason: there is no server
    error.
    """
    try:
        assume(
            len(json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode())
            < REQUEST_PLAIN - 8
        )
    except (TypeError, UnicodeEncodeError):
        assume(False)
    message, _ = people[person].seal(body)
    reply = people[person].post("/channel", message)

    assert reply.status_code in (200, 400)
    if reply.status_code == 200:
        answer = people[person].open(reply.data)
        assert answer["ok"] in (True, False)
        assert answer.get("code") != "internal_error", answer
