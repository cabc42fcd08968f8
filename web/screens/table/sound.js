/**
 * The table's sounds, computed here as samples; only the table display loads this module.
 * Groan and wind have one length and one loudness, so that they reveal nothing before the sentence.
 */
const NOISE = 0x9e3779b9;
const TAU = 2 * Math.PI;
const ANSWER_SECONDS = 2;
const ANSWER_RMS = 0.11;

/** The length of each sound in seconds. */
/** @type {Record<string, number>} */
export const SECONDS = {
  tok: 0.16,
  clink: 0.5,
  sweep: 1.2,
  heartbeat: 1.2,
  groan: ANSWER_SECONDS,
  wind: ANSWER_SECONDS,
  scream: 1.1,
  flap: 0.9,
  drone: 3,
  bell: 2.2,
};

/** Return samples (-1 to 1), `rate` a second. @param {string} sound @param {number} rate */
export function samples(sound, rate) {
  const length = Math.round(SECONDS[sound] * rate);
  const made = WAVES[sound](length, rate);
  return sound === "groan" || sound === "wind"
    ? levelled(made, ANSWER_RMS)
    : normalized(made, PEAKS[sound]);
}

/** The root mean square of samples. @param {Float32Array} made */
export function rms(made) {
  return Math.sqrt(made.reduce((sum, value) => sum + value * value, 0) / made.length);
}

/** @type {Record<string, number>} */
const PEAKS = {
  tok: 0.5,
  clink: 0.35,
  sweep: 0.35,
  heartbeat: 0.7,
  scream: 0.45,
  flap: 0.5,
  drone: 0.3,
  bell: 0.4,
};

/** @type {Record<string, (length: number, rate: number) => Float32Array>} */
const WAVES = {
  tok: (length, rate) =>
    wave(
      length,
      rate,
      (t) => (Math.sin(TAU * 310 * t) + 0.5 * Math.sin(TAU * 742 * t)) * Math.exp(-t * 42),
    ),
  clink: (length, rate) =>
    wave(
      length,
      rate,
      (t) =>
        (Math.sin(TAU * 2637 * t) +
          0.6 * Math.sin(TAU * 4186 * t) +
          0.3 * Math.sin(TAU * 6271 * t)) *
        Math.exp(-t * 11),
    ),
  sweep: (length, rate) =>
    wave(
      length,
      rate,
      (t) =>
        Math.sin(TAU * (320 * t + 260 * t * t)) *
        swell(t, SECONDS.sweep) *
        (0.75 + 0.25 * Math.sin(TAU * 7 * t)),
    ),
  heartbeat: (length, rate) =>
    wave(length, rate, (t) =>
      [0, 0.22, 0.62, 0.84].reduce((sum, beat) => sum + thump(t - beat), 0),
    ),
  groan: (length, rate) => mixed(wave(length, rate, vocalTract()), breath(length, rate), 0.3),
  wind: (length, rate) => {
    const air = band(
      noise(length),
      rate,
      (t) => 420 + 180 * Math.sin(TAU * 0.45 * t) + 60 * Math.sin(TAU * 1.3 * t),
      0.12,
    );
    return air.map((value, index) => value * swell(index / rate, ANSWER_SECONDS));
  },
  scream: (length, rate) =>
    wave(length, rate, (t) => {
      const pitch = TAU * (900 * t + 130 * Math.sin(5 * t) + 6 * Math.sin(TAU * 9 * t));
      return (
        (Math.sin(pitch) + 0.5 * Math.sin(2 * pitch) + 0.3 * Math.sin(3 * pitch)) *
        swell(t, SECONDS.scream)
      );
    }),
  flap: (length, rate) =>
    band(noise(length), rate, () => 700, 0.5).map(
      (value, index) =>
        value * [0, 0.16, 0.32, 0.5].reduce((sum, beat) => sum + gust(index / rate - beat), 0),
    ),
  drone: (length, rate) =>
    wave(
      length,
      rate,
      (t) =>
        (Math.sin(TAU * 55 * t) + 0.7 * Math.sin(TAU * 55.6 * t) + 0.4 * Math.sin(TAU * 82.5 * t)) *
        swell(t, SECONDS.drone),
    ),
  /** @param {number} length @param {number} rate */
  bell: (length, rate) => mixed(chime(length, rate), strike(length, rate), 0.1),
};

