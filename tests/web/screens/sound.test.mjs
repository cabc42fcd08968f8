import assert from "node:assert/strict";
import test from "node:test";
import { rms, samples, SECONDS } from "../../../web/screens/table/sound.js";
import { loadSounds, soundsOf } from "../../../web/games/index.js";
import { soundOf } from "../../../web/screens/table/news.js";

await loadSounds("vampireradar");
const hunt = soundsOf("vampireradar");
const RATE = 22050;
const decibel = (one, other) => Math.abs(20 * Math.log10(one / other));

test("groan and wind are equally long and equally loud within 1 dB", () => {
  for (const rate of [RATE, 44100, 48000]) {
    const [groan, wind] = [samples("groan", rate), samples("wind", rate)];
    assert.equal(groan.length, 2 * rate);
    assert.equal(wind.length, groan.length);
    assert.ok(decibel(rms(groan), rms(wind)) < 0.1);
  }
});

test("no sound is clipped, and each lasts as long as its `seconds`", () => {
  for (const name of Object.keys(SECONDS)) {
    const values = samples(name, RATE);
    assert.equal(values.length, Math.round(SECONDS[name] * RATE));
    assert.ok(
      values.every((value) => Math.abs(value) <= 0.95),
      name,
    );
  }
});

test("a groan has breath in it and a bell the stroke on its metal: noise beside their tones", () => {
  const hiss = (made) => {
    const bends = made.slice(2).map((value, index) => value - 2 * made[index + 1] + made[index]);
    return (rms(bends) / rms(made)) ** 2;
  };
  for (const name of ["groan", "bell"]) assert.ok(hiss(samples(name, 44100)) > 0.01, name);
  assert.ok(hiss(samples("drone", 44100)) < 0.001);
});

test("a sound is the same every time", () => {
  assert.deepEqual(samples("wind", RATE), samples("wind", RATE));
});

test("hit and miss are awaited with one sound, and sound different afterwards", () => {
  const shot = (hit) => ({ event: "shot_fired", hit });

  assert.equal(hunt.before.shot_fired, "heartbeat");
  assert.deepEqual(
    [true, false].map((hit) => soundOf(shot(hit), hunt)),
    ["groan", "wind"],
  );
});

test("the vampire's night has one sound at its end, whatever happened in it", () => {
  assert.equal(soundOf({ event: "turn_ended", seat: "V" }, hunt), "bell");
  assert.equal(soundOf({ event: "turn_ended", seat: "H1" }, hunt), null);
});
