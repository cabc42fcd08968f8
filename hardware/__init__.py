"""What is held in hands.

The programs in here draw plans; nothing of it runs on the board or on the Pi.
"""
