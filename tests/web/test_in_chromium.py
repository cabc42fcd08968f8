"""The channel and the streams in a real browser, on plain http under a name that is not
localhost.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from playwright.sync_api import Browser, Page

from companion.config import Language
from companion.server.http.addresses import OwnNames
from tests.server.http.test_server import Served

CLAIM = """
async ([key, code]) => {
  const { Channel } = await import("/static/core/channel.js");
  const channel = await Channel.open({ server_key_b64url: key });
  const claimed = await channel.request("claim", { seat: "V", name: "Mina", code, pin: "1234" });
  const kept = JSON.parse(localStorage.getItem("seat-key")).server;
  return { claimed, secure: isSecureContext, kept };
}
"""
FOLLOW = """
async () => {
  const { Channel } = await import("/static/core/channel.js");
  const { subscribeSeat } = await import("/static/core/stream.js");
  const { subscribePublic } = await import("/static/core/public_stream.js");
  globalThis.heard = { seat: [], public: [], links: [] };
  const channel = await Channel.open();
  subscribeSeat(channel, (update, own, role) => heard.seat.push([update.snapshot.position, role,
  own.submitted]),
             (link) => heard.links.push(link));
  subscribePublic((update) => heard.public.push(update.snapshot.position));
}
"""

HEARD = """
async ([language, suffix]) => {
  const file = (suffix) => fetch(`/static/screens/table/speech/${language}.${suffix}`);
  const list = await (await file("json")).json();
  const bytes = await (await file(suffix)).arrayBuffer();
  const buffer = await new OfflineAudioContext(1, 1, 16000).decodeAudioData(bytes);
  const samples = buffer.getChannelData(0);
  const level = (from, to) => {
    const part = samples.subarray(Math.round(16000 * from), Math.round(16000 * to));
    return Math.sqrt(part.reduce((sum, each) => sum + each * each, 0) / part.length);
  };
  const wrong = Object.entries(list).filter(([, { start, seconds }]) =>
    level(start, start + seconds) < 0.04 || level(start - 0.15, start - 0.03) > 0.005);
  return { channels: buffer.numberOfChannels, sentences: Object.keys(list).length > 30, wrong };
}
"""
"""Decodes the sentences of a language in a file with this suffix; those are wrong that have no
sound where they should, or before.
"""
REST = """
async () => {
  const { Speaker } = await import("/static/screens/table/sound.js");
  const contexts = [];
  let ended = 0;
  const { AudioBufferSourceNode, AudioContext } = globalThis;
  globalThis.AudioBufferSourceNode = class extends AudioBufferSourceNode {
    constructor(...options) {
      super(...options);
      this.addEventListener("ended", () => (ended += 1));
    }
  };
  globalThis.AudioContext = class extends AudioContext {
    constructor() {
      super();
      contexts.push(this);
    }
  };
  const speaker = new Speaker(50);
  const became = async (state) => {
    for (let left = 1000; contexts[0].state !== state; left -= 1) {
      if (!left) throw new Error(`never ${state}`);
      await new Promise((done) => setTimeout(done, 10));
    }
  };
  await speaker.unlock();
  await became("suspended");
  const [rested, before] = [speaker.isUnlocked, speaker.now];
  speaker.play("clink");
  speaker.play("tok");
  await became("running");
  await became("suspended");
  return [rested, contexts.length, speaker.now - before > 0.5, speaker.isUnlocked, ended];
}
"""
"""Whether the resting speaker is unlocked, its sound devices, whether it played a sound of half a
second to its end, whether it is unlocked after that, and how many of two sounds it played.
"""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path, names=OwnNames(["table.test"]))
    yield served
    served.close()


@pytest.fixture
def page(served: Served, browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://table.test:{served.port}/healthz")
    yield page
    context.close()


def wait_until(page: Page, condition: str) -> None:
    """Wait in the page, ten seconds at most; playwright's own way needs an eval, which our policy
    forbids.
    """
    page.evaluate(
        f"""async () => {{
          for (let left = 500; !({condition}); left -= 1) {{
            if (!left) throw new Error("never true: " + JSON.stringify(heard));
            await new Promise((done) => setTimeout(done, 20));
          }}
        }}"""
    )


def test_a_phone_sits_down_and_follows(served: Served, page: Page) -> None:
    """On plain http: the claim, the kept key, a public update on both streams, and a return after a
    loss.
    """
    fragment = served.game_table.fragment

    result = page.evaluate(CLAIM, [fragment[:43], fragment[43:]])

    assert (True, "V") == (result["claimed"]["ok"], result["claimed"]["role"])
    assert (False, fragment[:43]) == (result["secure"], result["kept"])

    page.evaluate(FOLLOW)
    wait_until(page, "heard.seat.length && heard.public.length")
    served.mark("A1")
    position = served.game_table.table.snapshot()["position"]
    wait_until(page, f"heard.seat.at(-1)[0] === {position} && heard.public.at(-1) === {position}")
    assert ([position, "V", False], ["up"]) == tuple(
        page.evaluate("[heard.seat.at(-1), heard.links]")
    )

    served.game_table.table.journal.broadcaster.close()
    wait_until(page, "heard.links.join() === 'up,lost,up'")
    served.mark("A2")
    wait_until(
        page, f"heard.seat.at(-1)[0] === {position + 1} && heard.public.at(-1) === {position + 1}"
    )


def test_the_spoken_sentences_have_sound(page: Page) -> None:
    """The browser decodes the sentences of every language in both formats: each has sound where the
    list has it, after silence.
    """
    for language, suffix in product(get_args(Language), ("opus", "mp3")):
        sound = page.evaluate(HEARD, [language, suffix])
        assert {"channels": 1, "sentences": True, "wrong": []} == sound


def test_the_speaker_rests_while_nothing_plays(page: Page) -> None:
    """After silence the sound device is closed; the next sounds open it without a press, and are
    played whole.
    """
    assert [True, 1, True, True, 2] == page.evaluate(REST)
