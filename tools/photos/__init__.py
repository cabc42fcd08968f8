"""Photos of a laid table with their true content: tiles, a camera, light, a lens and a phone's
JPEG, all drawn here.

Synthetic: no real phone has taken one of them. The reader of photos shares no line with this.
"""
