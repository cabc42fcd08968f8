"""What every game and every table is made of: values and pure functions, no clock, no I/O, no
threads.
"""
