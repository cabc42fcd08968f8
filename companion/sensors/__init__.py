"""From things on the table to actions: what a source sees, and how the game explains it.

Bytes become `Observation`s (serial_board, conversation, pictures), taps do too (touch).
`BoardReader` waits until the table rests (settle), compares it with what the game expects
(reconcile, by a search over the game's own imagination), and submits the one walk that explains it,
asks, or shows the way back.
"""
