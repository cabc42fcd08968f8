"""The table's own voice, made beforehand: `make speech` speaks web/i18n/speech by Debian's
espeak-ng.

Chromium on Linux has no voices of its own. In web/screens/table/speech each language becomes one
Opus file, in which its sentences stand one after the other, the same as MP3 for browsers that know
no Ogg (Safari before 18.4), and one JSON file that says of each sentence where it begins, how many
seconds it lasts, and its text. What espeak-ng speaks is free of espeak-ng's licence.
"""

from __future__ import annotations

import array
import io
import json
import subprocess
import sys
import wave
from pathlib import Path

WEB = Path(__file__).parent
VOICES = {"en": "en-gb", "ja": "ja", "nl": "nl"}
WORDS_A_MINUTE = 150
QUIET = 0.01
"""What is weaker than this part of full scale, before and after a sentence, is cut off."""
PEAK = 0.8
GAP_SECONDS = 0.2
"""Silence around each sentence: no neighbour is heard, whatever a decoder leaves out at the
beginning.
"""
OPUS = "opusenc --quiet --speech --framesize 60 --bitrate 16 --serial 1 --discard-comments -"
"""Kilobits a second, and a serial number: the same words make the same file."""
MP3 = "lame --quiet -m m --resample 16 -b 24 -"
"""One channel; kHz, and kilobits a second."""
FULL_SCALE = 32767


def spoken(text: str, voice: str) -> tuple[array.array[int], int]:
    """Return a sentence as 16-bit samples without silence around it, and how many there are to a
    second.
    """
    made = subprocess.run(
        ["espeak-ng", "-v", voice, "-s", str(WORDS_A_MINUTE), "--stdout", text],
        check=True,
        capture_output=True,
    ).stdout
    with wave.open(io.BytesIO(made)) as file:
        samples, rate = array.array("h", file.readframes(file.getnframes())), file.getframerate()
    loud = [index for index, value in enumerate(samples) if abs(value) > QUIET * FULL_SCALE]
    heard = samples[loud[0] : loud[-1] + 1]
    factor = PEAK * FULL_SCALE / max(abs(value) for value in heard)
    return array.array("h", (round(value * factor) for value in heard)), rate


def speak(language: str, out: Path) -> None:
    """Write the sound files of a language and the list of what is in them."""
    sentences: dict[str, str] = json.loads(
        (WEB / f"i18n/speech/{language}.json").read_text(encoding="utf-8")
    )
    whole = array.array("h")
    listed = {}
    rate = 0
    for code, text in sentences.items():
        samples, rate = spoken(text, VOICES[language])
        gap = array.array("h", bytes(2 * round(GAP_SECONDS * rate)))
        whole += gap
        listed[code] = {
            "start": round(len(whole) / rate, 3),
            "seconds": round(len(samples) / rate, 3),
            "text": text,
        }
        whole += samples + gap
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setparams((1, 2, rate, len(whole), "NONE", ""))
        written.writeframes(whole.tobytes())
    for encoder, suffix in ((OPUS, "opus"), (MP3, "mp3")):
        words = [*encoder.split(), str(out / f"{language}.{suffix}")]
        subprocess.run(words, check=True, input=file.getvalue())
    text = json.dumps(listed, ensure_ascii=False, indent=1)
    (out / f"{language}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    for each in sys.argv[1:] or VOICES:
        speak(each, WEB / "screens/table/speech")