/** @param {number} length @param {number} rate */
function chime(length, rate) {
  return wave(length, rate, (t) =>
    [
      [523, 1],
      [1046, 0.5],
      [1245, 0.35],
      [1568, 0.25],
      [2093, 0.15],
    ].reduce(
      (sum, [pitch, part]) =>
        sum + part * Math.sin(TAU * pitch * t) * Math.exp(-t * (1.4 + pitch / 900)),
      0,
    ),
  );
}

/** Air against bronze: fast noise, slow shimmer. @param {number} length @param {number} rate */
function strike(length, rate) {
  return band(noise(length), rate, () => 3400, 0.5).map((value, index) => {
    const t = index / rate;
    return value * (Math.exp(-t * 30) + 0.12 * Math.exp(-t * 2.5));
  });
}

/** The air of a groan: noise that sinks. @param {number} length @param {number} rate */
function breath(length, rate) {
  return band(noise(length), rate, (t) => 1500 - 380 * t, 0.6).map(
    (value, index) => value * swell(index / rate, ANSWER_SECONDS),
  );
}

/**
 * Mix one sound into another; `part`: its relative loudness.
 * @param {Float32Array} made @param {Float32Array} over @param {number} part
 */
function mixed(made, over, part) {
  const factor = (part * rms(made)) / rms(over);
  return made.map((value, index) => value + factor * over[index]);
}

/** @param {number} length @param {number} rate @param {(t: number) => number} at */
function wave(length, rate, at) {
  return Float32Array.from({ length }, (_, index) => at(index / rate));
}

/** A rise of 15 % and a long fall over a sound. @param {number} t @param {number} seconds */
function swell(t, seconds) {
  const part = t / seconds;
  return part < 0.15
    ? Math.sin((part / 0.15) * (Math.PI / 2))
    : Math.cos(((part - 0.15) / 0.85) * (Math.PI / 2));
}

/** @param {number} t */
const thump = (t) => (t < 0 ? 0 : Math.sin(TAU * (62 * t - 40 * t * t)) * Math.exp(-t * 16));
/** @param {number} t */
const gust = (t) => (t < 0 || t > 0.14 ? 0 : Math.sin((Math.PI * t) / 0.14));

/**
 * A low voice sinking from 105 to 70 Hz, its overtones shaped by two formants.
 * @returns {(t: number) => number}
 */
function vocalTract() {
  return (t) => {
    const turns = TAU * (105 * t - 8.75 * t * t + 0.35 * Math.sin(TAU * 4.5 * t));
    let sum = 0;
    for (let part = 1; part <= 14; part += 1) {
      const pitch = part * (105 - 17.5 * t);
      const formants =
        Math.exp(-(((pitch - 430) / 170) ** 2)) + 0.5 * Math.exp(-(((pitch - 900) / 220) ** 2));
      sum += ((0.12 + formants) * Math.sin(part * turns)) / Math.sqrt(part);
    }
    return sum * swell(t, ANSWER_SECONDS);
  };
}

/** The same noise every time: no two hits or misses differ by chance. @param {number} length */
function noise(length) {
  let seed = NOISE;
  return Float32Array.from({ length }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 0x80000000 - 1;
  });
}

/**
 * A state-variable band-pass around a moving pitch.
 * @param {Float32Array} source @param {number} rate @param {(t: number) => number} pitchAt
 * @param {number} damping
 */
function band(source, rate, pitchAt, damping) {
  let low = 0;
  let mid = 0;
  return source.map((value, index) => {
    const pitch = 2 * Math.sin((Math.PI * pitchAt(index / rate)) / rate);
    low += pitch * mid;
    mid += pitch * (value - low - damping * mid);
    return mid;
  });
}

