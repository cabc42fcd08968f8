"""A bot of other hands: reads one line, writes one line.

It radars and shoots as a human, and stays put as the vampire.

companion arena --humans "program:python3 tests/bots/example_bot.py" --vampire greedy --games 10
--seconds 1
"""

import json
import sys

for line in sys.stdin:
    asked = json.loads(line)
    legal = asked["legal"]
    wanted = [
        action
        for action in legal
        if action["type"] in ("call_radar", "take_bullet", "shoot", "walk", "place")
    ]
    if asked["seat"] == "V" and asked["view"]["own"]["cell"] is not None:
        wanted = [{"type": "end"}]
    sys.stdout.write(json.dumps({"actions": wanted[:1] or [{"type": "end"}]}) + "\n")
    sys.stdout.flush()
