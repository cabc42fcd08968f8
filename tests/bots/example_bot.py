"""A bot of other hands for any game: reads one line, writes one line, and takes any legal action.

A whole secret turn it ends at once, or after one step where that is compulsory.

companion arena vampireradar --side "humans=program:python3 tests/bots/example_bot.py" --games 10
--seconds 1
"""

import json
import random
import sys

rng = random.Random(1)
for line in sys.stdin:
    question = json.loads(line)
    legal = question["legal"]
    ends = [action for action in legal if action["type"] == "end"]
    action = ends[0] if question["secret"] and ends else rng.choice(legal)
    more = [{"type": "end"}] if question["secret"] and action["type"] == "step" else []
    sys.stdout.write(json.dumps({"actions": [action, *more]}) + "\n")
    sys.stdout.flush()