/** @param {Float32Array} made @param {number} level */
function levelled(made, level) {
  const factor = level / rms(made);
  return made.map((value) => value * factor);
}

/** @param {Float32Array} made @param {number} peak */
function normalized(made, peak) {
  const highest = made.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  return made.map((value) => (value * peak) / highest);
}

/** Silence after which the sound device is closed: open, it takes 4 % of a core of an AMD EPYC. */
const REST_MS = 5000;

/**
 * One mono speaker. Browsers keep it silent until a press on the page calls `unlock`; the sound
 * device is closed after `restMs` of silence and opened for the next sound.
 */
export class Speaker {
  /** @type {any} */
  #context = null;
  #buffers = new Map();
  #parts = new Set();
  #playing = new Set();
  #isResting = false;
  /** @type {any} */
  #timer;
  #restMs;
  level = 1;

  constructor(restMs = REST_MS) {
    this.#restMs = restMs;
  }

  get isUnlocked() {
    return this.#isResting || this.#context?.state === "running";
  }

  /** Open the sound device, which takes longer than a press may. */
  prepare() {
    if (this.#context) return;
    this.#context = new AudioContext();
    this.#context.onstatechange = () => {
      if (this.#context.state === "running") this.#isResting = false;
      this.#restLater();
    };
  }

  async unlock() {
    this.prepare();
    await this.#context.resume();
  }

  /** Open a closed sound device; after a failure the next press unlocks it. */
  wake() {
    if (!this.#isResting) return;
    this.#context.resume().catch(() => {
      this.#isResting = false;
    });
  }

  /** Rest as soon as nothing has played for long enough. */
  #restLater() {
    clearTimeout(this.#timer);
    if (this.#playing.size || this.#context.state !== "running") return;
    this.#timer = setTimeout(() => {
      this.#isResting = true;
      this.#context.suspend();
    }, this.#restMs);
  }

  /** Seconds since the speaker was made, by its own clock. */
  get now() {
    return this.#context.currentTime;
  }

  /** @param {string} sound */
  play(sound) {
    if (!this.isUnlocked || this.level === 0) return;
    this.#start(this.#buffer(sound));
  }

  /** Return the samples of an audio file. @param {ArrayBuffer} bytes */
  decode(bytes) {
    return this.#context.decodeAudioData(bytes);
  }

  /**
   * Play a part of `buffer`, at `time` or now if that is over; return when it ends.
   * @param {AudioBuffer} buffer @param {number} start @param {number} seconds @param {number} time
   */
  part(buffer, start, seconds, time) {
    const begin = Math.max(time, this.now);
    const source = this.#start(buffer, begin, start, seconds);
    this.#parts.add(source);
    source.addEventListener("ended", () => this.#parts.delete(source));
    return begin + seconds;
  }

  /** End every part that plays or waits. */
  silence() {
    for (const source of this.#parts) source.stop();
  }

  /** @param {AudioBuffer} buffer @param {number[]} when */
  #start(buffer, ...when) {
    const source = new AudioBufferSourceNode(this.#context, { buffer });
    source
      .connect(new GainNode(this.#context, { gain: this.level }))
      .connect(this.#context.destination);
    source.addEventListener("ended", () => {
      this.#playing.delete(source);
      this.#restLater();
    });
    source.start(...when);
    this.#playing.add(source);
    clearTimeout(this.#timer);
    this.wake();
    return source;
  }

  /** @param {string} sound */
  #buffer(sound) {
    if (!this.#buffers.has(sound)) {
      const rate = this.#context.sampleRate;
      const made = samples(sound, rate);
      const buffer = this.#context.createBuffer(1, made.length, rate);
      buffer.copyToChannel(made, 0);
      this.#buffers.set(sound, buffer);
    }
    return this.#buffers.get(sound);
  }
}
